// SPDX-License-Identifier: MIT
#include "base/names.h"
#include "litmus/json/json_parts.h"
#include "litmus/json/json_words.h"

namespace weakspot::litmus {
namespace {

using JsonKind = JsonValue::Kind;

class ActionReader {
 public:
  ActionReader(const JsonValue& action, JsonContext& context, ThreadId thread)
      : fields_(action, context.mistakes, "an action"), context_(context), thread_(thread) {}

  void read() {
    if (!fields_.valid()) return;
    const std::size_t before = context_.mistakes.count();
    std::optional<std::string_view> kind = fields_.string("action", true);
    if (!kind) return;
    std::optional<Guard> guard = this->guard();
    std::optional<Operation> operation = this->operation(*kind);
    fields_.done();
    if (!operation || context_.mistakes.count() != before) return;
    context_.builder.emit(thread_, std::move(*operation), fields_.span()).guard = guard;
  }

 private:
  std::optional<Operation> operation(std::string_view kind) {
    if (kind == "read") return read_access();
    if (kind == "write") return write_access();
    if (kind == "rmw") return rmw();
    if (kind == "fence") return fence();
    if (kind == "barrier") return barrier();
    if (kind == "compute") return compute();
    if (kind == "select") return select();
    if (kind == "branch") return branch();
    if (kind == "copy") return copy();
    if (kind == "mbarrier") return mbarrier();
    for (AsyncControl::Kind control : kAsyncControls) {
      if (kind == to_string(control)) return this->control(control);
    }
    if (kind == "label") return Label{std::string(json_word(fields_, "label", "a label", true).value_or(""))};
    fields_.mistake(
        fields_.take("action"),
        fmt::format("unknown action '{}'; expected read, write, rmw, fence, barrier, compute, select, branch, label, "
                    "copy, mbarrier, commit, wait, wait_read, launch_dependents or wait_grids",
                    clipped(kind)));
    return std::nullopt;
  }

  // "if": the register, or "unless": the register
  std::optional<Guard> guard() {
    std::optional<RegisterId> holds = reg("if", false);
    std::optional<RegisterId> fails = reg("unless", false);
    if (holds && fails) fields_.mistake(nullptr, "an action has 'if' or 'unless', not both");
    if (holds) return Guard{*holds, false};
    if (fails) return Guard{*fails, true};
    return std::nullopt;
  }

  // With useRMW, a read adds 0 and a write exchanges.
  std::optional<Operation> read_access() {
    std::optional<RegisterId> target = reg("variable", true);
    if (fields_.truth("useRMW")) {
      Rmw rmw;
      rmw.op = RmwOp::add;
      rmw.target = target;
      rmw.operand = integer(0);
      access(rmw.access, Order::relaxed);
      return rmw;
    }
    Load load;
    load.target = target.value_or(RegisterId{});
    access(load.access, context_.access_order);
    return load;
  }

  std::optional<Operation> write_access() {
    const Operand value = operand("value");
    if (fields_.truth("useRMW")) {
      Rmw rmw;
      rmw.op = RmwOp::exch;
      rmw.operand = value;
      access(rmw.access, Order::relaxed);
      return rmw;
    }
    Store store;
    store.value = value;
    store.status = reg("status", false);
    access(store.access, context_.access_order);
    return store;
  }

  std::optional<Operation> rmw() {
    Rmw rmw;
    if (std::optional<std::string_view> op = fields_.string("op", true)) {
      std::optional<RmwOp> known = rmw_op_named(*op);
      if (!known) fields_.mistake(fields_.take("op"), fmt::format("unknown operation '{}'", clipped(*op)));
      rmw.op = known.value_or(RmwOp::exch);
    }
    rmw.target = reg("variable", false);
    rmw.operand = operand("value");
    if (rmw.op == RmwOp::cas) {
      rmw.expected = operand("expected");
      rmw.success = reg("success", false);
      rmw.failure_order = fields_.one_of("failureOrder", kJsonOrders).value_or(Order::relaxed);
      rmw.may_fail = fields_.truth("mayFail");
    }
    access(rmw.access, Order::relaxed);
    return rmw;
  }

