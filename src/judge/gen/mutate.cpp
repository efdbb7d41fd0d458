// SPDX-License-Identifier: MIT
// Mutators that need no cycle.
#include "gen/mutate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "gen/identity.h"
#include "gen/name.h"
#include "litmus/normalize.h"
#include "litmus/visit.h"

namespace weakspot::gen {
namespace {

using litmus::Access;
using litmus::Fence;
using litmus::FenceKind;
using litmus::Instruction;
using litmus::LocationId;
using litmus::ObservedRegister;
using litmus::Order;
using litmus::Scope;

using litmus::Place;
using Places = std::vector<Place>;

// Gathers the mutants of one mutator over one test. Those that are the test itself, or another mutant under other
// names, are left out: the first has the name for all of them.
class Mutants {
 public:
  Mutants(const LitmusTest& parent, std::string_view mutator)
      : parent_(parent), mutator_(mutator), seen_{canonical_hash(parent)} {}

  // `change` is what the name says after the parent's, without the dash.
  void add(LitmusTest mutant, std::string_view change, std::string edge) {
    litmus::normalize(mutant);
    if (!seen_.insert(canonical_hash(mutant)).second) return;
    mutant.name = fmt::format("{}-{}", parent_.name, change);
    mutant.description.clear();
    mutant.expectations.clear();
    set_info(mutant, "Cycle", "");
    set_info(mutant, "Mutator", std::string(mutator_));
    set_info(mutant, "Parent", parent_.name);
    set_info(mutant, "Edge", std::move(edge));
    list_.push_back(std::move(mutant));
  }

  std::vector<LitmusTest> take() { return std::move(list_); }

 private:
  const LitmusTest& parent_;
  std::string_view mutator_;
  std::set<base::Hash128> seen_;
  std::vector<LitmusTest> list_;
};

std::string change_at(std::string_view what, const Places& candidates, const Places& changed) {
  return std::string(what) + litmus::places_text(candidates, changed);
}

// ---- swap ----

bool reads(const Instruction& instruction, litmus::RegisterId reg) {
  bool found = false;
  litmus::for_each_operand(instruction, [&](const litmus::Operand& operand) {
    const auto* one = std::get_if<litmus::RegisterId>(&operand);
    found = found || (one != nullptr && *one == reg);
  });
  const Access* access = litmus::access_of(instruction);
  return found || (access != nullptr && access->address.index == reg) ||
         (instruction.guard && instruction.guard->predicate == reg);
}

// Whether the second instruction can come first: it does not use a result of the first.
bool independent(const Instruction& first, const Instruction& second) {
  bool depends = false;
  litmus::for_each_written(first, [&](const litmus::RegisterId& reg) {
    depends = depends || reads(second, reg);
    litmus::for_each_written(second, [&](const litmus::RegisterId& other) { depends = depends || reg == other; });
  });
  litmus::for_each_written(second, [&](const litmus::RegisterId& reg) { depends = depends || reads(first, reg); });
  return !depends;
}

// Finds neighbouring accesses of a thread to one location that can change places; gives the first of each two.
Places swappable(const LitmusTest& test) {
  Places places;
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    const std::vector<Instruction>& code = test.threads[t].instructions;
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
      const Access* first = litmus::access_of(code[i]);
      const Access* second = litmus::access_of(code[i + 1]);
      if (first == nullptr || second == nullptr || !first->address.location) continue;
      if (first->address.location != second->address.location || !independent(code[i], code[i + 1])) continue;
      places.push_back({t, i});
    }
  }
  return places;
}

// A load that comes before the store it followed can see another thread's store without any interleaving: that would
// say nothing. It is asked for the initial value, which it could not see after the store.
void ask_for_initial_value(LitmusTest& mutant, Place place) {
  const std::vector<Instruction>& code = mutant.threads[place.thread].instructions;
  const auto* load = std::get_if<litmus::Load>(&code[place.instruction].operation);
  const Instruction& other = code[place.instruction + 1];
  litmus::Proposition& asked = mutant.condition.proposition;
  if (load == nullptr || asked.kind != litmus::Proposition::Kind::conjunction) return;
  if (std::holds_alternative<litmus::Load>(other.operation)) return;
  const litmus::Term target =
      litmus::Observable(ObservedRegister{litmus::ThreadId{static_cast<std::uint32_t>(place.thread)}, load->target});
  for (litmus::Proposition& part : asked.children) {
    const bool equality =
        part.kind == litmus::Proposition::Kind::comparison && part.op == litmus::CompareOp::eq && part.left == target;
    if (equality) part.right = mutant[*load->access.address.location].initial;
  }
}

