// SPDX-License-Identifier: MIT
#include "race_jit/machine/gates.h"

#include <algorithm>

#include "race_jit/machine/core.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {

void Gates::clear(const char* memory, std::uint64_t size) {
  const auto begin = reinterpret_cast<std::uint64_t>(memory);
  gates_.erase(gates_.lower_bound({0, begin}), gates_.lower_bound({0, begin + size}));
}

void Gates::start(Name name, std::uint32_t expected) {
  if (name.first == 0 && exists(name)) core->shared().forget_counted(reinterpret_cast<const void*>(name.second));
  gates_[name] = Gate{};
  gates_[name].expected = expected;
}

void Gates::expect(Name name, std::uint32_t expected) {
  Gate& gate = gates_[name];
  if (gate.arrived == 0) gate.expected = expected;
}

std::uint64_t Gates::arrive(Name name, const Arrival& arrival) {
  Gate& gate = gates_[name];
  const std::uint64_t phase = gate.phase;
  race::ThreadState& thread = *weakspot_current->state;
  race::Detector& detector = core->detector();
  const bool here = name.first != 0 || is_in_own_block(reinterpret_cast<const void*>(name.second));
  if (!here) core->shared().note_arrival(reinterpret_cast<const void*>(name.second), phase, site_id(arrival.site));
  if (arrival.of_engine) {
    // Told apart, as the end of what it works for.
  } else if (arrival.reach == GateReach::nobody) {
    // A fence before it makes it a release.
    tell(name, race::fenced_clock(thread, !here), !here);
  } else if (here || arrival.reach == GateReach::cluster) {
    tell(name, detector.publish(thread), !here);
  }
  if (!arrival.of_engine && core->tensor().any()) {
    tell_of_tensor(name, core->tensor().released(thread));
  }
  gate.arrived += arrival.count;
  if (arrival.holds) gate.holding += arrival.count;
  if (arrival.drop) gate.dropped += arrival.count;
  core->counts().changes++;
  open_if_complete(gate);
  return phase;
}

void Gates::open_if_complete(Gate& gate) {
  if (gate.arrived < gate.expected || gate.bytes != 0) return;
  gate.expected -= std::min(gate.dropped, gate.expected);
  gate.ended = {gate.holding, gate.arrived};
  gate.arrived = gate.dropped = gate.holding = 0;
  ++gate.phase;
  // A thread that sees this phase end has seen those before it.
  for (std::size_t i = 0; i < gate.opened.size(); ++i) {
    gate.opened[i] = race::joined(gate.opened[i], std::exchange(gate.gathered[i], nullptr));
  }
  gate.tensor_opened = race::joined(gate.tensor_opened, std::exchange(gate.tensor_gathered, nullptr));
  for (ThreadContext* thread : gate.waiting) {
    core->tensor().hear(*thread->state, gate.tensor_opened);
    for (const race::ClockRef& clock : gate.opened) core->detector().learn(*thread->state, clock);
    thread->wait = Wait::nothing;
    thread->barrier_result = reduced(gate, thread->barrier_kind);
    gate.seen = gate.phase;
  }
  gate.waiting.clear();
}

int Gates::reduced(const Gate& gate, int kind) {
  const auto [holding, arrived] = gate.ended;
  if (kind == kCountTrue) return static_cast<int>(holding);
  return (kind == kAllTrue ? holding == arrived : holding > 0) ? 1 : 0;
}

int Gates::reduced(Name name) const {
  auto found = gates_.find(name);
  return found == gates_.end() ? 0 : reduced(found->second, weakspot_current->barrier_kind);
}

void Gates::expect_bytes(Name name, std::int64_t bytes) {
  Gate& gate = gates_[name];
  gate.bytes += bytes;
  core->counts().changes++;
  if (bytes < 0) open_if_complete(gate);
}

std::uint64_t Gates::phase(Name name) const {
  auto found = gates_.find(name);
  return found == gates_.end() ? 0 : found->second.phase;
}

std::uint64_t Gates::seen(Name name) const {
  auto found = gates_.find(name);
  return found == gates_.end() ? 0 : found->second.seen;
}

bool Gates::is_over(Name name, std::uint64_t phase) const { return this->phase(name) > phase; }

bool Gates::was_opened_from_elsewhere(Name name) const {
  auto found = gates_.find(name);
  return found != gates_.end() && found->second.opened[1] != nullptr;
}

void Gates::pass(Name name, GateReach reach) {
  race::ThreadState& thread = *weakspot_current->state;
  Gate& gate = gates_[name];
  if (name.first != 0 || is_in_own_block(reinterpret_cast<const void*>(name.second))) gate.seen = gate.phase;
  const auto& [here, elsewhere] = gate.opened;
  core->tensor().hear(thread, gate.tensor_opened);
  if (reach == GateReach::nobody) {
    race::learn_at_fence(thread, here, elsewhere);
    return;
  }
  core->detector().learn(thread, here);
  if (reach == GateReach::cluster) core->detector().learn(thread, elsewhere);
}