  // A fence takes only the members of its kind, so that any other is reported as unknown.
  std::optional<Operation> fence() {
    Fence fence;
    fence.kind = fields_.one_of("kind", kJsonFences).value_or(FenceKind::order);
    if (fence.kind == FenceKind::order) {
      fence.order = fields_.one_of("memoryOrder", kJsonOrders).value_or(Order::acq_rel);
      semantics(fence.semantics, fence.tags);
    }
    if (fence.kind == FenceKind::order || fence.kind == FenceKind::membar || fence.kind == FenceKind::proxy) {
      fence.scope = fields_.one_of("scope", scope_named).value_or(Scope::device);
    }
    if (fence.kind == FenceKind::proxy) {
      fence.proxy = fields_.one_of("proxy", proxy_named).value_or(Proxy::generic);
      fence.order = fields_.one_of("memoryOrder", kJsonOrders).value_or(Order::seq_cst);
      if (std::optional<std::string_view> map = json_word(fields_, "map", "a location")) {
        fence.map = context_.builder.location(*map);
      }
      semantics(fence.semantics, fence.tags);
    }
    if (fence.kind == FenceKind::named) {
      fence.name = fields_.one_of("name", fence_name_named).value_or(FenceName::none);
    }
    if (fence.kind == FenceKind::dmb || fence.kind == FenceKind::dsb) {
      fence.accesses = fields_.one_of("accesses", kJsonAccesses).value_or(FenceAccesses::all);
      fence.shareability = fields_.one_of("shareability", kJsonShareabilities).value_or(Shareability::full);
    }
    return fence;
  }

  std::optional<Operation> barrier() {
    Barrier barrier;
    barrier.kind = fields_.one_of("kind", kJsonBarriers).value_or(Barrier::Kind::sync);
    barrier.scope = fields_.one_of("scope", scope_named).value_or(Scope::workgroup);
    if (fields_.has("id")) barrier.id = operand("id");
    if (fields_.has("name")) barrier.name = operand("name");
    if (fields_.has("quorum")) barrier.quorum = operand("quorum");
    barrier.order = fields_.one_of("memoryOrder", kJsonOrders).value_or(Order::plain);
    barrier.memory_scope = fields_.one_of("memoryScope", scope_named).value_or(Scope::workgroup);
    semantics(barrier.semantics, barrier.tags);
    return barrier;
  }

  std::optional<Operation> compute() {
    Compute compute;
    compute.target = reg("variable", true).value_or(RegisterId{});
    std::optional<std::string_view> op = fields_.string("op", true);
    std::optional<ComputeOp> known = op ? compute_op_named(*op) : std::nullopt;
    if (op && !known) fields_.mistake(fields_.take("op"), fmt::format("unknown operation '{}'", clipped(*op)));
    compute.op = known.value_or(ComputeOp::mov);
    compute.left = operand("left");
    if (!is_unary(compute.op)) compute.right = operand("right");
    return compute;
  }

  std::optional<Operation> branch() {
    Branch branch;
    branch.label = json_word(fields_, "label", "a label", true).value_or("");
    if (const JsonValue* condition = fields_.take("condition")) branch.condition = comparison(*condition);
    return branch;
  }

  std::optional<Operation> select() {
    Select select;
    select.target = reg("variable", true).value_or(RegisterId{});
    if (const JsonValue* condition = fields_.take("condition")) {
      select.condition = comparison(*condition);
    } else {
      fields_.mistake(nullptr, "'condition' is missing: a comparison");
    }
    select.yes = operand("yes");
    select.no = operand("no");
    return select;
  }

  Comparison comparison(const JsonValue& value) {
    JsonFields fields(value, context_.mistakes, "a comparison");
    Comparison comparison;
    comparison.op = fields.one_of("op", compare_op_named).value_or(CompareOp::eq);
    comparison.left = operand("left", fields);
    comparison.right = operand("right", fields);
    fields.done();
    return comparison;
  }

