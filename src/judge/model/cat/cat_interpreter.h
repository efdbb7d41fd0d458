// SPDX-License-Identifier: MIT
// Runs the statements of a model and thereby builds the graph of what it computes.
//
// It runs up to three times. The first run checks types: nothing has a value yet, both sides of every branch are taken,
// every mistake is found. The second builds the graph, for which most models need only their text. Models that take
// sets of events apart (match, forall, partition on events) can only be built once the events are known, so they are
// built again for every frame; if they take sets apart that depend on rf or co, for every candidate.
//
// Evaluation is eager, but a mistake is a value: it counts only if a check uses it. So a definition that is never used,
// or that `try` replaces, may mention names that do not exist.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "model/cat/cat_resolve.h"
#include "model/cat/cat_value.h"
#include "model/relation/graph.h"

namespace weakspot::model::cat {

// The values of nodes, for models that take sets apart.
class KnownNodes {
 public:
  virtual ~KnownNodes() = default;
  virtual Level level() const = 0;  // nodes up to this level are known
  virtual EventSet set(const Graph& graph, NodeId node) = 0;
  virtual Relation relation(const Graph& graph, NodeId node) = 0;
  virtual const Frame& frame() const = 0;
  // Limits the interpretation. When it is used up, values are empty and what was built means nothing.
  virtual Allowance& allowance() = 0;
};

// One order of each factor united, or one of the given relations.
struct Choice {
  std::vector<OrderFactor> factors;
  std::vector<NodeId> alternatives;  // instead, if not empty
};

struct Step {
  enum class Kind : std::uint8_t { check, choice };
  Kind kind = Kind::check;
  std::uint32_t index = 0;   // the number of the check or choice
  NodeId node = kNoNode;     // the value that is checked
  NodeId below = kNoNode;    // the lower bound of `node`, see bounds.h; kNoNode: none
  NodeId ordered = kNoNode;  // the bound while only the order of a `with` is being chosen; see Built::ordered
};

struct NamedNode {
  std::string name;
  NodeId node = kNoNode;
  // In the order in which people know names for the same relation.
  enum class Origin : std::uint8_t { predefined, model, library };
  Origin origin = Origin::model;
};

// The name and the words that an explanation uses for a node.
struct Label {
  std::string name;
  std::string words;     // the comment before the definition
  bool shipped = false;  // defined in the standard library
};

struct Built {
  Graph graph;
  std::vector<Step> steps;
  std::vector<Choice> choices;
  std::vector<NamedNode> named;  // relations by the names the model gives them, then predefined ones
  std::vector<NamedNode> shown;
  std::unordered_map<NodeId, Label> labels;  // sets and relations, of a graph as written
  bool impossible = false;                   // a `with` has nothing to choose from
  // The one `with` asks for an order of events that the frame determines, and every check that depends on it has a
  // bound `ordered`.
  bool ordered = false;
  std::vector<NodeId> flags_by_order;  // the checked values of flags that depend on the order
  Level needs = kConstant;             // if above the known level, the graph was not built
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

// Checks types.
Checked check_types(const Resolved& model, const std::vector<std::string>& variants);
// Builds the graph. `known` may be null. The model must have passed check_types().
Built build(const Resolved& model, const std::vector<CheckInfo>& checks, const std::vector<std::string>& variants,
            KnownNodes* known);
// The same as the text has it, with labels, for explanations.
Built build_as_written(const Resolved& model, const std::vector<CheckInfo>& checks,
                       const std::vector<std::string>& variants, KnownNodes* known);

}  // namespace weakspot::model::cat
