// SPDX-License-Identifier: MIT
#include "workbench/optcheck.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "backend/device.h"
#include "base/parallel.h"
#include "codegen/environment.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "optcheck/optcheck.h"
#include "workbench/devices.h"
#include "workbench/environments.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {
namespace {

using optcheck::CodeCheck;
using optcheck::CodeVerdict;

CodeCheck not_known(const base::Diagnostics& errors) { return {CodeVerdict::unknown, base::messages(errors), {}}; }

// Tests whose code is checked together: a disassembler takes as long for many as for one.
constexpr std::size_t kMostTogether = 32;

class OptcheckJob {
 public:
  OptcheckJob(backend::Device& device, const codegen::TestEnvironment& environment)
      : device_(device), environment_(environment) {}

  void check(std::span<CheckedTest> tests) {
    std::vector<Made> made;
    for (CheckedTest& one : tests) {
      if (std::optional<Made> program = make(one)) made.push_back(*std::move(program));
    }
    std::vector<optcheck::CodeToCheck> codes;
    for (const Made& one : made) codes.push_back({&one.program, &one.code});
    std::vector<CodeCheck> checks = optcheck::check_codes(codes);
    for (std::size_t i = 0; i < made.size(); ++i) made[i].test->check = std::move(checks[i]);
  }

 private:
  struct Made {
    CheckedTest* test;
    codegen::TestProgram program;
    backend::MachineCode code;
  };

  // Nothing if there is no code to check: the test then knows why.
  std::optional<Made> make(CheckedTest& one) {
    const backend::DeviceInfo& info = device_.info();
    base::Result<codegen::TestProgram> program =
        codegen::TestProgram::compile(one.test, environment_, info.target, info.limits);
    if (!program) {
      one.check = not_known(program.errors());
      return std::nullopt;
    }
    program->inspect();
    std::unique_lock<std::mutex> lock(mutex_, std::defer_lock);
    if (!info.loads_in_parallel) lock.lock();
    const backend::Device::Loaded loaded = device_.load(program->program());
    if (!loaded) {
      one.check = not_known(loaded.errors());
      return std::nullopt;
    }
    backend::MachineCode code = (*loaded)->machine_code();
    return Made{&one, *std::move(program), std::move(code)};
  }

  backend::Device& device_;
  const codegen::TestEnvironment& environment_;
  std::mutex mutex_;
};

}  // namespace

base::Result<std::vector<CheckedTest>> check_tests(
    const OptcheckRequest& request, const std::function<bool(std::size_t done, std::size_t all)>& ended) {
  TestInputs inputs = load_tests(request.tests);
  if (!inputs.errors.empty()) return inputs.errors;
  std::vector<std::string> ids;
  if (!request.device.empty()) ids.push_back(request.device);
  const base::Result<std::vector<backend::DeviceInfo>> found = find_devices(ids);
  if (!found) return found.errors();
  const backend::DeviceInfo& info = found->front();
  const base::Result<Environments> environments =
      read_environments(request.environment.empty() ? info.environment : request.environment, info);
  if (!environments) return environments.errors();
  const base::Result<std::unique_ptr<backend::Device>> device = backend::open_device(info.id);
  if (!device) return device.errors();

  std::vector<CheckedTest> checked;
  for (TestInput& input : inputs.tests) {
    checked.push_back({std::move(input.test), info.id, codegen::to_text(environments->front()), {}});
  }
  OptcheckJob job(**device, environments->front());
  std::atomic<std::size_t> next{0}, done{0};
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t threads = std::min(cores, std::max<std::size_t>(checked.size(), 1));
  const std::size_t together = std::clamp<std::size_t>(checked.size() / threads, 1, kMostTogether);
  base::in_parallel(static_cast<unsigned>(threads), [&](unsigned) {
    for (std::size_t i = next.fetch_add(together); i < checked.size(); i = next.fetch_add(together)) {
      const std::size_t count = std::min(together, checked.size() - i);
      job.check(std::span(checked).subspan(i, count));
      if (!ended(done += count, checked.size())) next = checked.size();
    }
  });
  return checked;
}

base::JsonValue optcheck_json(const CheckedTest& checked) {
  const std::vector<std::vector<std::string>> texts = litmus::instruction_texts(checked.test);
  base::JsonValue instructions = base::json_array();
  for (const optcheck::Pairing& pairing : checked.check.pairings) {
    instructions.push_back(base::json_object({{"thread", pairing.thread},
                                              {"instruction", texts[pairing.thread][pairing.instruction]},
                                              {"code", pairing.code},
                                              {"at", pairing.at}}));
  }
  return base::json_object({{"test", checked.test.name},
                            {"device", checked.device},
                            {"environment", checked.environment},
                            {"verdict", optcheck::to_string(checked.check.verdict)},
                            {"reason", checked.check.reason},
                            {"instructions", std::move(instructions)}});
}

Ending optcheck_ending(const std::vector<CheckedTest>& checked) {
  const bool changed = std::any_of(checked.begin(), checked.end(),
                                   [](const CheckedTest& one) { return one.check.verdict == CodeVerdict::changed; });
  return changed ? Ending::finding : Ending::fine;
}

}  // namespace weakspot::workbench
