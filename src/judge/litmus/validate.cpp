// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "litmus/normalize.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

class Validator {
 public:
  explicit Validator(const LitmusTest& test) : test_(test) {}

  // Printers and readers of propositions recurse; the readers' own limits on nesting lie above this one.
  static constexpr int kDeepest = 100;

  std::vector<Mistake> run() {
    if (test_.threads.empty()) add(test_.span, "the test has no threads");
    for (const Location& location : test_.locations) check_location(location);
    check_arrays();
    check_aliases();
    for (const Thread& thread : test_.threads) check_thread(thread);
    check_mbarriers();
    check_cpus();
    check_shared();
    check_tensor_locations();
    check_proposition(test_.condition.proposition, 1);
    if (test_.filter) check_proposition(*test_.filter, 1);
    return std::move(mistakes_);
  }

 private:
  void add(base::Span span, std::string message) { mistakes_.push_back({span, std::move(message)}); }

  // `what`: "the access", or "register" and its name.
  void check_fits(base::Span span, const Value& value, Type type, std::string_view what, std::string_view name = {}) {
    if (value.base || fits(value.number, type)) return;
    const std::string quoted = name.empty() ? "" : fmt::format(" '{}'", name);
    add(span, fmt::format("{} does not fit {}{}, which has type {}", value.number, what, quoted, to_string(type)));
  }

  void check_location(const Location& location) {
    check_fits(location.span, location.initial, location.type, "location", location.name);
    // The text forms have keywords in these places.
    for (std::string_view word : {"aliases", "true", "false", "not"}) {
      if (location.name == word) add(location.span, fmt::format("a location cannot be called '{}'", word));
    }
  }

  // The elements of an array are neighbours, of one type and in one space.
  void check_arrays() {
    for (std::uint32_t i = 0; i < test_.locations.size(); ++i) {
      const Location& location = test_.locations[i];
      const std::uint32_t first = i - location.element;
      const bool inside = location.element <= i && location.element < location.elements &&
                          location.elements <= test_.locations.size() - first;
      const bool alike = inside && test_.locations[first].elements == location.elements &&
                         test_.locations[first].element == 0 && test_.locations[first].type == location.type &&
                         test_.locations[first].space == location.space &&
                         (!location.is_array() || (!location.alias_of && location.proxy == Proxy::generic));
      if (location.alias_of && test_[*location.alias_of].is_array()) {
        add(location.span, fmt::format("'{}' cannot be an alias of an array", location.name));
      }
      if (!alike) add(location.span, fmt::format("'{}' is not an element of a whole array", location.name));
    }
  }

  // Aliases must not form a circle. Each location is walked over once: a walk that comes back to a location of its own,
  // rather than of an earlier walk, has found a circle.
  void check_aliases() {
    const auto is_alias = [](const Location& location) { return location.alias_of.has_value(); };
    if (std::none_of(test_.locations.begin(), test_.locations.end(), is_alias)) return;
    std::vector<std::uint32_t> seen_from(test_.locations.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < test_.locations.size(); ++i) {
      std::uint32_t at = i;
      while (seen_from[at] == UINT32_MAX && test_.locations[at].alias_of) {
        seen_from[at] = i;
        at = test_.locations[at].alias_of->index;
      }
      if (seen_from[at] == i) {
        const Location& location = test_.locations[at];
        add(location.span, fmt::format("location '{}' is an alias of itself", location.name));
      }
      seen_from[at] = i;
    }
  }

  void check_thread(const Thread& thread) {
    for (const Register& reg : thread.registers) {
      check_fits(test_.span, reg.initial, reg.type, "register", reg.name);
    }
    std::set<std::string_view> labels;
    for (const Instruction& instruction : thread.instructions) {
      const auto* label = std::get_if<Label>(&instruction.operation);
      if (label != nullptr && !labels.insert(label->name).second) {
        add(instruction.span, fmt::format("label '{}' is defined twice in this thread", label->name));
      }
    }
    const Instruction* before = nullptr;
    for (const Instruction& instruction : thread.instructions) {
      if (const auto* branch = std::get_if<Branch>(&instruction.operation)) {
        if (!labels.contains(branch->label)) {
          add(instruction.span, fmt::format("this thread has no label '{}'", branch->label));
        }
      }
      check_instruction(instruction);
      check_vector(before, instruction);
      before = &instruction;
    }
  }

