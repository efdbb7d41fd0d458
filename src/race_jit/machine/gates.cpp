// SPDX-License-Identifier: MIT
#include "race_jit/machine/gates.h"

#include "race_jit/machine/machine.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {

void Gates::start(Name name, std::uint32_t expected) {
  gates_[name] = Gate{};
  gates_[name].expected = expected;
}

std::uint64_t Gates::arrive(Name name, std::uint32_t count, bool drop) {
  Gate& gate = gates_[name];
  const std::uint64_t phase = gate.phase;
  gate.gathered = race::joined(gate.gathered, machine->detector().publish(*weakspot_current->state));
  gate.arrived += count;
  if (drop) gate.dropped += count;
  machine->count_change();
  if (gate.arrived < gate.expected) return phase;
  gate.expected -= std::min(gate.dropped, gate.expected);
  gate.arrived = gate.dropped = 0;
  ++gate.phase;
  gate.opened = std::exchange(gate.gathered, nullptr);
  for (ThreadContext* thread : gate.waiting) {
    machine->detector().learn(*thread->state, gate.opened);
    thread->wait = Wait::nothing;
  }
  gate.waiting.clear();
  return phase;
}

std::uint64_t Gates::phase(Name name) const {
  auto found = gates_.find(name);
  return found == gates_.end() ? 0 : found->second.phase;
}

bool Gates::is_over(Name name, std::uint64_t phase) const { return this->phase(name) > phase; }

void Gates::pass(Name name) { machine->detector().learn(*weakspot_current->state, gates_[name].opened); }

void Gates::tell(Name name, const race::ClockRef& clock) {
  Gate& gate = gates_[name];
  gate.gathered = race::joined(gate.gathered, clock);
}

void Gates::add_waiting(Name name, ThreadContext* thread) { gates_[name].waiting.push_back(thread); }

namespace {

Gates::Name object(const void* address) { return {0, reinterpret_cast<std::uint64_t>(address)}; }

// Fails for an object that was not initialised.
bool check_object(const void* address, std::uint32_t site) {
  if (machine->gates().exists(object(address))) return true;
  Incident incident{.kind = Incident::Kind::assertion, .site = static_cast<race::SiteId>(site)};
  incident.thread = {weakspot_current->state->block->index, weakspot_current->number};
  incident.text = "a barrier is used before it is initialised";
  machine->note(std::move(incident));
  return false;
}

void wait_for(Gates::Name name, std::uint64_t phase, std::uint32_t site) {
  Gates& gates = machine->gates();
  if (gates.is_over(name, phase)) {
    gates.pass(name);
    return;
  }
  gates.add_waiting(name, weakspot_current);
  machine->wait(Wait::gate, static_cast<race::SiteId>(site));
}

}  // namespace

extern "C" {

void weakspot_gate_init(void* gate, std::uint32_t expected, std::uint32_t) {
  InRuntime inside;
  machine->gates().start(object(gate), expected);
}

std::uint64_t weakspot_gate_arrive(void* gate, std::uint32_t count, std::uint32_t drop, std::uint32_t site) {
  InRuntime inside;
  if (!check_object(gate, site)) return 0;
  return machine->gates().arrive(object(gate), count, drop != 0);
}

void weakspot_gate_wait(void* gate, std::uint64_t phase, std::uint32_t site) {
  if (check_object(gate, site)) wait_for(object(gate), phase, site);
}

std::uint32_t weakspot_gate_test(void* gate, std::uint64_t phase, std::uint32_t site) {
  if (!check_object(gate, site)) return 1;
  Gates& gates = machine->gates();
  const std::uint64_t now = gates.phase(object(gate));
  const bool over = phase >= kParityPhase - 1 ? (now & 1) != kParityPhase - phase : now > phase;
  if (over) {
    gates.pass(object(gate));
  } else {
    weakspot_current->site = static_cast<race::SiteId>(site);
    weakspot_current->operation.value = reinterpret_cast<std::uint64_t>(gate);
    machine->give_way();
  }
  return over ? 1 : 0;
}

// bar.sync and bar.arrive with a number. A count of 0 stands for all threads of the block.
void weakspot_named_barrier(std::uint32_t arrive_only, std::uint32_t number, std::uint32_t count, std::uint32_t site) {
  if (machine->is_mutated(static_cast<race::SiteId>(site), race::MutantKind::no_barrier)) return;
  const race::BlockState& block = *weakspot_current->state->block;
  const Gates::Name name{block.index + std::uint64_t{1}, number};
  Gates& gates = machine->gates();
  std::uint64_t phase = 0;
  {
    InRuntime inside;
    if (!gates.exists(name)) {
      gates.start(name, count != 0 ? count : static_cast<std::uint32_t>(block.threads.size()));
    }
    phase = gates.arrive(name, 1, false);
  }
  if (arrive_only == 0) wait_for(name, phase, site);
}

void weakspot_exit(std::uint32_t site) {
  weakspot_current->site = static_cast<race::SiteId>(site);
  machine->end_thread();
}

std::uint64_t weakspot_clock(std::uint32_t) { return machine->tick(); }

}  // extern "C"

std::vector<HookSymbol> gate_hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&name)}
      HOOK(weakspot_gate_init),     HOOK(weakspot_gate_arrive), HOOK(weakspot_gate_wait), HOOK(weakspot_gate_test),
      HOOK(weakspot_named_barrier), HOOK(weakspot_exit),        HOOK(weakspot_clock),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
