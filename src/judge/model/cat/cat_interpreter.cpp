// SPDX-License-Identifier: MIT
#include "model/cat/cat_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "model/cat/bounds.h"
#include "model/cat/cat_expressions.h"

namespace weakspot::model::cat {
namespace {

constexpr std::size_t kWarningLimit = 20;
constexpr int kMaxCallDepth = 60;

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

// Runs statements.
class Interpreter : private Expressions {
 public:
  Interpreter(const Resolved& model, const std::vector<std::string>& variants, KnownNodes* known, bool checking,
              Graph::Form form = Graph::Form::simplified)
      : Expressions(model, variants, known, checking, form) {}

  // The two ways to run.
  Checked check();
  Built build(const std::vector<CheckInfo>& checks);

 private:
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

  std::vector<std::uint32_t> counted_;    // the numbers of the mistakes that count
  std::optional<std::string> call_name_;  // `call p(x) as name`
  std::vector<CheckInfo> checks_;
  bool saw_coherence_ = false;
  bool saw_partial_coherence_ = false;
  int calls_ = 0;
};

// A check without a name goes by its text.
std::string name_of(const Statement& statement) {
  if (statement.name) return statement.name->text;
  std::string text;
  for (char c : statement.source->slice(statement.span)) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) text += c;
    if (blank && !text.empty() && text.back() != ' ') text += ' ';
    if (text.size() == 60) return text + "...";
  }
  return text;
}

const Locals* Interpreter::bind(const Statement& statement, std::uint32_t offset, Value value, const Locals* locals) {
  if (!statement.slot) return push(std::move(value), locals);
  globals_[*statement.slot + offset] = std::move(value);
  return locals;
}

bool Interpreter::use(const Value& value) {
  if (value.kind == ValueKind::later) built_.needs = std::max(built_.needs, value.level);
  if (value.kind != ValueKind::mistake) return value.kind != ValueKind::later;
  for (std::uint32_t number : value.data->mistakes) {
    const base::Diagnostic& found = mistakes_[number];
    const bool known = std::any_of(counted_.begin(), counted_.end(), [&](std::uint32_t other) {
      const base::Diagnostic& seen = mistakes_[other];
      return seen.message == found.message && seen.file == found.file && seen.position.line == found.position.line &&
             seen.position.column == found.position.column;
    });
    if (!known && counted_.size() < kWarningLimit) counted_.push_back(number);
  }
  return false;
}

const Locals* Interpreter::run(const Statements& statements, const Locals* locals) {
  for (const Statement& statement : statements) locals = run(statement, locals);
  return locals;
}

const Locals* Interpreter::run(const Statement& statement, const Locals* locals) {
  // Nothing more is built once it is known to be in vain.
  if (!checking_ && (built_.needs > kConstant || !counted_.empty())) return locals;
  // Procedures may call each other more often than there is time for.
  if (!spend(1)) {
    use(too_many_steps({statement.source, statement.span}));
    return locals;
  }
  switch (statement.kind) {
    case StatementKind::let:
    case StatementKind::let_rec:
      return run_let(statement, locals);
    case StatementKind::with_from:
      return run_with(statement, locals);
    case StatementKind::check:
      run_check(statement, locals);
      return locals;
    case StatementKind::procedure: {
      auto data = std::make_shared<ValueData>();
      data->procedure = &statement;
      Value value = make_value(ValueKind::procedure);
      if (!statement.recursive || statement.slot) {
        data->locals = locals;
        value.data = std::move(data);
        return bind(statement, 0, std::move(value), locals);
      }
      // The knot: the body sees the procedure itself.
      Locals& own = *push({}, locals);
      data->locals = &own;
      value.data = std::move(data);
      own.value = std::move(value);
      return &own;
    }
    case StatementKind::call:
      run_call(statement, locals);
      return locals;
    case StatementKind::for_all:
      run_for_all(statement, locals);
      return locals;
    case StatementKind::match_tag:
      run_match(statement, locals);
      return locals;
    case StatementKind::if_variant:
      return run(holds(statement.condition, variants_) ? statement.body : statement.otherwise, locals);
    case StatementKind::show:
      run_show(statement, locals);
      return locals;
    case StatementKind::unshow:
      for (const Name& name : statement.names) {
        std::erase_if(built_.shown, [&](const NamedNode& shown) { return shown.name == name.text; });
      }
      return locals;
    case StatementKind::enumeration: {
      std::vector<Value> tags;
      for (const Name& name : statement.names) {
        const auto [at, fresh] = tags_.emplace(name.text, static_cast<std::uint32_t>(tag_names_.size()));
        if (fresh) tag_names_.push_back(name.text);
        Value tag = make_value(ValueKind::tag);
        tag.index = at->second;
        tags.push_back(std::move(tag));
      }
      return bind(statement, 0, make_items(ValueKind::values, std::move(tags)), locals);
    }
    case StatementKind::include:
    case StatementKind::instructions:
    case StatementKind::debug:
      return locals;
  }
  return locals;
}

