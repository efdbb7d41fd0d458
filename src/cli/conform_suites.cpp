#include "cli/conform_suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/file.h"
#include "cli/run_setup.h"
#include "codegen/sweep.h"
#include "gen/suites.h"
#include "model/judge.h"
#include "model/library.h"

namespace weakspot::cli {
namespace {

using campaign::ConformanceSuite;
using campaign::MutantStatus;

base::Result<ConformanceSuite> read_suite(const std::string& path) {
  base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  return campaign::suite_from_json(base::Source(path, *std::move(text)));
}

base::Result<ConformanceSuite> generated(const std::string& name, const backend::DeviceInfo& info) {
  base::Result<ConformanceSuite> suite = generated_suite(name);
  if (!suite) return suite.errors();
  suite->family = family_of(info);
  const base::Result<std::vector<codegen::TestEnvironment>> sweep = read_environments("sweep", info);
  if (!sweep) return sweep.errors();
  suite->environments = *sweep;
  return suite;
}

// The test with the orders of the instructions that the device is given: where there is LDAPR, acquire loads are that.
litmus::LitmusTest as_run(litmus::LitmusTest test, const codegen::CpuFeatures& cpu) {
  const bool translated = test.arch != litmus::Arch::aarch64 && cpu.isa == codegen::CpuIsa::aarch64;
  if (!translated || !cpu.rcpc) return test;
  for (litmus::Thread& thread : test.threads) {
    for (litmus::Instruction& instruction : thread.instructions) {
      auto* load = std::get_if<litmus::Load>(&instruction.operation);
      if (load != nullptr && load->access.order == litmus::Order::acquire) {
        load->access.order = litmus::Order::acquire_pc;
      }
    }
  }
  return test;
}

}  // namespace

std::string family_of(const backend::DeviceInfo& info) {
  if (info.target == codegen::Target::cpu) {
    return info.limits.cpu.isa == codegen::CpuIsa::aarch64 ? "cpu-aarch64" : "cpu-x86_64";
  }
  if (info.target == codegen::Target::ptx && !info.id.starts_with("testing")) return "nvidia";
  return info.name.find("NVIDIA") != std::string::npos ? "nvidia" : info.name;
}

base::Result<ConformanceSuite> load_suite(const std::string& name, const backend::DeviceInfo& info) {
  std::error_code code;
  if (!name.empty()) {
    if (std::filesystem::exists(name, code)) return read_suite(name);
    return generated(name, info);
  }
  const std::filesystem::path folder = base::data_directory("configs");
  const std::filesystem::path own = folder / "suites" / (family_of(info) + ".json");
  if (!folder.empty() && std::filesystem::exists(own, code)) return read_suite(own.string());
  return generated("mc-mutants", info);
}

// Tests and mutants belong together by what the mutants say of their parents.
base::Result<ConformanceSuite> generated_suite(const std::string& name) {
  const gen::Suite* found = gen::suite_named(name);
  if (found == nullptr) return base::error_in(name, "there is no such file, and no such suite");
  ConformanceSuite suite;
  suite.name = name;
  std::map<std::string, std::size_t> parents;
  std::vector<litmus::LitmusTest> tests = gen::tests_of(*found);
  if (const gen::Suite* more = gen::suite_named(name + "-mutants"); more != nullptr) {
    std::vector<litmus::LitmusTest> mutants = gen::tests_of(*more);
    std::move(mutants.begin(), mutants.end(), std::back_inserter(tests));
  }
  for (litmus::LitmusTest& test : tests) {
    const auto parent = gen::info_of(test, "Parent");
    if (!parent) {
      parents[test.name] = suite.tests.size();
      suite.tests.push_back({std::move(test), {}});
      continue;
    }
    const auto at = parents.find(*parent);
    if (at == parents.end()) return base::error(fmt::format("{}: the parent of {} is not in it", name, test.name));
    campaign::SuiteMutant mutant;
    mutant.mutator = gen::info_of(test, "Mutator").value_or("");
    mutant.test = std::move(test);
    suite.tests[at->second].mutants.push_back(std::move(mutant));
  }
  return suite;
}

base::Status prune_unobservable(ConformanceSuite& suite, const backend::DeviceInfo& info) {
  if (info.target != codegen::Target::cpu) return base::ok_status();
  const std::string name = info.limits.cpu.isa == codegen::CpuIsa::aarch64 ? "aarch64" : "tso";
  const base::Result<model::Model> model = model::load_model(name);
  if (!model) return model.errors();
  for (campaign::SuiteTest& test : suite.tests) {
    for (campaign::SuiteMutant& mutant : test.mutants) {
      model::JudgeOptions options;
      options.condition_only = true;
      if (model::judge(as_run(mutant.test, info.limits.cpu), *model, options).reach != model::Verdict::Reach::forbidden)
        continue;
      mutant.status = MutantStatus::unobservable;
      mutant.reason = fmt::format("{} forbids it", name);
      mutant.rates.clear();
    }
  }
  return base::ok_status();
}

}  // namespace weakspot::cli
