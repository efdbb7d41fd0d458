// SPDX-License-Identifier: MIT
// A model prepared for one frame: a list of instructions on words. Values that the frame alone determines are computed
// in advance, and instructions on empty values are removed.
//
// All values lie in one block of memory that is laid out once per frame, so that judging a candidate allocates nothing.
//
// From one partial candidate to the next little changes, and most of that changes few values. So each value has the
// time when it was computed last and the time when it became what it is, and an instruction whose operands have not
// changed since is not executed again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "litmus/visit.h"
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
  std::uint32_t first = 0, count = 0;            // offsets of the operands of unite and intersect
  std::uint32_t watched = 0, watched_count = 0;  // offsets of the operands that may change
};

struct PlanFixpoint {
  std::vector<PlanInstruction> inside;
  struct Variable {
    Offset value = 0;
    Offset definition = 0;
    std::uint32_t words = 0;
    // The end of this definition's instructions in `inside`; they begin where those of the previous definition end.
    std::uint32_t end = 0;
  };
  std::vector<Variable> variables;
  bool monotone = true;
  std::vector<Offset> inputs;   // values from outside that the instructions inside use
  std::vector<Offset> outputs;  // values that these instructions compute, and the variables
  bool by_value = false;        // some instruction depends on the values of events
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
  std::uint32_t index = 0;  // the number of the check or choice
  Offset value = 0;         // the checked value
  std::uint32_t words = 0;
};

class Plan {
 public:
  // `built`, `schedule`, `frame` and `allowance` must outlive the plan's use. When the allowance is used up, now or
  // later, the plan must not be run any more. Without `flags` there are no sections for flags.
  void prepare(const cat::Built& built, const Schedule& schedule, const Frame& frame, Allowance& allowance,
               bool flags = true);

  // Computes the instructions [begin, end) of `list`.
  void run(const std::vector<PlanInstruction>& list, std::uint32_t begin, std::uint32_t end);
  void set_candidate(const Relation& rf, const Relation& co, const std::vector<litmus::Value>* values);
  // The value of a choice was changed through at().
  void touch(const PlanChoice& choice) { changed(choice.to) = ++now_; }
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
  // The place of a node's value in the block.
  struct Place {
    Offset offset = kNowhere;
    bool known = false;  // does not change with the candidate
    bool empty = false;
  };

  // The list that an instruction was put into last.
  enum List : std::uint8_t { kNoList, kAll, kCut, kLack, kOrder };

  void demand(NodeId id, std::vector<PlanInstruction>& out);
  bool demand_operands(const Node& node, std::vector<PlanInstruction>& out);
  void place_choice(std::uint32_t index);
  void place_item(const ScheduleItem& item, std::vector<PlanInstruction>& out);
  void place_node(NodeId id, std::vector<PlanInstruction>& out);
  void place_list(const Node& node, NodeId id, std::vector<PlanInstruction>& out);
  void emit(NodeId id, PlanInstruction instruction, bool known, std::vector<PlanInstruction>& out);
  void place_fixpoint(std::uint32_t group, std::vector<PlanInstruction>& out);
  void place_sections(std::span<const ScheduleItem> items);
  void place_part(const std::vector<ScheduleItem>& items, Part& part);
  PlanSection check_section(std::uint32_t check, NodeId node, std::uint32_t begin, std::uint32_t end) const;
  Offset allocate(bool set);
  // The memory that all values of the graph take at most.
  std::size_t most_bytes() const;
  bool becomes_empty(const Node& node) const;
  std::size_t words(Op op) const { return is_set(op) ? w_ : n_ * w_; }

  // When the value was computed, and when it became what it is; kept before it in the block.
  static constexpr std::size_t kTimes = 2;
  kernels::Word& computed(Offset offset) { return block_[offset - 2]; }
  kernels::Word& changed(Offset offset) { return block_[offset - 1]; }
  static constexpr kernels::Word kForever = ~kernels::Word{0};  // when values that never change are computed
  // Gives an input the value, and notes whether that changes it.
  void assign(Offset offset, const kernels::Word* value);
  void watch_operands(PlanInstruction& instruction);
  bool is_due(const PlanInstruction& instruction);
  bool is_due(const PlanFixpoint& fixpoint);
  void list_inputs(PlanFixpoint& fixpoint) const;
  template <typename Visit>
  void for_each_operand(const PlanInstruction& instruction, const Visit& visit) const;

  bool give_up();
  template <std::size_t W>
  void run_in(const std::vector<PlanInstruction>& list, std::uint32_t begin, std::uint32_t end);
  // Executes the instruction if it is due.
  template <std::size_t W>
  void update(const PlanInstruction& instruction);
  void execute(const PlanInstruction& instruction);
  // With rows of W words, as nearly all frames have rows of one; 0: of w_. The result goes to `to`.
  template <std::size_t W>
  void execute_in(const PlanInstruction& instruction, kernels::Word* to);
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
  bool tracks_ = false;                 // changes are tracked; otherwise everything is computed again
  kernels::Word now_ = 1;               // counts the changes of inputs
  std::vector<kernels::Word> scratch_;  // a value that may be what it was
  Offset nothing_ = 0;                  // a relation of zeros, the first of which also serve as the empty set
  Offset rf_ = kNowhere;
  Offset co_ = kNowhere;
  std::vector<Place> places_;
  std::vector<List> listed_;  // by node
  List list_ = kAll;          // the one being made
  std::vector<Offset> lists_;
  std::vector<Offset> watched_;
  std::vector<PlanFixpoint> fixpoints_;
  std::vector<std::uint32_t> fixpoint_of_group_;
  std::vector<PlanInstruction> by_node_;  // by node that depends on the candidate, for the lists of cut and lack
};

}  // namespace weakspot::model
