// SPDX-License-Identifier: MIT
// Turns a test into one that C11 or OpenCL can hold, or says why it cannot.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "litmus/c/c_language.h"
#include "litmus/c/print_c.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"
#include "litmus/text/cursor.h"
#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

// Bits without a type are read as signed everywhere; a predicate becomes an int that holds 0 or 1.
Type c_type(Type type) {
  switch (type) {
    case Type::b32:
    case Type::pred:
      return Type::s32;
    case Type::b64:
      return Type::s64;
    default:
      return type;
  }
}

class CAdapter {
 public:
  CAdapter(const LitmusTest& test, CFace face) : original_(test), test_(test), face_(face) {}

  base::Result<LitmusTest> run() {
    test_.arch = face_ == CFace::c11 ? Arch::c11 : Arch::opencl;
    guards_to_branches(test_);
    check_scopes();
    for (Location& location : test_.locations) adapt_location(location);
    for (Thread& thread : test_.threads) {
      if (!reason_) adapt_thread(thread);
    }
    if (reason_) return cannot_express(original_, to_string(face_), *reason_);
    normalize(test_);
    for (std::uint32_t i = 0; i < test_.threads.size(); ++i) rename_registers_of(ThreadId{i});
    return std::move(test_);
  }

 private:
  void refuse(std::string reason) {
    if (!reason_) reason_ = std::move(reason);
  }
  template <typename... Parts>
  void lacks(fmt::format_string<Parts...> format, Parts&&... parts) {
    refuse(fmt::format("{} has no {}", to_string(face_), fmt::format(format, std::forward<Parts>(parts)...)));
  }

  bool opencl() const { return face_ == CFace::opencl; }

  void check_scopes() {
    if (!test_.scopes) return;
    if (!opencl()) return lacks("scopes to place threads in");
    if (!test_.scopes->system_synchronizes.empty()) return lacks("system-synchronizes-with pairs");
    if (make_scope_tree(c_placements(*test_.scopes)) != *test_.scopes) {
      refuse("the scope trees of OpenCL have only subgroup, workgroup and device");
    }
  }

  void adapt_location(Location& location) {
    if (location.element > 0) {
      location.type = c_type(location.type);
      adapt_space(location.space);
      return;
    }
    if (!is_word(location.name) || is_c_word(location.name, face_)) {
      refuse(fmt::format("'{}' cannot be a parameter name in {}", location.name, to_string(face_)));
    }
    if (location.alias_of) lacks("aliases such as location '{}'", location.name);
    location.type = c_type(location.type);
    if (!adapt_space(location.space))
      lacks("memory space '{}' for location '{}'", to_string(location.space), location.name);
  }

  // C11 knows one memory, which is the global one.
  bool adapt_space(Space& space) const {
    if (!opencl() && space == Space::global) space = Space::none;
    if (space == Space::none) return true;
    return opencl() && (space == Space::global || space == Space::shared || space == Space::constant);
  }

  // ---- instructions ----

  void adapt_thread(Thread& thread) {
    for (Register& reg : thread.registers) {
      if (reg.type == Type::pred) predicates_.insert(&reg - thread.registers.data());
    }
    std::vector<Instruction> code;
    code.swap(thread.instructions);
    for (Instruction& instruction : code) {
      std::optional<Instruction> after;
      adapt_instruction(thread, instruction, after);
      thread.instructions.push_back(std::move(instruction));
      if (after) thread.instructions.push_back(std::move(*after));
    }
    for (Register& reg : thread.registers) reg.type = c_type(reg.type);
    predicates_.clear();
    adapt_labels(thread);
  }

  void adapt_instruction(Thread& thread, Instruction& instruction, std::optional<Instruction>& after) {
    if (Access* access = access_of(instruction)) adapt_access(*access);
    if (auto* store = std::get_if<Store>(&instruction.operation)) {
      if (store->status) lacks("store-exclusive");
    } else if (auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
      adapt_rmw(thread, instruction, *rmw, after);
    } else if (auto* fence = std::get_if<Fence>(&instruction.operation)) {
      adapt_fence(*fence);
    } else if (auto* barrier = std::get_if<Barrier>(&instruction.operation)) {
      adapt_barrier(*barrier);
    } else if (auto* compute = std::get_if<Compute>(&instruction.operation)) {
      adapt_compute(*compute);
    } else if (auto* select = std::get_if<Select>(&instruction.operation)) {
      const bool predicate = predicates_.contains(select->target.index);
      if (predicate && !(is_truth(select->yes) && is_truth(select->no)))
        refuse("'sel' may give a predicate a value other than 0 and 1");
    }
  }