std::vector<LitmusTest> swap_accesses(const LitmusTest& test) {
  Mutants mutants(test, "reversing po-loc");
  const Places places = swappable(test);
  for (const Place& place : places) {
    LitmusTest mutant = test;
    std::vector<Instruction>& code = mutant.threads[place.thread].instructions;
    std::swap(code[place.instruction], code[place.instruction + 1]);
    ask_for_initial_value(mutant, place);
    const LocationId location = *litmus::access_of(code[place.instruction])->address.location;
    mutants.add(std::move(mutant), change_at(litmus::kReversed, places, {place}),
                fmt::format("P{}: po-loc of accesses to {}", place.thread, test[location].name));
  }
  return mutants.take();
}

// ---- split ----

// The accesses to one location, and which of them go to the new one.
class Splitter {
 public:
  Splitter(const LitmusTest& test, LocationId location) : test_(test), location_(location) {
    for (std::size_t t = 0; t < test.threads.size(); ++t) {
      for (std::size_t i = 0; i < test.threads[t].instructions.size(); ++i) {
        const Access* access = litmus::access_of(test.threads[t].instructions[i]);
        if (access != nullptr && access->address.location == location) accesses_.push_back({t, i});
      }
    }
  }

  struct Split {
    LitmusTest test;
    LocationId location;
    Places moved;
  };

  // Every split that leaves no thread two accesses in a row at one of the two locations, and that still writes the
  // values of the condition where it asks for them. Those that are one test are given once.
  std::vector<Split> splits() const {
    std::vector<Split> list;
    std::set<base::Hash128> seen;
    if (accesses_.size() < 3 || accesses_.size() > kMost) return list;
    for (std::uint32_t moved = 1; moved < (1u << accesses_.size()); ++moved) {
      if ((moved & 1u) != 0 || !alternates(moved)) continue;  // the first access stays
      std::optional<LitmusTest> mutant = split(moved);
      if (!mutant) continue;
      litmus::normalize(*mutant);
      if (!seen.insert(canonical_hash(*mutant)).second) continue;
      Places places;
      for (std::size_t i = 0; i < accesses_.size(); ++i) {
        if ((moved >> i & 1u) != 0) places.push_back(accesses_[i]);
      }
      list.push_back({std::move(*mutant), location_, std::move(places)});
    }
    return list;
  }

 private:
  static constexpr std::size_t kMost = 10;

  bool alternates(std::uint32_t moved) const {
    bool some = false;
    for (std::size_t i = 0; i + 1 < accesses_.size(); ++i) {
      if (accesses_[i].thread != accesses_[i + 1].thread) continue;
      if (((moved >> i ^ moved >> (i + 1)) & 1u) == 0) return false;
      some = true;
    }
    return some;
  }

