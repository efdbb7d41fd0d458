// SPDX-License-Identifier: MIT
// Adapts a test to the two PTX dialects, or refuses it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "litmus/normalize.h"
#include "litmus/ptx/ptx_printer.h"
#include "litmus/ptx/ptx_types.h"
#include "litmus/text/cursor.h"
#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

using Reason = std::optional<std::string>;

// ---- changes ----

std::set<std::string> location_names(const LitmusTest& test) {
  std::set<std::string> names;
  for (const Location& location : test.locations) names.insert(location.name);
  return names;
}

// Gives registers whose names are in the way, or not the dialect's, the first free names r0, r1, ...
void rename_clashing_registers(LitmusTest& test, PtxEdition edition) {
  const std::set<std::string> locations = location_names(test);
  auto keeps_name = [&](const Register& reg) {
    return !locations.contains(reg.name) && (edition == PtxEdition::y2015 || is_numbered_register(reg.name));
  };
  std::vector<FreshNames> fresh;
  for (const Thread& thread : test.threads) {
    std::set<std::string> taken = locations;
    for (const Register& reg : thread.registers) {
      if (keeps_name(reg)) taken.insert(reg.name);
    }
    fresh.emplace_back("r", std::move(taken));
  }
  rename_registers(test, [&](ThreadId thread, RegisterId, const Register& reg) {
    return keeps_name(reg) ? reg.name : fresh[thread.index].next();
  });
}

// GPU_PTX branches and guards on predicates alone, so a comparison becomes a setp into a fresh predicate.
class Predicates {
 public:
  Predicates(Thread& thread, std::set<std::string> taken) : thread_(thread), fresh_("p", {}) {
    for (const Register& reg : thread_.registers) taken.insert(reg.name);
    fresh_ = FreshNames("p", std::move(taken));
  }

  void introduce() {
    for (Instruction& instruction : thread_.instructions) {
      auto* branch = std::get_if<Branch>(&instruction.operation);
      if (instruction.guard && !is_predicate(instruction.guard->predicate)) {
        instruction.guard->predicate =
            set_predicate({CompareOp::ne, instruction.guard->predicate, integer(0)}, instruction.span);
      }
      if (branch != nullptr && branch->condition && !instruction.guard) {
        instruction.guard = guard_of(*branch->condition, instruction.span);
        branch->condition.reset();
      }
      code_.push_back(std::move(instruction));
    }
    thread_.instructions = std::move(code_);
  }

 private:
  bool is_predicate(RegisterId reg) const { return thread_.registers[reg.index].type == Type::pred; }

  Guard guard_of(const Comparison& condition, base::Span span) {
    const auto* reg = std::get_if<RegisterId>(&condition.left);
    const bool equality = condition.op == CompareOp::eq || condition.op == CompareOp::ne;
    if (reg != nullptr && is_predicate(*reg) && equality && condition.right == Operand(integer(0))) {
      return {*reg, condition.op == CompareOp::eq};
    }
    return {set_predicate(condition, span), false};
  }

  RegisterId set_predicate(const Comparison& condition, base::Span span) {
    const RegisterId reg{static_cast<std::uint32_t>(thread_.registers.size())};
    thread_.registers.push_back({fresh_.next(), Type::pred, {}});
    Instruction instruction;
    instruction.operation = Compute{as_compute(condition.op), reg, condition.left, condition.right};
    instruction.span = span;
    code_.push_back(std::move(instruction));
    return reg;
  }

  Thread& thread_;
  FreshNames fresh_;
  std::vector<Instruction> code_;
};

// ---- refusals ----

class Checker {
 public:
  Checker(const LitmusTest& test, PtxEdition edition) : test_(test), edition_(edition) {
    for (const Thread& thread : test.threads) {
      for (const Register& reg : thread.registers) register_names_.insert(reg.name);
    }
  }

  Reason run() {
    Reason reason = scope_tree();
    for (std::size_t i = 0; i < test_.locations.size() && !reason; ++i) reason = location(test_.locations[i]);
    for (std::size_t t = 0; t < test_.threads.size() && !reason; ++t) {
      thread_ = &test_.threads[t];
      reason = registers();
      if (reason) break;
      for (const Instruction& instruction : thread_->instructions) {
        reason = check(instruction);
        if (reason) break;
      }
    }
    return reason;
  }

 private:
  bool current() const { return edition_ == PtxEdition::current; }

  template <typename... Parts>
  Reason lacks(fmt::format_string<Parts...> format, Parts&&... parts) const {
    return fmt::format("{} has no {}", name_of(edition_), fmt::format(format, std::forward<Parts>(parts)...));
  }

