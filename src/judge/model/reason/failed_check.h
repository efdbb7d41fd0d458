// SPDX-License-Identifier: MIT
// Which check forbids an execution, found on the graph of the model as its text has it.
//
// A model that chooses orders (`with`) forbids an execution if every choice fails some check. The choice that gets
// furthest is kept: its check says most.
#pragma once

#include <memory>
#include <optional>

#include "model/evaluate/cat_program.h"
#include "model/evaluate/node_values.h"
#include "model/execution/frame.h"

namespace weakspot::model {

// The graph of a model as written, for one execution.
struct WrittenModel {
  // The witness and the allowance must outlive it.
  WrittenModel(const Model& model, const Witness& witness, Allowance& allowance);

  const cat::Built& built() const { return own ? *own : program.written(); }
  const Graph& graph() const { return built().graph; }

  const Model::Program& program;
  const Witness& witness;
  const Candidate candidate;
  Allowance& allowance;
  std::optional<cat::Built> own;  // for a model that is built for each execution
};

struct FailedCheck {
  std::uint32_t check = 0;             // index into Model::checks()
  NodeId node = kNoNode;               // the checked value
  std::size_t choices = 1;             // number of choices of orders tried; each of them failed
  std::shared_ptr<NodeValues> values;  // with the choice that was kept
};

// None if the allowance is used up, or if no check fails.
std::optional<FailedCheck> find_failed_check(const WrittenModel& model);
// The first flag that is raised by a choice that passes all checks.
std::optional<FailedCheck> find_raised_flag(const WrittenModel& model);

}  // namespace weakspot::model