  std::optional<LitmusTest> split(std::uint32_t moved) const {
    LitmusTest mutant = test_;
    const LocationId fresh{static_cast<std::uint32_t>(mutant.locations.size())};
    mutant.locations.push_back(test_[location_]);
    mutant.locations.back().name = fresh_name();
    std::set<std::int64_t> written[2];
    std::vector<std::pair<ObservedRegister, int>> read;
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
      const auto [t, at] = accesses_[i];
      Instruction& instruction = mutant.threads[t].instructions[at];
      const int side = (moved >> i & 1u) != 0 ? 1 : 0;
      if (side == 1) litmus::access_of(instruction)->address.location = fresh;
      if (const auto value = value_written(mutant.threads[t], at)) written[side].insert(*value);
      litmus::for_each_written(instruction, [&](const litmus::RegisterId& reg) {
        read.emplace_back(ObservedRegister{litmus::ThreadId{static_cast<std::uint32_t>(t)}, reg}, side);
      });
    }
    bool fits = true;
    redirect(mutant.condition.proposition, fresh, written, read, fits);
    if (!fits) return std::nullopt;
    return mutant;
  }

  // The value that a store writes, also through the computations of a data dependency (and t, r, 128; add u, t, VALUE).
  static std::optional<std::int64_t> value_written(const litmus::Thread& thread, std::size_t at) {
    const litmus::Operand* operand = nullptr;
    if (const auto* store = std::get_if<litmus::Store>(&thread.instructions[at].operation)) operand = &store->value;
    if (const auto* rmw = std::get_if<litmus::Rmw>(&thread.instructions[at].operation)) {
      if (rmw->op == litmus::RmwOp::exch || rmw->op == litmus::RmwOp::cas) operand = &rmw->operand;
    }
    if (operand == nullptr) return std::nullopt;
    if (const auto* value = std::get_if<litmus::Value>(operand)) return value->number;
    for (const Instruction& instruction : thread.instructions) {
      const auto* compute = std::get_if<litmus::Compute>(&instruction.operation);
      if (compute == nullptr || litmus::Operand(compute->target) != *operand) continue;
      if (compute->op != litmus::ComputeOp::add || !compute->right) continue;
      if (const auto* value = std::get_if<litmus::Value>(&*compute->right)) return value->number;
    }
    return std::nullopt;
  }

  // The final value of the location is asked of the side where it is written.
  void redirect(litmus::Proposition& proposition, LocationId fresh, const std::set<std::int64_t> (&written)[2],
                const std::vector<std::pair<ObservedRegister, int>>& read, bool& fits) const {
    for (litmus::Proposition& child : proposition.children) redirect(child, fresh, written, read, fits);
    if (proposition.kind != litmus::Proposition::Kind::comparison) return;
    auto* observable = std::get_if<litmus::Observable>(&proposition.left);
    const auto* value = std::get_if<litmus::Value>(&proposition.right);
    if (observable == nullptr || value == nullptr) return;
    const bool initial = *value == test_[location_].initial;
    if (auto* location = std::get_if<LocationId>(observable)) {
      if (*location != location_ || written[0].contains(value->number) || initial) return;
      *location = fresh;
      fits = fits && written[1].contains(value->number);
      return;
    }
    for (const auto& [reg, side] : read) {
      if (reg == std::get<ObservedRegister>(*observable))
        fits = fits && (initial || written[side].contains(value->number));
    }
  }

  std::string fresh_name() const {
    for (std::string_view name : {"y", "z", "w", "v", "u", "t", "s"}) {
      if (!test_.find_location(name)) return std::string(name);
    }
    std::string name = test_[location_].name;
    while (test_.find_location(name)) name += "2";
    return name;
  }

  const LitmusTest& test_;
  LocationId location_;
  Places accesses_;
};

// Whether the condition is a conjunction of comparisons; the parts of any other do not describe one outcome.
bool asks_for_one_outcome(const litmus::Proposition& asked) {
  const auto compares = [](const litmus::Proposition& part) {
    return part.kind == litmus::Proposition::Kind::comparison;
  };
  return compares(asked) || (asked.kind == litmus::Proposition::Kind::conjunction &&
                             std::all_of(asked.children.begin(), asked.children.end(), compares));
}

std::vector<LitmusTest> split_locations(const LitmusTest& test) {
  Mutants mutants(test, "weakening po-loc");
  if (!asks_for_one_outcome(test.condition.proposition)) return {};
  std::vector<std::vector<Splitter::Split>> all;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    std::vector<Splitter::Split>& splits = all.emplace_back();
    // The elements of an array stay together.
    if (!test.locations[i].is_array()) splits = Splitter(test, LocationId{i}).splits();
    count += splits.size();
  }
  for (std::vector<Splitter::Split>& splits : all) {
    const bool only_one = splits.size() == 1;
    for (Splitter::Split& split : splits) {
      const std::string& name = test[split.location].name;
      std::string change(litmus::kSplit);
      if (count > 1) change += "." + name;
      if (!only_one) change += litmus::places_text({}, split.moved);
      mutants.add(std::move(split.test), change, fmt::format("po-loc of all accesses to {}", name));
    }
  }
  return mutants.take();
}

