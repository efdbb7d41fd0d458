// SPDX-License-Identifier: MIT
#include "race_jit/machine/bulk_copies.h"

#include <utility>

#include "race_jit/machine/core.h"

namespace weakspot::race_jit {

race::ClockRef BulkCopies::Agent::done_reading() const { return race::steps_of(*reads); }

race::ClockRef BulkCopies::Agent::done() const { return race::joined(done_reading(), race::steps_of(*writes)); }

BulkCopies::Block& BulkCopies::block_of(const race::ThreadState& thread) {
  Block& block = blocks_[thread.block->index];
  if (block.agents.threads.empty()) {
    core->detector().start_block(block.agents, thread.block->index | race::kAgentMarks, kAgents + kInOrder);
  }
  // For agents, accesses of the block's threads are as old as for these threads.
  block.agents.first = thread.block->first;
  block.agents.shared_from = thread.block->shared_from;
  return block;
}

BulkCopies::Agent BulkCopies::start(race::ThreadState& thread) {
  return start(thread, core->detector().publish(thread));
}

BulkCopies::Agent BulkCopies::start(race::ThreadState& thread, const race::ClockRef& known) {
  Block& block = block_of(thread);
  race::Detector& detector = core->detector();
  Agent agent{&block.agents.threads[block.next], &block.agents.threads[block.next + 1], {}};
  block.next = (block.next + 2) % kAgents;
  detector.start_agent(*agent.reads, thread.thread, known);
  detector.start_agent(*agent.writes, thread.thread, race::joined(known, agent.done_reading()));
  take_fences(block, thread, *known, agent);
  return agent;
}

BulkCopies::Agent BulkCopies::start_in_order(race::ThreadState& thread, const race::ClockRef& known, unsigned number,
                                             race::Engine engine) {
  Block& block = block_of(thread);
  race::ThreadState& state = block.agents.threads[kAgents + number % kInOrder];
  Agent agent{&state, &state, {}, engine};
  core->detector().start_agent(state, thread.thread, known, engine);
  take_fences(block, thread, *known, agent);
  return agent;
}

race::ClockRef BulkCopies::steps_in_order(const race::ThreadState& thread, unsigned number) {
  return race::steps_of(block_of(thread).agents.threads[kAgents + number % kInOrder]);
}

void BulkCopies::fence(race::ThreadState& thread, bool global, bool shared) {
  Block& block = block_of(thread);
  std::deque<Fence>& fences = block.fences[thread.thread];
  const race::Interval at = thread.interval();
  Fence made{at, core->detector().publish(thread), {}};
  made.of[static_cast<std::size_t>(race::Space::global)] = global;
  made.of[static_cast<std::size_t>(race::Space::shared)] = shared;
  fences.push_back(std::move(made));
  // A later fence has all that an earlier one had. Others may know only of earlier ones, but hardly of much earlier
  // ones.
  if (fences.size() > kFencesKept) fences.pop_front();
}

// Adds the writes that all fences known to the thread let through.
void BulkCopies::take_fences(Block& block, const race::ThreadState& thread, const race::Clock& known, Agent& agent) {
  auto take = [](race::ClockRef(&to)[2], const Fence& fence) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (fence.of[i]) to[i] = race::joined(to[i], fence.before);
    }
  };
  for (auto& [number, fences] : block.fences) {
    while (!fences.empty() && fences.front().at < thread.block->barrier_from) {
      take(block.fenced, fences.front());
      fences.pop_front();
    }
    for (const Fence& fence : fences) {
      if (known.knows({thread.block->index, number}, fence.at)) take(agent.fenced, fence);
    }
  }
  for (std::size_t i = 0; i < 2; ++i) agent.fenced[i] = race::joined(agent.fenced[i], block.fenced[i]);
}

void BulkCopies::release_maps(race::ThreadState& thread, race::Scope scope, race::SiteId site) {
  Released made{thread.interval(), nullptr, scope};
  core->detector().fence(thread, scope, site);
  made.before = race::fenced_clock(thread, false);
  std::deque<Released>& fences = released_[{thread.block->index, thread.thread}];
  fences.push_back(std::move(made));
  if (fences.size() > kFencesKept) fences.pop_front();
}

void BulkCopies::acquire_map(race::ThreadState& thread, race::Scope scope, race::SiteId site, std::uint64_t map,
                             std::uint64_t size) {
  core->detector().fence(thread, scope, site);
  Acquired made{{thread.block->index, thread.thread}, thread.interval(), map, size, nullptr};
  made.released = known_releases(thread, scope, *core->detector().publish(thread));
  std::deque<Acquired>& all = block_of(thread).acquired;
  all.push_back(std::move(made));
  if (all.size() > kMapsKept) all.pop_front();
}

// Steps ordered before the fences that release for a thread with this knowledge that acquires with this scope.
race::ClockRef BulkCopies::known_releases(const race::ThreadState& thread, race::Scope scope,
                                          const race::Clock& known) const {
  const race::Detector& detector = core->detector();
  const std::uint32_t here = thread.block->index;
  race::ClockRef sum;
  for (const auto& [name, fences] : released_) {
    if (!detector.includes(scope, here, name.block)) continue;
    for (const Released& fence : fences) {
      if (detector.includes(fence.scope, name.block, here) && known.knows(name, fence.at)) {
        sum = race::joined(sum, fence.before);
      }
    }
  }
  return sum;
}

BulkCopies::MapView BulkCopies::map_view(race::ThreadState& thread, const race::Clock& known, std::uint64_t map) {
  MapView view;
  view.released = known_releases(thread, race::Scope::system, known);
  for (const Acquired& one : block_of(thread).acquired) {
    if (map >= one.map && map - one.map < one.size && known.knows(one.thread, one.at)) {
      view.acquired = race::joined(view.acquired, one.released);
    }
  }
  return view;
}

void BulkCopies::add_to_group(race::ThreadState& thread, const Agent& agent) {
  Group& open = block_of(thread).groups[thread.thread].open;
  open.read = race::joined(open.read, agent.done_reading());
  open.done = race::joined(open.done, agent.done());
}

void BulkCopies::commit(race::ThreadState& thread) {
  Groups& groups = block_of(thread).groups[thread.thread];
  groups.closed.push_back(std::exchange(groups.open, {}));
}

void BulkCopies::wait(race::ThreadState& thread, std::uint32_t left, bool for_reads) {
  std::deque<Group>& closed = block_of(thread).groups[thread.thread].closed;
  if (for_reads) {
    for (std::size_t i = 0; i + left < closed.size(); ++i) core->detector().learn(thread, closed[i].read);
    return;
  }
  while (closed.size() > left) {
    core->detector().learn(thread, closed.front().done);
    closed.pop_front();
  }
}

}  // namespace weakspot::race_jit