const Locals* Interpreter::run_let(const Statement& statement, const Locals* locals) {
  std::uint32_t offset = 0;
  if (statement.kind == StatementKind::let_rec) {
    const Locals* extended = locals;
    std::vector<Value> values = recursive(statement.bindings, locals, extended, statement.slot);
    if (!statement.slot) return extended;
    for (Value& value : values) globals_[*statement.slot + offset++] = std::move(value);
    return locals;
  }
  // All values are computed before any name is bound.
  for (Value& value : eval_bindings(statement.bindings, statement.place(), locals))
    locals = bind(statement, offset++, std::move(value), locals);
  return locals;
}

std::uint32_t Interpreter::check_index(const Statement& statement, Check check) {
  if (call_name_) check.name = *call_name_;
  for (std::size_t i = 0; i < checks_.size(); ++i) {
    if (checks_[i].statement == &statement && checks_[i].check.name == check.name) return static_cast<std::uint32_t>(i);
  }
  checks_.push_back({std::move(check), &statement});
  return static_cast<std::uint32_t>(checks_.size() - 1);
}

void Interpreter::run_check(const Statement& statement, const Locals* locals) {
  Check check;
  check.name = name_of(statement);
  check.kind = statement.test;
  check.negated = statement.negated;
  check.flag = statement.role != CheckRole::require;
  check.undefined = statement.role == CheckRole::undefined_unless;
  check.span = statement.span;
  // undefined_unless and assertions report a test that fails; other flags report one that holds.
  if (statement.role == CheckRole::undefined_unless || statement.role == CheckRole::assertion) {
    check.negated = !check.negated;
  }
  const std::uint32_t index = check_index(statement, std::move(check));
  Value value = eval(*statement.expr, locals);
  if (statement.test != Check::Kind::empty || value.kind == ValueKind::pair) {
    value = as_relation(statement.expr->place(), value);
  } else if (value.kind == ValueKind::event) {
    value = as_set(statement.expr->place(), value);
  }
  if (!use(value)) return;
  NodeId node = value.node;
  switch (value.kind) {
    case ValueKind::set:
    case ValueKind::relation:
    case ValueKind::unknown:
      break;
    case ValueKind::empty:
      node = graph_.empty_relation();
      break;
    case ValueKind::universe:
      node = graph_.universe();
      break;
    case ValueKind::values:
      node = value.data->items.empty() ? graph_.empty_relation() : graph_.universe();
      break;
    default:
      use(wrong_type(statement.expr->place(), "a set or a relation", value));
      return;
  }
  if (!checking_) built_.steps.push_back({Step::Kind::check, index, node});
}

