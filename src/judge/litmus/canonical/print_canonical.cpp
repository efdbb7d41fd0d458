// SPDX-License-Identifier: MIT
// The canonical form; docs/litmus-format.md is its manual. Can express every test.
#include <fmt/format.h>

#include <set>

#include "litmus/instruction.h"
#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

class CanonicalPrinter {
 public:
  explicit CanonicalPrinter(const LitmusTest& test) : test_(test) {}

  std::string print() {
    std::string text = header_text(test_, "weakspot", true);
    text += initial_state();
    return text + table_text(columns()) + scope_tree_text(test_) + condition_text(test_);
  }

  std::vector<std::vector<std::string>> columns() {
    std::vector<std::vector<std::string>> columns;
    for (std::uint32_t t = 0; t < test_.threads.size(); ++t) {
      thread_ = t;
      std::vector<std::string>& column = columns.emplace_back();
      column.push_back(fmt::format("P{}", t));
      for (const Instruction& instruction : test_.threads[t].instructions) column.push_back(cell(instruction));
    }
    return columns;
  }

 private:
  // ---- initial state: everything that differs from what the reader assumes ----

  std::string initial_state() {
    std::vector<std::string> items;
    const std::set<LocationId> mentioned = mentioned_locations(test_);
    for (std::uint32_t i = 0; i < test_.locations.size(); ++i) {
      const Location& location = test_.locations[i];
      if (location.element > 0) continue;
      std::string item = location_item(LocationId{i});
      if (item != location.name || !mentioned.contains(LocationId{i})) items.push_back(std::move(item));
    }
    for (std::uint32_t t = 0; t < test_.threads.size(); ++t) {
      const std::set<RegisterId> used = used_registers(test_.threads[t]);
      const std::vector<Register>& registers = test_.threads[t].registers;
      for (std::uint32_t r = 0; r < registers.size(); ++r) {
        if (registers[r].type == Type::s32 && registers[r].initial == Value{} && used.contains(RegisterId{r})) continue;
        items.push_back(register_item(t, registers[r]));
      }
    }
    if (items.empty()) return {};
    std::string text = "{";
    for (const std::string& item : items) text += fmt::format(" {};", item);
    return text + " }\n";
  }

  std::string location_item(LocationId id) const {
    const Location& location = test_[id];
    std::string text;
    if (location.space != Space::none) text += fmt::format("{} ", to_string(location.space));
    const Type assumed = location.initial.base ? Type::s64 : Type::s32;
    if (location.type != assumed || location.is_array()) text += fmt::format("{} ", to_string(location.type));
    if (location.is_array()) return text + array_text(test_, id);
    text += location.name;
    if (location.alias_of) {
      if (location.proxy != Proxy::generic) text += fmt::format(" @ {}", to_string(location.proxy));
      text += fmt::format(" aliases {}", test_[*location.alias_of].name);
    }
    if (location.initial != Value{}) text += " = " + value_text(test_, location.initial);
    return text;
  }

  std::string register_item(std::uint32_t thread, const Register& reg) const {
    std::string text = fmt::format("{}:", thread);
    if (reg.type != Type::s32) text += fmt::format("{} ", to_string(reg.type));
    text += reg.name;
    if (reg.initial != Value{}) text += " = " + value_text(test_, reg.initial);
    return text;
  }

  // ---- instructions ----

  std::string cell(const Instruction& instruction) const {
    std::string guard;
    if (instruction.guard) {
      guard = fmt::format("@{}{} ", instruction.guard->negated ? "!" : "", name(instruction.guard->predicate));
    }
    return guard + std::visit([this](const auto& operation) { return text(operation); }, instruction.operation);
  }

  std::string name(RegisterId reg) const { return test_.threads[thread_].registers[reg.index].name; }

  std::string text(const Operand& operand) const {
    if (const auto* reg = std::get_if<RegisterId>(&operand)) return name(*reg);
    return value_text(test_, std::get<Value>(operand));
  }

  std::string address(const Address& address) const {
    std::string text;
    if (address.location) {
      text = test_[*address.location].name;
      if (address.index) text += "+" + name(*address.index);
    } else {
      text = "[" + name(*address.index);
    }
    if (address.offset != 0) text += fmt::format("+{}", address.offset);
    return address.location ? text : text + "]";
  }

  std::string suffixes(const Access& access) const {
    std::string text;
    const Order usual = is_tensor(access) ? Order::plain : Order::relaxed;
    if (access.order != usual) text += fmt::format(".{}", to_string(access.order));
    if (access.scope != Scope::device) text += fmt::format(".{}", to_string(access.scope));
    if (access.space != Space::none) text += fmt::format(".{}", to_string(access.space));
    if (access.cache != CacheOp::none) text += fmt::format(".{}", to_string(access.cache));
    if (access.proxy != Proxy::generic) text += fmt::format(".{}", to_string(access.proxy));
    text += tags(access.tags) + semantics(access.semantics);
    const Type assumed = access.address.location ? test_[*access.address.location].type : Type::s32;
    if (access.type != assumed) text += fmt::format(".{}", to_string(access.type));
    return text;
  }

