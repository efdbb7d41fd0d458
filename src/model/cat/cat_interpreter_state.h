// SPDX-License-Identifier: MIT
// The interpreter, shared by its five files: statements (cat_interpreter.cpp), expressions
// (cat_interpret_expression.cpp, cat_interpret_sets.cpp), primitives (cat_primitives.cpp), and the values that all of
// them work on (cat_values.cpp).
#pragma once

#include <initializer_list>
#include <unordered_map>

#include "model/cat/cat_interpreter.h"

namespace weakspot::model::cat {

// Copying or comparing so many values takes about as long as a step.
inline constexpr std::size_t kItemsPerStep = 16;

class Interpreter {
 public:
  Interpreter(const Resolved& model, const std::vector<std::string>& variants, KnownNodes* known, bool checking,
              Graph::Form form = Graph::Form::simplified)
      : model_(model),
        variants_(variants),
        known_(known),
        checking_(checking),
        graph_(form),
        globals_(model.globals.size()) {
    graph_.set_reads(graph_.base_set(predefined_index("R")));
  }

  Checked check();
  Built build(const std::vector<CheckInfo>& checks);

 private:
  // ---- statements ----
  const Locals* run(const Statements& statements, const Locals* locals);
  const Locals* run(const Statement& statement, const Locals* locals);
  void run_check(const Statement& statement, const Locals* locals);
  const Locals* run_let(const Statement& statement, const Locals* locals);
  const Locals* run_with(const Statement& statement, const Locals* locals);
  void run_call(const Statement& statement, const Locals* locals);
  void run_for_all(const Statement& statement, const Locals* locals);
  void run_match(const Statement& statement, const Locals* locals);
  void run_show(const Statement& statement, const Locals* locals);
  Value choose(const Statement& statement, const Value& from);
  NodeId coherence_order(const Statement& statement, const ValueData& orders);
  std::uint32_t check_index(const Statement& statement, Check check);
  const Locals* bind(const Statement& statement, std::uint32_t offset, Value value, const Locals* locals);
  // Makes the mistakes of a value count, and notes what it waits for. False if it has mistakes or waits.
  bool use(const Value& value);
  void finish_names(Built& built);
  void finish_labels(Built& built) const;

  // Counts work; false if the model has taken too much, and must get no further.
  bool spend(std::uint64_t steps);
  Value too_many_steps(Place place) { return mistake(place, "the model takes too many steps to evaluate"); }

  // ---- expressions ----
  Value eval(const Expr& expr, const Locals* locals);
  Value eval_inside(const Expr& expr, const Locals* locals);
  Value eval_variable(const Expr& expr, const Locals* locals);
  Value eval_reference(Reference reference, const std::string& name, Place place, const Locals* locals);
  Value eval_predefined(const Predefined& name);
  Value eval_let(const Expr& expr, const Locals* locals);
  Value eval_if(const Expr& expr, const Locals* locals);
  Value eval_match_tag(const Expr& expr, const Locals* locals);
  Value eval_match_set(const Expr& expr, const Locals* locals);
  Value eval_set_operation(const Expr& expr, const Locals* locals);
  Value eval_sequence(const Expr& expr, const Locals* locals);
  Value eval_unary(const Expr& expr, const Locals* locals);
  Value eval_add(const Expr& expr, const Locals* locals);
  Value eval_explicit_set(const Expr& expr, const Locals* locals);
  Value complement(const Expr& expr, const Value& value);
  std::optional<bool> compare(const Expr& expr, const Value& left, const Value& right, Value& problem);
  Value apply(Place place, const Value& function, const Value& argument);
  Value sync_fence();
  // The values of the bindings of `let rec`, in order; `extended` gets the locals that have their names.
  std::vector<Value> recursive(const std::vector<Binding>& bindings, const Locals* locals, const Locals*& extended,
                               std::optional<std::uint32_t> slot);
  // Takes a value apart by a pattern: the values of the pattern's names, in order.
  std::vector<Value> take_apart(const Pattern& pattern, const Value& value, Place place);

  // ---- primitives ----
  Value call(Place place, Primitive primitive, std::string_view name, const Value& argument);
  Value orders(Place place, std::string_view name, const Value& argument, bool per_location);
  Value coherence_orders(Place place, const Value& argument, ValueData::Orders kind);
  Value cross(Place place, const Value& argument);
  Value partition(Place place, const Value& argument);
  Value classes(Place place, const Value& argument);
  Value tag_to_scope(Place place, const Value& argument);
  Value tag_to_events(Place place, const Value& argument);
  Value materialise(Place place, const Value& orders);
  bool within_writes(NodeId set) const;

  // ---- values ----
  Value mistake(Place place, std::string message);
  Value wrong_type(Place place, std::string_view expected, const Value& found);
  // A mistake or a wait among the values, if there is one. An operation on them then gives the same.
  static std::optional<Value> problem(std::initializer_list<const Value*> values);
  static std::optional<Value> problem(const std::vector<Value>& values);
  // Coercions; a problem comes back as a value of kind mistake or later.
  Value as_set(Place place, const Value& value);
  Value as_relation(Place place, const Value& value);
  static Value join(const Value& a, const Value& b);  // the type of either
  bool same(const Value& a, const Value& b);
  Value set_value(NodeId node) const { return make_node(ValueKind::set, checking_ ? kNoNode : node); }
  Value relation_value(NodeId node) const { return make_node(ValueKind::relation, checking_ ? kNoNode : node); }
  Value event_value(EventId event) const;
  Value later(Level level) const;
  // If the node's value is not known yet, the value to return instead; none if it is known.
  std::optional<Value> unknowable(Place place, NodeId node);
  const Locals* push(Value value, const Locals* outer);

  const Resolved& model_;
  const std::vector<std::string>& variants_;
  KnownNodes* known_;
  const bool checking_;
  Graph graph_;
  std::vector<Value> globals_;
  std::deque<Locals> locals_;
  std::vector<base::Diagnostic> mistakes_;     // by number, whether they count or not
  std::vector<std::uint32_t> counted_;         // the numbers of those that do
  std::vector<bool> excused_;                  // under a `try` or a `show`
  std::map<std::string, std::uint32_t> tags_;  // name to number
  std::vector<std::string> tag_names_;
  std::unordered_map<const void*, int> active_;  // functions and procedures being applied
  std::vector<std::uint32_t> open_fixpoints_;
  std::optional<Value> sync_fence_;
  std::optional<std::string> call_name_;                 // `call p(x) as name`
  std::vector<std::pair<NodeId, std::string>> applied_;  // results of functions, for labels
  std::vector<CheckInfo> checks_;
  Built built_;
  bool uses_locks_ = false;
  bool saw_coherence_ = false;
  bool saw_partial_coherence_ = false;
  int depth_ = 0;
  int calls_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t compared_ = 0;
};

}  // namespace weakspot::model::cat
