// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include "json/json.h"
#include "litmus/json/json_words.h"
#include "litmus/text/cursor.h"
#include "litmus/text/printers.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

using base::json_array;
using base::json_object;
using base::JsonValue;
using JsonKind = JsonValue::Kind;

class JsonPrinter {
 public:
  explicit JsonPrinter(const LitmusTest& test) : test_(test) {}

  JsonValue test() {
    JsonValue object = json_object();
    object.add("testName", test_.name);
    if (!test_.description.empty()) object.add("description", test_.description);
    if (test_.arch != Arch::generic) object.add("arch", to_string(test_.arch));
    const std::string_view test_type = placement_word();
    if (!test_type.empty()) object.add("testType", test_type);
    const std::string_view memory_type = memory_word();
    if (memory_type != "atomic_storage") object.add("memoryType", memory_type);
    if (JsonValue list = locations(); !list.items().empty()) object.add("locations", std::move(list));
    object.add("threads", threads(test_type.empty()));
    if (test_.scopes && !test_.scopes->system_synchronizes.empty())
      object.add("systemSynchronizes", pairs(test_.scopes->system_synchronizes));
    if (test_.scopes && !test_.scopes->launches.empty()) object.add("launches", pairs(test_.scopes->launches));
    if (test_.filter) object.add("filter", proposition(*test_.filter));
    JsonValue condition = json_object();
    condition.add("quantifier", base::name_of(kJsonQuantifiers, test_.condition.quantifier));
    condition.add("proposition", proposition(test_.condition.proposition));
    object.add("condition", std::move(condition));
    if (!test_.also_observed.empty()) {
      JsonValue list = json_array();
      for (const Observable& item : test_.also_observed) list.push_back(observable(item));
      object.add("observe", std::move(list));
    }
    add_remarks(object);
    return object;
  }

 private:
  // ---- place and memory ----

  // The word for the tree as a whole, if there is one.
  std::string_view placement_word() const {
    if (!test_.scopes) return {};
    const std::size_t count = test_.threads.size();
    std::vector<PartialPlacement> together(count);
    for (PartialPlacement& place : together) place.at(Scope::workgroup) = 0;
    if (test_.scopes->placements == default_scope_tree(count).placements) return "inter_workgroup";
    if (test_.scopes->placements == make_scope_tree(together).placements) return "intra_workgroup";
    return {};
  }

  bool in_workgroup_memory() const {
    return !test_.locations.empty() &&
           std::all_of(test_.locations.begin(), test_.locations.end(),
                       [](const Location& location) { return location.space == Space::shared; });
  }

