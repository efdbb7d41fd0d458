// SPDX-License-Identifier: MIT
#include "race_jit/machine/tensor_blocks.h"

#include <fmt/format.h>

#include <set>

#include "race_jit/machine/core.h"

namespace weakspot::race_jit {

void TensorBlocks::clear() {
  blocks_.clear();
  flags_.clear();
}

void TensorBlocks::end_block(const BlockRun& block) {
  auto found = blocks_.find(block.state.index);
  if (found == blocks_.end()) return;
  for (const TensorMemory::Allocation& left : found->second.memory.left()) {
    Incident incident{.kind = Incident::Kind::tensor_misuse, .site = left.site};
    incident.thread = left.thread;
    incident.text = fmt::format("{} columns of tensor memory are not given back before the block ends", left.columns);
    core->note(std::move(incident));
  }
}

TensorBlocks::Warp& TensorBlocks::warp(const race::ThreadState& thread) {
  std::unique_ptr<Warp>& warp = blocks_[thread.block->index].warps[thread.thread / race::kWarp];
  if (!warp) warp = std::make_unique<Warp>();
  return *warp;
}

std::uint32_t TensorBlocks::queue_of(const race::ThreadState& state) {
  Block& block = blocks_[state.block->index];
  Thread& thread = block.threads[state.thread];
  if (!thread.has_queue) thread.queue = block.queues++;
  thread.has_queue = true;
  return thread.queue;
}

TensorKnowledge TensorBlocks::knowledge(race::ThreadState& state) {
  const Thread& own = thread(state);
  return {core->detector().publish(state), own.fenced, own.seen, own.heard};
}

TensorKnowledge TensorBlocks::knowledge_of_warp(race::ThreadState& state) {
  TensorKnowledge all = knowledge(state);
  std::set<race::ClockRef> taken{state.clock};
  const Block& block = blocks_[state.block->index];
  const std::vector<race::ThreadState>& threads = state.block->threads;
  for (std::uint32_t i = state.thread + 1; i < state.thread + race::kWarp && i < threads.size(); ++i) {
    if (taken.insert(threads[i].clock).second) all.known = race::joined(all.known, threads[i].clock);
    auto found = block.threads.find(i);
    if (found == block.threads.end()) continue;
    const Thread& lane = found->second;
    all.fenced = race::joined(all.fenced, lane.fenced);
    all.seen = race::joined(all.seen, lane.seen);
    all.heard = race::joined(all.heard, lane.heard);
  }
  return all;
}

void TensorBlocks::fence_before(race::ThreadState& state) {
  Thread& own = thread(state);
  Fence made{state.interval(), race::joined(core->detector().publish(state), own.fenced)};
  own.released = made.before;
  own.fences.push_back(std::move(made));
  // Others may know only of earlier ones, but hardly of much earlier ones.
  if (own.fences.size() > kFencesKept) own.fences.pop_front();
}

race::ClockRef TensorBlocks::fences_known(Block& block, const race::ThreadState& state, const race::Clock& known) {
  race::ClockRef sum;
  for (auto& [number, thread] : block.threads) {
    const Fence* last = nullptr;
    for (const Fence& fence : thread.fences) {
      if (known.knows({state.block->index, number}, fence.at)) last = &fence;
    }
    if (last != nullptr) sum = race::joined(sum, last->before);
    while (!thread.fences.empty() && thread.fences.front().at < state.block->barrier_from) {
      block.fenced = race::joined(block.fenced, thread.fences.front().before);
      thread.fences.pop_front();
    }
  }
  return race::joined(sum, block.fenced);
}

void TensorBlocks::fence_after(race::ThreadState& state) {
  Thread& own = thread(state);
  const race::ClockRef known = core->detector().publish(state);
  own.seen = known;
  own.fenced =
      race::joined(race::joined(own.fenced, fences_known(blocks_[state.block->index], state, *known)), own.heard);
  own.heard = nullptr;
}

race::ClockRef TensorBlocks::released(const race::ThreadState& state) const {
  auto block = blocks_.find(state.block->index);
  if (block == blocks_.end()) return nullptr;
  auto found = block->second.threads.find(state.thread);
  return found == block->second.threads.end() ? nullptr : found->second.released;
}

void TensorBlocks::hear(const race::ThreadState& state, const race::ClockRef& released) {
  if (!released) return;
  Thread& own = thread(state);
  own.heard = race::joined(own.heard, released);
}

void TensorBlocks::use_flag(const race::ThreadState& state, std::uint64_t address, bool reads, bool writes) {
  auto found = flags_.find(address);
  race::ClockRef carried = found == flags_.end() ? nullptr : found->second;
  if (reads) hear(state, carried);
  if (!writes) return;
  // An update carries on what it read.
  const race::ClockRef made = race::joined(reads ? carried : nullptr, released(state));
  if (made) {
    flags_[address] = made;
  } else if (found != flags_.end()) {
    flags_.erase(found);
  }
}

}  // namespace weakspot::race_jit
