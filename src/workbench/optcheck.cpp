// SPDX-License-Identifier: MIT
#include "workbench/optcheck.h"

#include <algorithm>
#include <atomic>
#include <mutex>
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

class OptcheckJob {
 public:
  OptcheckJob(backend::Device& device, const codegen::TestEnvironment& environment)
      : device_(device), environment_(environment) {}

  CodeCheck check(const litmus::LitmusTest& test) {
    const backend::DeviceInfo& info = device_.info();
    base::Result<codegen::TestProgram> program =
        codegen::TestProgram::compile(test, environment_, info.target, info.limits);
    if (!program) return not_known(program.errors());
    program->inspect();
    const backend::Device::Loaded loaded = load(program->program());
    if (!loaded) return not_known(loaded.errors());
    return optcheck::check_code(*program, (*loaded)->machine_code());
  }

 private:
  backend::Device::Loaded load(const codegen::DeviceProgram& program) {
    if (device_.info().loads_in_parallel) return device_.load(program);
    const std::lock_guard<std::mutex> lock(mutex_);
    return device_.load(program);
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
  const auto threads = static_cast<unsigned>(std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()),
                                                                   std::max<std::size_t>(checked.size(), 1)));
  base::in_parallel(threads, [&](unsigned) {
    for (std::size_t i = next++; i < checked.size(); i = next++) {
      checked[i].check = job.check(checked[i].test);
      if (!ended(++done, checked.size())) next = checked.size();
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
