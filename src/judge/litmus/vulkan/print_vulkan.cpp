// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <set>

#include "litmus/normalize.h"
#include "litmus/text/cursor.h"
#include "litmus/text/printers.h"
#include "litmus/visit.h"
#include "litmus/vulkan/vulkan_words.h"

namespace weakspot::litmus {
namespace {

// ---- adapting ----

// Makes the changes that keep a test's meaning, and remembers the first obstacle.
class VulkanAdapter {
 public:
  explicit VulkanAdapter(LitmusTest test) : test_(std::move(test)), foreign_(test_.arch != Arch::vulkan) {}

  base::Result<LitmusTest> run() {
    test_.arch = Arch::vulkan;
    place_threads();
    for (Location& location : test_.locations) adapt_location(location);
    guards_to_branches(test_);
    name_registers();
    if (foreign_) rename_labels(test_);
    for (Thread& thread : test_.threads) {
      for (const Register& reg : thread.registers) check_register(reg);
      for (Instruction& instruction : thread.instructions) adapt_instruction(thread, instruction);
    }
    for (Location& location : test_.locations) location.space = Space::none;
    if (!obstacle_.empty()) return cannot_express(test_, "Vulkan", obstacle_);
    normalize(test_);
    return std::move(test_);
  }

 private:
  void refuse(std::string reason) {
    if (obstacle_.empty()) obstacle_ = std::move(reason);
  }
  template <typename... Parts>
  void lacks(fmt::format_string<Parts...> format, Parts&&... parts) {
    refuse(fmt::format("the Vulkan dialect has no {}", fmt::format(format, std::forward<Parts>(parts)...)));
  }

  void place_threads() {
    if (!test_.scopes) test_.scopes = default_scope_tree(test_.threads.size());
    std::set<std::uint32_t> devices, clusters;
    std::set<std::pair<std::uint32_t, std::uint32_t>> workgroups;
    for (const Placement& place : test_.scopes->placements) {
      devices.insert(place.device);
      clusters.insert(place.cluster);
      workgroups.emplace(place.cluster, place.workgroup);
    }
    if (devices.size() > 1) refuse("a Vulkan test runs on one device");
    if (workgroups.size() != clusters.size()) lacks("clusters of workgroups");
  }

  // A location has no storage class of its own: its accesses take it over.
  void adapt_location(const Location& location) {
    const Type expected = location.initial.base ? Type::s64 : Type::s32;
    if (location.type != expected) lacks("type {}", to_string(location.type));
    if (location.is_array()) lacks("arrays");
    if (location.proxy != Proxy::generic) lacks("{} proxy", to_string(location.proxy));
    if (location.space == Space::constant) lacks("constant memory");
  }

  void check_register(const Register& reg) {
    if (reg.type != Type::s32) lacks("type {}", to_string(reg.type));
  }

  static Space storage_class(Space space) { return space == Space::shared ? Space::storage1 : Space::storage0; }

  static bool is_storage_class(Space space) { return !base::name_of(kVulkanSpaces, space).empty(); }

  // The storage classes that accesses of the test are in; all of memory for a foreign release or acquire.
  Spaces whole_memory() const {
    Spaces all;
    for (const Location& location : test_.locations) {
      all.insert(is_storage_class(location.space) ? location.space : storage_class(location.space));
    }
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        const Access* access = access_of(instruction);
        if (access != nullptr && is_storage_class(access->space)) all.insert(access->space);
      }
    }
    if (all.empty()) all.insert(Space::storage0);
    return all;
  }

  // A foreign release covers all of memory and makes it available; an acquire makes it visible.
  void adapt_semantics(Order order, Spaces& semantics, Tags& tags) {
    if (is_release(order) || is_acquire(order)) {
      if (foreign_) {
        if (semantics.empty()) semantics = whole_memory();
        if (is_release(order)) tags.insert(Tag::available);
        if (is_acquire(order)) tags.insert(Tag::visible);
      }
      if (semantics.empty()) refuse("an acquire or release must name its storage classes");
      if (semantics.has(Space::constant)) lacks("constant memory");
      for (Space space : {Space::global, Space::shared}) {
        if (semantics.has(space)) semantics.insert(storage_class(space));
        semantics.erase(space);
      }
    } else if (!semantics.empty()) {
      refuse("only an acquire or release can have storage-class semantics");
    }
    if (tags.has(Tag::available) && !is_release(order)) refuse("only a release can make memory available");
    if (tags.has(Tag::visible) && !is_acquire(order)) refuse("only an acquire can make memory visible");
  }

