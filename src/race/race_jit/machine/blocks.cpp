// SPDX-License-Identifier: MIT
#include "race_jit/machine/blocks.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "race_jit/machine/core.h"

namespace weakspot::race_jit {
namespace {

// The memory of a block exists as long as any block of its cluster runs.
bool has_left(const BlockRun& block) {
  if (!block.cluster) return block.running == 0;
  return std::all_of(block.cluster->blocks.begin(), block.cluster->blocks.end(),
                     [](const BlockRun* other) { return other->running == 0; });
}

}  // namespace

std::unique_ptr<BlockRun> Blocks::make(std::uint64_t index) {
  const LaunchRequest& request = core_.request();
  Arena& arena = core_.arena();
  std::unique_ptr<BlockRun> run;
  if (idle_.empty()) {
    run = std::make_unique<BlockRun>();
  } else {
    run = std::move(idle_.back());
    idle_.pop_back();
  }
  const auto count = static_cast<unsigned>(request.block.count());
  run->window = free_windows_.back();
  free_windows_.pop_back();
  run->contexts.assign(count, {});
  run->stack_pointers.assign(count, nullptr);
  run->same_again = run->progress = run->mixed_barrier = false;
  run->at_bare_barrier = 0;
  run->at_barrier = run->in_warp_operation = 0;
  run->rng = base::Rng(request.seed + (index + 1) * 0x9e3779b97f4a7c15u);
  core_.detector().start_block(run->state, static_cast<std::uint32_t>(request.first_block + index), count);
  // Shared memory begins as zeros: leftovers would depend on which block had the window before.
  std::memset(arena.window(run->window), 0, request.shared_bytes());
  core_.gates().clear(arena.window(run->window), Arena::kWindow);
  const std::array<std::uint32_t, 3> position = request.grid.coordinates(index);
  SiteWindow* const windows = core_.windows().data();
  std::uint8_t* const marks = core_.marks().data();
  race::Cell* const cells = core_.windows().cells() + run->window * (Arena::kWindow / 4);
  for (unsigned i = 0; i < count; ++i) {
    ThreadContext& thread = run->contexts[i];
    thread.state = &run->state.threads[i];
    thread.bounds = &run->state.bounds;
    thread.shared = arena.window(run->window);
    thread.shared_bytes = request.shared_bytes();
    // Memory that other blocks may access is not judged by the bounds of one block.
    thread.shared_words = request.has_clusters() ? 0 : request.shared_bytes() / 4;
    thread.shared_cells = cells;
    thread.windows = windows;
    thread.marks = marks;
    thread.number = i;
    thread.thread = request.block.coordinates(i);
    thread.block = position;
    thread.block_size = request.block;
    thread.grid_size = request.grid;
  }
  run->running = count;
  return run;
}

void Blocks::start_cluster(std::uint64_t number) {
  const Extent& c = core_.request().cluster;
  const Extent& g = core_.request().grid;
  if (c.count() == 1) return start(number);
  const Extent clusters{g.x / c.x, g.y / c.y, g.z / c.z};
  const std::array<std::uint32_t, 3> first = clusters.coordinates(number);
  auto cluster = std::make_shared<Meeting>();
  std::vector<race::BlockState*> states;
  const auto count = static_cast<std::uint32_t>(c.count());
  cluster->blocks.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t rank = core_.turns().schedule() == Schedule::reversed ? count - 1 - i : i;
    const std::array<std::uint32_t, 3> inside = c.coordinates(rank);
    const std::uint64_t x = first[0] * c.x + inside[0], y = first[1] * c.y + inside[1], z = first[2] * c.z + inside[2];
    start((z * g.y + y) * g.x + x);
    live_.back()->cluster = cluster;
    live_.back()->rank = rank;
    cluster->blocks[rank] = live_.back().get();
    states.push_back(&live_.back()->state);
  }
  core_.detector().join_blocks(states);
}

void Blocks::release(std::unique_ptr<BlockRun> block) {
  std::uint64_t accesses = 0;
  for (ThreadContext& thread : block->contexts) {
    core_.turns().give_back_stack(thread);
    accesses += thread.accesses;
  }
  core_.counts().checked += accesses;
  if (block->running == 0) ++core_.counts().blocks;
  if (!core_.turns().is_abandoned()) core_.shared().end_block(*block);
  if (block->running == 0 && !core_.turns().is_abandoned()) core_.tensor().end_block(*block);
  core_.tensor().forget(block->state.index);
  core_.bulk().forget(block->state.index);
  free_windows_.push_back(block->window);
  block->cluster = nullptr;
  block->rank = 0;
  idle_.push_back(std::move(block));
}

bool Blocks::release_ended() {
  return std::erase_if(live_, [&](std::unique_ptr<BlockRun>& block) {
           if (!has_left(*block)) return false;
           if (!std::exchange(some_ended_, true)) {
             ended_ = {block->state.index, 0};
             ended_at_ = block->contexts.front().site;
           }
           release(std::move(block));
           return true;
         }) > 0;
}

void Blocks::release_all() {
  for (auto& block : live_) release(std::move(block));
  live_.clear();
}

bool Blocks::any_ready() const {
  return std::any_of(live_.begin(), live_.end(), [](const auto& block) {
    return std::any_of(block->contexts.begin(), block->contexts.end(),
                       [](const ThreadContext& thread) { return thread.wait == Wait::nothing; });
  });
}

std::uint64_t Blocks::running() const {
  std::uint64_t count = 0;
  for (const auto& block : live_) count += block->running;
  return count;
}

std::uint64_t Blocks::accesses() const {
  std::uint64_t count = 0;
  for (const auto& block : live_) {
    for (const ThreadContext& thread : block->contexts) count += thread.accesses;
  }
  return count;
}

bool Blocks::have_changed_memory() {
  bool changed = std::exchange(core_.counts().changes, 0) != 0;
  for (const auto& block : live_) {
    for (ThreadContext& thread : block->contexts) {
      changed = changed || thread.wrote;
      thread.wrote = false;
    }
  }
  return changed;
}

void Blocks::report_stuck() const {
  for (const auto& block : live_) {
    const ThreadContext* first = nullptr;
    for (const ThreadContext& thread : block->contexts) {
      if (thread.wait == Wait::finished) continue;
      if (first == nullptr || (thread.site != first->site && first->site != 0)) {
        const bool in_vain = thread.wait == Wait::grid_barrier && first == nullptr && some_ended_;
        Incident incident{.kind = in_vain ? Incident::Kind::absent_block : Incident::Kind::stuck, .site = thread.site};
        incident.thread = {block->state.index, thread.number};
        if (in_vain) {
          incident.other_site = ended_at_;
          incident.other_thread = ended_;
        }
        if (first != nullptr) {
          incident.other_site = first->site;
          incident.other_thread = {block->state.index, first->number};
        }
        incident.wait = thread.wait;
        if (thread.wait == Wait::nothing) incident.address = thread.operation.value;
        core_.note(std::move(incident));
        if (first != nullptr) break;
        first = &thread;
      }
    }
  }
}

}  // namespace weakspot::race_jit