  std::string_view memory_word() const {
    bool atomic = false, plain = false;
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        const Access* access = access_of(instruction);
        if (access != nullptr) (access->order == Order::plain ? plain : atomic) = true;
      }
    }
    if (in_workgroup_memory()) return plain && !atomic ? "non_atomic_workgroup" : "atomic_workgroup";
    return plain && !atomic ? "non_atomic_storage" : "atomic_storage";
  }

  // Lists all locations if any differs from the one that the reader would make at its first mention.
  JsonValue locations() const {
    std::set<LocationId> mentioned;
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        for_each_location(instruction, [&](const LocationId& location) { mentioned.insert(location); });
      }
    }
    const Space assumed = in_workgroup_memory() ? Space::shared : Space::none;
    bool needed = mentioned.size() != test_.locations.size();
    JsonValue list = json_array();
    for (std::uint32_t i = 0; i < test_.locations.size(); ++i) {
      const Location& location = test_.locations[i];
      if (location.element > 0) continue;
      JsonValue object = json_object();
      object.add("name", location.name);
      if (location.is_array()) object.add("elements", location.elements);
      if (location.type != (location.initial.base ? Type::s64 : Type::s32))
        object.add("type", to_string(location.type));
      if (location.space != assumed) object.add("space", to_string(location.space));
      if (location.is_array()) {
        object.add("initial", initial_values(LocationId{i}));
      } else if (location.initial != Value{}) {
        object.add("initial", value(location.initial));
      }
      if (location.alias_of) object.add("aliasOf", test_[*location.alias_of].name);
      if (location.alias_of && location.proxy != Proxy::generic) object.add("proxy", to_string(location.proxy));
      needed = needed || object.members().size() > 1;
      list.push_back(std::move(object));
    }
    return needed ? list : json_array();
  }

  JsonValue initial_values(LocationId first) const {
    JsonValue list = json_array();
    for (std::uint32_t i = 0; i < test_[first].elements; ++i) {
      list.push_back(value(test_[LocationId{first.index + i}].initial));
    }
    return list;
  }

  JsonValue threads(bool placed_one_by_one) {
    JsonValue list = json_array();
    for (std::uint32_t t = 0; t < test_.threads.size(); ++t) {
      thread_ = t;
      JsonValue object = json_object();
      if (test_.scopes && placed_one_by_one) {
        for (const auto& [key, level] : kJsonLevels) object.add(key, test_.scopes->placements[t].at(level));
        if (test_.scopes->placements[t].cpu) object.add("cpu", true);
      }
      if (JsonValue declared = registers(test_.threads[t]); !declared.items().empty()) {
        object.add("registers", std::move(declared));
      }
      JsonValue actions = json_array();
      for (const Instruction& instruction : test_.threads[t].instructions) actions.push_back(action(instruction));
      object.add("actions", std::move(actions));
      list.push_back(std::move(object));
    }
    return list;
  }

  JsonValue registers(const Thread& thread) const {
    std::set<RegisterId> used;
    for (const Instruction& instruction : thread.instructions) {
      for_each_register(instruction, [&](const RegisterId& reg) { used.insert(reg); });
    }
    JsonValue list = json_array();
    for (std::uint32_t r = 0; r < thread.registers.size(); ++r) {
      const Register& reg = thread.registers[r];
      if (reg.type == Type::s32 && reg.initial == Value{} && used.contains(RegisterId{r})) continue;
      JsonValue object = json_object();
      object.add("name", reg.name);
      if (reg.type != Type::s32) object.add("type", to_string(reg.type));
      if (reg.initial != Value{}) object.add("initial", value(reg.initial));
      list.push_back(std::move(object));
    }
    return list;
  }

  static JsonValue pairs(const std::vector<std::pair<ThreadId, ThreadId>>& threads) {
    JsonValue list = json_array();
    for (auto [from, to] : threads) {
      list.push_back(json_array({from.index, to.index}));
    }
    return list;
  }

  // ---- actions ----

  std::string_view name(RegisterId reg) const { return test_.threads[thread_].registers[reg.index].name; }

  JsonValue value(const Value& value) const {
    if (!value.base) return JsonValue(value.number);
    JsonValue object = json_object();
    object.add("addressOf", test_[*value.base].name);
    if (value.number != 0) object.add("offset", value.number);
    return object;
  }

  JsonValue operand(const Operand& operand) const {
    if (const auto* reg = std::get_if<RegisterId>(&operand)) return JsonValue(name(*reg));
    return value(std::get<Value>(operand));
  }

  JsonValue action(const Instruction& instruction) const {
    JsonValue object = json_object();
    std::visit([&](const auto& operation) { fill(object, operation); }, instruction.operation);
    if (instruction.guard) {
      object.add(instruction.guard->negated ? "unless" : "if", name(instruction.guard->predicate));
    }
    return object;
  }

  void add_access(JsonValue& object, const Access& access) const {
    const Address& address = access.address;
    if (address.location) object.add("memoryLocation", test_[*address.location].name);
    if (address.index) object.add("index", name(*address.index));
    if (address.offset != 0) object.add("offset", address.offset);
  }

  void add_qualities(JsonValue& object, const Access& access) const {
    object.add("memoryOrder", base::name_of(kJsonOrders, access.order));
    if (access.scope != Scope::device) object.add("scope", to_string(access.scope));
    const Type assumed = access.address.location ? test_[*access.address.location].type : Type::s32;
    if (access.type != assumed) object.add("type", to_string(access.type));
    if (access.space != Space::none) object.add("space", to_string(access.space));
    if (access.cache != CacheOp::none) object.add("cache", to_string(access.cache));
    if (access.proxy != Proxy::generic) object.add("proxy", to_string(access.proxy));
    add_semantics(object, access.semantics, access.tags);
  }

  static void add_semantics(JsonValue& object, const Spaces& spaces, const Tags& tags) {
    JsonValue list = json_array();
    for (Space space : kAllSpaces) {
      if (spaces.has(space)) list.push_back(to_string(space));
    }
    if (!list.items().empty()) object.add("semantics", std::move(list));
    list = json_array();
    for (Tag tag : kAllTags) {
      if (tags.has(tag)) list.push_back(to_string(tag));
    }
    if (!list.items().empty()) object.add("tags", std::move(list));
  }

  void fill(JsonValue& object, const Load& load) const {
    object.add("action", "read");
    add_access(object, load.access);
    object.add("variable", name(load.target));
    add_qualities(object, load.access);
  }

  void fill(JsonValue& object, const Store& store) const {
    object.add("action", "write");
    add_access(object, store.access);
    object.add("value", operand(store.value));
    if (store.status) object.add("status", name(*store.status));
    add_qualities(object, store.access);
  }

  // The two forms that published tests use have their words.
  void fill(JsonValue& object, const Rmw& rmw) const {
    const bool read = rmw.op == RmwOp::add && rmw.target && rmw.operand == Operand(integer(0));
    const bool write = rmw.op == RmwOp::exch && !rmw.target;
    object.add("action", read ? "read" : write ? "write" : "rmw");
    if (!read && !write) object.add("op", to_string(rmw.op));
    add_access(object, rmw.access);
    if (rmw.target) object.add("variable", name(*rmw.target));
    if (rmw.expected) object.add("expected", operand(*rmw.expected));
    if (!read) object.add("value", operand(rmw.operand));
    if (rmw.success) object.add("success", name(*rmw.success));
    if (read || write) object.add("useRMW", true);
    add_qualities(object, rmw.access);
    if (rmw.failure_order != Order::relaxed) {
      object.add("failureOrder", base::name_of(kJsonOrders, rmw.failure_order));
    }
    if (rmw.may_fail) object.add("mayFail", true);
  }

  void fill(JsonValue& object, const Fence& fence) const {
    object.add("action", "fence");
    if (fence.kind == FenceKind::order) {
      object.add("memoryOrder", base::name_of(kJsonOrders, fence.order));
    } else {
      object.add("kind", base::name_of(kJsonFences, fence.kind));
    }
    if (fence.kind == FenceKind::proxy) {
      object.add("proxy", to_string(fence.proxy));
      if (fence.map) object.add("map", test_[*fence.map].name);
      if (fence.order != Order::seq_cst) object.add("memoryOrder", base::name_of(kJsonOrders, fence.order));
    }
    if (fence.kind == FenceKind::named) object.add("name", to_string(fence.name));
    if (fence.scope != Scope::device) object.add("scope", to_string(fence.scope));
    if (fence.accesses != FenceAccesses::all) object.add("accesses", base::name_of(kJsonAccesses, fence.accesses));
    if (fence.shareability != Shareability::full) {
      object.add("shareability", base::name_of(kJsonShareabilities, fence.shareability));
    }
    add_semantics(object, fence.semantics, fence.tags);
  }

  void fill(JsonValue& object, const Barrier& barrier) const {
    object.add("action", "barrier");
    if (barrier.kind != Barrier::Kind::sync) object.add("kind", base::name_of(kJsonBarriers, barrier.kind));
    if (barrier.scope != Scope::workgroup) object.add("scope", to_string(barrier.scope));
    if (barrier.id != Operand(Value{})) object.add("id", operand(barrier.id));
    if (barrier.name) object.add("name", operand(*barrier.name));
    if (barrier.quorum) object.add("quorum", operand(*barrier.quorum));
    if (barrier.order != Order::plain) object.add("memoryOrder", base::name_of(kJsonOrders, barrier.order));
    if (barrier.memory_scope != Scope::workgroup) object.add("memoryScope", to_string(barrier.memory_scope));
    add_semantics(object, barrier.semantics, barrier.tags);
  }

  void fill(JsonValue& object, const Compute& compute) const {
    object.add("action", "compute");
    object.add("op", to_string(compute.op));
    object.add("variable", name(compute.target));
    object.add("left", operand(compute.left));
    if (compute.right) object.add("right", operand(*compute.right));
  }

  JsonValue condition(const Comparison& comparison) const {
    JsonValue object = json_object();
    object.add("op", to_string(comparison.op));
    object.add("left", operand(comparison.left));
    object.add("right", operand(comparison.right));
    return object;
  }

  void fill(JsonValue& object, const Select& select) const {
    object.add("action", "select");
    object.add("variable", name(select.target));
    object.add("condition", condition(select.condition));
    object.add("yes", operand(select.yes));
    object.add("no", operand(select.no));
  }

  void fill(JsonValue& object, const Branch& branch) const {
    object.add("action", "branch");
    object.add("label", branch.label);
    if (branch.condition) object.add("condition", condition(*branch.condition));
  }

  void fill(JsonValue& object, const Label& label) const {
    object.add("action", "label");
    object.add("label", label.name);
  }

  JsonValue place(const Address& address) const {
    JsonValue object = json_object();
    if (address.location) object.add("memoryLocation", test_[*address.location].name);
    if (address.index) object.add("index", name(*address.index));
    if (address.offset != 0) object.add("offset", address.offset);
    return object;
  }

  void fill(JsonValue& object, const AsyncCopy& copy) const {
    object.add("action", "copy");
    object.add("engine", to_string(copy.engine));
    if (copy.mapped) object.add("map", true);
    if (copy.reduce) object.add("op", to_string(*copy.reduce));
    if (copy.engine == AsyncEngine::remote) {
      object.add("value", operand(copy.value));
    } else {
      object.add("from", place(copy.from));
    }
    JsonValue targets = json_array();
    for (const AsyncCopy::Target& target : copy.targets) {
      JsonValue item = place(target.to);
      if (target.mbarrier) item.add("mbarrier", test_[*target.mbarrier].name);
      targets.push_back(std::move(item));
    }
    object.add("to", std::move(targets));
    object.add("type", to_string(copy.type));
    if (copy.elements != 1) object.add("elements", copy.elements);
  }

  void fill(JsonValue& object, const Mbarrier& mbarrier) const {
    object.add("action", "mbarrier");
    object.add("op", to_string(mbarrier.op));
    object.add("memoryLocation", test_[mbarrier.barrier].name);
    if (mbarrier.target) object.add("variable", name(*mbarrier.target));
    if (mbarrier.order != default_order(mbarrier.op)) {
      object.add("memoryOrder", base::name_of(kJsonOrders, mbarrier.order));
    }
    if (mbarrier.scope != Scope::workgroup) object.add("scope", to_string(mbarrier.scope));
    if (mbarrier.count != 1) object.add("count", mbarrier.count);
    if (mbarrier.bytes != 0) object.add("bytes", mbarrier.bytes);
    if (mbarrier.phase != Operand(Value{})) object.add("phase", operand(mbarrier.phase));
  }

  void fill(JsonValue& object, const AsyncControl& control) const {
    object.add("action", to_string(control.kind));
    if (control.kind >= AsyncControl::Kind::launch_dependents) return;
    object.add("engine", to_string(control.engine));
    if (control.pending != 0) object.add("pending", control.pending);
  }

  // ---- condition ----

  JsonValue observable(const Observable& item) const {
    JsonValue object = json_object();
    if (const auto* reg = std::get_if<ObservedRegister>(&item)) {
      object.add("type", "variable");
      object.add("thread", reg->thread.index);
      object.add("id", test_[*reg].name);
    } else {
      object.add("type", "memory");
      const LocationId id = std::get<LocationId>(item);
      const Location& location = test_[id];
      object.add("id", test_[LocationId{id.index - location.element}].name);
      if (location.is_array()) object.add("element", location.element);
    }
    return object;
  }

  JsonValue comparison(const Proposition& proposition) const {
    JsonValue object = json_object();
    if (const auto* item = std::get_if<Observable>(&proposition.left)) {
      object = observable(*item);
    } else {
      object.add("type", "constant");
      object.add("constant", value(std::get<Value>(proposition.left)));
    }
    if (proposition.op != CompareOp::eq) object.add("compare", to_string(proposition.op));
    if (const auto* item = std::get_if<Observable>(&proposition.right)) {
      object.add("value", observable(*item));
    } else {
      object.add("value", value(std::get<Value>(proposition.right)));
    }
    return object;
  }

  JsonValue proposition(const Proposition& proposition) const {
    static constexpr base::Named<Proposition::Kind> kConnectives[] = {{"and", Proposition::Kind::conjunction},
                                                                      {"or", Proposition::Kind::disjunction},
                                                                      {"not", Proposition::Kind::negation},
                                                                      {"implies", Proposition::Kind::implication}};
    if (proposition.kind == Proposition::Kind::comparison) return comparison(proposition);
    JsonValue object = json_object();
    const std::string_view op = base::name_of(kConnectives, proposition.kind);
    if (op.empty()) {
      object.add("type", proposition.kind == Proposition::Kind::truth ? "true" : "false");
      return object;
    }
    object.add("type", "op");
    object.add("op", op);
    JsonValue conditions = json_array();
    for (const Proposition& child : proposition.children) conditions.push_back(this->proposition(child));
    object.add("conditions", std::move(conditions));
    return object;
  }

  // ---- remarks ----

  void add_remarks(JsonValue& object) const {
    if (!test_.expectations.empty()) {
      JsonValue list = json_object();
      for (const auto& [model, expectation] : test_.expectations) {
        list.add(model, expectation == Expectation::allowed ? "allowed" : "forbidden");
      }
      object.add("expectations", std::move(list));
    }
    std::size_t first = 0;
    if (std::optional<JsonValue> kept = behaviors()) {
      object.add("behaviors", std::move(*kept));
      first = 1;
    }
    JsonValue list = json_array();
    for (std::size_t i = first; i < test_.info.size(); ++i) {
      list.push_back(json_array({test_.info[i].first, test_.info[i].second}));
    }
    if (!list.items().empty()) object.add("info", std::move(list));
  }

  // The behaviours of a published test, if they are still unchanged.
  std::optional<JsonValue> behaviors() const {
    if (test_.info.empty() || test_.info[0].first != kBehaviorsKey) return std::nullopt;
    const base::Source source("", test_.info[0].second);
    Mistakes mistakes(source);
    constexpr int kOutside = 8;  // levels of nesting around the behaviours
    std::optional<JsonValue> value = base::read_json_text(mistakes, base::kDeepestJson - kOutside);
    if (!value || !value->is(JsonKind::object) || base::json_line(*value) != source.text()) return std::nullopt;
    return value;
  }

  const LitmusTest& test_;
  std::uint32_t thread_ = 0;
};

}  // namespace

std::string print_json(const LitmusTest& test) { return base::json_lines(JsonPrinter(test).test()); }

}  // namespace weakspot::litmus