  void check_scope(Scope scope) {
    if (base::name_of(kVulkanScopes, scope).empty()) lacks("scope '{}'", to_string(scope));
  }

  void check_order(Order order) {
    if (order == Order::seq_cst) lacks("sequentially consistent order");
    if (order == Order::consume || order == Order::acquire_pc) {
      lacks("order '{}'", to_string(order));
    }
  }

  void adapt_access(Access& access, std::optional<Tag> own_flag) {
    const Address& address = access.address;
    if (!address.location || address.index) return lacks("computed addresses");
    if (address.offset != 0) return lacks("accesses to a part of a location");
    const Location& location = test_[*address.location];
    if (access.type != location.type) return lacks("accesses to a part of a location");
    if (access.cache != CacheOp::none) return lacks("cache operators");
    if (access.proxy != Proxy::generic) return lacks("proxies");
    if (access.space == Space::constant) return lacks("constant memory");
    for (Tag tag : {Tag::volatile_, Tag::exclusive, Tag::vector, Tag::no_availability}) {
      if (access.tags.has(tag)) return lacks("'{}' accesses", to_string(tag));
    }
    if (access.space == Space::none) access.space = location.space;
    if (!is_storage_class(access.space)) access.space = storage_class(access.space);
    check_order(access.order);
    if (access.order == Order::plain) {
      adapt_plain(access, own_flag);
    } else {
      if (access.tags.has(Tag::non_private))
        refuse("an atomic access cannot be marked non-private, which it always is");
      check_scope(access.scope);
      adapt_semantics(access.order, access.semantics, access.tags);
    }
  }

  // A foreign plain access is seen by others once it is synchronised: it is not private.
  void adapt_plain(Access& access, std::optional<Tag> own_flag) {
    const bool flagged = access.tags.has(Tag::available) || access.tags.has(Tag::visible);
    if (foreign_ || flagged) access.tags.insert(Tag::non_private);
    if (flagged) check_scope(access.scope);
    for (Tag flag : {Tag::available, Tag::visible}) {
      if (access.tags.has(flag) && flag != own_flag) {
        refuse("only a store can be made available, and only a load visible");
      }
    }
    if (!access.semantics.empty()) refuse("only an acquire or release can have storage-class semantics");
  }

  void adapt_instruction(Thread& thread, Instruction& instruction) {
    std::visit([&](auto& operation) { adapt_operation(thread, operation); }, instruction.operation);
    for_each_operand(instruction, [&](const Operand& operand) {
      const auto* value = std::get_if<Value>(&operand);
      if (value != nullptr && value->base) lacks("addresses as operands");
    });
  }

  void adapt_operation(Thread&, Load& load) { adapt_access(load.access, Tag::visible); }

  void adapt_operation(Thread&, Store& store) { adapt_access(store.access, Tag::available); }

  void adapt_operation(Thread& thread, Rmw& rmw) {
    if (rmw.op != RmwOp::exch && base::name_of(kVulkanRmwOps, rmw.op).empty()) {
      return lacks("atomic '{}'", to_string(rmw.op));
    }
    adapt_access(rmw.access, std::nullopt);
    if (!rmw.target) rmw.target = fresh_register(thread);
  }

  void adapt_operation(Thread&, Fence& fence) {
    if (fence.kind == FenceKind::av_device || fence.kind == FenceKind::vis_device) return;
    if (fence.kind != FenceKind::order) return lacks("fences without an order");
    if (fence.tags.has(Tag::no_availability)) return lacks("'noav' fences");
    check_order(fence.order);
    if (!is_release(fence.order) && !is_acquire(fence.order)) {
      return refuse("a fence must be an acquire, a release or both");
    }
    check_scope(fence.scope);
    adapt_semantics(fence.order, fence.semantics, fence.tags);
  }

  void adapt_operation(Thread&, Barrier& barrier) {
    if (barrier.kind != Barrier::Kind::sync) return lacks("barriers that only arrive");
    if (barrier.scope != Scope::workgroup) return lacks("barriers other than those of a workgroup");
    if (!std::holds_alternative<Value>(barrier.id)) return refuse("the number of a barrier must be a constant");
    if (barrier.quorum && !barrier.name) return refuse("only a named barrier can have a quorum");
    // A foreign barrier without an order orders memory fully.
    if (foreign_ && barrier.order == Order::plain) barrier.order = Order::acq_rel;
    check_order(barrier.order);
    if (barrier.order == Order::relaxed) return refuse("a barrier cannot have order 'rlx'");
    check_scope(barrier.memory_scope);
    adapt_semantics(barrier.order, barrier.semantics, barrier.tags);
  }