  static constexpr AsyncControl::Kind kAsyncControls[] = {
      AsyncControl::Kind::commit, AsyncControl::Kind::wait, AsyncControl::Kind::wait_read,
      AsyncControl::Kind::launch_dependents, AsyncControl::Kind::wait_grids};

  std::optional<Operation> copy() {
    AsyncCopy copy;
    copy.value = Value{};
    copy.engine = fields_.one_of("engine", async_engine_named).value_or(AsyncEngine::bulk);
    copy.mapped = fields_.truth("map");
    if (fields_.has("op")) copy.reduce = fields_.one_of("op", rmw_op_named);
    if (copy.engine == AsyncEngine::remote) {
      copy.value = operand("value");
    } else if (const JsonValue* from = fields_.take("from")) {
      JsonFields fields(*from, context_.mistakes, "a place");
      copy.from = place(fields);
      fields.done();
    } else {
      fields_.mistake(nullptr, "'from' is missing: a place");
    }
    const JsonValue* targets = fields_.take("to", JsonKind::array, true);
    if (targets == nullptr) return std::nullopt;
    for (const JsonValue& item : targets->items()) {
      JsonFields fields(item, context_.mistakes, "a place");
      AsyncCopy::Target& target = copy.targets.emplace_back();
      target.to = place(fields);
      if (std::optional<std::string_view> name = json_word(fields, "mbarrier", "a location")) {
        target.mbarrier = context_.builder.location(*name);
      }
      fields.done();
    }
    if (!copy.targets.empty() && copy.targets[0].to.location) {
      copy.type = context_.builder[*copy.targets[0].to.location].type;
    }
    copy.type = fields_.one_of("type", type_named).value_or(copy.type);
    copy.elements = fields_.number("elements").value_or(1);
    return copy;
  }

  Address place(JsonFields& fields) {
    Address address;
    if (std::optional<std::string_view> name = json_word(fields, "memoryLocation", "a location")) {
      address.location = context_.builder.location(*name);
    }
    address.index = json_register(fields, "index", context_, thread_, false);
    address.offset = fields.number("offset").value_or(0);
    return address;
  }

  std::optional<Operation> mbarrier() {
    Mbarrier mbarrier;
    mbarrier.op = fields_.one_of("op", mbarrier_op_named).value_or(MbarrierOp::arrive);
    mbarrier.target = reg("variable", false);
    mbarrier.order = fields_.one_of("memoryOrder", kJsonOrders).value_or(default_order(mbarrier.op));
    mbarrier.scope = fields_.one_of("scope", scope_named).value_or(Scope::workgroup);
    mbarrier.count = fields_.number("count").value_or(1);
    mbarrier.bytes = fields_.number("bytes").value_or(0);
    if (fields_.has("phase")) mbarrier.phase = operand("phase");
    const std::optional<std::string_view> name = json_word(fields_, "memoryLocation", "a location", true);
    if (!name) return std::nullopt;
    mbarrier.barrier = context_.builder.location(*name);
    return mbarrier;
  }

  Operation control(AsyncControl::Kind kind) {
    AsyncControl control;
    control.kind = kind;
    if (kind >= AsyncControl::Kind::launch_dependents) return control;
    control.engine = fields_.one_of("engine", async_engine_named).value_or(AsyncEngine::bulk);
    control.pending = fields_.number("pending").value_or(0);
    return control;
  }

  // ---- parts of actions ----

  void access(Access& access, Order otherwise) {
    if (std::optional<std::string_view> name = json_word(fields_, "memoryLocation", "a location")) {
      access.address.location = context_.builder.location(*name);
      access.type = context_.builder[*access.address.location].type;
    }
    access.address.index = reg("index", false);
    access.address.offset = fields_.number("offset").value_or(0);
    access.order = fields_.one_of("memoryOrder", kJsonOrders).value_or(otherwise);
    access.scope = fields_.one_of("scope", scope_named).value_or(Scope::device);
    access.type = fields_.one_of("type", type_named).value_or(access.type);
    access.space = fields_.one_of("space", space_named).value_or(Space::none);
    access.cache = fields_.one_of("cache", cache_op_named).value_or(CacheOp::none);
    access.proxy = fields_.one_of("proxy", proxy_named).value_or(Proxy::generic);
    semantics(access.semantics, access.tags);
  }

