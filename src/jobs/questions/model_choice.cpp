// SPDX-License-Identifier: MIT
#include "questions/model_choice.h"

#include <fmt/format.h>

#include "base/wording.h"
#include "codegen/as_emitted.h"
#include "model/foreign_words.h"
#include "model/library.h"

namespace weakspot::questions {

namespace {

std::string platform_model(const litmus::LitmusTest& test, const Platform& device) {
  switch (device.target) {
    case codegen::Target::ptx:
      return test.arch == litmus::Arch::ptx2015 ? "ptx-2015" : "ptx";
    case codegen::Target::spirv:
      return "vulkan";
    case codegen::Target::opencl:
      return "opencl";
    case codegen::Target::wgsl:
      return "webgpu";
    case codegen::Target::cpu:
      return *hardware_model(device);
    case codegen::Target::mixed:
      return device.limits.cpu.isa == codegen::CpuIsa::aarch64 ? "ptx-aarch64" : "ptx-tso";
  }
  return model::default_model(test.arch);
}

std::string model_without_device(const litmus::LitmusTest& test) {
  const bool beyond = test.arch == litmus::Arch::generic && model::foreign_word(model::Vocabulary::rel_acq, test);
  return beyond ? "ptx" : model::default_model(test.arch);
}

}  // namespace

std::string judging_model(const litmus::LitmusTest& test, const Platform* device, const std::string& asked) {
  if (!asked.empty()) return asked;
  return device == nullptr ? model_without_device(test) : platform_model(test, *device);
}

litmus::LitmusTest as_emitted(const litmus::LitmusTest& test, const Platform& device) {
  return codegen::as_emitted(test, device.target, device.limits);
}

litmus::LitmusTest form_for_model(const litmus::LitmusTest& test, const Platform* device, const std::string& model) {
  return device != nullptr && model == platform_model(test, *device) ? as_emitted(test, *device) : test;
}

std::optional<std::string> hardware_model(const Platform& device) {
  if (device.target != codegen::Target::cpu) return std::nullopt;
  return device.limits.cpu.isa == codegen::CpuIsa::aarch64 ? "aarch64" : "tso";
}

std::string Contradiction::text() const { return fmt::format("{}: {}", test, without_test()); }

std::string Contradiction::without_test() const {
  const bool allowed = expected == litmus::Expectation::allowed;
  return base::worded(fmt::format("the line Expect says that {} {} the outcome, and the model {} it", model,
                                  allowed ? "allows" : "forbids", allowed ? "forbids" : "allows"));
}

std::optional<Contradiction> contradiction(const litmus::LitmusTest& test, const std::string& model,
                                           model::Verdict::Reach reach) {
  const auto expected = test.expectations.find(model);
  if (expected == test.expectations.end() || reach == model::Verdict::Reach::unknown) return std::nullopt;
  const bool allowed = expected->second == litmus::Expectation::allowed;
  if (allowed == (reach == model::Verdict::Reach::allowed)) return std::nullopt;
  return Contradiction{test.name, model, expected->second};
}

std::string mutant_model(const litmus::LitmusTest& mutant) {
  return mutant.arch == litmus::Arch::generic ? "ptx" : model::default_model(mutant.arch);
}

}  // namespace weakspot::questions