  Reason scope_tree() const {
    if (!test_.scopes) return std::nullopt;
    if (!test_.scopes->system_synchronizes.empty()) return lacks("system-synchronizes-with pairs");
    if (!ptx_levels(*test_.scopes, edition_)) {
      return fmt::format("the scope trees of {} have only {}", name_of(edition_),
                         current() ? "gpu, cluster, cta and warp" : "device, cta and warp");
    }
    return std::nullopt;
  }

  Reason registers() const {
    for (const Register& reg : thread_->registers) {
      if (!current() && reg.initial.base && size_in_bytes(reg.type) != 8) {
        return fmt::format("register '{}' has type {}; an address has 64 bits", reg.name, to_string(reg.type));
      }
    }
    return std::nullopt;
  }

  Reason location(const Location& location) const {
    if (is_numbered_register(location.name) || register_names_.contains(location.name))
      return fmt::format("location '{}' has the name of a register", location.name);
    if (location.type == Type::pred) return "a predicate cannot be in memory";
    if (location.is_array()) return lacks("arrays");
    if (location.space == Space::tensor && (!current() || size_in_bytes(location.type) != 4)) {
      return lacks("tensor memory of this type");
    }
    if (location.space != Space::none && ptx_space_name(location.space).empty()) {
      return lacks("memory space '{}'", to_string(location.space));
    }
    if (location.alias_of && !current()) return lacks("aliases");
    if (location.proxy == Proxy::alias || location.proxy >= Proxy::async) {
      return lacks("locations behind the {} proxy", to_string(location.proxy));
    }
    return std::nullopt;
  }

  Reason check(const Instruction& instruction) const {
    if (auto clash = access_type_clash(edition_, *thread_, instruction)) return clash;
    if (auto clash = space_clash(test_, instruction)) return clash;
    return std::visit([this, &instruction](const auto& operation) { return check(instruction, operation); },
                      instruction.operation);
  }

  Reason check(const Instruction&, const Load& load) const { return check(load.access, AccessKind::load); }
  Reason check(const Instruction&, const Store& store) const { return check(store.access, AccessKind::store); }

  Reason check(const Instruction&, const Rmw& rmw) const {
    if (rmw.success) return lacks("compare-and-swap that reports success");
    if (rmw.may_fail) return lacks("compare-and-swap that may fail spuriously");
    if (rmw.failure_order != Order::relaxed) return lacks("failure order for a compare-and-swap");
    return check(rmw.access, AccessKind::rmw);
  }

  // They move 32 bits.
  Reason check_tensor(const Access& access) const {
    const bool whole = access.type == test_[*access.address.location].type;
    return current() && whole ? std::nullopt : lacks("accesses to tensor memory of this type");
  }

  Reason check(const Access& access, AccessKind kind) const {
    if (is_tensor(access)) return check_tensor(access);
    for (Tag tag : {Tag::exclusive, Tag::non_private, Tag::available, Tag::visible, Tag::no_availability}) {
      if (access.tags.has(tag)) return lacks("'{}' accesses", to_string(tag));
    }
    if (access.tags.has(Tag::vector)) return "vector accesses can be read but not written";
    if (!access.semantics.empty()) return lacks("accesses with storage-class semantics");
    if (access.space != Space::none && base::name_of(kPtxSpaces, access.space).empty()) {
      return lacks("memory space '{}'", to_string(access.space));
    }
    if (ptx_mnemonic(kind, access.proxy).empty() || (!current() && access.proxy != Proxy::generic)) {
      return lacks("{} through the {} proxy", to_string(kind), to_string(access.proxy));
    }
    const bool is_volatile = access.tags.has(Tag::volatile_);
    if (is_volatile && kind == AccessKind::rmw) return "a read-modify-write cannot be volatile";
    if (!has_cache_op(kind, access.cache)) {
      return lacks("{} with cache operator '{}'", to_string(kind), to_string(access.cache));
    }
    if (access.cache != CacheOp::none && (is_volatile || access.order != Order::plain)) {
      return "a cache operator is for weak accesses only";
    }
    return current() ? current_order(access, kind) : old_order(access, kind);
  }

  Reason current_order(const Access& access, AccessKind kind) const {
    if (!has_order(kind, access.order)) {
      return lacks("{} of order '{}'", to_string(kind), to_string(access.order));
    }
    if (base::name_of(kPtxScopes, access.scope).empty()) return no_scope(access.scope);
    if (access.tags.has(Tag::volatile_) && (access.order != Order::relaxed || access.scope != Scope::system)) {
      return "a volatile access must be relaxed and of scope 'sys'";
    }
    return std::nullopt;
  }

