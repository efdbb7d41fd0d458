// Runs the statements of a model and so builds the graph of what it computes.
//
// It runs up to three times. First to check types: nothing has a value yet, both sides of every branch are taken, every
// mistake is found. Then to build the graph, which for most models needs nothing but the text. Models that take sets of
// events apart (match, forall, partition on events) can only be built once the events are known, so they are built
// again for every frame; if they take apart what depends on rf or co, for every candidate.
//
// Evaluation is eager, but a mistake is a value: it counts only if a check uses it. So a definition that is never used,
// or that `try` replaces, may mention names that do not exist.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "model/cat/cat_resolve.h"
#include "model/cat/cat_value.h"
#include "model/relation/graph.h"

namespace weakspot::model::cat {

// Values of nodes, for models that take sets apart. Nothing if the node cannot be known yet.
class KnownNodes {
 public:
  virtual ~KnownNodes() = default;
  virtual Level level() const = 0;  // nodes up to this level are known
  virtual EventSet set(const Graph& graph, NodeId node) = 0;
  virtual Relation relation(const Graph& graph, NodeId node) = 0;
  virtual const Frame& frame() const = 0;
};

// One order of each factor united, or one of the given relations.
struct Choice {
  std::vector<OrderFactor> factors;
  std::vector<NodeId> alternatives;  // instead, if not empty
};

struct Step {
  enum class Kind : std::uint8_t { check, choice };
  Kind kind = Kind::check;
  std::uint32_t index = 0;  // of the check, of the choice
  NodeId node = kNoNode;    // what is checked
  NodeId below = kNoNode;   // what it has in any case, see bounds.h; none if nobody needs to know
};

struct NamedNode {
  std::string name;
  NodeId node = kNoNode;
  // Of two names for the same, the one people know best: predefined, of the model, of the library.
  enum class Origin : std::uint8_t { predefined, model, library };
  Origin origin = Origin::model;
};

struct Built {
  Graph graph;
  std::vector<Step> steps;
  std::vector<Choice> choices;
  std::vector<NamedNode> named;  // relations by the names the model gives them, then predefined ones
  std::vector<NamedNode> shown;
  bool impossible = false;  // a `with` has nothing to choose from
  Level needs = kConstant;  // above what was known: not built
  std::optional<base::Diagnostic> mistake;
};

struct CheckInfo {
  Check check;
  const Statement* statement = nullptr;
};

struct Checked {
  std::vector<CheckInfo> checks;
  bool partial_coherence = false;
  base::Diagnostics mistakes;
  base::Diagnostics warnings;
};

// Types.
Checked check_types(const Resolved& model, const std::vector<std::string>& variants);
// The graph. `known` may be null. The model passed check_types().
Built build(const Resolved& model, const std::vector<CheckInfo>& checks, const std::vector<std::string>& variants,
            KnownNodes* known);

}  // namespace weakspot::model::cat