  void check_instruction(const Instruction& instruction) {
    const base::Span span = instruction.span;
    if (const auto* load = std::get_if<Load>(&instruction.operation)) {
      const Order order = load->access.order;
      if (order == Order::release || order == Order::acq_rel) {
        add(span, fmt::format("a load cannot be '{}'; expected na, rlx, con, acq, acqpc or sc", to_string(order)));
      }
      check_access(span, load->access);
      check_tensor(span, load->access);
    } else if (const auto* store = std::get_if<Store>(&instruction.operation)) {
      const Order order = store->access.order;
      if (is_acquire(order) && order != Order::seq_cst) {
        add(span, fmt::format("a store cannot be '{}'; expected na, rlx, rel or sc", to_string(order)));
      }
      if (order == Order::consume) add(span, "a store cannot be 'con'; expected na, rlx, rel or sc");
      if (store->status.has_value() != store->access.tags.has(Tag::exclusive)) {
        add(span, "a store has a status register if and only if it is exclusive");
      }
      check_access(span, store->access);
      check_tensor(span, store->access);
      check_stored(span, store->access, store->value);
    } else if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
      if (rmw->access.order == Order::plain) add(span, "a read-modify-write cannot be non-atomic");
      if (rmw->expected.has_value() != (rmw->op == RmwOp::cas)) {
        add(span, "an expected value is for compare-and-swap, and only for it");
      }
      const bool as_cas = rmw->success || rmw->may_fail || rmw->failure_order != Order::relaxed;
      if (as_cas && rmw->op != RmwOp::cas) add(span, "only compare-and-swap can fail");
      if (is_release(rmw->failure_order) && rmw->failure_order != Order::seq_cst) {
        add(span, fmt::format("a failed compare-and-swap is a load and cannot be '{}'", to_string(rmw->failure_order)));
      }
      check_access(span, rmw->access);
      if (is_tensor(rmw->access)) add(span, "tensor memory has loads, stores, copies and products only");
      check_stored(span, rmw->access, rmw->operand);
      if (rmw->expected) check_stored(span, rmw->access, *rmw->expected);
    } else if (const auto* fence = std::get_if<Fence>(&instruction.operation)) {
      if (fence->kind == FenceKind::order && fence->order == Order::plain) {
        add(span, "a fence needs an order; expected rlx, acq, rel, acqrel or sc");
      }
      if (fence->kind == FenceKind::named && fence->name == FenceName::none) add(span, "the fence has no name");
      if (fence->kind == FenceKind::proxy) check_proxy_fence(span, *fence);
    } else if (const auto* barrier = std::get_if<Barrier>(&instruction.operation)) {
      check_barrier(span, *barrier);
    } else if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) {
      check_copy(span, *copy);
    } else if (const auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation)) {
      check_mbarrier(span, *mbarrier);
    } else if (const auto* control = std::get_if<AsyncControl>(&instruction.operation)) {
      check_groups(span, *control);
      if (control->pending < 0 || control->pending > kMostCopied) add(span, "there is no such number of groups");
      const bool lanes = control->kind == AsyncControl::Kind::wait_read && control->engine != AsyncEngine::bulk;
      if (lanes) add(span, "only bulk copies can be waited for until they have read");
    } else if (const auto* compute = std::get_if<Compute>(&instruction.operation)) {
      if (compute->right.has_value() == is_unary(compute->op)) {
        add(span, fmt::format("'{}' takes {} operand{}", to_string(compute->op), is_unary(compute->op) ? 1 : 2,
                              is_unary(compute->op) ? "" : "s"));
      }
    } else if (std::holds_alternative<Label>(instruction.operation) && instruction.guard) {
      add(span, "a label cannot have a guard");
    }
  }

  void check_groups(base::Span span, const AsyncControl& control) {
    if (control.engine == AsyncEngine::remote) {
      add(span, "remote stores have no groups; expected lane, bulk or wgmma");
    } else if (control.engine == AsyncEngine::tccp || control.engine == AsyncEngine::tcmma) {
      add(span,
          fmt::format("{} operations are waited for with mbar.commit and its mbarrier", to_string(control.engine)));
    } else if (is_tensor(control.engine) && (control.kind != AsyncControl::Kind::wait || control.pending != 0)) {
      add(span, "loads and stores of tensor memory have no groups; expected wait.tcld or wait.tcst");
    }
  }

  void check_proxy_fence(base::Span span, const Fence& fence) {
    const bool one_way = fence.order == Order::acquire || fence.order == Order::release;
    if (fence.proxy == Proxy::tensormap) {
      if (!one_way || !fence.semantics.empty())
        add(span, "a fence of the tensormap proxy is acq or rel, for any space");
      if (fence.map.has_value() != (fence.order == Order::acquire)) {
        add(span, "a fence of the tensormap proxy that acquires names its tensor map");
      }
    } else if (fence.proxy != Proxy::async && (fence.order != Order::seq_cst || !fence.semantics.empty())) {
      add(span, "only fences of the async proxy have a direction or a space");
    } else if (!one_way && fence.order != Order::seq_cst) {
      add(span, fmt::format("a proxy fence cannot be '{}'; expected acq, rel or neither", to_string(fence.order)));
    }
  }

  void check_barrier(base::Span span, const Barrier& barrier) {
    const bool split = barrier.kind == Barrier::Kind::wait;
    if (split && barrier.scope != Scope::cluster) add(span, "only cluster barriers have a wait of their own");
  }

  void check_copy(base::Span span, const AsyncCopy& copy) {
    if (copy.targets.empty()) return add(span, "a copy needs a target");
    if (copy.elements < 1 || copy.elements > kMostCopied) {
      return add(span, fmt::format("a copy has 1 to {} elements", kMostCopied));
    }
    if (copy.reduce == RmwOp::cas || copy.reduce == RmwOp::exch || copy.reduce == RmwOp::sub) {
      add(span, fmt::format("a copy cannot reduce by '{}'", to_string(*copy.reduce)));
    }
    if (copy.engine == AsyncEngine::lane && copy.reduce) add(span, "lane copies cannot reduce; expected bulk");
    if (copy.engine == AsyncEngine::remote && copy.elements != 1) add(span, "a remote store has one element");
    if (copy.mapped) {
      if (copy.engine != AsyncEngine::bulk) add(span, "only bulk copies are described by a tensor map");
      AsyncCopy map;
      map.type = Type::s64;
      check_part(span, copy.from, map);
    } else if (copy.engine != AsyncEngine::remote) {
      check_part(span, copy.from, copy);
    }
    if (copy.engine == AsyncEngine::wgmma) check_product(span, copy);
    if (is_tensor(copy.engine)) check_tensor(span, copy);
    for (const AsyncCopy::Target& target : copy.targets) {
      check_part(span, target.to, copy);
      if (target.mbarrier) check_mbarrier_location(span, *target.mbarrier);
      const bool needed = copy.engine == AsyncEngine::remote || copy.targets.size() > 1;
      if (needed && !target.mbarrier) add(span, "remote stores and copies to several targets are counted on mbarriers");
      if (copy.engine == AsyncEngine::lane && target.mbarrier) {
        add(span, "lane copies are followed by mbar.follow, not counted on an mbarrier");
      }
    }
  }

  // The accumulator stands for registers of the thread that issues the product, and a product has one of its own: the
  // order of products that share one is a guarantee of its own, which the models do not have.
  void check_product(base::Span span, const AsyncCopy& copy) {
    const std::optional<LocationId> into = copy.targets.front().to.location;
    if (copy.reduce || copy.targets.size() > 1 || copy.targets.front().mbarrier || !into || !copy.from.location) {
      return add(span, "a product has a named accumulator and a named matrix, and no reduction or mbarrier");
    }
    if (test_[*copy.from.location].space != Space::shared || test_[*into].space == Space::shared) {
      add(span, "a product reads shared memory, and its accumulator is elsewhere");
    }
    std::size_t threads = 0, products = 0;
    for (const Thread& thread : test_.threads) {
      bool used = false;
      for (const Instruction& instruction : thread.instructions) {
        for_each_location(instruction, [&](const LocationId& location) { used = used || location == *into; });
        const auto* other = std::get_if<AsyncCopy>(&instruction.operation);
        products += other != nullptr && !other->targets.empty() && other->targets.front().to.location == into;
      }
      threads += used;
    }
    if (threads > 1 || products > 1) {
      add(span, fmt::format("accumulator '{}' belongs to one thread and one product", test_[*into].name));
    }
  }

  bool in_tensor_memory(const Address& address) const {
    return address.location && test_[*address.location].space == Space::tensor;
  }

  void check_tensor(base::Span span, const Access& access) {
    if (!is_tensor(access)) return;
    Access bare;
    bare.address.location = access.address.location;
    bare.address.offset = access.address.offset;
    bare.order = Order::plain;
    bare.type = access.type;
    bare.space = Space::tensor;
    if (!in_tensor_memory(access.address) || access != bare) {
      add(span, "ld.tensor and st.tensor access a named location in tensor memory, without an order or other suffixes");
    }
  }

  // Its other operands, such as the second matrix, are not part of a test.
  void check_tensor(base::Span span, const AsyncCopy& copy) {
    const bool product = copy.engine == AsyncEngine::tcmma;
    const AsyncCopy::Target& target = copy.targets.front();
    if (copy.engine == AsyncEngine::tcld || copy.engine == AsyncEngine::tcst) {
      return add(span, "loads and stores of tensor memory are not copies");
    }
    if (copy.targets.size() > 1 || target.mbarrier || copy.elements != 1 || target.to.index || copy.from.index ||
        (copy.reduce && (!product || copy.reduce != RmwOp::add))) {
      return add(span, product ? "a product has one named accumulator and one named matrix, and may be added to it"
                               : "a copy to tensor memory has one named target and one named source");
    }
    const bool shared = copy.from.location && test_[*copy.from.location].space == Space::shared;
    if (!in_tensor_memory(target.to) || !(shared || (product && in_tensor_memory(copy.from)))) {
      add(span, product ? "this product reads shared or tensor memory, and its accumulator is in tensor memory"
                        : "this copy reads shared memory and writes tensor memory");
    }
  }

  // Tensor memory has addresses of its own, which only tcgen05 operations take, and each CTA has one.
  void check_tensor_locations() {
    for (const Location& location : test_.locations) {
      const bool alias = location.alias_of && test_[*location.alias_of].space == Space::tensor;
      if (alias ||
          (location.space == Space::tensor && (location.is_array() || location.alias_of || location.initial.base))) {
        add(location.span,
            fmt::format("'{}' is in tensor memory, which has no arrays, aliases or addresses", location.name));
      }
      if (location.initial.base && test_[*location.initial.base].space == Space::tensor) {
        add(location.span,
            fmt::format("'{}' is in tensor memory, whose addresses are no values", test_[*location.initial.base].name));
      }
    }
    for_each_instruction([&](const Instruction& instruction) {
      for_each_operand(instruction, [&](const Operand& operand) {
        const auto* value = std::get_if<Value>(&operand);
        if (value == nullptr || !value->base || test_[*value->base].space != Space::tensor) return;
        add(instruction.span,
            fmt::format("'{}' is in tensor memory, whose addresses are no values", test_[*value->base].name));
      });
      for_each_location(instruction, [&](const LocationId& id) {
        if (test_[id].space != Space::tensor) return;
        const auto* copy = std::get_if<AsyncCopy>(&instruction.operation);
        const Access* access = access_of(instruction);
        if (copy != nullptr ? is_tensor(copy->engine) : access != nullptr && is_tensor(*access)) return;
        add(instruction.span, fmt::format("'{}' is in tensor memory; expected ld.tensor, st.tensor, copy.tccp or "
                                          "copy.tcmma",
                                          test_[id].name));
      });
    });
  }

  // A CPU has no weak accesses, scopes or asynchronous operations of a GPU.
  void check_cpus() {
    if (!test_.scopes || !test_.scopes->has_cpus()) return;
    for (std::size_t t = 0; t < test_.threads.size(); ++t) {
      if (!test_.scopes->placements[t].cpu) continue;
      for (const Instruction& instruction : test_.threads[t].instructions) {
        const Access* access = access_of(instruction);
        const bool gpu = is_asynchronous(instruction) || std::holds_alternative<Barrier>(instruction.operation) ||
                         (access != nullptr && (access->order == Order::plain || access->proxy != Proxy::generic));
        if (gpu) add(instruction.span, "a thread on a CPU has atomic accesses and the CPU's fences only");
      }
    }
  }

  // A shared location is one copy: the threads that name it, or a location that starts with its address, are in one
  // workgroup. PTX reaches it from all CTAs of a cluster.
  void check_shared() {
    const auto is_shared = [](const Location& location) {
      return location.space == Space::shared || location.space == Space::tensor;
    };
    if (std::none_of(test_.locations.begin(), test_.locations.end(), is_shared)) return;
    const bool clusters = test_.arch == Arch::ptx || test_.arch == Arch::generic;
    const ScopeTree tree = test_.scope_tree();
    std::vector<std::uint32_t> first_user(test_.locations.size(), UINT32_MAX);
    std::uint32_t t = 0;
    const auto use = [&](const Instruction& instruction, LocationId named) {
      const LocationId id = physical_location(test_, named);
      std::uint32_t& first = first_user[id.index];
      if (first == UINT32_MAX) first = t;
      const bool tensor = test_[id].space == Space::tensor;
      const bool reached = clusters && !tensor;
      if (!is_shared(test_[id]) || tree.together({first}, {t}, reached ? Scope::cluster : Scope::workgroup)) return;
      add(instruction.span,
          fmt::format("P{} and P{} use '{}', which is {}, and are not in one {}", first, t, test_[id].name,
                      tensor ? "in tensor memory" : "shared", reached ? "workgroup or cluster" : "workgroup"));
    };
    for (; t < test_.threads.size(); ++t) {
      for (const Instruction& instruction : test_.threads[t].instructions) {
        for_each_location(instruction, [&](const LocationId& named) {
          use(instruction, named);
          if (test_[named].initial.base) use(instruction, *test_[named].initial.base);
        });
      }
    }
  }

  void check_part(base::Span span, const Address& address, const AsyncCopy& copy) {
    Access access;
    access.address = address;
    access.type = copy.type;
    check_access(span, access);
    access.address.offset = wrapping_sum(address.offset, (copy.elements - 1) * size_in_bytes(copy.type));
    if (copy.elements > 1) check_access(span, access);
  }

  void check_mbarrier_location(base::Span span, LocationId id) {
    const Location& location = test_[id];
    if (location.is_array() || location.alias_of || location.initial.base || location.initial.number < 0 ||
        location.initial.number > kMostArrivals) {
      add(span, fmt::format("'{}' cannot be an mbarrier; expected a location that starts with 0 to {} arrivals",
                            location.name, kMostArrivals));
    }
  }

  void check_mbarrier(base::Span span, const Mbarrier& mbarrier) {
    check_mbarrier_location(span, mbarrier.barrier);
    if (mbarrier.order != default_order(mbarrier.op) &&
        !(default_order(mbarrier.op) != Order::plain && mbarrier.order == Order::relaxed)) {
      add(span, fmt::format("mbar.{} cannot be '{}'; expected {} or rlx", to_string(mbarrier.op),
                            to_string(mbarrier.order), to_string(default_order(mbarrier.op))));
    }
    if (mbarrier.op == MbarrierOp::commit &&
        (mbarrier.order != Order::release || mbarrier.scope != Scope::workgroup || mbarrier.count != 1)) {
      add(span, "mbar.commit has no order, scope or count: it arrives once, for the whole cluster");
    }
    if (mbarrier.count < 1 || mbarrier.count > kMostArrivals) {
      add(span, fmt::format("an mbarrier counts 1 to {} arrivals", kMostArrivals));
    }
    if (mbarrier.bytes < 0 || mbarrier.bytes > kMostArrivals) {
      add(span, fmt::format("an mbarrier counts 0 to {} bytes", kMostArrivals));
    }
    const bool targeted =
        mbarrier.op == MbarrierOp::test || mbarrier.op == MbarrierOp::arrive || mbarrier.op == MbarrierOp::drop;
    if (mbarrier.target ? !targeted : mbarrier.op == MbarrierOp::test) {
      add(span,
          "mbar.test has a target, mbar.arrive and mbar.drop may have one, and no other operation on an mbarrier has");
    }
  }

  // Locations that mbarrier operations name are accessed by nothing else, and start a phase with the same arrivals.
  void check_mbarriers() {
    std::set<LocationId> barriers;
    for_each_instruction([&](const Instruction& instruction) {
      if (const auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation)) barriers.insert(mbarrier->barrier);
      if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) {
        for (const AsyncCopy::Target& target : copy->targets) {
          if (target.mbarrier) barriers.insert(*target.mbarrier);
        }
      }
    });
    if (barriers.empty()) return;
    std::map<LocationId, std::int64_t> counts;
    for (LocationId id : barriers) {
      if (test_[id].initial.number != 0) counts[id] = test_[id].initial.number;
    }
    for_each_instruction([&](const Instruction& instruction) {
      for_each_address(instruction, [&](const Address& address) {
        if (!address.location || !barriers.contains(*address.location)) return;
        add(instruction.span,
            fmt::format("'{}' is an mbarrier, so nothing else can access it", test_[*address.location].name));
      });
      const auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation);
      if (mbarrier == nullptr || mbarrier->op != MbarrierOp::init) return;
      if (counts.emplace(mbarrier->barrier, mbarrier->count).first->second != mbarrier->count) {
        add(instruction.span,
            fmt::format("'{}' is initialised with different numbers of arrivals", test_[mbarrier->barrier].name));
      }
    });
    for (LocationId id : barriers) {
      if (!counts.contains(id)) {
        add(test_[id].span, fmt::format("mbarrier '{0}' is never initialised; expected '{0} = ARRIVALS' in the initial "
                                        "state or mbar.init",
                                        test_[id].name));
      }
    }
  }

  template <typename Visit>
  void for_each_instruction(const Visit& visit) const {
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) visit(instruction);
    }
  }

  static constexpr std::int64_t kMostCopied = 64;
  static constexpr std::int64_t kMostArrivals = 1000;

  // An element of a vector access goes on where the element before it ended.
  void check_vector(const Instruction* before, const Instruction& instruction) {
    const Access* access = access_of(instruction);
    if (access == nullptr || !access->tags.has(Tag::vector)) return;
    const Access* first = before == nullptr ? nullptr : access_of(*before);
    bool continues = first != nullptr && before->operation.index() == instruction.operation.index() &&
                     !std::holds_alternative<Rmw>(instruction.operation) && before->guard == instruction.guard;
    if (continues) {
      Access next = *first;
      next.address.offset = wrapping_sum(next.address.offset, size_in_bytes(first->type));
      if (size_in_bytes(first->type) == size_in_bytes(access->type)) next.type = access->type;
      next.tags.insert(Tag::vector);
      continues = next == *access && !next.tags.has(Tag::exclusive);
    }
    if (!continues) return add(instruction.span, "an element of a vector does not continue the access before it");
    if (const auto* load = std::get_if<Load>(&before->operation);
        load != nullptr && load->target == access->address.index) {
      add(instruction.span, "a vector load cannot overwrite its own address");
    }
  }

  void check_access(base::Span span, const Access& access) {
    if (access.tags.has(Tag::lock) && test_.arch != Arch::linux_kernel) {
      add(span, "only tests of the Linux kernel have accesses to locks");
    }
    const Address& address = access.address;
    if (!address.location && !address.index) add(span, "an access needs a location or a register for its address");
    if (address.location && !address.index) {
      const Location& location = test_[*address.location];
      const std::int64_t last = extent_in_bytes(location) - size_in_bytes(access.type);
      if (address.offset > last || address.offset < 0) {
        const std::string elements = location.is_array() ? fmt::format("{} elements of ", location.elements) : "";
        add(span,
            fmt::format("an access of {} bytes at offset {} does not lie within '{}', which has {}type {}",
                        size_in_bytes(access.type), address.offset, location.name, elements, to_string(location.type)));
      }
    }
  }

  void check_stored(base::Span span, const Access& access, const Operand& operand) {
    const auto* value = std::get_if<Value>(&operand);
    if (value == nullptr) return;
    check_fits(span, *value, access.type, "the access");
    if (!value->base || !access.address.location) return;
    const Location& location = test_[*access.address.location];
    if (size_in_bytes(access.type) < size_in_bytes(location.type)) {
      add(span, fmt::format("an address does not fit the access, which covers {} of the {} bytes of '{}'",
                            size_in_bytes(access.type), size_in_bytes(location.type), location.name));
    }
  }

  void check_proposition(const Proposition& proposition, int depth) {
    if (depth > kDeepest) {
      add(proposition.span, fmt::format("the proposition is nested more than {} deep", kDeepest));
      return;
    }
    for (const Proposition& child : proposition.children) check_proposition(child, depth + 1);
    if (proposition.kind != Proposition::Kind::comparison) return;
    check_comparison(proposition, proposition.left, proposition.right);
    check_comparison(proposition, proposition.right, proposition.left);
  }

  void check_comparison(const Proposition& proposition, const Term& observed, const Term& constant) {
    const auto* item = std::get_if<Observable>(&observed);
    const auto* value = std::get_if<Value>(&constant);
    if (item == nullptr || value == nullptr) return;
    if (const auto* location = std::get_if<LocationId>(item)) {
      check_fits(proposition.span, *value, test_[*location].type, "location", test_[*location].name);
    } else {
      const Register& reg = test_[std::get<ObservedRegister>(*item)];
      check_fits(proposition.span, *value, reg.type, "register", reg.name);
    }
  }

  const LitmusTest& test_;
  std::vector<Mistake> mistakes_;
};

}  // namespace

std::vector<Mistake> validate(const LitmusTest& test) { return Validator(test).run(); }

}  // namespace weakspot::litmus