NodeId Interpreter::coherence_order(const Statement& statement, const ValueData& orders) {
  saw_coherence_ = saw_coherence_ || orders.orders != ValueData::Orders::chosen;
  const OrderFactor& factor = orders.factors.front();
  Check check;
  check.name = fmt::format("with {}", statement.name->text);
  check.kind = orders.orders == ValueData::Orders::partial_coherence ? Check::Kind::empty : Check::Kind::acyclic;
  check.span = statement.span;
  if (orders.orders == ValueData::Orders::partial_coherence) saw_partial_coherence_ = true;
  const std::uint32_t index = check_index(statement, std::move(check));
  if (checking_) return kNoNode;

  // The engine enumerates coherence itself; the model only checks that its order contains what it should. A total order
  // contains a relation iff the two together have no cycle, and that check can fail early.
  const NodeId loc = graph_.base_relation(predefined_index("loc"));
  const NodeId initial = graph_.base_set(predefined_index("IW"));
  const NodeId writes = graph_.base_set(predefined_index("W"));
  const bool whole = factor.set == writes;
  NodeId order = whole ? graph_.coherence() : graph_.restriction(graph_.coherence(), factor.set, factor.set);
  if (uses_locks_) order = graph_.subtract(order, graph_.base_relation(predefined_index("lock-regions")));
  NodeId contained = graph_.intersect({graph_.restriction(factor.contains, factor.set, factor.set), loc});
  const NodeId initial_first = graph_.intersect({loc, graph_.product(initial, graph_.subtract(writes, initial))});
  if (contained == graph_.restriction(initial_first, factor.set, factor.set) || graph_.is_empty(contained))
    return order;
  if (contained == graph_.intersect({graph_.restriction(initial_first, factor.set, factor.set), loc})) return order;
  const NodeId checked = orders.orders == ValueData::Orders::partial_coherence ? graph_.subtract(contained, order)
                                                                               : graph_.unite({contained, order});
  built_.steps.push_back({Step::Kind::check, index, checked});
  return order;
}

Value Interpreter::choose(const Statement& statement, const Value& from) {
  const Place place = statement.expr->place();
  switch (from.kind) {
    case ValueKind::unknown:
      return relation_value(kNoNode);
    case ValueKind::empty:
      built_.impossible = true;
      return relation_value(graph_.empty_relation());
    case ValueKind::orders: {
      const ValueData& orders = *from.data;
      const bool per_location = !orders.factors.empty() && orders.factors.front().per_location;
      if (orders.orders != ValueData::Orders::chosen || (checking_ && per_location)) {
        return relation_value(coherence_order(statement, orders));
      }
      std::vector<OrderFactor> factors;
      for (const OrderFactor& factor : orders.factors) {
        if (checking_ || factor.set != graph_.empty_set()) factors.push_back(factor);
      }
      if (checking_) return relation_value(kNoNode);
      if (factors.empty()) return relation_value(graph_.empty_relation());
      built_.choices.push_back({std::move(factors), {}});
      break;
    }
    case ValueKind::values: {
      const std::vector<Value>& items = from.data->items;
      if (items.empty()) return choose(statement, make_value(ValueKind::empty));
      std::vector<NodeId> alternatives;
      for (const Value& item : items) {
        const Value relation = as_relation(place, item);
        if (!use(relation)) return relation;
        alternatives.push_back(relation.node);
      }
      if (checking_ || alternatives.size() == 1) return relation_value(alternatives.front());
      built_.choices.push_back({{}, std::move(alternatives)});
      break;
    }
    default:
      return wrong_type(place, "a set of relations", from);
  }
  const auto index = static_cast<std::uint32_t>(built_.choices.size() - 1);
  built_.steps.push_back({Step::Kind::choice, index, kNoNode});
  return relation_value(graph_.choice(index));
}

const Locals* Interpreter::run_with(const Statement& statement, const Locals* locals) {
  const Value from = eval(*statement.expr, locals);
  if (!use(from)) return bind(statement, 0, from, locals);
  Value chosen = choose(statement, from);
  use(chosen);
  return bind(statement, 0, std::move(chosen), locals);
}

