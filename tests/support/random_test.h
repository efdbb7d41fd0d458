// SPDX-License-Identifier: MIT
// Random litmus tests for property tests: well formed, in normal form, the same for the same seed.
//
// Each test draws first which features it has, so that many are simple enough for the dialects that express little, and
// all features meet each other sooner or later.
#pragma once

#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"
#include "litmus/test.h"

namespace weakspot::tests {

struct RandomTestOptions {
  int most_threads = 4;
  int most_instructions = 6;  // per thread
  int feature_percent = 30;   // the chance that a test has each feature
};

class RandomTest {
 public:
  RandomTest(base::Rng rng, const RandomTestOptions& options) : rng_(rng), options_(options) {}

  // Draws until the test is well formed; most are.
  litmus::LitmusTest draw() {
    while (true) {
      test_ = litmus::LitmusTest{};
      labels_.clear();
      draw_once();
      if (!litmus::validate(test_).empty()) continue;
      litmus::normalize(test_);
      if (litmus::validate(test_).empty()) return test_;
    }
  }

 private:
  using Type = litmus::Type;
  using Order = litmus::Order;
  using Scope = litmus::Scope;
  using Space = litmus::Space;
  using Proxy = litmus::Proxy;
  using Tag = litmus::Tag;

  struct Features {
    bool arch, types, spaces, aliases, addresses, indexes, offsets, tree, scopes, plain, all_plain, orders, odd_orders,
        rmw, cas, fences, cpu_fences, barriers, proxies, caches, tags, semantics, compute, branches, guards, initials,
        filter, observe, odd_condition, odd_names, remarks, selects;
  };

  // ---- drawing ----

  bool often() { return rng_.percent(60); }
  bool seldom() { return rng_.percent(20); }
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(rng_.below(bound)); }

  template <typename T>
  T pick(std::initializer_list<T> items) {
    return *std::next(items.begin(), below(items.size()));
  }

  Features features() {
    Features drawn{};
    for (bool Features::* feature :
         {&Features::arch,          &Features::types,     &Features::spaces,    &Features::aliases,
          &Features::addresses,     &Features::indexes,   &Features::offsets,   &Features::tree,
          &Features::scopes,        &Features::plain,     &Features::all_plain, &Features::orders,
          &Features::odd_orders,    &Features::rmw,       &Features::cas,       &Features::fences,
          &Features::cpu_fences,    &Features::barriers,  &Features::proxies,   &Features::caches,
          &Features::tags,          &Features::semantics, &Features::compute,   &Features::branches,
          &Features::guards,        &Features::initials,  &Features::filter,    &Features::observe,
          &Features::odd_condition, &Features::odd_names, &Features::remarks,   &Features::selects}) {
      drawn.*feature = rng_.percent(options_.feature_percent);
    }
    return drawn;
  }

  void draw_once() {
    has_ = features();
    test_.name = pick<const char*>({"MP", "SB+rlx", "2+2W", "CoRR.wg"});
    if (has_.arch) test_.arch = static_cast<litmus::Arch>(below(8));
    if (has_.remarks) remarks();
    const std::size_t threads = 1 + below(static_cast<std::size_t>(options_.most_threads));
    test_.threads.resize(threads);
    locations();
    for (litmus::Thread& thread : test_.threads) registers(thread);
    if (has_.tree) tree(threads);
    for (litmus::Thread& thread : test_.threads) program(thread);
    condition();
  }

  // ---- names, remarks, memory ----

  // Odd names are words that mean something elsewhere in one of the forms.
  std::string name(std::string_view usual, std::size_t number, std::initializer_list<const char*> odd) {
    if (has_.odd_names && number < odd.size() && seldom()) return *std::next(odd.begin(), static_cast<int>(number));
    return std::string(usual) + std::to_string(number);
  }

  void remarks() {
    test_.description = pick<const char*>({"", "one line", "two\nlines", "with \"quotes\"", "\n\n", "a\n\nb\n", "\""});
    if (often()) test_.expectations["sc"] = litmus::Expectation::forbidden;
    if (often()) test_.expectations["ptx-v7.5"] = litmus::Expectation::allowed;
    if (seldom())
      test_.info.emplace_back("Behaviors", pick<const char*>({"{\"weak\": {\"type\": \"else\"}}", "{", "[]"}));
    if (often()) test_.info.emplace_back("Cycle", "PodWW Rfe PodRR Fre");
    if (often()) test_.info.emplace_back("Odd", pick<const char*>({"", "=x", "(* no comment", "\"", "a = b // c"}));
  }

