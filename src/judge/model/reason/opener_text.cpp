// SPDX-License-Identifier: MIT
// What an opener says about nodes: their text, side conditions, and what is asked of single events.
#include <fmt/format.h>

#include <algorithm>

#include "model/reason/opener.h"
#include "model/reason/words.h"

namespace weakspot::model {
namespace {

std::string_view infix(Op op) {
  switch (op) {
    case Op::unite:
    case Op::unite_sets:
      return " | ";
    case Op::intersect:
    case Op::intersect_sets:
      return " & ";
    case Op::subtract:
    case Op::subtract_sets:
      return " \\ ";
    case Op::sequence:
      return "; ";
    case Op::product:
      return " * ";
    default:
      return "";
  }
}

}  // namespace

std::string Opener::text(NodeId id) const {
  if (const cat::Label* of = label(id)) return of->name;
  const Node& node = graph_[id];
  auto inner = [&](NodeId operand) {
    const bool simple = label(operand) != nullptr || infix(graph_[operand].op).empty();
    return simple ? text(operand) : fmt::format("({})", text(operand));
  };
  if (node.op == Op::unite || node.op == Op::unite_sets || node.op == Op::intersect || node.op == Op::intersect_sets) {
    std::string result;
    for (NodeId operand : graph_.operands(node)) {
      result += fmt::format("{}{}", result.empty() ? "" : infix(node.op), inner(operand));
    }
    return result;
  }
  switch (node.op) {
    case Op::base_set:
      return std::string(predefined_set_name(node.a));
    case Op::base_relation:
      return std::string(predefined_relation_name(node.a));
    case Op::reads_from:
      return "rf";
    case Op::coherence:
      return "co";
    case Op::identity:
      return "id";
    case Op::all:
    case Op::universe:
      return "_";
    case Op::subtract:
    case Op::subtract_sets:
    case Op::sequence:
    case Op::product:
      return fmt::format("{}{}{}", inner(node.a), infix(node.op), inner(node.b));
    case Op::complement:
    case Op::complement_set:
      return fmt::format("~{}", inner(node.a));
    case Op::inverse:
      return fmt::format("{}^-1", inner(node.a));
    case Op::closure:
      return fmt::format("{}+", inner(node.a));
    case Op::star:
      return fmt::format("{}*", inner(node.a));
    case Op::identity_on:
      return fmt::format("[{}]", text(node.a));
    case Op::domain:
      return fmt::format("domain({})", text(node.a));
    case Op::range:
      return fmt::format("range({})", text(node.a));
    default:
      return "a relation without a name";
  }
}

bool Opener::is_side(NodeId id) const {
  const Node& node = graph_[id];
  switch (node.op) {
    case Op::base_relation:
      return is_side_condition(predefined_relation_name(node.a));
    case Op::product:
    case Op::identity:
    case Op::identity_on:
    case Op::universe:
    case Op::complement:
      return true;
    case Op::reads_from:
    case Op::coherence:
    case Op::choice:
    case Op::variable:
    case Op::constant_relation:
      return false;
    default:
      break;
  }
  bool side = true;
  graph_.for_each_operand(node, [&](NodeId operand) { side = side && (graph_.is_set(operand) || is_side(operand)); });
  return side;
}

std::optional<ReasonRemark> Opener::side_remark(NodeId id, EventId from, EventId to) {
  const Node& node = graph_[id];
  if (from == to) return std::nullopt;
  const std::string both = fmt::format("{} and {}", letter(from), letter(to));
  if (node.op == Op::base_relation) {
    const std::string_view name = predefined_relation_name(node.a);
    if (!is_side_condition(name)) return ReasonRemark{edge_words(model_.witness, name, from, to), {}, {}};
    const std::string_view words = side_condition_words(name);
    if (words.empty()) return std::nullopt;
    return ReasonRemark{fmt::format("{} {}", both, words), {}, {}};
  }
  const cat::Label* of = label(id);
  if (of == nullptr && node.op == Op::unite) {
    for (NodeId operand : graph_.operands(node)) {
      if (members_.has(operand, from, to)) return side_remark(operand, from, to);
    }
  }
  if (of != nullptr && (!of->words.empty() || (!has_words_ && !of->shipped))) {
    return ReasonRemark{fmt::format("{} are {}", both, of->name), of->name, of->words};
  }
  // The reader can see the kinds of the two events.
  if (is_side(id) || of != nullptr) return std::nullopt;
  return ReasonRemark{fmt::format("{} are in {}", both, text(id)), {}, {}};
}

void Opener::describe(NodeId id, EventId event, Stage stage, std::vector<std::string>& adjectives, std::string& noun) {
  const Node& node = graph_[id];
  switch (node.op) {
    case Op::intersect_sets:
      for (NodeId operand : graph_.operands(node)) describe(operand, event, stage, adjectives, noun);
      return;
    case Op::unite_sets:
      for (NodeId operand : graph_.operands(node)) {
        if (members_.has(operand, event, stage)) return describe(operand, event, stage, adjectives, noun);
      }
      return;
    case Op::subtract_sets:
      return describe(node.a, event, stage, adjectives, noun);
    default:
      break;
  }
  const std::string name = text(id);
  if (node.op == Op::base_set) {
    if (const SetWord* word = set_word(name)) {
      if (!word->adjective.empty()) adjectives.emplace_back(word->adjective);
      if (!word->noun.empty()) noun = word->noun;
    }
    return;
  }
  if (node.op == Op::all || node.op == Op::complement_set) return;
  // In a model with words, a name without words is internal.
  if (!has_words_ && label(id) != nullptr && !label(id)->shipped) adjectives.push_back(name);
}

Opener::Chain Opener::mark(NodeId set, EventId event, Stage stage) {
  std::vector<std::string> adjectives;
  std::string noun;
  describe(set, event, stage, adjectives, noun);
  if (adjectives.empty()) return {};
  const Event& e = model_.witness.frame.events[event];
  if (noun.empty() || noun == "access") {
    noun = e.kind == EventKind::read      ? "read"
           : e.is_write()                 ? "write"
           : e.kind == EventKind::fence   ? "fence"
           : e.kind == EventKind::barrier ? "barrier"
                                          : "event";
  }
  ReasonStep step;
  step.from = step.to = event;
  step.words =
      fmt::format("{} is {}", letter(event), with_article(fmt::format("{} {}", fmt::join(adjectives, " "), noun)));
  return {std::move(step)};
}

std::uint32_t Opener::weight(NodeId id) {
  std::uint32_t& known = weights_[id];
  if (known != 0) return known;
  const Node& node = graph_[id];
  std::uint32_t sum = Graph::is_leaf(node.op) ? 1 : 2;
  known = 2;  // while it is computed: nodes refer to older ones, so this is not read
  graph_.for_each_operand(node, [&](NodeId operand) { sum = std::min<std::uint32_t>(sum + weight(operand), 1 << 20); });
  return weights_[id] = sum;
}

}  // namespace weakspot::model
