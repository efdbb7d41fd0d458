// SPDX-License-Identifier: MIT
#include "model/reason/opener.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "model/reason/words.h"

namespace weakspot::model {
namespace {

// Names for synchronisation in models that say nothing about their relations.
constexpr std::string_view kKnownSteps[] = {"sw", "synchronizes", "synchronizes-with", "synchronizes_with",
                                            "sync-with"};
// Compositions that everybody knows as one edge.
constexpr std::string_view kKnownEdges[] = {"fr",  "fre", "fri",    "rfe",   "rfi",
                                            "coe", "coi", "po-loc", "poloc", "lk-rmw"};

template <std::size_t N>
bool among(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

void append(std::vector<ReasonStep>& to, std::vector<ReasonStep> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

}  // namespace

Opener::Opener(const WrittenModel& model, NodeValues& values)
    : model_(model),
      graph_(model.graph()),
      members_(graph_, values),
      allowance_(model.allowance),
      weights_(graph_.size()) {
  const auto& labels = model_.built().labels;
  has_words_ = std::any_of(labels.begin(), labels.end(), [](const auto& entry) { return !entry.second.words.empty(); });
}

std::vector<ReasonStep> Opener::open(NodeId relation, EventId from, EventId to) {
  return inside(relation, from, to, {});
}

const cat::Label* Opener::label(NodeId node) const {
  const auto at = model_.built().labels.find(node);
  return at == model_.built().labels.end() ? nullptr : &at->second;
}

bool Opener::is_step(NodeId node) const {
  const cat::Label* of = label(node);
  if (of == nullptr) return false;
  if (!of->words.empty() || among(kKnownSteps, of->name)) return true;
  // A model that says nothing about its relations has their names to tell which rule it is.
  return !has_words_ && !of->shipped && graph_[node].op != Op::variable;
}

std::optional<std::string> Opener::base_name(NodeId id, EventId from, EventId to) const {
  const Node& node = graph_[id];
  const cat::Label* of = label(id);
  switch (node.op) {
    case Op::base_relation:
      return std::string(predefined_relation_name(node.a));
    case Op::reads_from:
      return "rf";
    case Op::coherence:
      return "co";
    case Op::choice:
      return of == nullptr ? "order" : of->name;
    case Op::constant_relation:
    case Op::universe:
      return "related";
    default:
      break;
  }
  if (of == nullptr || !among(kKnownEdges, of->name)) return std::nullopt;
  if (!of->name.starts_with("fr")) return of->name;
  // Some models have an fr of their own.
  for (EventId write = 0; write < members_.events(); ++write) {
    if (model_.witness.rf.has(write, from) && model_.witness.co.has(write, to)) return of->name;
  }
  return std::nullopt;
}

Opener::Chain Opener::edge(const std::string& name, EventId from, EventId to) const {
  ReasonStep step;
  step.from = from;
  step.to = to;
  step.relation = name;
  step.words = edge_words(model_.witness, name, from, to);
  return {std::move(step)};
}

Opener::Chain Opener::chosen(const std::string& name, EventId from, EventId to) const {
  Chain result = edge(name, from, to);
  result.front().words = fmt::format("{} comes before {} in the order chosen", letter(from), letter(to));
  return result;
}

Opener::Chain Opener::chain(NodeId node, EventId from, EventId to, Stage stage) {
  if (const std::optional<std::string> name = base_name(node, from, to)) {
    return graph_[node].op == Op::choice ? chosen(*name, from, to) : edge(*name, from, to);
  }
  if (!is_step(node)) return inside(node, from, to, stage);
  ReasonStep step;
  step.from = from;
  step.to = to;
  step.relation = label(node)->name;
  step.words = label(node)->words;
  step.inside = inside(node, from, to, stage);
  // A single edge says what it is without a name that has no words, and a model may extend a relation under its name.
  const ReasonStep* only = step.inside.size() == 1 ? &step.inside.front() : nullptr;
  const bool edge = only != nullptr && only->inside.empty() && step.words.empty() && !among(kKnownSteps, step.relation);
  if (edge || (only != nullptr && only->relation == step.relation)) return std::move(step.inside);
  return {std::move(step)};
}

Opener::Chain Opener::inside(NodeId id, EventId from, EventId to, Stage stage) {
  if (allowance_.spend()) return {};
  // A definition that leads back to itself, which stages rule out except in nested fixpoints.
  const auto [self, fresh] = active_.emplace(id, from, to);
  if (!fresh) return edge(text(id), from, to);
  const Node& node = graph_[id];
  Chain result;
  switch (node.op) {
    case Op::identity:
      break;
    case Op::unite:
      result = of_union(node, from, to, stage);
      break;
    case Op::intersect: {
      const auto operands = graph_.operands(node);
      result = of_intersection({operands.begin(), operands.end()}, from, to, stage);
      break;
    }
    case Op::subtract:
      result = of_difference(node, from, to, stage);
      break;
    case Op::inverse:
      result = of_inverse(node, from, to, stage);
      break;
    case Op::sequence:
      result = of_sequence(id, from, to, stage);
      break;
    case Op::closure:
    case Op::star:
      result = of_closure(node, from, to, stage);
      break;
    case Op::identity_on:
      result = mark(node.a, from, stage);
      break;
    case Op::restriction:
      result = chain(node.a, from, to, stage);
      break;
    case Op::different_values:
      result = chain(node.a, from, to, stage);
      break;
    case Op::variable:
      result = of_fixpoint(id, from, to);
      break;
    default: {
      const bool initial = node.op == Op::product && !model_.witness.frame.events[from].thread;
      const std::optional<std::string> name = base_name(id, from, to);
      result = edge(name ? *name : initial ? "init" : text(id), from, to);
      if (initial) result.front().words = "initial writes come first";
      break;
    }
  }
  active_.erase(self);
  return result;
}

// ---- operations ----

Opener::Chain Opener::of_union(const Node& node, EventId from, EventId to, Stage stage) {
  NodeId best = kNoNode;
  for (NodeId operand : graph_.operands(node)) {
    if (members_.has(operand, from, to, stage) && (best == kNoNode || weight(operand) < weight(best))) best = operand;
  }
  return best == kNoNode ? Chain{} : chain(best, from, to, stage);
}

Opener::Chain Opener::of_intersection(std::vector<NodeId> operands, EventId from, EventId to, Stage stage) {
  // The operand that leads somewhere: by what must be known for it, then by how much there is to it.
  const auto main = std::max_element(operands.begin(), operands.end(), [&](NodeId a, NodeId b) {
    auto rank = [&](NodeId node) { return std::tuple(!is_side(node), graph_[node].level, weight(node)); };
    return rank(a) < rank(b);
  });
  Chain result = chain(*main, from, to, stage);
  for (NodeId operand : operands) {
    if (operand == *main) continue;
    std::optional<ReasonRemark> remark = side_remark(operand, from, to);
    if (!remark) continue;
    if (result.empty()) result.push_back({from, from, {}, {}, {}, {}});
    result.back().remarks.push_back(std::move(*remark));
  }
  return result;
}

Opener::Chain Opener::of_difference(const Node& node, EventId from, EventId to, Stage stage) {
  Chain result = chain(node.a, from, to, stage);
  const bool obvious = graph_[node.b].op == Op::identity || is_side(node.b);
  if (obvious || result.empty()) return result;
  // `r \ (r; r)` is a single step of r.
  const Node& without = graph_[node.b];
  const bool single = without.op == Op::sequence && without.a == without.b;
  result.back().remarks.push_back(
      {single ? fmt::format("nothing is between {} and {} in {}", letter(from), letter(to), text(without.a))
              : fmt::format("{} and {} are not in {}", letter(from), letter(to), text(node.b)),
       {},
       {}});
  return result;
}

// The steps the other way round, and what is inside them likewise.
void Opener::turn_round(Chain& steps) {
  std::reverse(steps.begin(), steps.end());
  for (ReasonStep& step : steps) {
    turn_round(step.inside);
    if (step.from == step.to) continue;
    std::swap(step.from, step.to);
    step.relation += "^-1";
  }
}

Opener::Chain Opener::of_inverse(const Node& node, EventId from, EventId to, Stage stage) {
  Chain result = chain(node.a, to, from, stage);
  turn_round(result);
  return result;
}

void Opener::flatten(NodeId node, std::vector<NodeId>& operands) const {
  for (NodeId operand : {graph_[node].a, graph_[node].b}) {
    const cat::Label* of = label(operand);
    const bool whole = is_step(operand) || (of != nullptr && among(kKnownEdges, of->name));
    if (graph_[operand].op == Op::sequence && !whole) {
      flatten(operand, operands);
    } else {
      operands.push_back(operand);
    }
  }
}

// The way through the operands that moves least often.
Opener::Chain Opener::of_sequence(NodeId node, EventId from, EventId to, Stage stage) {
  std::vector<NodeId> operands;
  flatten(node, operands);
  const auto n = static_cast<EventId>(members_.events());
  constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::vector<std::uint32_t>> moves(operands.size() + 1, std::vector<std::uint32_t>(n, kFar));
  std::vector<std::vector<EventId>> before(operands.size() + 1, std::vector<EventId>(n));
  moves[0][from] = 0;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (EventId a = 0; a < n; ++a) {
      if (moves[i][a] == kFar || allowance_.spend()) continue;
      for (EventId b = 0; b < n; ++b) {
        const std::uint32_t more = moves[i][a] + (a == b ? 0 : 1);
        if (more >= moves[i + 1][b] || !members_.has(operands[i], a, b, stage)) continue;
        moves[i + 1][b] = more;
        before[i + 1][b] = a;
      }
    }
  }
  if (moves.back()[to] == kFar) return {};
  std::vector<EventId> events{to};
  for (std::size_t i = operands.size(); i > 0; --i) events.push_back(before[i][events.back()]);
  std::reverse(events.begin(), events.end());
  Chain result;
  for (std::size_t i = 0; i < operands.size(); ++i) append(result, chain(operands[i], events[i], events[i + 1], stage));
  return result;
}

Opener::Chain Opener::of_closure(const Node& node, EventId from, EventId to, Stage stage) {
  if (node.op == Op::star && from == to) return {};
  const auto n = static_cast<EventId>(members_.events());
  // Breadth first, backwards, so that the path can be read off forwards.
  std::vector<EventId> next(n, n);
  std::vector<EventId> open{to};
  for (std::size_t i = 0; i < open.size() && next[from] == n && !allowance_.spend(); ++i) {
    for (EventId a = 0; a < n; ++a) {
      if (next[a] != n || !members_.has(node.a, a, open[i], stage)) continue;
      next[a] = open[i];
      open.push_back(a);
    }
  }
  Chain result;
  EventId at = from;
  do {
    if (next[at] == n) return result;
    append(result, chain(node.a, at, next[at], stage));
    at = next[at];
  } while (at != to);
  return result;
}

Opener::Chain Opener::of_fixpoint(NodeId variable, EventId from, EventId to) {
  const std::uint32_t group = graph_[variable].a;
  const Fixpoint& fixpoint = graph_.fixpoint(group);
  const std::uint32_t stage = members_.stage_of(variable, from, to);
  if (stage == Stage::kFinal) return edge(text(variable), from, to);
  return inside(fixpoint.definitions[graph_[variable].b], from, to, Stage{group, stage});
}

}  // namespace weakspot::model