  Type any_type() {
    if (!has_.types) return Type::s32;
    return pick(
        {Type::s8, Type::u8, Type::s16, Type::u16, Type::s32, Type::u32, Type::b32, Type::s64, Type::u64, Type::b64});
  }

  std::int64_t number(Type type) {
    if (often()) return rng_.between(0, 2);
    const std::int64_t drawn =
        pick<std::int64_t>({-1, 3, 100, 255, 65535, INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MIN, INT64_MAX});
    return litmus::fits(drawn, type) ? drawn : 1;
  }

  litmus::LocationId any_location() { return {below(test_.locations.size())}; }

  litmus::Value any_value(Type type) {
    if (has_.addresses && litmus::size_in_bytes(type) == 8 && often()) {
      return {has_.offsets ? rng_.between(-4, 8) : 0, any_location()};
    }
    return litmus::integer(number(type));
  }

  void locations() {
    const std::size_t count = 1 + below(4);
    test_.locations.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      litmus::Location& location = test_.locations[i];
      location.name = name("x", i, {"global", "int", "P0", "exists", "shared"});
      location.type = has_.addresses && seldom() ? Type::s64 : any_type();
      if (has_.spaces && often()) {
        location.space = pick({Space::global, Space::shared, Space::constant, Space::storage0, Space::storage3});
      }
      if (has_.initials && often()) location.initial = any_value(location.type);
      if (has_.aliases && i > 0 && often()) {
        location.alias_of = litmus::LocationId{below(i)};
        if (has_.proxies) location.proxy = pick({Proxy::generic, Proxy::texture, Proxy::surface, Proxy::constant});
      }
    }
    // A later location can be the one that is named.
    if (has_.aliases && count > 1 && seldom()) std::swap(test_.locations[0].name, test_.locations[1].name);
  }

  void registers(litmus::Thread& thread) {
    thread.registers.resize(2 + below(3));
    for (std::size_t i = 0; i < thread.registers.size(); ++i) {
      litmus::Register& reg = thread.registers[i];
      reg.name = name("r", i, {"x0", "bar", "ld", "true", "w0"});
      reg.type = has_.guards && seldom() ? Type::pred : any_type();
      if (has_.initials && often()) reg.initial = any_value(reg.type);
    }
  }

  void tree(std::size_t threads) {
    std::vector<litmus::PartialPlacement> places(threads);
    for (litmus::PartialPlacement& place : places) {
      for (Scope level : litmus::kTreeLevels) {
        if (level != Scope::workgroup && !has_.scopes) continue;
        if (often()) place.at(level) = below(2);
      }
    }
    test_.scopes = litmus::make_scope_tree(places);
    if (seldom()) {
      const auto last = static_cast<std::uint32_t>(threads - 1);
      test_.scopes->system_synchronizes = {{litmus::ThreadId{last}, litmus::ThreadId{0}}};
    }
  }

  // ---- programs ----

  litmus::RegisterId any_register(const litmus::Thread& thread) { return {below(thread.registers.size())}; }

  litmus::Operand any_operand(const litmus::Thread& thread, Type type) {
    if (rng_.percent(30)) return any_register(thread);
    return any_value(type);
  }

  Scope any_scope() {
    if (!has_.scopes || often()) return Scope::device;
    return pick({Scope::thread, Scope::subgroup, Scope::workgroup, Scope::cluster, Scope::queue_family, Scope::system});
  }

  litmus::Spaces any_semantics() {
    litmus::Spaces drawn;
    if (!has_.semantics) return drawn;
    for (Space space : {Space::global, Space::shared, Space::storage0, Space::storage1, Space::storage2}) {
      if (seldom()) drawn.insert(space);
    }
    return drawn;
  }

  litmus::Tags availability() {
    litmus::Tags drawn;
    if (has_.tags && seldom()) drawn.insert(Tag::available);
    if (has_.tags && seldom()) drawn.insert(Tag::visible);
    return drawn;
  }

  litmus::Access any_access(const litmus::Thread& thread) {
    litmus::Access access;
    access.address.location = any_location();
    access.type = test_[*access.address.location].type;
    if (has_.types && seldom()) access.type = any_type();
    if (has_.indexes && seldom()) access.address.index = any_register(thread);
    if (has_.indexes && access.address.index && seldom()) access.address.location.reset();
    if (has_.offsets && seldom()) access.address.offset = rng_.between(-1, 4);
    access.scope = any_scope();
    if (has_.spaces && seldom()) access.space = pick({Space::global, Space::shared, Space::storage0, Space::storage1});
    if (has_.caches && often()) access.cache = static_cast<litmus::CacheOp>(below(8));
    if (has_.proxies && seldom()) access.proxy = static_cast<Proxy>(below(6));
    access.tags = availability();
    if (has_.tags && seldom()) access.tags.insert(Tag::volatile_);
    if (has_.tags && seldom()) access.tags.insert(Tag::non_private);
    access.semantics = any_semantics();
    return access;
  }

  // One of the usual orders for the instruction, or an odd one.
  Order any_order(Order strong, std::initializer_list<Order> odd) {
    if (has_.all_plain || (has_.plain && often())) return Order::plain;
    if (has_.odd_orders && often()) return pick(odd);
    return has_.orders && often() ? strong : Order::relaxed;
  }

  litmus::Operation load(const litmus::Thread& thread) {
    litmus::Load load{any_register(thread), any_access(thread)};
    load.access.order = any_order(Order::acquire, {Order::consume, Order::acquire_pc, Order::seq_cst});
    if (has_.tags && seldom()) load.access.tags.insert(Tag::exclusive);
    return load;
  }

  litmus::Operation store(const litmus::Thread& thread) {
    litmus::Store store;
    store.access = any_access(thread);
    store.access.order = any_order(Order::release, {Order::seq_cst});
    store.value = any_operand(thread, store.access.type);
    if (has_.tags && seldom()) {
      store.access.tags.insert(Tag::exclusive);
      store.status = any_register(thread);
    }
    return store;
  }

  litmus::Operation rmw(const litmus::Thread& thread) {
    litmus::Rmw rmw;
    rmw.op = has_.cas && often() ? litmus::RmwOp::cas : static_cast<litmus::RmwOp>(below(10));
    rmw.access = any_access(thread);
    rmw.access.order = Order::relaxed;
    if (has_.orders) rmw.access.order = pick({Order::relaxed, Order::acquire, Order::release, Order::acq_rel});
    if (has_.odd_orders && seldom()) rmw.access.order = Order::seq_cst;
    if (often()) rmw.target = any_register(thread);
    rmw.operand = any_operand(thread, rmw.access.type);
    if (rmw.op != litmus::RmwOp::cas) return rmw;
    rmw.expected = any_operand(thread, rmw.access.type);
    if (seldom()) rmw.success = any_register(thread);
    if (has_.odd_orders) rmw.failure_order = pick({Order::relaxed, Order::acquire, Order::seq_cst});
    rmw.may_fail = seldom();
    return rmw;
  }

  litmus::Operation fence() {
    using Kind = litmus::FenceKind;
    litmus::Fence fence;
    if (has_.cpu_fences && often()) {
      fence.kind = pick({Kind::membar, Kind::proxy, Kind::av_device, Kind::vis_device, Kind::dmb, Kind::dsb, Kind::isb,
                         Kind::mfence, Kind::sfence, Kind::lfence});
    }
    // normalize() has to remove the fields that the kind has no use for.
    fence.order = pick({Order::acq_rel, Order::seq_cst, Order::acquire, Order::release});
    fence.scope = any_scope();
    fence.proxy = static_cast<Proxy>(below(6));
    fence.accesses = static_cast<litmus::FenceAccesses>(below(3));
    fence.shareability = static_cast<litmus::Shareability>(below(4));
    fence.semantics = any_semantics();
    fence.tags = availability();
    return fence;
  }

  litmus::Operation barrier(const litmus::Thread& thread) {
    litmus::Barrier barrier;
    if (seldom()) barrier.kind = litmus::Barrier::Kind::arrive;
    if (has_.scopes && seldom()) barrier.scope = any_scope();
    if (often()) barrier.id = any_operand(thread, Type::s32);
    if (seldom()) barrier.name = any_operand(thread, Type::s32);
    if (seldom()) barrier.quorum = any_operand(thread, Type::s32);
    if (has_.orders) barrier.order = pick({Order::plain, Order::acquire, Order::acq_rel, Order::seq_cst});
    if (has_.scopes) barrier.memory_scope = any_scope();
    barrier.semantics = any_semantics();
    barrier.tags = availability();
    return barrier;
  }

  litmus::Operation compute(const litmus::Thread& thread) {
    litmus::Compute compute;
    compute.op = static_cast<litmus::ComputeOp>(below(17));
    compute.target = any_register(thread);
    compute.left = any_operand(thread, Type::s64);
    if (!litmus::is_unary(compute.op)) compute.right = any_operand(thread, Type::s64);
    return compute;
  }

  litmus::Comparison any_comparison(const litmus::Thread& thread) {
    const auto op = static_cast<litmus::CompareOp>(below(6));
    const litmus::Operand left = any_operand(thread, Type::s32);
    return {op, left, any_operand(thread, Type::s32)};
  }

  litmus::Operation select(const litmus::Thread& thread) {
    litmus::Select select;
    select.target = any_register(thread);
    select.condition = any_comparison(thread);
    select.yes = any_operand(thread, Type::s64);
    select.no = any_operand(thread, Type::s64);
    return select;
  }

  litmus::Operation branch(const litmus::Thread& thread) {
    litmus::Branch branch;
    branch.label = name("L", below(2), {"exists", "filter"});
    labels_.push_back(branch.label);
    if (often()) branch.condition = any_comparison(thread);
    return branch;
  }

  litmus::Operation operation(const litmus::Thread& thread) {
    if (has_.rmw && seldom()) return rmw(thread);
    if (has_.fences && seldom()) return fence();
    if (has_.barriers && seldom()) return barrier(thread);
    if (has_.compute && seldom()) return compute(thread);
    if (has_.branches && seldom()) return branch(thread);
    if (has_.selects && seldom()) return select(thread);
    return rng_.percent(50) ? load(thread) : store(thread);
  }

  void program(litmus::Thread& thread) {
    labels_.clear();
    const std::uint32_t count = below(static_cast<std::size_t>(options_.most_instructions) + 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      litmus::Instruction instruction;
      instruction.operation = operation(thread);
      if (has_.guards && seldom()) instruction.guard = litmus::Guard{any_register(thread), seldom()};
      thread.instructions.push_back(std::move(instruction));
    }
    // Every label that is jumped to, somewhere, once.
    std::vector<std::string> done;
    for (const std::string& label : labels_) {
      if (std::find(done.begin(), done.end(), label) != done.end()) continue;
      done.push_back(label);
      litmus::Instruction instruction;
      instruction.operation = litmus::Label{label};
      const auto at = static_cast<std::ptrdiff_t>(below(thread.instructions.size() + 1));
      thread.instructions.insert(thread.instructions.begin() + at, std::move(instruction));
    }
  }

  // ---- conditions ----

  litmus::Observable any_observable() {
    if (rng_.percent(30)) return any_location();
    const litmus::ThreadId thread{below(test_.threads.size())};
    return litmus::ObservedRegister{thread, any_register(test_[thread])};
  }

  Type type_of(const litmus::Observable& item) const {
    if (const auto* location = std::get_if<litmus::LocationId>(&item)) return test_[*location].type;
    return test_[std::get<litmus::ObservedRegister>(item)].type;
  }

  litmus::Proposition comparison() {
    const litmus::Observable item = any_observable();
    litmus::Term left = item;
    litmus::Term right = any_value(type_of(item));
    litmus::CompareOp op = litmus::CompareOp::eq;
    if (has_.odd_condition) {
      if (seldom()) right = any_observable();
      if (seldom()) op = static_cast<litmus::CompareOp>(below(6));
      if (seldom()) std::swap(left, right);
    }
    return litmus::compare(left, op, right);
  }

  litmus::Proposition proposition(int depth) {
    if (!has_.odd_condition || depth == 0) {
      std::vector<litmus::Proposition> parts;
      for (std::uint32_t i = 0; i < 1 + below(3); ++i) parts.push_back(comparison());
      return litmus::all_of(std::move(parts));
    }
    switch (below(6)) {
      case 0:
        return litmus::all_of({proposition(depth - 1), proposition(depth - 1)});
      case 1:
        return litmus::any_of({proposition(depth - 1), proposition(depth - 1), comparison()});
      case 2: {
        litmus::Proposition part = proposition(depth - 1);
        return part.kind == litmus::Proposition::Kind::negation ? part : litmus::negation(std::move(part));
      }
      case 3: {
        litmus::Proposition whole;
        whole.kind = litmus::Proposition::Kind::implication;
        whole.children = {proposition(depth - 1), proposition(depth - 1)};
        return whole;
      }
      case 4:
        return seldom() ? litmus::any_of({}) : seldom() ? litmus::all_of({}) : comparison();
      default:
        return comparison();
    }
  }

  void condition() {
    test_.condition.quantifier = static_cast<litmus::Condition::Quantifier>(below(3));
    test_.condition.proposition = proposition(3);
    if (has_.filter) test_.filter = proposition(1);
    if (has_.observe) test_.also_observed = {any_observable(), any_observable()};
  }

  base::Rng rng_;
  RandomTestOptions options_;
  Features has_{};
  litmus::LitmusTest test_;
  std::vector<std::string> labels_;
};

inline litmus::LitmusTest random_test(std::uint64_t seed, const RandomTestOptions& options = {}) {
  return RandomTest(base::Rng(seed), options).draw();
}

}  // namespace weakspot::tests
