// SPDX-License-Identifier: MIT
// Opens a pair of events in a relation into the chain of base edges that puts it there, along the operations that
// define the relation: of a union the branch that has the pair, of a composition the events in the middle, of a closure
// a shortest path, of an intersection the operand that leads somewhere, with the others as remarks.
//
// A relation with a comment `(** ... *)` before it is one step of the chain, with what makes it up inside. In a model
// without such comments every relation with a name is that takes more than an edge.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "model/cat/predefined.h"
#include "model/reason.h"
#include "model/reason/event_texts.h"
#include "model/reason/failed_check.h"
#include "model/reason/membership.h"

namespace weakspot::model {

class Opener {
 public:
  Opener(const WrittenModel& model, NodeValues& values);

  // The pair must be in the relation.
  std::vector<ReasonStep> open(NodeId relation, EventId from, EventId to);
  // "co", "co | co^-1": a relation or a set as the text has it, or nearly so.
  std::string text(NodeId node) const;

 private:
  using Chain = std::vector<ReasonStep>;

  Chain chain(NodeId node, EventId from, EventId to, Stage stage);
  Chain inside(NodeId node, EventId from, EventId to, Stage stage);
  Chain of_union(const Node& node, EventId from, EventId to, Stage stage);
  Chain of_intersection(std::vector<NodeId> operands, EventId from, EventId to, Stage stage);
  Chain of_difference(const Node& node, EventId from, EventId to, Stage stage);
  static void turn_round(Chain& steps);
  Chain of_inverse(const Node& node, EventId from, EventId to, Stage stage);
  Chain of_sequence(NodeId node, EventId from, EventId to, Stage stage);
  Chain of_closure(const Node& node, EventId from, EventId to, Stage stage);
  Chain of_fixpoint(NodeId variable, EventId from, EventId to);
  Chain edge(const std::string& name, EventId from, EventId to) const;

  Chain chosen(const std::string& name, EventId from, EventId to) const;

  // The name of a node that is not opened.
  std::optional<std::string> base_name(NodeId node, EventId from, EventId to) const;
  bool is_step(NodeId node) const;
  // Whether a relation only restricts the pairs that others lead to.
  bool is_side(NodeId node) const;
  // The condition that the text puts on one event, as a step from the event to itself; empty if it is obvious.
  Chain mark(NodeId set, EventId event, Stage stage);
  // "release write": the event as a member of the set.
  void describe(NodeId set, EventId event, Stage stage, std::vector<std::string>& adjectives, std::string& noun);
  std::optional<ReasonRemark> side_remark(NodeId node, EventId from, EventId to);
  std::string letter(EventId event) const { return event_letter(model_.witness.frame, event); }
  const cat::Label* label(NodeId node) const;
  std::uint32_t weight(NodeId node);
  // The operands of a composition, and of those inside it that are not a step of their own.
  void flatten(NodeId node, std::vector<NodeId>& operands) const;

  const WrittenModel& model_;
  const Graph& graph_;
  Membership members_;
  Allowance& allowance_;
  bool has_words_ = false;                                 // the model explains its relations
  std::vector<std::uint32_t> weights_;                     // by node; 0: not computed yet
  std::set<std::tuple<NodeId, EventId, EventId>> active_;  // being opened
};

}  // namespace weakspot::model
