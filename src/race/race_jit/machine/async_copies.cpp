// SPDX-License-Identifier: MIT
#include "race_jit/machine/async_copies.h"

#include <algorithm>
#include <cstring>

#include "race_jit/machine/core.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {

AsyncCopies::Block* AsyncCopies::find(const race::ThreadState& thread) {
  auto found = blocks_.find(thread.block->index);
  return found == blocks_.end() ? nullptr : &found->second;
}

AsyncCopies::Block& AsyncCopies::block_of(const race::ThreadState& thread) {
  Block& block = blocks_[thread.block->index];
  if (block.groups.empty()) {
    const auto threads = static_cast<unsigned>(thread.block->threads.size());
    core->detector().start_block(block.copiers, thread.block->index | kCopyingBlock, threads);
    block.groups.resize(threads);
  }
  // For copiers, accesses of the block's threads are as old as for these threads.
  block.copiers.first = thread.block->first;
  block.copiers.shared_from = thread.block->shared_from;
  return block;
}

race::ThreadState& AsyncCopies::copier_of(race::ThreadState& thread) {
  Block& block = block_of(thread);
  race::ThreadState& copier = block.copiers.threads[thread.thread];
  core->detector().learn(copier, core->detector().publish(thread));
  block.groups[thread.thread].open = true;
  return copier;
}

race::ClockRef AsyncCopies::copied(race::ThreadState& thread) {
  Block* block = find(thread);
  return block == nullptr ? nullptr : core->detector().publish(block->copiers.threads[thread.thread]);
}

void AsyncCopies::commit(race::ThreadState& thread) {
  Groups& groups = block_of(thread).groups[thread.thread];
  groups.closed.push_back(groups.open ? copied(thread) : nullptr);
  groups.open = false;
}

void AsyncCopies::wait(race::ThreadState& thread, std::uint32_t left) {
  Block* block = find(thread);
  if (block == nullptr) return;
  std::deque<race::ClockRef>& closed = block->groups[thread.thread].closed;
  while (closed.size() > left) {
    if (closed.front()) core->detector().learn(thread, closed.front());
    closed.pop_front();
  }
}

void AsyncCopies::wait_for_all(race::ThreadState& thread) {
  Block* block = find(thread);
  if (block == nullptr) return;
  block->groups[thread.thread] = {};
  core->detector().learn(thread, copied(thread));
}

namespace {

race::ThreadState& current_state() { return *weakspot_current->state; }

// The address to use, checked as an access of the copier; scratch memory if it is invalid.
void* checked_for_copy(race::ThreadState& copier, void* address, std::uint64_t size, bool write, std::uint32_t site) {
  if (core->turns().is_local(address)) return address;
  if (!is_valid_access(address, size, write, site) || core->has_given_up()) return core->windows().scratch(size);
  race::Access access;
  access.address = reinterpret_cast<std::uint64_t>(address);
  access.size = static_cast<unsigned>(size);
  access.kind = write ? race::AccessKind::write : race::AccessKind::read;
  access.space = core->arena().is_shared(address) ? race::Space::shared : race::Space::global;
  access.site = static_cast<race::SiteId>(site);
  // Strong, so that no comparison of the fast path finds it settled by a barrier; of block scope in a block of its own,
  // so that it is not an atomic for anybody.
  access.strong = true;
  access.scope = race::Scope::block;
  core->counts().checked++;
  core->detector().access(copier, access);
  return address;
}

}  // namespace

extern "C" {

// Copies `given` bytes and fills the rest of `size` with zeros.
void weakspot_async_copy(void* to, const void* from, std::uint64_t size, std::uint64_t given, std::uint32_t site) {
  InRuntime inside;
  weakspot_current->site = static_cast<race::SiteId>(site);
  given = std::min(given, size);
  race::ThreadState& copier = core->copies().copier_of(current_state());
  std::vector<char> bytes(size, 0);
  if (given > 0) {
    std::memcpy(bytes.data(), checked_for_copy(copier, const_cast<void*>(from), given, false, site), given);
  }
  if (size > 0) std::memcpy(checked_for_copy(copier, to, size, true, site), bytes.data(), size);
  core->counts().changes++;
}

void weakspot_async_commit(std::uint32_t) {
  InRuntime inside;
  core->copies().commit(current_state());
}

void weakspot_async_wait(std::uint32_t left, std::uint32_t) {
  InRuntime inside;
  core->copies().wait(current_state(), left);
}

void weakspot_async_wait_all(std::uint32_t) {
  InRuntime inside;
  core->copies().wait_for_all(current_state());
}

// Threads that pass the barrier in this phase know of the copies so far.
void weakspot_async_tell(void* gate, std::uint32_t) {
  InRuntime inside;
  core->gates().tell({0, reinterpret_cast<std::uint64_t>(gate)}, core->copies().copied(current_state()));
}

}  // extern "C"

std::vector<HookSymbol> async_hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&name)}
      HOOK(weakspot_async_copy),     HOOK(weakspot_async_commit), HOOK(weakspot_async_wait),
      HOOK(weakspot_async_wait_all), HOOK(weakspot_async_tell),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
