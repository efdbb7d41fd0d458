// SPDX-License-Identifier: MIT
// Barriers of clusters and of the grid, and the shared memory of the other blocks of a cluster.
#include "race_jit/machine/meeting.h"

#include <algorithm>
#include <utility>

#include "race_jit/machine/block_run.h"
#include "race_jit/machine/machine.h"
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

// How to wait for what counts at an mbarrier of another block than the one whose memory it uses.
constexpr const char* kElsewhere =
    "wait at the mbarrier, and let all blocks of the cluster meet at a last cluster.sync()";

}  // namespace

// The meeting that the current thread belongs to.
Meeting& Machine::meeting(Wait kind) {
  if (kind == Wait::grid_barrier) return grid_;
  if (!running_->cluster) {
    running_->cluster = std::make_shared<Meeting>();
    running_->cluster->blocks = {running_};
  }
  return *running_->cluster;
}

void Machine::arrive(Wait kind, bool relaxed) {
  ThreadContext& thread = *weakspot_current;
  Meeting& here = meeting(kind);
  if (!relaxed) {
    detector_.arrive(*thread.state, here.gathering);
  } else if (const race::ClockRef fenced = race::Detector::fenced(*thread.state, has_clusters())) {
    if (!here.gathering.clock) here.gathering.clock = std::make_shared<race::Clock>();
    here.gathering.clock->join(*fenced);
  }
  set_arrived(thread, kind, marks_of(here));
  count_change();
}

void Machine::wait_for_blocks(Wait kind, race::SiteId site) {
  ThreadContext& thread = *weakspot_current;
  Meeting& here = meeting(kind);
  if ((thread.arrived & mark_of(kind)) != 0 && !came_before(thread, here)) {
    set_arrived(thread, kind, 0);
    detector_.leave(*thread.state, here.opened);
    return;
  }
  wait(kind, site);
}

// Lets the blocks go on if each of their threads has arrived or ended.
bool Machine::settle(Meeting& here) {
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
    note(std::move(incident));
  }
  open(here, one_step);
  return true;
}

void Machine::open(Meeting& here, bool one_step) {
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
    detector_.grid_barrier(states);
  } else if (one_step) {
    detector_.blocks_barrier(states);
  } else {
    each_waiting([&](ThreadContext& thread) {
      if (!came_before(thread, here)) detector_.arrive(*thread.state, here.gathering);
    });
    here.opened = std::exchange(here.gathering, {});
    each_waiting([&](ThreadContext& thread) { detector_.leave(*thread.state, here.opened); });
  }
  each_waiting([&](ThreadContext& thread) {
    thread.wait = Wait::nothing;
    set_arrived(thread, here.kind, 0);
  });
  ++here.phase;
}

bool Machine::settle_grid() {
  // A block that has ended never arrives.
  if (live_.size() != request_->grid.count()) return false;
  grid_.blocks.clear();
  for (const auto& block : live_) {
    if (block->running == 0) return false;
    grid_.blocks.push_back(block.get());
  }
  return settle(grid_);
}

bool Machine::settle_clusters() {
  bool settled = false;
  for (const auto& block : live_) {
    if (block->cluster && block->rank == 0) settled = settle(*block->cluster) || settled;
  }
  return settled;
}

// The memory of a block exists as long as any block of its cluster runs.
bool Machine::has_left(const BlockRun& block) const {
  if (!block.cluster) return block.running == 0;
  return std::all_of(block.cluster->blocks.begin(), block.cluster->blocks.end(),
                     [](const BlockRun* other) { return other->running == 0; });
}

const BlockRun* Machine::owner_in_cluster(const void* address) const {
  if (running_ == nullptr || !running_->cluster) return nullptr;
  for (const BlockRun* block : running_->cluster->blocks) {
    const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - arena_->window(block->window));
    if (offset < request_->shared_bytes()) return block;
  }
  return nullptr;
}

bool Machine::is_of_ended_block(const void* address) const {
  const BlockRun* owner = owner_in_cluster(address);
  return owner != nullptr && owner->running == 0;
}

const BlockRun* Machine::owner_of(const void* address) const {
  return is_in_own_block(address) ? running_ : owner_in_cluster(address);
}

void Machine::note_use(const race::ThreadState& user, const void* address, std::uint64_t size, bool write,
                       race::SiteId site, const BulkEnd& end) {
  const BlockRun* owner = owner_of(address);
  if (owner == nullptr) return;
  const bool counted = end.gate != nullptr && owner_of(end.gate) == owner;
  uses_.add(owner->state.index, {.user = {user.block->index, user.thread},
                                 .issuer = {weakspot_current->state->block->index, weakspot_current->number},
                                 .at = user.interval(),
                                 .site = site,
                                 .address = reinterpret_cast<std::uint64_t>(address),
                                 .size = size,
                                 .write = write,
                                 .end = end.gate != nullptr && !counted ? kElsewhere : end.how,
                                 .gate = counted ? reinterpret_cast<std::uint64_t>(end.gate) : 0,
                                 .phase = counted ? gates_.phase(gate_at(end.gate)) : 0});
}

