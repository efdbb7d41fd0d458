// SPDX-License-Identifier: MIT
// Runs a compiled model on candidates.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "model/budget/allowance.h"
#include "model/cat_model.h"
#include "model/execution/frame.h"
#include "model/relation/relation.h"

namespace weakspot::model {

// Evaluates a model on candidates, one frame after the other; judge.h drives it. It keeps all intermediate relations,
// so that nothing is allocated per candidate. One per thread. It has its own copy of the model.
class Evaluator {
 public:
  // The allowance limits what it does, and must outlive the calls; null: no limits.
  explicit Evaluator(const Model& model, Allowance* allowance = nullptr);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;

  // From now on. When the allowance is used up, the answers that follow mean nothing, except that allows() is then
  // false.
  void limit(Allowance* allowance);

  // Computes what depends on the frame alone. The frame must outlive the calls that follow.
  void begin(const Frame& frame);
  // Whether some monotone check fails already.
  bool cut(const Relation& rf, const Relation& co);
  // Whether some check fails because coherence lacks a pair. It then fails on every candidate with more rf and a
  // coherence within co.
  bool lacks(const Relation& rf, const Relation& co);
  // From now on tries the orders of a `with` one by one: the obvious way, for the tests of the other one.
  void try_all_orders();
  // Raises flags from the next frame on (the default) or skips them, which makes a candidate cheaper.
  void raise_flags(bool raises);
  // Whether the model allows the candidate: some choice of its `with` orders passes every check that is not a flag.
  bool allows(const Candidate& candidate);

  std::size_t held() const;  // bytes of intermediate relations

  // Set if the model cannot be evaluated on this frame; the answers of cut() and allows() are then meaningless. Only
  // models that take sets of events apart can fail here.
  const std::optional<base::Diagnostic>& problem() const;

  // After allows(): indices of the flags that were raised, for the choice that passed.
  const std::vector<std::size_t>& flags() const;
  // After allows() was false: the check that failed, for the last choice tried.
  std::optional<std::size_t> failed_check() const;
  struct Failure {
    std::size_t check;
    std::vector<EventId> events;  // the cycle, the reflexive event, or the pair
    const Relation* relation;     // the checked relation; valid until the next call
  };
  // Evaluates again and says which check failed (for the last choice tried). The model must forbid the candidate. Means
  // nothing if the allowance is used up.
  Failure explain(const Candidate& candidate);
  // The names of the base and let-bound relations that relate `from` to `to` in the last evaluation, most specific
  // first ("rf", "po", "fr"). The last candidate must still exist, for this and for shown().
  std::vector<std::string> names_of(EventId from, EventId to) const;
  // The relations that the model shows (`show r as name`).
  std::vector<std::pair<std::string, const Relation*>> shown() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weakspot::model