  Reason old_order(const Access& access, AccessKind kind) const {
    if (access.order != (kind == AccessKind::rmw ? Order::relaxed : Order::plain)) {
      return lacks("{} of order '{}'", to_string(kind), to_string(access.order));
    }
    if (access.scope != Scope::device) return no_scope(access.scope);
    return std::nullopt;
  }

  Reason no_scope(Scope scope) const { return lacks("scope '{}' for this instruction", to_string(scope)); }

  Reason check(const Instruction&, const Fence& fence) const {
    if (fence.kind == FenceKind::proxy && fence.proxy == Proxy::async && current()) return async_fence(fence);
    if (!fence.semantics.empty()) return lacks("fences with storage-class semantics");
    if (!fence.tags.empty()) return lacks("fences that make memory available or visible");
    if (fence.kind == FenceKind::membar) {
      return base::name_of(kMembarScopes, fence.scope).empty() ? no_scope(fence.scope) : std::nullopt;
    }
    if (!current()) return lacks("fence other than membar");
    if (fence.kind == FenceKind::proxy && fence.proxy == Proxy::tensormap) {
      return base::name_of(kPtxScopes, fence.scope).empty() ? no_scope(fence.scope) : std::nullopt;
    }
    if (fence.kind == FenceKind::proxy) {
      return fence.scope == Scope::device ? std::nullopt : lacks("proxy fences with a scope");
    }
    if (fence.kind == FenceKind::mbarrier_init || fence.kind == FenceKind::wgmma) return std::nullopt;
    if (fence.kind == FenceKind::tensor_before || fence.kind == FenceKind::tensor_after) return std::nullopt;
    if (fence.kind != FenceKind::order) return lacks("fences of CPUs or of Vulkan");
    if (fence.order != Order::acquire && !is_release(fence.order)) {
      return lacks("fence of order '{}'", to_string(fence.order));
    }
    return base::name_of(kPtxScopes, fence.scope).empty() ? no_scope(fence.scope) : std::nullopt;
  }

  // Fences of the async proxy cover one space that PTX can name, or all of memory; one-way fences cover shared memory.
  Reason async_fence(const Fence& fence) const {
    if (fence.scope != Scope::device) return lacks("proxy fences with a scope");
    const bool one_way = fence.order == Order::acquire || fence.order == Order::release;
    if (!one_way && fence.order != Order::seq_cst) return lacks("proxy fences of this order");
    for (Space space : {Space::constant, Space::storage0, Space::storage1, Space::storage2, Space::storage3}) {
      if (fence.semantics.has(space)) return lacks("proxy fences for this space");
    }
    const bool both = fence.semantics.has(Space::global) && fence.semantics.has(Space::shared);
    const bool shared = fence.semantics.has(Space::shared) && !both;
    if (both || (one_way && !shared)) return lacks("proxy fences for these spaces");
    return std::nullopt;
  }

  // Shared memory that a thread may be told of from outside is reached by a bulk copy with an mbarrier, and so on.
  Reason check(const Instruction&, const AsyncCopy& copy) const {
    if (!current()) return lacks("asynchronous copies");
    if (copy.type == Type::pred) return "a predicate cannot be in memory";
    const bool bulk = copy.engine == AsyncEngine::bulk;
    if (copy.engine == AsyncEngine::lane && (copy.reduce || copy.targets.front().mbarrier)) {
      return lacks("cp.async that reduces or counts on an mbarrier");
    }
    if (copy.engine == AsyncEngine::remote && copy.elements != 1) return lacks("st.async of several elements");
    if (copy.engine == AsyncEngine::wgmma && copy.elements != 1) return lacks("products of several elements");
    if (is_tensor(copy.engine) && copy.type != test_[*copy.targets.front().to.location].type) {
      return lacks("copies to tensor memory of this type");
    }
    if (copy.mapped && copy.reduce) return lacks("reductions with a tensor map");
    if (copy.reduce && base::name_of(kPtxRmwOps, *copy.reduce).empty()) return lacks("this reduction");
    if (copy.targets.size() > 1 && !bulk) return lacks("multicast other than bulk copies");
    for (const AsyncCopy::Target& target : copy.targets) {
      if (copy.engine == AsyncEngine::remote && !is_shared(target.to)) return "st.async writes to shared memory";
      if (target.mbarrier && !is_shared(target.to))
        return "a copy that is counted on an mbarrier writes to shared memory";
      if (!target.mbarrier && bulk && is_shared(target.to)) return "a bulk copy to shared memory needs an mbarrier";
    }
    return std::nullopt;
  }