void Interpreter::run_call(const Statement& statement, const Locals* locals) {
  const Place place{statement.source, statement.name->span};
  const Value procedure = eval_reference(statement.procedure, statement.name->text, place, locals);
  const Value argument = eval(*statement.expr, locals);
  if (!use(procedure)) return;
  if (procedure.kind == ValueKind::unknown) return;
  if (procedure.kind != ValueKind::procedure) {
    use(wrong_type(place, "a procedure", procedure));
    return;
  }
  if (calls_ > kMaxCallDepth) {
    use(mistake(place, "procedures call each other without end"));
    return;
  }
  const Statement& body = *procedure.data->procedure;
  const Locals* inside = procedure.data->locals;
  for (Value& part : take_apart(body.pattern, argument, place)) inside = push(std::move(part), inside);
  const std::optional<std::string> outer = call_name_;
  if (statement.as) call_name_ = statement.as->text;
  ++calls_;
  int& active = active_[&body];
  // While types are checked, a recursive procedure is followed once round.
  if (!checking_ || active < 2) {
    ++active;
    run(body.body, inside);
    --active;
  }
  --calls_;
  call_name_ = outer;
}

void Interpreter::run_for_all(const Statement& statement, const Locals* locals) {
  const Value over = eval(*statement.expr, locals);
  if (!use(over)) return;
  const Place place = statement.expr->place();
  if (checking_) {
    Value element = make_value(ValueKind::unknown);
    switch (over.kind) {
      case ValueKind::set:
        element.kind = ValueKind::event;
        break;
      case ValueKind::relation:
        element.kind = ValueKind::pair;
        break;
      case ValueKind::orders:
        element = relation_value(kNoNode);
        break;
      case ValueKind::values:
        if (!over.data->items.empty()) element = over.data->items.front();
        break;
      case ValueKind::empty:
      case ValueKind::unknown:
        break;
      default:
        use(wrong_type(place, "a set", over));
        return;
    }
    run(statement.body, push(std::move(element), locals));
    return;
  }
  std::vector<Value> elements;
  switch (over.kind) {
    case ValueKind::empty:
      break;
    case ValueKind::values:
      elements = over.data->items;
      break;
    case ValueKind::orders: {
      const Value all = materialise(place, over);
      if (!use(all)) return;
      elements = all.data->items;
      break;
    }
    case ValueKind::set:
    case ValueKind::relation: {
      if (graph_.is_empty(over.node)) return;
      if (std::optional<Value> problem = unknowable(place, over.node)) {
        use(*problem);
        return;
      }
      if (over.kind == ValueKind::set) {
        known_->set(graph_, over.node).for_each([&](EventId event) { elements.push_back(make_event(event)); });
      } else {
        known_->relation(graph_, over.node).for_each([&](EventId from, EventId to) {
          Value pair = make_value(ValueKind::pair);
          pair.first = from;
          pair.second = to;
          elements.push_back(pair);
        });
      }
      break;
    }
    default:
      use(wrong_type(place, "a set", over));
      return;
  }
  for (Value& element : elements) run(statement.body, push(std::move(element), locals));
}

void Interpreter::run_match(const Statement& statement, const Locals* locals) {
  const Value subject = eval(*statement.expr, locals);
  if (!use(subject)) return;
  if (checking_ && (subject.kind == ValueKind::unknown || subject.kind == ValueKind::tag)) {
    for (const TagCase& tag_case : statement.cases) run(tag_case.body, locals);
    return;
  }
  if (subject.kind != ValueKind::tag) {
    use(wrong_type(statement.expr->place(), "a tag", subject));
    return;
  }
  for (const TagCase& tag_case : statement.cases) {
    if (tag_case.tag && tag_case.tag->text != tag_names_[subject.index]) continue;
    run(tag_case.body, locals);
    return;
  }
}

void Interpreter::run_show(const Statement& statement, const Locals* locals) {
  for (std::size_t i = 0; i < statement.shown.size(); ++i) {
    const std::size_t before = mistakes_.size();
    const Value value = eval(*statement.shown[i], locals);
    excuse(before);
    if (value.kind != ValueKind::relation || checking_) continue;
    const std::string& name = statement.names[i].text;
    std::erase_if(built_.shown, [&](const NamedNode& shown) { return shown.name == name; });
    built_.shown.push_back({name, value.node, NamedNode::Origin::model});
  }
}