  void adapt_access(Access& access) {
    check_order(access.order);
    if (access.order != Order::plain) check_scope(access.scope);
    access.type = c_type(access.type);
    if (access.cache != CacheOp::none) lacks("cache operator '{}'", to_string(access.cache));
    if (access.proxy != Proxy::generic) lacks("{} proxy", to_string(access.proxy));
    if (!access.semantics.empty()) lacks("accesses with storage-class semantics");
    if (is_acquire(access.order) || is_release(access.order)) check_covers_memory(access.semantics);
    for (Tag tag :
         {Tag::exclusive, Tag::non_private, Tag::available, Tag::visible, Tag::vector, Tag::no_availability}) {
      if (access.tags.has(tag)) lacks("'{}' accesses", to_string(tag));
    }
    if (access.tags.has(Tag::volatile_) && access.order != Order::plain)
      refuse("an atomic access cannot be volatile here");
    if (opencl() && access.order != Order::plain && size_in_bytes(access.type) < 4) {
      lacks("atomic accesses of fewer than 32 bits");
    }
    if (std::abs(access.address.offset) > kLargestOffset) refuse("an access is too far outside its location");
    adapt_access_space(access);
  }

  void adapt_access_space(Access& access) {
    if (!adapt_space(access.space)) {
      return lacks("memory space '{}' for an access", to_string(access.space));
    }
    if (!access.address.location || access.space == Space::none) return;
    const Space own = test_[*access.address.location].space;
    if (access.space == own || (access.space == Space::global && own == Space::none)) {
      access.space = Space::none;
    } else if (own == Space::none) {
      refuse("an access names a memory space other than its location's");
    }
  }

  void check_order(Order order) {
    if (order == Order::acquire_pc || (order == Order::consume && opencl())) {
      lacks("order '{}'", to_string(order));
    }
  }

  void check_scope(Scope scope) {
    const bool known = opencl() ? !base::name_of(kCScopes, scope).empty() : scope == Scope::device;
    if (!known) lacks("scope '{}'", to_string(scope));
  }

  // A compare-exchange has its expected value in the register that receives the old one.
  void adapt_rmw(Thread& thread, Instruction& instruction, Rmw& rmw, std::optional<Instruction>& after) {
    if (rmw.op == RmwOp::inc || rmw.op == RmwOp::dec || (!opencl() && (rmw.op == RmwOp::min || rmw.op == RmwOp::max))) {
      return lacks("read-modify-write '{}'", to_string(rmw.op));
    }
    if (rmw.op != RmwOp::cas) return;
    check_order(rmw.failure_order);
    if (rmw.target && rmw.expected == Operand(*rmw.target) && rmw.success != rmw.target) return;
    std::optional<RegisterId> target = rmw.target;
    const bool in_the_way =
        target && (rmw.operand == Operand(*target) || rmw.access.address.index == target || rmw.success == target);
    if (!target || in_the_way) {
      rmw.target = fresh_register(thread, c_type(rmw.access.type));
      if (target && rmw.success != target) {
        after = instruction;
        after->operation = Compute{ComputeOp::mov, *target, *rmw.target, std::nullopt};
      }
    }
    Instruction before = instruction;
    before.operation = Compute{ComputeOp::mov, *rmw.target, *rmw.expected, std::nullopt};
    rmw.expected = Operand(*rmw.target);
    thread.instructions.push_back(std::move(before));
  }

  static RegisterId fresh_register(Thread& thread, Type type) {
    std::set<std::string> names;
    for (const Register& reg : thread.registers) names.insert(reg.name);
    std::string name;
    for (std::size_t n = 0; name.empty() || names.contains(name); ++n) name = fmt::format("{}{}", kCTemporary, n);
    Register& reg = thread.registers.emplace_back();
    reg.name = name;
    reg.type = type;
    return RegisterId{static_cast<std::uint32_t>(thread.registers.size() - 1)};
  }

  void adapt_fence(Fence& fence) {
    if (fence.kind != FenceKind::order) {
      static constexpr std::string_view kKinds[] = {"",    "membar", "proxy",  "availability", "visibility", "dmb",
                                                    "dsb", "isb",    "mfence", "sfence",       "lfence"};
      return lacks("fence of kind '{}'", kKinds[static_cast<std::size_t>(fence.kind)]);
    }
    if (!fence.tags.empty()) return lacks("fences that make memory available or visible");
    check_order(fence.order);
    check_scope(fence.scope);
    if (has_foreign_spaces(fence.semantics)) return lacks("fences with storage-class semantics");
    check_covers_memory(fence.semantics);
    if (opencl()) {
      // Without flags a fence orders all memory; OpenCL must say so.
      if (fence.semantics.empty()) fence.semantics = {Space::global, Space::shared};
    } else if (!fence.semantics.empty()) {
      if (!fence.semantics.has(Space::global)) return lacks("fences for shared memory only");
      fence.semantics = {};
    }
  }

  // Vulkan's acquire and release order only the storage classes they name; elsewhere naming none means all.
  void check_covers_memory(const Spaces& semantics) {
    if (original_.arch == Arch::vulkan && semantics.empty()) lacks("acquire or release that covers no memory");
  }