// ---- scope, order, fence: one instruction is weakened ----

// Calls `visit(thread, place, instruction)` for every instruction.
template <typename Visit>
void for_each_instruction(const LitmusTest& test, Visit&& visit) {
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (std::size_t i = 0; i < test.threads[t].instructions.size(); ++i) {
      visit(t, i, test.threads[t].instructions[i]);
    }
  }
}

std::optional<Scope> narrower(Scope scope) {
  switch (scope) {
    case Scope::system:
      return Scope::device;
    case Scope::device:
    case Scope::queue_family:
    case Scope::cluster:
      return Scope::workgroup;
    case Scope::workgroup:
      return Scope::subgroup;
    default:
      return std::nullopt;
  }
}

bool has_scope(const Fence& fence) {
  return fence.kind == FenceKind::order || fence.kind == FenceKind::membar || fence.proxy == litmus::Proxy::tensormap;
}

// Whether the architecture has subgroup scopes at all; PTX has no scope below the CTA.
bool can_narrow_to(Scope scope, litmus::Arch arch) {
  return scope != Scope::subgroup || arch == litmus::Arch::vulkan || arch == litmus::Arch::opencl;
}

// The scope that an instruction names, if it names one.
Scope* scope_in(Instruction& instruction) {
  if (Access* access = litmus::access_of(instruction)) {
    return access->order == Order::plain ? nullptr : &access->scope;
  }
  if (auto* mbarrier = std::get_if<litmus::Mbarrier>(&instruction.operation)) return &mbarrier->scope;
  auto* fence = std::get_if<Fence>(&instruction.operation);
  return fence != nullptr && has_scope(*fence) ? &fence->scope : nullptr;
}

std::optional<Scope> narrower_scope_of(Instruction instruction, litmus::Arch arch) {
  const Scope* scope = scope_in(instruction);
  if (scope == nullptr) return std::nullopt;
  const std::optional<Scope> narrow = narrower(*scope);
  return narrow && can_narrow_to(*narrow, arch) ? narrow : std::nullopt;
}

std::vector<LitmusTest> narrow_scopes(const LitmusTest& test) {
  Mutants mutants(test, "narrowing a scope");
  Places places;
  for_each_instruction(test, [&](std::size_t t, std::size_t i, const Instruction& instruction) {
    if (narrower_scope_of(instruction, test.arch)) places.push_back({t, i});
  });
  for (const Place& place : places) {
    LitmusTest mutant = test;
    Instruction& changed = mutant.threads[place.thread].instructions[place.instruction];
    const Scope narrow = *narrower_scope_of(changed, test.arch);
    Scope& scope = *scope_in(changed);
    const std::string edge = fmt::format("P{}: instruction {}, {} to {}", place.thread, place.instruction,
                                         litmus::to_string(scope), litmus::to_string(narrow));
    scope = narrow;
    const std::string what = fmt::format("{}.{}", litmus::kScope, litmus::to_string(narrow));
    mutants.add(std::move(mutant), change_at(what, places, {place}), edge);
  }
  return mutants.take();
}

// The orders just below. Release and acquire halves that the instruction cannot have are left out by `can_have`.
std::vector<Order> weaker(Order order) {
  switch (order) {
    case Order::seq_cst:
      return {Order::acq_rel, Order::acquire, Order::release};
    case Order::acq_rel:
      return {Order::acquire, Order::release};
    case Order::acquire:
    case Order::acquire_pc:
    case Order::release:
    case Order::consume:
      return {Order::relaxed};
    default:
      return {};
  }
}

enum class Ordered { load, store, both };

bool can_have(Ordered kind, Order order) {
  if (kind == Ordered::load) return order != Order::release && order != Order::acq_rel;
  if (kind == Ordered::store) return !litmus::is_acquire(order);
  return true;
}

