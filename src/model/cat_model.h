// A memory model written in cat, type-checked and compiled to a list of operations on relations.
//
// The list is split by what an operation depends on: the frame alone (done once per frame), or also rf and co (done per
// candidate). Checks whose relation only grows when rf and co grow are `monotone`: if such a check fails on a partial
// candidate it fails on every completion, which is what lets the enumeration cut early.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "model/frame.h"
#include "model/relation.h"

namespace weakspot::model {

// Finds the text of an included file; the second string is the name to show in messages.
using IncludeLoader = std::function<base::Result<base::Source>(std::string_view name)>;

class Model {
 public:
  // Reads, type-checks and compiles; mistakes come with carets into the file they are in.
  static base::Result<Model> compile(const base::Source& source, const IncludeLoader& include);

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
  // Whether the model allows the candidate: some choice of its `with` orders passes every check that is not a flag.
  bool allows(const Candidate& candidate);

  // After allows(): flags that were raised, the first failed check and its witness (for the last choice tried).
  const std::vector<std::size_t>& flags() const;
  struct Failure {
    std::size_t check;
    std::vector<EventId> events;  // the cycle, the reflexive event, or the pair
    const Relation* relation;     // what was checked, for finding the edges' names
  };
  // Re-evaluates with witnesses kept.
  Failure explain(const Candidate& candidate);
  // For explanations: the names of the base and let-bound relations that relate `from` to `to` in the last evaluation,
  // most specific first ("rf", "po", "fr").
  std::vector<std::string> names_of(EventId from, EventId to) const;
  // `show r as name`: for graphs.
  std::vector<std::pair<std::string, const Relation*>> shown() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weakspot::model