void Gates::tell(Name name, const race::ClockRef& clock, bool from_elsewhere) {
  race::ClockRef& gathered = gates_[name].gathered[from_elsewhere ? 1 : 0];
  gathered = race::joined(gathered, clock);
}

void Gates::tell_of_tensor(Name name, const race::ClockRef& clock) {
  race::ClockRef& gathered = gates_[name].tensor_gathered;
  gathered = race::joined(gathered, clock);
}

void Gates::add_waiting(Name name, ThreadContext* thread) { gates_[name].waiting.push_back(thread); }

bool is_in_own_block(const void* address) {
  return static_cast<std::uint64_t>(static_cast<const char*>(address) - weakspot_current->shared) < Arena::kWindow;
}

bool check_gate(const void* address, std::uint32_t site) {
  if (core->gates().exists(gate_at(address))) return true;
  Incident incident{.kind = Incident::Kind::assertion, .site = static_cast<race::SiteId>(site)};
  incident.thread = {weakspot_current->state->block->index, weakspot_current->number};
  incident.text = "a barrier is used before it is initialised";
  core->note(std::move(incident));
  return false;
}

namespace {

void wait_for(Gates::Name name, std::uint64_t phase, std::uint32_t site) {
  Gates& gates = core->gates();
  if (gates.is_over(name, phase)) {
    gates.pass(name);
    return;
  }
  gates.add_waiting(name, weakspot_current);
  core->turns().wait(Wait::gate, static_cast<race::SiteId>(site));
}

Gates::Name numbered(std::uint32_t number) {
  return {weakspot_current->state->block->index + std::uint64_t{1}, number};
}

std::uint64_t arrive_at_numbered(Gates::Name name, std::uint32_t count, const Gates::Arrival& arrival) {
  InRuntime inside;
  const race::BlockState& block = *weakspot_current->state->block;
  core->gates().expect(name, count != 0 ? count : static_cast<std::uint32_t>(block.threads.size()));
  return core->gates().arrive(name, arrival);
}

}  // namespace

extern "C" {

void weakspot_gate_init(void* gate, std::uint32_t expected, std::uint32_t) {
  InRuntime inside;
  core->gates().start(gate_at(gate), expected);
}

std::uint64_t weakspot_gate_arrive(void* gate, std::uint32_t count, std::uint32_t drop, std::uint32_t site) {
  InRuntime inside;
  if (!check_gate(gate, site)) return 0;
  return core->gates().arrive(gate_at(gate), {.count = count, .drop = drop != 0, .site = site});
}

void weakspot_gate_wait(void* gate, std::uint64_t phase, std::uint32_t site) {
  if (check_gate(gate, site)) wait_for(gate_at(gate), phase, site);
}

std::uint32_t weakspot_gate_test(void* gate, std::uint64_t phase, std::uint32_t site) {
  if (!check_gate(gate, site)) return 1;
  Gates& gates = core->gates();
  const std::uint64_t now = gates.phase(gate_at(gate));
  const bool over = phase >= kParityPhase - 1 ? (now & 1) != kParityPhase - phase : now > phase;
  if (over) {
    gates.pass(gate_at(gate));
  } else {
    weakspot_current->site = static_cast<race::SiteId>(site);
    weakspot_current->operation.value = reinterpret_cast<std::uint64_t>(gate);
    core->give_way(gate);
  }
  return over ? 1 : 0;
}

// bar.sync and bar.arrive with a number. A count of 0 stands for all threads of the block.
void weakspot_named_barrier(std::uint32_t arrive_only, std::uint32_t number, std::uint32_t count, std::uint32_t site) {
  if (core->mutation().applies(static_cast<race::SiteId>(site), race::MutantKind::no_barrier)) return;
  const Gates::Name name = numbered(number);
  const std::uint64_t phase = arrive_at_numbered(name, count, {});
  if (arrive_only == 0) wait_for(name, phase, site);
}

// bar.red with a number.
int weakspot_named_barrier_reduce(int kind, std::uint32_t number, std::uint32_t count, int value, std::uint32_t site) {
  ThreadContext* thread = weakspot_current;
  core->detector().keep_barrier(static_cast<race::SiteId>(site));  // its value is used
  const Gates::Name name = numbered(number);
  thread->barrier_kind = kind;
  const std::uint64_t phase = arrive_at_numbered(name, count, {.holds = value != 0});
  if (core->gates().is_over(name, phase)) thread->barrier_result = core->gates().reduced(name);
  wait_for(name, phase, site);
  return thread->barrier_result;
}

void weakspot_exit(std::uint32_t site) {
  weakspot_current->site = static_cast<race::SiteId>(site);
  core->turns().end_thread();
}

std::uint64_t weakspot_clock(std::uint32_t) {
  core->needs_others();  // other blocks read the same clock
  return core->counts().ticks += 1000;
}

}  // extern "C"

std::vector<HookSymbol> gate_hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&name)}
      HOOK(weakspot_gate_init), HOOK(weakspot_gate_arrive),   HOOK(weakspot_gate_wait),
      HOOK(weakspot_gate_test), HOOK(weakspot_named_barrier), HOOK(weakspot_named_barrier_reduce),
      HOOK(weakspot_exit),      HOOK(weakspot_clock),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