// For what can be acquire and release at once, acq_rel is the only order just below seq_cst.
std::vector<Order> weaker(Ordered kind, Order order) {
  std::vector<Order> orders;
  for (Order one : weaker(order)) {
    const bool skips = kind == Ordered::both && order == Order::seq_cst && one != Order::acq_rel;
    if (can_have(kind, one) && !skips) orders.push_back(one);
  }
  return orders;
}

// In Vulkan a release or acquire says what is made available or visible; without it there is nothing to say.
void drop_unused(Order order, litmus::Tags& tags, litmus::Spaces& semantics) {
  if (!litmus::is_acquire(order)) tags.erase(litmus::Tag::visible);
  if (!litmus::is_release(order)) tags.erase(litmus::Tag::available);
  if (!litmus::is_acquire(order) && !litmus::is_release(order)) semantics = {};
}

// At a cluster barrier. Its order says nothing then.
bool is_releasing_arrival(const Instruction& instruction) {
  const auto* barrier = std::get_if<litmus::Barrier>(&instruction.operation);
  return barrier != nullptr && barrier->kind == litmus::Barrier::Kind::arrive && barrier->scope == Scope::cluster &&
         barrier->order == Order::plain;
}

std::vector<Order> weaker_orders_of(const Instruction& instruction) {
  const Access* access = litmus::access_of(instruction);
  const auto* fence = std::get_if<Fence>(&instruction.operation);
  if (const auto* mbarrier = std::get_if<litmus::Mbarrier>(&instruction.operation)) {
    return mbarrier->op == litmus::MbarrierOp::commit ? std::vector<Order>() : weaker(mbarrier->order);
  }
  if (is_releasing_arrival(instruction)) return {Order::relaxed};
  if (access == nullptr && (fence == nullptr || fence->kind != FenceKind::order)) return {};
  Ordered kind = Ordered::both;
  if (std::holds_alternative<litmus::Load>(instruction.operation)) kind = Ordered::load;
  if (std::holds_alternative<litmus::Store>(instruction.operation)) kind = Ordered::store;
  std::vector<Order> orders = weaker(kind, access != nullptr ? access->order : fence->order);
  // A relaxed fence does nothing; the mutator of fences removes it.
  if (fence != nullptr) std::erase(orders, Order::relaxed);
  return orders;
}

std::vector<LitmusTest> weaken_orders(const LitmusTest& test) {
  Mutants mutants(test, "weakening an order");
  const Places places = ordered_places(test);
  for (const Place& place : places) {
    for (Order weak : weaker_orders_of(test.threads[place.thread].instructions[place.instruction])) {
      LitmusTest mutant = test;
      Instruction& changed = mutant.threads[place.thread].instructions[place.instruction];
      Access* access = litmus::access_of(changed);
      auto* fence = std::get_if<Fence>(&changed.operation);
      auto* mbarrier = std::get_if<litmus::Mbarrier>(&changed.operation);
      auto* barrier = std::get_if<litmus::Barrier>(&changed.operation);
      WEAKSPOT_CHECK(access != nullptr || fence != nullptr || mbarrier != nullptr || barrier != nullptr);
      Order& order = access != nullptr     ? access->order
                     : fence != nullptr    ? fence->order
                     : mbarrier != nullptr ? mbarrier->order
                                           : barrier->order;
      const std::string edge = fmt::format("P{}: instruction {}, {} to {}", place.thread, place.instruction,
                                           litmus::to_string(order), litmus::to_string(weak));
      order = weak;
      if (access != nullptr) drop_unused(weak, access->tags, access->semantics);
      if (fence != nullptr) drop_unused(weak, fence->tags, fence->semantics);
      mutants.add(std::move(mutant), change_at(order_change(weak), places, {place}), edge);
    }
  }
  return mutants.take();
}

// For an asynchronous operation or another grid: without it nothing is known to be complete, as without a fence.
bool is_wait(const Instruction& instruction) {
  if (const auto* mbarrier = std::get_if<litmus::Mbarrier>(&instruction.operation)) {
    return mbarrier->op == litmus::MbarrierOp::wait;
  }
  using Kind = litmus::AsyncControl::Kind;
  const auto* control = std::get_if<litmus::AsyncControl>(&instruction.operation);
  return control != nullptr && control->kind != Kind::commit && control->kind != Kind::launch_dependents;
}

