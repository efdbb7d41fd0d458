// SPDX-License-Identifier: MIT
// A model prepared for one frame: a list of instructions on words. Values that the frame alone determines are computed
// in advance, and instructions on empty values are removed.
//
// All values lie in one block of memory that is laid out once per frame, so that judging a candidate allocates nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "model/evaluate/schedule.h"
#include "model/execution/frame.h"
#include "model/relation/kernels.h"

namespace weakspot::model {

using Offset = std::uint32_t;  // into the block
inline constexpr Offset kNowhere = ~Offset{0};

struct PlanInstruction {
  Op op = Op::empty_relation;
  bool fixpoint = false;  // then `a` is the index of the PlanFixpoint
  Offset to = 0;
  Offset a = kNowhere, b = kNowhere, c = kNowhere;
  std::uint32_t first = 0, count = 0;  // offsets of the operands of unite and intersect
};

struct PlanFixpoint {
  std::vector<PlanInstruction> inside;
  struct Variable {
    Offset value = 0;
    Offset definition = 0;
    std::uint32_t words = 0;
    std::uint32_t end = 0;  // of the instructions inside that compute the definition, after those of the one before
  };
  std::vector<Variable> variables;
  bool monotone = true;
};

struct PlanChoice {
  struct Factor {
    Offset set = 0;
    Offset contains = 0;
    bool per_location = false;
  };
  Offset to = 0;
  // Op::choice_most, and its value before anything is chosen; kNowhere if nothing uses it.
  Offset most = kNowhere, all = kNowhere;
  std::vector<Factor> factors;
  std::vector<Offset> alternatives;
};

// Instructions to run, then a check or a choice to make.
struct PlanSection {
  std::uint32_t begin = 0, end = 0;
  ScheduleItem::Kind kind = ScheduleItem::Kind::check;
  std::uint32_t index = 0;  // of the check, or of the choice
  Offset value = 0;         // what is checked
  std::uint32_t words = 0;
};

class Plan {
 public:
  // `built`, `schedule`, `frame` and `allowance` must outlive the plan's use. When the allowance is used up, now or
  // later, the plan must not be run any more.
  void prepare(const cat::Built& built, const Schedule& schedule, const Frame& frame, Allowance& allowance);

  // Computes the instructions [begin, end) of `list`.
  void run(const std::vector<PlanInstruction>& list, std::uint32_t begin, std::uint32_t end);
  void set_candidate(const Relation& rf, const Relation& co, const std::vector<litmus::Value>* values);
  // Empties the orders chosen by `with`.
  void clear_choices();
  // Chooses part of an order, or all of it.
  void set_order(const PlanChoice& choice, const Relation& chosen);
  // The sets of events that the choice orders, each by itself, which must depend on the frame alone.
  std::vector<std::vector<EventId>> ordered_sets(const PlanChoice& choice) const;

  kernels::Word* at(Offset offset) { return block_.data() + offset; }
  const kernels::Word* at(Offset offset) const { return block_.data() + offset; }
  std::size_t events() const { return n_; }
  // Whether the value of the node is empty for every candidate.
  bool is_always_empty(NodeId id) const { return places_[id].empty; }
  std::size_t words_per_row() const { return w_; }
  std::size_t held() const { return used_ * sizeof(kernels::Word); }  // bytes

  std::vector<PlanInstruction> instructions;
  std::vector<PlanSection> sections;
  // The same for Schedule::cut, Schedule::lack and Schedule::order.
  struct Part {
    std::vector<PlanInstruction> instructions;
    std::vector<PlanSection> sections;
  };
  Part cut;
  Part lack;
  Part order;
  std::vector<PlanChoice> choices;  // by index of the choice

 private:
  // Where the value of a node is.
  struct Place {
    Offset offset = kNowhere;
    bool known = false;  // does not change with the candidate
    bool empty = false;
  };

  // Which list an instruction was put into last.
  enum List : std::uint8_t { kNoList, kAll, kCut, kLack, kOrder };

  void demand(NodeId id, std::vector<PlanInstruction>& out);
  bool demand_operands(const Node& node, std::vector<PlanInstruction>& out);
  void place_choice(std::uint32_t index);
  void place_item(const ScheduleItem& item, std::vector<PlanInstruction>& out);
  void place_node(NodeId id, std::vector<PlanInstruction>& out);
  void place_list(const Node& node, NodeId id, std::vector<PlanInstruction>& out);
  void emit(NodeId id, PlanInstruction instruction, bool known, std::vector<PlanInstruction>& out);
  void place_fixpoint(std::uint32_t group, std::vector<PlanInstruction>& out);
  void place_sections(const std::vector<ScheduleItem>& items);
  void place_part(const std::vector<ScheduleItem>& items, Part& part);
  PlanSection check_section(std::uint32_t check, NodeId node, std::uint32_t begin, std::uint32_t end) const;
  Offset allocate(bool set);
  // The memory that all values of the graph take at most.
  std::size_t most_bytes() const;
  bool becomes_empty(const Node& node) const;
  std::size_t words(Op op) const { return is_set(op) ? w_ : n_ * w_; }

  bool give_up();
  void execute(const PlanInstruction& instruction);
  // With rows of W words, as nearly all frames have rows of one; 0: of w_.
  template <std::size_t W>
  void execute_in(const PlanInstruction& instruction);
  void execute_fixpoint(const PlanFixpoint& fixpoint);

  const cat::Built* built_ = nullptr;
  const Graph* graph_ = nullptr;
  const Schedule* schedule_ = nullptr;
  const Frame* frame_ = nullptr;
  const std::vector<litmus::Value>* values_ = nullptr;
  Allowance* allowance_ = nullptr;
  std::size_t n_ = 0;
  std::size_t w_ = 0;
  std::vector<kernels::Word> block_;
  std::size_t used_ = 0;
  Offset nothing_ = 0;  // a relation of zeros, the first of which also serve as the empty set
  Offset rf_ = kNowhere;
  Offset co_ = kNowhere;
  std::vector<Place> places_;
  std::vector<List> listed_;  // by node
  List list_ = kAll;          // the one being made
  std::vector<Offset> lists_;
  std::vector<PlanFixpoint> fixpoints_;
  std::vector<std::uint32_t> fixpoint_of_group_;
  std::vector<PlanInstruction> scratch_;
  std::vector<PlanInstruction> by_node_;  // by node that depends on the candidate, for the lists of cut and lack
};

}  // namespace weakspot::model