  void semantics(Spaces& spaces, Tags& tags) {
    for_each_string("semantics", [&](const JsonValue& item) {
      std::optional<Space> space = space_named(item.text());
      if (!space || *space == Space::none) return false;
      spaces.insert(*space);
      return true;
    });
    for_each_string("tags", [&](const JsonValue& item) {
      std::optional<Tag> tag = tag_named(item.text());
      if (tag) tags.insert(*tag);
      return tag.has_value();
    });
  }

  template <typename Take>
  void for_each_string(std::string_view key, Take take) {
    const JsonValue* list = fields_.take(key, JsonKind::array);
    if (list == nullptr) return;
    for (const JsonValue& item : list->items()) {
      if (!item.is(JsonKind::string) || !take(item)) {
        fields_.mistake(&item, fmt::format("unknown word in '{}'", key));
      }
    }
  }

  std::optional<RegisterId> reg(std::string_view key, bool needed) {
    return json_register(fields_, key, context_, thread_, needed);
  }

  Operand operand(std::string_view key) { return operand(key, fields_); }

  // A number, a register or an address.
  Operand operand(std::string_view key, JsonFields& fields) {
    const JsonValue* value = fields.take(key);
    if (value != nullptr && value->is(JsonKind::string)) {
      return json_register(fields, key, context_, thread_, true).value_or(RegisterId{});
    }
    if (value == nullptr) {
      if (fields.valid())
        fields.mistake(nullptr, fmt::format("'{}' is missing: a number, a register or an address", key));
      return Value{};
    }
    return read_json_value(*value, context_).value_or(Value{});
  }

  JsonFields fields_;
  JsonContext& context_;
  ThreadId thread_;
};

}  // namespace

void read_json_action(const JsonValue& action, JsonContext& context, ThreadId thread) {
  ActionReader(action, context, thread).read();
}

std::optional<std::string_view> json_word(JsonFields& fields, std::string_view key, std::string_view what,
                                          bool needed) {
  std::optional<std::string_view> name = fields.string(key, needed);
  if (!name || is_word(*name)) return name;
  fields.mistake(fields.take(key), fmt::format("the name of {} is made of letters, digits, '_' and '$'", what));
  return std::nullopt;
}

std::optional<RegisterId> json_register(JsonFields& fields, std::string_view key, JsonContext& context, ThreadId thread,
                                        bool needed) {
  std::optional<std::string_view> name = json_word(fields, key, "a register", needed);
  if (!name) return std::nullopt;
  if (*name == "_") {
    fields.mistake(fields.take(key), "a register cannot be called '_'");
    return std::nullopt;
  }
  return context.builder.reg(thread, *name);
}

std::optional<Value> read_json_value(const JsonValue& value, JsonContext& context) {
  if (value.is(JsonKind::number)) {
    const std::optional<std::int64_t> number = value.integer();
    if (number) return integer(*number);
    context.mistakes.add(value.span(), "expected an integer of 64 bits");
    return std::nullopt;
  }
  if (!value.is(JsonKind::object)) {
    context.mistakes.add(value.span(),
                         fmt::format("expected a number or an address, found {}", base::describe(value.kind())));
    return std::nullopt;
  }
  JsonFields fields(value, context.mistakes, "an address");
  std::optional<std::string_view> name = json_word(fields, "addressOf", "a location", true);
  const std::int64_t offset = fields.number("offset").value_or(0);
  fields.done();
  if (!name) return std::nullopt;
  return Value{offset, context.builder.location(*name)};
}

}  // namespace weakspot::litmus