  static std::string tags(const Tags& tags) {
    std::string text;
    for (Tag tag : {Tag::volatile_, Tag::exclusive, Tag::non_private, Tag::available, Tag::visible, Tag::vector,
                    Tag::no_availability, Tag::lock}) {
      if (tags.has(tag)) text += fmt::format(".{}", to_string(tag));
    }
    return text;
  }

  static std::string semantics(const Spaces& spaces) {
    std::string text;
    for (Space space : {Space::global, Space::shared, Space::constant, Space::storage0, Space::storage1,
                        Space::storage2, Space::storage3}) {
      if (spaces.has(space)) text += fmt::format(".sem{}", to_string(space));
    }
    return text;
  }

  std::string text(const Load& load) const {
    return fmt::format("ld{} {}, {}", suffixes(load.access), name(load.target), address(load.access.address));
  }

  std::string text(const Store& store) const {
    return fmt::format("st{} {}{}, {}", suffixes(store.access), store.status ? name(*store.status) + ", " : "",
                       address(store.access.address), text(store.value));
  }

  std::string text(const Rmw& rmw) const {
    std::string line = fmt::format("atom.{}{}", to_string(rmw.op), suffixes(rmw.access));
    if (rmw.failure_order != Order::relaxed) line += fmt::format(".fail{}", to_string(rmw.failure_order));
    if (rmw.may_fail) line += ".weak";
    line += fmt::format(" {}, {}, ", rmw.target ? name(*rmw.target) : "_", address(rmw.access.address));
    if (rmw.expected) line += text(*rmw.expected) + ", ";
    line += text(rmw.operand);
    if (rmw.success) line += ", " + name(*rmw.success);
    return line;
  }

  std::string text(const Fence& fence) const {
    const std::string scope = fence.scope != Scope::device ? fmt::format(".{}", to_string(fence.scope)) : "";
    switch (fence.kind) {
      case FenceKind::order:
        return fmt::format("fence.{}{}{}{}", to_string(fence.order), scope, tags(fence.tags),
                           semantics(fence.semantics));
      case FenceKind::membar:
        return "membar" + scope;
      case FenceKind::proxy:
        return fmt::format("fence.proxy.{}{}{}{}{}", to_string(fence.proxy),
                           fence.order != Order::seq_cst ? fmt::format(".{}", to_string(fence.order)) : "", scope,
                           semantics(fence.semantics), fence.map ? " " + test_[*fence.map].name : "");
      case FenceKind::av_device:
        return "avdev";
      case FenceKind::vis_device:
        return "visdev";
      case FenceKind::dmb:
        return "dmb." + domain(fence);
      case FenceKind::dsb:
        return "dsb." + domain(fence);
      case FenceKind::isb:
        return "isb";
      case FenceKind::mfence:
        return "mfence";
      case FenceKind::sfence:
        return "sfence";
      case FenceKind::lfence:
        return "lfence";
      case FenceKind::named:
        return std::string(to_string(fence.name));
      case FenceKind::mbarrier_init:
        return "mbarinit";
      case FenceKind::wgmma:
        return "wgfence";
      case FenceKind::tensor_before:
        return "tcfence.before";
      case FenceKind::tensor_after:
        return "tcfence.after";
    }
    return {};
  }

  static std::string domain(const Fence& fence) {
    static constexpr std::string_view kDomains[] = {"", "ish", "osh", "nsh"};
    static constexpr std::string_view kAccesses[] = {"", "ld", "st"};
    const std::string text = fmt::format("{}{}", kDomains[static_cast<std::size_t>(fence.shareability)],
                                         kAccesses[static_cast<std::size_t>(fence.accesses)]);
    return text.empty() ? "sy" : text;
  }

  std::string text(const Barrier& barrier) const {
    std::string line = "bar";
    if (barrier.kind != Barrier::Kind::sync) line += barrier.kind == Barrier::Kind::arrive ? ".arrive" : ".wait";
    if (barrier.scope != Scope::workgroup) line += fmt::format(".{}", to_string(barrier.scope));
    if (barrier.order != Order::plain) line += fmt::format(".{}", to_string(barrier.order));
    if (barrier.memory_scope != Scope::workgroup) line += fmt::format(".mem{}", to_string(barrier.memory_scope));
    line += tags(barrier.tags) + semantics(barrier.semantics);
    if (barrier.id == Operand(Value{}) && !barrier.name && !barrier.quorum) return line;
    line += " " + text(barrier.id);
    if (barrier.name || barrier.quorum) line += ", " + (barrier.name ? text(*barrier.name) : "_");
    if (barrier.quorum) line += ", " + text(*barrier.quorum);
    return line;
  }

