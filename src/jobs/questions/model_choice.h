// SPDX-License-Identifier: MIT
// Chooses the memory model for a question.
#pragma once

#include <optional>
#include <string>

#include "codegen/device_program.h"
#include "litmus/test.h"
#include "model/judge.h"

namespace weakspot::questions {

// The properties of a device that decide which model is asked: the code it gets, and what that code depends on.
struct Platform {
  codegen::Target target = codegen::Target::ptx;
  codegen::TargetLimits limits;
};

// The model that judges a test's outcomes on a device, by name or path: the one that was asked for, or if `asked` is
// empty, the one of the platform: ptx on CUDA (ptx-2015 for tests in that dialect), vulkan, opencl, webgpu, on a CPU
// its hardware_model(), and on a CPU and a GPU together ptx-tso or ptx-aarch64. `device` is null if none is known: then
// the model for the test's dialect. Everything that judges runs asks here.
std::string judging_model(const litmus::LitmusTest& test, const Platform* device, const std::string& asked);

// The model of what the device's processor can show. GPUs have none: their makers document a programming model only.
std::optional<std::string> hardware_model(const Platform& device);

// The test that the model judges: as the device's code has it (see codegen/as_emitted.h) if the model is the platform's
// own, as written if it is another. What a run's environment breaks on purpose is in neither.
litmus::LitmusTest as_emitted(const litmus::LitmusTest& test, const Platform& device);
litmus::LitmusTest form_for_model(const litmus::LitmusTest& test, const Platform* device, const std::string& model);

// A model's verdict on a test that is not what the test's Expect line says of that model: one of the two is a mistake
// of ours.
struct Contradiction {
  std::string test, model;       // their names
  litmus::Expectation expected;  // by the line Expect

  std::string text() const;          // "MP: the line Expect says that ptx allows the outcome, and the model forbids it"
  std::string without_test() const;  // "the line Expect says ..."
};

// The test must be in the form in which it was written.
std::optional<Contradiction> contradiction(const litmus::LitmusTest& test, const std::string& model,
                                           model::Verdict::Reach reach);

// The model that drops mutants that are still forbidden. Generic tests are judged by a model with scopes: in the
// others, narrowing a scope changes nothing.
std::string mutant_model(const litmus::LitmusTest& mutant);

}  // namespace weakspot::questions