std::vector<LitmusTest> drop_fences(const LitmusTest& test) {
  Mutants mutants(test, "weakening sw");
  Places fences;
  for_each_instruction(test, [&](std::size_t t, std::size_t i, const Instruction& instruction) {
    if (std::holds_alternative<Fence>(instruction.operation) || is_wait(instruction)) fences.push_back({t, i});
  });
  if (fences.empty()) return {};
  // All fences first, then every other set of up to six; one at a time where there are more.
  constexpr std::size_t kMost = 6;
  std::vector<Places> choices = {fences};
  if (fences.size() <= kMost) {
    const std::size_t all = (std::size_t{1} << fences.size()) - 1;
    for (std::size_t set = 1; set < all; ++set) {
      Places& dropped = choices.emplace_back();
      for (std::size_t f = 0; f < fences.size(); ++f) {
        if ((set >> f & 1) != 0) dropped.push_back(fences[f]);
      }
    }
  } else {
    for (const Place& fence : fences) choices.push_back({fence});
  }
  for (const Places& dropped : choices) {
    LitmusTest mutant = test;
    std::string edge;
    for (std::size_t f = dropped.size(); f-- > 0;) {
      const auto [t, i] = dropped[f];
      std::vector<Instruction>& code = mutant.threads[t].instructions;
      code.erase(code.begin() + static_cast<std::ptrdiff_t>(i));
      edge = fmt::format("P{}: fence at instruction {}{}{}", t, i, edge.empty() ? "" : ", ", edge);
    }
    mutants.add(std::move(mutant), change_at(litmus::kNoFence, fences, dropped), edge);
  }
  return mutants.take();
}

constexpr Mutator kMutators[] = {
    {"swap", "two accesses of a thread to one location change places", swap_accesses},
    {"split", "one location becomes two", split_locations},
    {"scope", "the scope of an access or a fence becomes the next narrower one", narrow_scopes},
    {"order", "the order of an access or a fence becomes the next weaker one", weaken_orders},
    {"fence", "fences are removed", drop_fences},
};

}  // namespace

std::span<const Mutator> mutators() { return kMutators; }

std::vector<Place> ordered_places(const LitmusTest& test) {
  Places places;
  for_each_instruction(test, [&](std::size_t t, std::size_t i, const Instruction& instruction) {
    if (!weaker_orders_of(instruction).empty()) places.push_back({t, i});
  });
  return places;
}

std::string order_change(Order order) { return fmt::format("{}.{}", litmus::kOrder, litmus::to_string(order)); }

const Mutator* mutator_named(std::string_view word) {
  for (const Mutator& mutator : kMutators) {
    if (mutator.word == word) return &mutator;
  }
  return nullptr;
}

std::vector<LitmusTest> mutate(const LitmusTest& test, const MutateOptions& options) {
  std::vector<LitmusTest> kept;
  for (const Mutator& mutator : kMutators) {
    const bool chosen = options.words.empty() ||
                        std::find(options.words.begin(), options.words.end(), mutator.word) != options.words.end();
    if (!chosen) continue;
    for (LitmusTest& mutant : mutator.apply(test)) {
      if (options.allowed && !options.allowed(mutant)) continue;
      kept.push_back(std::move(mutant));
    }
  }
  return kept;
}

std::optional<std::string> info_of(const LitmusTest& test, std::string_view key) {
  for (const auto& [name, value] : test.info) {
    if (name == key) return value;
  }
  return std::nullopt;
}

void set_info(LitmusTest& test, std::string_view key, std::string value) {
  const auto is_key = [&](const auto& entry) { return entry.first == key; };
  const auto found = std::find_if(test.info.begin(), test.info.end(), is_key);
  if (value.empty()) {
    if (found != test.info.end()) test.info.erase(found);
  } else if (found != test.info.end()) {
    found->second = std::move(value);
  } else {
    test.info.emplace_back(key, std::move(value));
  }
}

}  // namespace weakspot::gen
