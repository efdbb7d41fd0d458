// SPDX-License-Identifier: MIT
#include "race_jit/machine/meetings.h"

#include <algorithm>
#include <utility>

#include "race_jit/machine/block_run.h"
#include "race_jit/machine/core.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

// ThreadContext::arrived holds a bit for either kind, and a second bit that tells whether the phase was odd. A thread
// that has not waited yet is at most one phase behind.
std::uint8_t mark_of(Wait kind) { return kind == Wait::grid_barrier ? 1 : 2; }
std::uint8_t marks_of(const Meeting& here) {
  const std::uint8_t mark = mark_of(here.kind);
  return static_cast<std::uint8_t>(here.phase % 2 == 0 ? mark : mark | mark << 2);
}

void set_arrived(ThreadContext& thread, Wait kind, std::uint8_t marks) {
  const std::uint8_t both = static_cast<std::uint8_t>(mark_of(kind) * 5);
  thread.arrived = static_cast<std::uint8_t>((thread.arrived & ~both) | marks);
}

// Whether the thread has arrived for this phase and does not wait yet.
bool came_before(const ThreadContext& thread, const Meeting& here) {
  return (thread.arrived & mark_of(here.kind) * 5) == marks_of(here);
}

}  // namespace

Meeting& Meetings::own_cluster() {
  BlockRun* running = core_.turns().running();
  if (!running->cluster) {
    running->cluster = std::make_shared<Meeting>();
    running->cluster->blocks = {running};
  }
  return *running->cluster;
}

bool Meetings::has_met() {
  auto phases = [](const Meeting& here) {
    const bool arrived = (weakspot_current->arrived & mark_of(here.kind)) != 0;
    // It arrived for the last phase and has not waited yet.
    return here.phase - (arrived && !came_before(*weakspot_current, here) ? 1 : 0);
  };
  return phases(grid_) > 0 || phases(own_cluster()) > 0;
}

void Meetings::arrive(Wait kind, bool relaxed) {
  ThreadContext& thread = *weakspot_current;
  Meeting& here = of(kind);
  if (!relaxed) {
    core_.detector().arrive(*thread.state, here.gathering);
  } else if (const race::ClockRef fenced = race::fenced_clock(*thread.state, core_.request().has_clusters())) {
    if (!here.gathering.clock) here.gathering.clock = std::make_shared<race::Clock>();
    here.gathering.clock->join(*fenced);
  }
  set_arrived(thread, kind, marks_of(here));
  core_.counts().changes++;
}

void Meetings::wait(Wait kind, race::SiteId site) {
  ThreadContext& thread = *weakspot_current;
  Meeting& here = of(kind);
  if ((thread.arrived & mark_of(kind)) != 0 && !came_before(thread, here)) {
    set_arrived(thread, kind, 0);
    core_.detector().leave(*thread.state, here.opened);
    return;
  }
  core_.turns().wait(kind, site);
}

// Lets the blocks go on if each of their threads has arrived or ended.
bool Meetings::settle(Meeting& here) {
  const ThreadContext *first = nullptr, *ended = nullptr;
  race::ThreadName first_name, ended_name;
  bool one_step = true;
  for (const BlockRun* block : here.blocks) {
    for (const ThreadContext& thread : block->contexts) {
      const bool before = came_before(thread, here);
      if (before || thread.wait == here.kind) {
        one_step = one_step && !before;
        if (thread.wait != here.kind || first != nullptr) continue;
        first = &thread;
        first_name = {block->state.index, thread.number};
      } else if (thread.wait != Wait::finished) {
        return false;
      } else if (ended == nullptr) {
        ended = &thread;
        ended_name = {block->state.index, thread.number};
      }
    }
  }
  if (first == nullptr) return false;
  if (ended != nullptr) {
    Incident incident{.kind = Incident::Kind::exited_early, .site = first->site, .other_site = ended->site};
    incident.thread = first_name;
    incident.other_thread = ended_name;
    core_.note(std::move(incident));
  }
  open(here, one_step);
  return true;
}