  bool is_shared(const Address& address) const {
    return !address.location || test_[*address.location].space == Space::shared;
  }

  Reason check(const Instruction&, const Mbarrier& mbarrier) const {
    if (!current()) return lacks("mbarriers");
    const bool arrives = mbarrier.op == MbarrierOp::arrive || mbarrier.op == MbarrierOp::drop;
    if (arrives && mbarrier.bytes != 0 && mbarrier.count != 1) return lacks("expect_tx with several arrivals");
    if (base::name_of(kPtxScopes, mbarrier.scope).empty()) return no_scope(mbarrier.scope);
    const bool fixed = mbarrier.op == MbarrierOp::init || mbarrier.op == MbarrierOp::inval ||
                       mbarrier.op == MbarrierOp::follow || mbarrier.op == MbarrierOp::commit;
    if (fixed && mbarrier.scope != Scope::workgroup) return no_scope(mbarrier.scope);
    return std::nullopt;
  }

  Reason check(const Instruction&, const AsyncControl&) const {
    return current() ? std::nullopt : lacks("asynchronous copies and dependent grids");
  }

  Reason check(const Instruction&, const Barrier& barrier) const {
    const bool cluster = barrier.scope == Scope::cluster && current();
    if (barrier.kind == Barrier::Kind::wait && !cluster) return lacks("barriers that only wait, but for clusters");
    const bool relaxed = cluster && barrier.kind == Barrier::Kind::arrive && barrier.order == Order::relaxed;
    if ((barrier.order != Order::plain && !relaxed) || barrier.memory_scope != Scope::workgroup ||
        !barrier.semantics.empty()) {
      return lacks("barriers with a memory order");
    }
    if (!barrier.tags.empty()) return lacks("barriers that make memory available or visible");
    if (barrier.name && !current()) return lacks("barriers with a name apart from their id");
    if (barrier.scope == Scope::cluster && current()) {
      return barrier.name || barrier.quorum ? lacks("cluster barriers with a name or a quorum") : std::nullopt;
    }
    if (barrier.scope != Scope::workgroup) return lacks("barrier of scope '{}'", to_string(barrier.scope));
    return std::nullopt;
  }

  Reason check(const Instruction&, const Compute& compute) const {
    if (current()) return std::nullopt;
    return compute_type_clash(*thread_, compute, spelled_types(*thread_, compute));
  }

  Reason check(const Instruction& instruction, const Branch& branch) const {
    if (!current() && branch.condition && instruction.guard) return "a branch cannot have both a guard and a condition";
    return std::nullopt;
  }

  Reason check(const Instruction&, const Label&) const { return std::nullopt; }
  Reason check(const Instruction&, const Select&) const { return lacks("conditional select"); }

  const LitmusTest& test_;
  PtxEdition edition_;
  std::set<std::string> register_names_;
  const Thread* thread_ = nullptr;
};

base::Result<LitmusTest> adapt(const LitmusTest& test, PtxEdition edition) {
  LitmusTest adapted = test;
  const bool foreign = adapted.arch != arch_of(edition);
  adapted.arch = arch_of(edition);
  for (Thread& thread : adapted.threads) {
    for (Register& reg : thread.registers) {
      if (!reg.initial.base) reg.initial.number = wrap(reg.initial.number, reg.type);
    }
  }
  if (foreign) {
    adapted.scopes = adapted.scope_tree();
    if (edition == PtxEdition::current) {
      guards_to_branches(adapted);
      rename_labels(adapted);
    }
    rename_clashing_registers(adapted, edition);
  }
  if (edition == PtxEdition::y2015) {
    for (Thread& thread : adapted.threads) Predicates(thread, location_names(adapted)).introduce();
  }
  if (Reason reason = Checker(adapted, edition).run()) {
    return cannot_express(test, name_of(edition), *reason);
  }
  normalize(adapted);
  // Without guards more constants can be folded, and an address may turn out to be outside every location.
  if (std::vector<Mistake> wrong = validate(adapted); !wrong.empty()) {
    return cannot_express(test, name_of(edition), wrong.front().message);
  }
  return adapted;
}

}  // namespace

base::Result<LitmusTest> adapt_ptx2015(const LitmusTest& test) { return adapt(test, PtxEdition::y2015); }
base::Result<LitmusTest> adapt_ptx(const LitmusTest& test) { return adapt(test, PtxEdition::current); }

}  // namespace weakspot::litmus