  std::string text(const Compute& compute) const {
    std::string line = fmt::format("{} {}, {}", to_string(compute.op), name(compute.target), text(compute.left));
    if (compute.right) line += ", " + text(*compute.right);
    return line;
  }

  std::string text(const Select& select) const {
    const Comparison& condition = select.condition;
    return fmt::format("sel.{} {}, {}, {}, {}, {}", to_string(condition.op), name(select.target), text(condition.left),
                       text(condition.right), text(select.yes), text(select.no));
  }

  std::string text(const Branch& branch) const {
    if (!branch.condition) return "b " + branch.label;
    const Comparison& condition = *branch.condition;
    return fmt::format("b{} {}, {}, {}", to_string(condition.op), text(condition.left), text(condition.right),
                       branch.label);
  }

  std::string text(const Label& label) const { return label.name + ":"; }

  std::string text(const AsyncCopy& copy) const {
    std::string line = fmt::format("copy.{}", to_string(copy.engine));
    if (copy.mapped) line += ".map";
    if (copy.reduce) line += fmt::format(".{}", to_string(*copy.reduce));
    const Address& to = copy.targets.front().to;
    if (copy.type != (to.location ? test_[*to.location].type : Type::s32)) {
      line += fmt::format(".{}", to_string(copy.type));
    }
    if (copy.elements != 1) line += fmt::format(".x{}", copy.elements);
    line +=
        fmt::format(" {}, {}", address(to), copy.engine == AsyncEngine::remote ? text(copy.value) : address(copy.from));
    for (const AsyncCopy::Target& target : copy.targets) {
      if (&target != &copy.targets.front()) line += ", " + address(target.to);
      if (target.mbarrier) line += ", " + test_[*target.mbarrier].name;
    }
    return line;
  }

  std::string text(const Mbarrier& mbarrier) const {
    std::string line = fmt::format("mbar.{}", to_string(mbarrier.op));
    if (mbarrier.order != default_order(mbarrier.op)) line += fmt::format(".{}", to_string(mbarrier.order));
    if (mbarrier.scope != Scope::workgroup) line += fmt::format(".{}", to_string(mbarrier.scope));
    const std::string& barrier = test_[mbarrier.barrier].name;
    switch (mbarrier.op) {
      case MbarrierOp::init:
        return fmt::format("{} {}, {}", line, barrier, mbarrier.count);
      case MbarrierOp::arrive:
      case MbarrierOp::drop:
        line += fmt::format(" {}, {}", mbarrier.target ? name(*mbarrier.target) : "_", barrier);
        if (mbarrier.count != 1 || mbarrier.bytes != 0) line += fmt::format(", {}", mbarrier.count);
        return mbarrier.bytes != 0 ? fmt::format("{}, {}", line, mbarrier.bytes) : line;
      case MbarrierOp::expect:
      case MbarrierOp::complete:
        return fmt::format("{} {}, {}", line, barrier, mbarrier.bytes);
      case MbarrierOp::follow:
      case MbarrierOp::inval:
      case MbarrierOp::commit:
        return fmt::format("{} {}", line, barrier);
      case MbarrierOp::test:
        return fmt::format("{} {}, {}, {}", line, name(*mbarrier.target), barrier, text(mbarrier.phase));
      case MbarrierOp::wait:
        break;
    }
    return fmt::format("{} {}, {}", line, barrier, text(mbarrier.phase));
  }

  std::string text(const AsyncControl& control) const {
    switch (control.kind) {
      case AsyncControl::Kind::commit:
        return fmt::format("commit.{}", to_string(control.engine));
      case AsyncControl::Kind::wait:
        if (is_tensor(control.engine)) return fmt::format("wait.{}", to_string(control.engine));
        return fmt::format("wait.{} {}", to_string(control.engine), control.pending);
      case AsyncControl::Kind::wait_read:
        return fmt::format("wait.{}.read {}", to_string(control.engine), control.pending);
      case AsyncControl::Kind::launch_dependents:
        return "griddep.launch";
      case AsyncControl::Kind::wait_grids:
        break;
    }
    return "griddep.wait";
  }

  const LitmusTest& test_;
  std::uint32_t thread_ = 0;
};

}  // namespace

std::string print_canonical(const LitmusTest& test) { return CanonicalPrinter(test).print(); }

std::vector<std::vector<std::string>> canonical_columns(const LitmusTest& test) {
  return CanonicalPrinter(test).columns();
}

}  // namespace weakspot::litmus