  // Operations with one operand are written with two.
  void adapt_operation(Thread&, Compute& compute) {
    if (compute.op == ComputeOp::mov) {
      compute.op = ComputeOp::add;
      compute.right = integer(0);
    } else if (compute.op == ComputeOp::not_) {
      compute.op = ComputeOp::xor_;
      compute.right = integer(-1);
    } else if (compute.op == ComputeOp::neg) {
      compute.op = ComputeOp::sub;
      compute.right = compute.left;
      compute.left = integer(0);
    } else if (base::name_of(kVulkanComputeOps, compute.op).empty()) {
      lacks("instruction '{}'", to_string(compute.op));
    }
  }

  void adapt_operation(Thread&, Select&) { lacks("conditional select"); }
  void adapt_operation(Thread&, Branch&) {}
  void adapt_operation(Thread&, Label&) {}
  template <typename Op>
    requires kIsAsynchronous<Op>
  void adapt_operation(Thread&, Op&) {}  // refused before

  // ---- names ----

  static std::string fresh_name(const Thread& thread) {
    std::set<std::string_view> taken;
    for (const Register& reg : thread.registers) taken.insert(reg.name);
    std::uint32_t n = 0;
    while (taken.contains(fmt::format("r{}", n))) ++n;
    return fmt::format("r{}", n);
  }

  static RegisterId fresh_register(Thread& thread) {
    Register reg;
    reg.name = fresh_name(thread);
    thread.registers.push_back(reg);
    return RegisterId{static_cast<std::uint32_t>(thread.registers.size() - 1)};
  }

  void name_registers() {
    for (Thread& thread : test_.threads) {
      for (Register& reg : thread.registers) {
        if (!is_numbered_register(reg.name)) reg.name = fresh_name(thread);
      }
    }
  }

  LitmusTest test_;
  bool foreign_;
  std::string obstacle_;
};

// ---- printing ----

class VulkanPrinter {
 public:
  explicit VulkanPrinter(const LitmusTest& test) : test_(test) {}

  std::string print() {
    std::string text = header_text(test_, "Vulkan") + initial_state() + synchronizes();
    std::vector<std::vector<std::string>> columns;
    for (std::uint32_t t = 0; t < test_.threads.size(); ++t) {
      thread_ = t;
      std::vector<std::string>& column = columns.emplace_back();
      column.push_back(placement(t));
      for (const Instruction& instruction : test_.threads[t].instructions) {
        column.push_back(std::visit([this](const auto& operation) { return cell(operation); }, instruction.operation));
      }
    }
    return text + table_text(columns) + condition_text(test_);
  }

 private:
  // Every location, and registers that start with a value or that only the condition names.
  std::string initial_state() const {
    std::string text = "{";
    for (const Location& location : test_.locations) {
      if (location.alias_of) {
        text += fmt::format(" {} aliases {}", location.name, test_[*location.alias_of].name);
        if (location.initial != Value{}) text += fmt::format(" = {}", value_text(test_, location.initial));
      } else {
        text += fmt::format(" {}={}", location.name, value_text(test_, location.initial));
      }
      text += ';';
    }
    for (std::uint32_t t = 0; t < test_.threads.size(); ++t) {
      const std::set<RegisterId> used = used_registers(test_.threads[t]);
      const std::vector<Register>& registers = test_.threads[t].registers;
      for (std::uint32_t r = 0; r < registers.size(); ++r) {
        if (registers[r].initial == Value{} && used.contains(RegisterId{r})) continue;
        text += fmt::format(" P{}:{}={};", t, registers[r].name, value_text(test_, registers[r].initial));
      }
    }
    return text + " }\n";
  }

  std::string synchronizes() const {
    if (test_.scopes->system_synchronizes.empty()) return {};
    std::string text = "{";
    for (auto [from, to] : test_.scopes->system_synchronizes) {
      text += fmt::format(" ssw {} {};", from.index, to.index);
    }
    return text + " }\n";
  }