  static bool has_foreign_spaces(const Spaces& spaces) {
    Spaces foreign = spaces;
    foreign.erase(Space::global);
    foreign.erase(Space::shared);
    return !foreign.empty();
  }

  void adapt_barrier(Barrier& barrier) {
    if (!opencl()) return lacks("barriers");
    if (barrier.kind != Barrier::Kind::sync || barrier.quorum || barrier.name) {
      return lacks("barriers that wait for less than a whole workgroup");
    }
    if (barrier.scope != Scope::workgroup && barrier.scope != Scope::subgroup) {
      return lacks("barrier of scope '{}'", to_string(barrier.scope));
    }
    const auto* id = std::get_if<Value>(&barrier.id);
    if (id == nullptr || id->base || id->number < 0 || id->number > 999'999'999) {
      return refuse("the id of a barrier must be a number from 0 to 999999999");
    }
    if (!barrier.tags.empty()) return lacks("barriers that make memory available or visible");
    if (barrier.order != Order::plain) return lacks("barriers with a memory order");
    if (barrier.semantics.empty()) {
      // PTX's barriers order all memory.
      if (original_.arch != Arch::ptx && original_.arch != Arch::ptx2015) {
        return refuse("a barrier does not say which memory it orders, as OpenCL requires");
      }
      barrier.semantics = {Space::global, Space::shared};
    }
    if (has_foreign_spaces(barrier.semantics)) return lacks("barriers with storage-class semantics");
    check_scope(barrier.memory_scope);
  }

  // A predicate that has become an int must still hold 0 or 1.
  void adapt_compute(Compute& compute) {
    if (!predicates_.contains(compute.target.index)) return;
    switch (compute.op) {
      case ComputeOp::not_:
        compute.op = ComputeOp::eq;
        compute.right = Operand(integer(0));
        return;
      case ComputeOp::mov:
        if (!is_truth(compute.left)) {
          compute.op = ComputeOp::ne;
          compute.right = Operand(integer(0));
        }
        return;
      case ComputeOp::and_:
      case ComputeOp::or_:
      case ComputeOp::xor_:
        if (is_truth(compute.left) && is_truth(*compute.right)) return;
        break;
      default:
        if (compute.op >= ComputeOp::eq) return;
    }
    refuse(fmt::format("'{}' may give a predicate a value other than 0 and 1", to_string(compute.op)));
  }

  bool is_truth(const Operand& operand) const {
    if (const auto* reg = std::get_if<RegisterId>(&operand)) return predicates_.contains(reg->index);
    const Value& value = std::get<Value>(operand);
    return !value.base && (value.number == 0 || value.number == 1);
  }

  // ---- names ----

  // Labels that C cannot spell get a number instead.
  void adapt_labels(Thread& thread) const {
    const auto rename = [this](std::string& name) {
      if (!is_word(name) || is_c_word(name, face_)) name = kCFreshLabel + name;
    };
    for (Instruction& instruction : thread.instructions) {
      if (auto* label = std::get_if<Label>(&instruction.operation)) rename(label->name);
      if (auto* branch = std::get_if<Branch>(&instruction.operation)) rename(branch->label);
    }
    number_c_labels(thread);
  }

  void rename_registers_of(ThreadId id) {
    Thread& thread = test_.threads[id.index];
    const std::set<LocationId> parameters = c_parameters(test_, id);
    std::set<std::string> taken;
    for (LocationId location : parameters) taken.insert(test_[location].name);
    std::vector<Register*> clashing;
    for (std::uint32_t r = 0; r < thread.registers.size(); ++r) {
      Register& reg = thread.registers[r];
      if (is_c_parameter(test_, id, RegisterId{r})) continue;
      if (!is_word(reg.name) || is_c_word(reg.name, face_) || !taken.insert(reg.name).second) clashing.push_back(&reg);
    }
    for (Register* reg : clashing) {
      std::string name = is_word(reg->name) ? reg->name + "_" : "r";
      const std::string stem = name;
      for (std::size_t n = 0; !taken.insert(name).second; ++n) name = fmt::format("{}{}", stem, n);
      reg->name = name;
    }
  }

  static constexpr std::int64_t kLargestOffset = std::int64_t{1} << 31;

  const LitmusTest& original_;
  LitmusTest test_;
  CFace face_;
  std::set<std::size_t> predicates_;  // registers of the current thread that were predicates
  std::optional<std::string> reason_;
};

}  // namespace

base::Result<LitmusTest> adapt_c11(const LitmusTest& test) { return CAdapter(test, CFace::c11).run(); }

base::Result<LitmusTest> adapt_opencl(const LitmusTest& test) { return CAdapter(test, CFace::opencl).run(); }

}  // namespace weakspot::litmus