void Meetings::open(Meeting& here, bool one_step) {
  std::vector<race::BlockState*> states;
  for (BlockRun* block : here.blocks) states.push_back(&block->state);
  auto each_waiting = [&](auto&& act) {
    for (BlockRun* block : here.blocks) {
      for (ThreadContext& thread : block->contexts) {
        if (thread.wait == here.kind) act(thread);
      }
    }
  };
  if (one_step && here.kind == Wait::grid_barrier) {
    core_.detector().grid_barrier(states);
  } else if (one_step) {
    core_.detector().blocks_barrier(states);
  } else {
    each_waiting([&](ThreadContext& thread) {
      if (!came_before(thread, here)) core_.detector().arrive(*thread.state, here.gathering);
    });
    here.opened = std::exchange(here.gathering, {});
    each_waiting([&](ThreadContext& thread) { core_.detector().leave(*thread.state, here.opened); });
  }
  each_waiting([&](ThreadContext& thread) {
    thread.wait = Wait::nothing;
    set_arrived(thread, here.kind, 0);
  });
  ++here.phase;
}

bool Meetings::settle_grid() {
  // A block that has ended never arrives.
  if (core_.blocks().live().size() != core_.request().grid.count()) return false;
  grid_.blocks.clear();
  for (const auto& block : core_.blocks().live()) {
    if (block->running == 0) return false;
    grid_.blocks.push_back(block.get());
  }
  return settle(grid_);
}

bool Meetings::settle_clusters() {
  bool settled = false;
  for (const auto& block : core_.blocks().live()) {
    if (block->cluster && block->rank == 0) settled = settle(*block->cluster) || settled;
  }
  return settled;
}

namespace {

std::uint32_t cluster_register(int which) {
  const Extent& sizes = core->request().cluster;
  const auto axis = static_cast<unsigned>(which) % 3;
  if (which < kClusterSize) return weakspot_current->block[axis] % sizes[axis];
  if (which < kClusterInGrid) return sizes[axis];
  if (which < kClusterCount) return weakspot_current->block[axis] / sizes[axis];
  if (which < kRankInCluster) return weakspot_current->grid_size[axis] / sizes[axis];
  return which == kRankInCluster ? core->turns().running()->rank : static_cast<std::uint32_t>(sizes.count());
}

Wait kind_of(std::uint32_t blocks) { return blocks != kGrid ? Wait::cluster_barrier : Wait::grid_barrier; }

}  // namespace

extern "C" {

void weakspot_grid_barrier(std::uint32_t site) {
  if (core->mutation().applies(site_id(site), race::MutantKind::no_barrier)) return;
  core->meetings().wait(Wait::grid_barrier, site_id(site));
}

void weakspot_cluster_barrier(std::uint32_t site) {
  if (core->mutation().applies(site_id(site), race::MutantKind::no_barrier)) return;
  core->meetings().wait(Wait::cluster_barrier, site_id(site));
}

void weakspot_blocks_arrive(std::uint32_t blocks, std::uint32_t) {
  const InRuntime inside;
  core->meetings().arrive(kind_of(blocks), blocks == kClusterRelaxed);
}

void weakspot_blocks_wait(std::uint32_t blocks, std::uint32_t site) {
  core->meetings().wait(kind_of(blocks), site_id(site));
}

// The place of a shared variable in another block of the cluster; null if there is none.
void* weakspot_map_shared(const void* address, std::uint32_t rank, std::uint32_t) {
  return core->shared().mapped(address, rank);
}

std::uint32_t weakspot_shared_rank(const void* address, std::uint32_t) { return core->shared().rank_of(address); }

std::uint32_t weakspot_cluster_register(int which, std::uint32_t) { return cluster_register(which); }

}  // extern "C"

std::optional<std::uint32_t> cluster_register_number(std::string_view name) {
  if (name == "%cluster_ctarank") return kRankInCluster;
  if (name == "%cluster_nctarank") return kBlocksOfCluster;
  static constexpr std::pair<std::string_view, ClusterRegister> kVectors[] = {{"%cluster_ctaid", kBlockInCluster},
                                                                              {"%cluster_nctaid", kClusterSize},
                                                                              {"%clusterid", kClusterInGrid},
                                                                              {"%nclusterid", kClusterCount}};
  for (const auto& [vector, first] : kVectors) {
    if (name.size() != vector.size() + 2 || !name.starts_with(vector) || name[name.size() - 2] != '.') continue;
    const auto axis = static_cast<std::uint32_t>(name.back() - 'x');
    if (axis < 3) return static_cast<std::uint32_t>(first) + axis;
  }
  return std::nullopt;
}

std::vector<HookSymbol> meeting_hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&name)}
      HOOK(weakspot_grid_barrier),     HOOK(weakspot_cluster_barrier), HOOK(weakspot_blocks_arrive),
      HOOK(weakspot_blocks_wait),      HOOK(weakspot_map_shared),      HOOK(weakspot_shared_rank),
      HOOK(weakspot_cluster_register),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
