// A memory model written in cat, type-checked and compiled to a list of operations on relations.
//
// The list is split by what an operation depends on: the frame alone (done once per frame), or also rf and co (done per
// candidate). Checks whose relation only grows when rf and co grow are `monotone`: if such a check fails on a partial
// candidate it fails on every completion, which is what lets the enumeration cut early.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "model/execution/frame.h"
#include "model/relation/relation.h"

namespace weakspot::model {

// Finds the text of an included file. Library files (cat_library.h) need not be found.
using IncludeLoader = std::function<base::Result<base::Source>(std::string_view name)>;

class Model {
 public:
  // Reads, type-checks and compiles; mistakes come with carets into the file they are in. `variants` are those that
  // `if variant` finds set.
  static base::Result<Model> compile(const base::Source& source, const IncludeLoader& include,
                                     const std::vector<std::string>& variants = {});

  const std::string& name() const;         // the quoted string at the top, or the file's name
  const std::string& description() const;  // the first comment, for listings
  bool partial_coherence() const;
  // The checks by name, in order.
  struct Check {
    std::string name;
    enum class Kind { acyclic, irreflexive, empty } kind;
    bool negated = false;
    bool flag = false;  // `flag ~empty r as n`: reported, does not forbid
    base::Span span;
  };
  const std::vector<Check>& checks() const;
  // Mistakes in definitions that no check uses; such a model works, and its author will want to know.
  const base::Diagnostics& warnings() const;

  struct Program;  // the compiled form
  const Program& program() const { return *program_; }

 private:
  std::shared_ptr<const Program> program_;
};

// Evaluates one model on the candidates of one frame after the other. Owns all intermediate relations, so that nothing
// is allocated per candidate. One per thread.
class Evaluator {
 public:
  explicit Evaluator(const Model& model);
  ~Evaluator();
  Evaluator(Evaluator&&) noexcept;

  // Computes what depends on the frame alone. The frame must outlive the calls that follow.
  void begin(const Frame& frame);
  // Whether some monotone check fails already.
  bool cut(const Relation& rf, const Relation& co);
  // Whether some check fails for want of coherence: on every candidate with more rf and a coherence within co.
  bool lacks(const Relation& rf, const Relation& co);
  // Whether the model allows the candidate: some choice of its `with` orders passes every check that is not a flag.
  bool allows(const Candidate& candidate);

  std::size_t held() const;  // bytes of intermediate relations

  // Why the model could not be evaluated on this frame, if so: then cut() is false and allows() true, and neither means
  // anything. Only models that take sets of events apart can fail here.
  const std::optional<base::Diagnostic>& problem() const;

  // After allows(): the checks that are flags and were raised (for the choice that passed).
  const std::vector<std::size_t>& flags() const;
  struct Failure {
    std::size_t check;
    std::vector<EventId> events;  // the cycle, the reflexive event, or the pair
    const Relation* relation;     // what was checked, for finding the edges' names
  };
  // Evaluates again and says which check failed (for the last choice tried). The model must forbid the candidate.
  Failure explain(const Candidate& candidate);
  // For explanations: the names of the base and let-bound relations that relate `from` to `to` in the last evaluation,
  // most specific first ("rf", "po", "fr"). This and shown() need the last candidate to be alive still.
  std::vector<std::string> names_of(EventId from, EventId to) const;
  // `show r as name`: for graphs.
  std::vector<std::pair<std::string, const Relation*>> shown() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weakspot::model