void Machine::note_arrival(const void* gate, std::uint64_t phase, race::SiteId site) {
  const BlockRun* owner = owner_in_cluster(gate);
  if (owner == nullptr) return;
  const race::ThreadState& user = *weakspot_current->state;
  const race::ThreadName name{user.block->index, user.thread};
  uses_.add(owner->state.index, {.user = name,
                                 .issuer = name,
                                 .at = user.interval(),
                                 .site = site,
                                 .address = reinterpret_cast<std::uint64_t>(gate),
                                 .size = 8,
                                 .write = true,
                                 .arrives = true,
                                 .gate = reinterpret_cast<std::uint64_t>(gate),
                                 .phase = phase});
}

void Machine::forget_counted(const void* gate) {
  if (const BlockRun* owner = owner_of(gate)) {
    uses_.forget_counted(owner->state.index, reinterpret_cast<std::uint64_t>(gate));
  }
}

// All its threads have ended. Whatever one of them knew of was over before.
void Machine::end_block(BlockRun& block) {
  const std::vector<SharedUse> uses = uses_.take(block.state.index);
  if (uses.empty()) return;
  const race::ClockRef known = race::Detector::known_to_any(block.state);
  for (const SharedUse& use : uses) {
    // Threads of the whole grid have met since then.
    if (!use.user.uses_async_proxy() && use.at < block.state.shared_from) continue;
    if (known && known->knows(use.user, use.at)) {
      // Perhaps by a barrier that orders nothing else.
      const bool by_blocks = block.state.met && block.state.met->knows(use.user, use.at);
      if (!by_blocks && use.user.home() != block.state.index) detector_.keep_met();
      continue;
    }
    if (use.gate != 0 && gates_.seen(gate_at(reinterpret_cast<const void*>(use.gate))) > use.phase) continue;
    const bool asynchronous = use.end != nullptr;
    Incident incident{.kind = asynchronous ? Incident::Kind::left_running : Incident::Kind::ended_block,
                      .site = use.site};
    incident.thread = use.issuer;
    incident.address = use.address;
    incident.size = use.size;
    incident.write = use.write;
    incident.text = asynchronous ? use.end : use.arrives ? "arrival at an mbarrier" : "";
    note(std::move(incident));
  }
}

bool Machine::in_cluster_bounds(const void* address, unsigned size) const {
  const BlockRun* owner = owner_in_cluster(address);
  if (owner == nullptr || owner->running == 0) return false;
  return size <= request_->shared_bytes() -
                     static_cast<std::uint64_t>(static_cast<const char*>(address) - arena_->window(owner->window));
}

char* Machine::map_shared(const void* address, std::uint32_t rank) {
  const Meeting& cluster = meeting(Wait::cluster_barrier);
  const auto offset = static_cast<const char*>(address) - arena_->base();
  if (!arena_->contains(address) || !arena_->is_shared(address) || rank >= cluster.blocks.size()) return nullptr;
  return arena_->window(cluster.blocks[rank]->window) + offset % static_cast<std::ptrdiff_t>(Arena::kWindow);
}

std::uint32_t Machine::shared_rank(const void* address) {
  const Meeting& cluster = meeting(Wait::cluster_barrier);
  const BlockRun* owner = owner_in_cluster(address);
  return owner == nullptr ? static_cast<std::uint32_t>(cluster.blocks.size()) : owner->rank;
}

std::uint32_t Machine::cluster_register(int which) const {
  const Extent& sizes = request_->cluster;
  const auto axis = static_cast<unsigned>(which) % 3;
  if (which < kClusterSize) return weakspot_current->block[axis] % sizes[axis];
  if (which < kClusterInGrid) return sizes[axis];
  if (which < kClusterCount) return weakspot_current->block[axis] / sizes[axis];
  if (which < kRankInCluster) return weakspot_current->grid_size[axis] / sizes[axis];
  return which == kRankInCluster ? running_->rank : static_cast<std::uint32_t>(sizes.count());
}

namespace {

Wait kind_of(std::uint32_t blocks) { return blocks != kGrid ? Wait::cluster_barrier : Wait::grid_barrier; }

}  // namespace

extern "C" {

void weakspot_grid_barrier(std::uint32_t site) {
  if (machine->is_mutated(site_id(site), race::MutantKind::no_barrier)) return;
  machine->wait_for_blocks(Wait::grid_barrier, site_id(site));
}

void weakspot_cluster_barrier(std::uint32_t site) {
  if (machine->is_mutated(site_id(site), race::MutantKind::no_barrier)) return;
  machine->wait_for_blocks(Wait::cluster_barrier, site_id(site));
}

void weakspot_blocks_arrive(std::uint32_t blocks, std::uint32_t) {
  const InRuntime inside;
  machine->arrive(kind_of(blocks), blocks == kClusterRelaxed);
}

void weakspot_blocks_wait(std::uint32_t blocks, std::uint32_t site) {
  machine->wait_for_blocks(kind_of(blocks), site_id(site));
}

// The place of a shared variable in another block of the cluster; null if there is none.
void* weakspot_map_shared(const void* address, std::uint32_t rank, std::uint32_t) {
  return machine->map_shared(address, rank);
}

std::uint32_t weakspot_shared_rank(const void* address, std::uint32_t) { return machine->shared_rank(address); }

std::uint32_t weakspot_cluster_register(int which, std::uint32_t) { return machine->cluster_register(which); }

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