Checked Interpreter::check() {
  for (const Statement* statement : model_.statements) run(*statement, nullptr);
  Checked result;
  result.checks = std::move(checks_);
  for (std::uint32_t number : counted_) result.mistakes.push_back(mistakes_[number]);
  // Mistakes that no check uses become warnings, except under `try` and `show`.
  excused_.resize(mistakes_.size());
  for (std::uint32_t i = 0; i < mistakes_.size() && result.warnings.size() < kWarningLimit; ++i) {
    const bool counts = std::find(counted_.begin(), counted_.end(), i) != counted_.end();
    if (!counts && !excused_[i]) result.warnings.push_back(mistakes_[i]);
  }
  const bool says_ptx =
      equal_ignoring_case(model_.header_arch, "ptx") || equal_ignoring_case(model_.header_name, "ptx");
  result.partial_coherence = saw_partial_coherence_ || (says_ptx && !saw_coherence_);
  return result;
}

void Interpreter::finish_names(Built& built) {
  std::map<std::string, std::size_t> places;
  for (std::size_t slot = 0; slot < globals_.size(); ++slot) {
    const Value& value = globals_[slot];
    const std::string& name = model_.globals[slot].name;
    if (value.kind != ValueKind::relation || value.node == kNoNode || name.empty()) continue;
    const NamedNode named{name, value.node,
                          model_.globals[slot].shipped ? NamedNode::Origin::library : NamedNode::Origin::model};
    const auto [at, fresh] = places.emplace(name, built.named.size());
    if (fresh) {
      built.named.push_back(named);
    } else {
      built.named[at->second] = named;
    }
  }
  for (std::string_view name : {"rf", "co", "addr", "data", "ctrl", "rmw", "po"}) {
    if (places.contains(std::string(name))) continue;
    built.named.push_back(
        {std::string(name), eval_predefined(predefined(*find_predefined(name))).node, NamedNode::Origin::predefined});
  }
}

void Interpreter::finish_labels(Built& built) const {
  for (std::size_t slot = 0; slot < globals_.size(); ++slot) {
    const Value& value = globals_[slot];
    const Global& global = model_.globals[slot];
    const bool named = (value.kind == ValueKind::relation || value.kind == ValueKind::set) && !global.name.empty();
    if (!named || value.node == kNoNode) continue;
    Label& label = built.labels[value.node];
    // The first name stays, unless a later one says more.
    if (label.name.empty() || (label.words.empty() && !global.words.empty())) {
      label = {global.name, global.words, global.shipped};
    }
  }
  // A function that has words gives them to its results.
  for (const auto& [node, name] : applied_) {
    for (const Global& global : model_.globals) {
      if (global.name == name && !global.words.empty())
        built.labels.try_emplace(node, Label{name, global.words, false});
    }
  }
}

Built Interpreter::build(const std::vector<CheckInfo>& checks) {
  checks_ = checks;
  for (const Statement* statement : model_.statements) {
    run(*statement, nullptr);
    if (built_.needs > kConstant || !counted_.empty()) break;
  }
  if (!counted_.empty()) built_.mistake = mistakes_[counted_.front()];
  if (!spend(0) && !built_.mistake) built_.mistake = base::error("the model takes too many steps to evaluate");
  if (checks_.size() != checks.size()) built_.mistake = base::error("a recursive procedure makes checks without end");
  if (built_.needs == kConstant && !built_.mistake) {
    finish_names(built_);
    if (graph_.form() == Graph::Form::as_written) finish_labels(built_);
  }
  built_.graph = std::move(graph_);
  return std::move(built_);
}

}  // namespace

Checked check_types(const Resolved& model, const std::vector<std::string>& variants) {
  return Interpreter(model, variants, nullptr, true).check();
}

Built build(const Resolved& model, const std::vector<CheckInfo>& checks, const std::vector<std::string>& variants,
            KnownNodes* known) {
  Built built = Interpreter(model, variants, known, false).build(checks);
  if (built.needs == kConstant && !built.mistake) add_bounds(built, checks);
  return built;
}

Built build_as_written(const Resolved& model, const std::vector<CheckInfo>& checks,
                       const std::vector<std::string>& variants, KnownNodes* known) {
  return Interpreter(model, variants, known, false, Graph::Form::as_written).build(checks);
}

}  // namespace weakspot::model::cat
