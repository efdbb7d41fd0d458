// SPDX-License-Identifier: MIT
// A memory model written in cat, type-checked and compiled to a list of operations on relations.
//
// Operations that depend on the frame alone are done once per frame, those that depend on rf or co once per candidate.
// A check is monotone if its relation only grows when rf and co grow: when it fails on a partial candidate, it fails on
// every completion, so the enumeration can stop early.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "model/allowance.h"
#include "model/cat/check.h"
#include "model/cat/include_loader.h"
#include "model/execution/frame.h"
#include "model/relation/relation.h"

namespace weakspot::model {

// Immutable: copies are cheap and share the compiled form, and threads may use one model together.
class Model {
 public:
  // Reads, type-checks and compiles. Mistakes carry the file and place they are in. `source` and `include` need not
  // outlive the call. `variants` are the names that `if variant` finds set.
  static base::Result<Model> compile(const base::Source& source, const IncludeLoader& include = {},
                                     const std::vector<std::string>& variants = {});

  const std::string& name() const;         // the quoted string at the top, or the file's name
  const std::string& description() const;  // the first comment, for listings
  bool partial_coherence() const;          // whether co may leave writes of a location unordered (PTX, Vulkan)
  using Check = cat::Check;
  const std::vector<Check>& checks() const;  // in the order of the text
  // Mistakes in definitions that no check uses: the model works without them.
  const base::Diagnostics& warnings() const;

  struct Program;  // the compiled form, private to the module
  const Program& program() const { return *program_; }

 private:
  std::shared_ptr<const Program> program_;
};

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
  // Whether some check fails because coherence lacks a pair, and so fails on every candidate with more rf and a
  // coherence within co.
  bool lacks(const Relation& rf, const Relation& co);
  // From now on tries the orders of a `with` one by one: the obvious way, for the tests of the other one.
  void try_all_orders();
  // Whether flags are raised, from the next frame on; at first they are. Without them a candidate takes less time.
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
    const Relation* relation;     // what was checked; valid until the next call
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