  std::string placement(std::uint32_t thread) const {
    const Placement& place = test_.scopes->placements[thread];
    return fmt::format("P{}@sg {}, wg {}, qf {}", thread, place.subgroup, place.workgroup, place.queue_family);
  }

  std::string name(RegisterId reg) const { return test_.threads[thread_].registers[reg.index].name; }

  std::string operand(const Operand& operand) const {
    if (const auto* reg = std::get_if<RegisterId>(&operand)) return name(*reg);
    return value_text(test_, std::get<Value>(operand));
  }

  std::string location(const Access& access) const { return test_[*access.address.location].name; }

  // .rel.wg and the rest of the order
  static std::string order(Order order, Scope scope) {
    const std::string_view word = base::name_of(kVulkanOrders, order);
    return fmt::format("{}{}.{}", word.empty() ? "" : ".", word, base::name_of(kVulkanScopes, scope));
  }

  static std::string semantics(const Spaces& spaces, const Tags& tags) {
    std::string text;
    for (const auto& [word, space] : kVulkanSpaces) {
      if (spaces.has(space)) text += fmt::format(".sem{}", word);
    }
    if (tags.has(Tag::available)) text += ".semav";
    if (tags.has(Tag::visible)) text += ".semvis";
    return text;
  }

  static std::string suffixes(const Access& access) {
    const std::string_view space = base::name_of(kVulkanSpaces, access.space);
    if (access.order != Order::plain) {
      return fmt::format(".atom{}.{}{}", order(access.order, access.scope), space,
                         semantics(access.semantics, access.tags));
    }
    for (Tag flag : {Tag::available, Tag::visible}) {
      if (!access.tags.has(flag)) continue;
      return fmt::format(".{}.{}.{}", to_string(flag), base::name_of(kVulkanScopes, access.scope), space);
    }
    return fmt::format("{}.{}", access.tags.has(Tag::non_private) ? ".nonpriv" : "", space);
  }

  std::string cell(const Load& load) const {
    return fmt::format("ld{} {}, {}", suffixes(load.access), name(load.target), location(load.access));
  }

  std::string cell(const Store& store) const {
    return fmt::format("st{} {}, {}", suffixes(store.access), location(store.access), operand(store.value));
  }

  std::string cell(const Rmw& rmw) const {
    const std::string_view op = base::name_of(kVulkanRmwOps, rmw.op);
    return fmt::format("rmw{}{}{} {}, {}, {}", suffixes(rmw.access), op.empty() ? "" : ".", op, name(*rmw.target),
                       location(rmw.access), operand(rmw.operand));
  }

  std::string cell(const Fence& fence) const {
    if (fence.kind == FenceKind::av_device) return "avdevice";
    if (fence.kind == FenceKind::vis_device) return "visdevice";
    return fmt::format("membar{}{}", order(fence.order, fence.scope), semantics(fence.semantics, fence.tags));
  }

  std::string cell(const Barrier& barrier) const {
    std::string text = fmt::format("cbar{}{} {}", order(barrier.order, barrier.memory_scope),
                                   semantics(barrier.semantics, barrier.tags), operand(barrier.id));
    if (barrier.name) text += ", " + operand(*barrier.name);
    if (barrier.quorum) text += ", " + operand(*barrier.quorum);
    return text;
  }

  std::string cell(const Compute& compute) const {
    return fmt::format("{} {}, {}, {}", base::name_of(kVulkanComputeOps, compute.op), name(compute.target),
                       operand(compute.left), operand(*compute.right));
  }

  std::string cell(const Branch& branch) const {
    if (!branch.condition) return "goto " + branch.label;
    const Comparison& condition = *branch.condition;
    return fmt::format("b{} {}, {}, {}", to_string(condition.op), operand(condition.left), operand(condition.right),
                       branch.label);
  }

  std::string cell(const Select&) const { return {}; }  // refused

  std::string cell(const Label& label) const { return label.name + ":"; }
  template <typename Op>
    requires kIsAsynchronous<Op>
  std::string cell(const Op&) const {
    return {};  // refused
  }

  const LitmusTest& test_;
  std::uint32_t thread_ = 0;
};

}  // namespace

base::Result<LitmusTest> adapt_vulkan(const LitmusTest& test) { return VulkanAdapter(test).run(); }

std::string print_vulkan(const LitmusTest& test) { return VulkanPrinter(test).print(); }

}  // namespace weakspot::litmus
