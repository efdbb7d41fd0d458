// SPDX-License-Identifier: MIT
// Prints programs and launches for bench/webgpu/rate.mjs as JSON: the same test once in a loop on the device, and once
// with one iteration per launch.
//
//   webgpu_launches TEST.litmus [RESIDENT [ENVIRONMENT]]
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/file.h"
#include "base/source.h"
#include "codegen/program_json.h"
#include "litmus/dialect.h"

namespace {

using namespace weakspot;

struct Case {
  const char* name;
  const char* changes;       // to the environment
  std::uint32_t resident;    // workgroups
  std::uint64_t iterations;  // per round, at most
};

base::Result<base::JsonValue> describe(const litmus::LitmusTest& test, const std::string& environment,
                                       const Case& one) {
  const auto parsed = codegen::parse_environment(base::Source("environment", environment + one.changes));
  if (!parsed) return parsed.errors();
  codegen::TargetLimits limits = codegen::webgpu_limits();
  limits.loop_rounds = 1u << 17;  // as web/src/device/open.ts has it for software
  const auto program = codegen::TestProgram::compile(test, *parsed, codegen::Target::wgsl, limits);
  if (!program) return program.errors();
  const auto planned = program->plan({.resident_workgroups = one.resident,
                                      .memory_bytes = 64u << 20,
                                      .multiprocessors = one.resident,
                                      .most_instances = one.iterations == 1 ? 1u : 0u});
  if (!planned) return planned.errors();
  base::JsonValue value = base::json_object();
  value.add("name", one.name);
  value.add("program", codegen::to_json(*program));
  value.add("planned", codegen::to_json(*planned));
  return value;
}

int fail(const base::Diagnostics& errors) {
  std::fputs(base::render(errors).c_str(), stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fail({base::error("expected a test")});
  const std::uint32_t resident = argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 2;
  const std::string environment = argc > 3 ? argv[3] : "workgroup_size=256,pairing=half";
  const auto text = base::read_file(argv[1]);
  if (!text) return fail(text.errors());
  const auto tests = litmus::read_tests(base::Source(argv[1], *text));
  if (!tests) return fail(tests.errors());
  const Case cases[] = {
      {"loop on the device", "", resident, 0},
      {"one dispatch per iteration", ",iterations=1", resident, 1},
      // Workgroups that need not run together can be many, but then they are less of a test.
      {"one dispatch per iteration, 64 workgroups without a barrier", ",iterations=1,barrier=none", 64, 1},
  };
  base::JsonValue all = base::json_array();
  for (const Case& one : cases) {
    base::Result<base::JsonValue> value = describe(tests->front(), environment, one);
    if (!value) return fail(value.errors());
    all.push_back(*std::move(value));
  }
  std::puts(base::json_compact(all).c_str());
  return 0;
}
