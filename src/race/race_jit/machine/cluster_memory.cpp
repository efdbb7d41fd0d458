// SPDX-License-Identifier: MIT
#include "race_jit/machine/cluster_memory.h"

#include "race_jit/machine/core.h"

namespace weakspot::race_jit {
namespace {

// Advice for operations that count at an mbarrier of another block than the one whose memory they use.
constexpr const char* kElsewhere =
    "wait at the mbarrier, and let all blocks of the cluster meet at a last cluster.sync()";

}  // namespace

const BlockRun* ClusterMemory::owner_in_cluster(const void* address) const {
  if (core_.turns().running() == nullptr || !core_.turns().running()->cluster) return nullptr;
  for (const BlockRun* block : core_.turns().running()->cluster->blocks) {
    const auto offset =
        static_cast<std::uint64_t>(static_cast<const char*>(address) - core_.arena().window(block->window));
    if (offset < core_.request().shared_bytes()) return block;
  }
  return nullptr;
}

bool ClusterMemory::is_of_ended_block(const void* address) const {
  const BlockRun* owner = owner_in_cluster(address);
  return owner != nullptr && owner->running == 0;
}

const BlockRun* ClusterMemory::owner_of(const void* address) const {
  return is_in_own_block(address) ? core_.turns().running() : owner_in_cluster(address);
}

// Blocks of a cluster run at the same time, but nothing says since when. Whatever a thread of the owner did tells.
void ClusterMemory::check_started(const race::ThreadState& user, const BlockRun& owner, Incident incident) {
  if (&owner == core_.turns().running() || core_.meetings().has_met()) return;
  for (const race::ClockRef& clock : {user.clock, user.pending_near, user.pending_cluster, user.pending_wide}) {
    if (clock && clock->knows_of(owner.state.index)) return;
  }
  incident.kind = Incident::Kind::unstarted_block;
  incident.thread = {weakspot_current->state->block->index, weakspot_current->number};
  core_.note(std::move(incident));
}

void ClusterMemory::note_use(const race::ThreadState& user, const void* address, std::uint64_t size, bool write,
                             race::SiteId site, const BulkEnd& end) {
  const BlockRun* owner = owner_of(address);
  if (owner == nullptr) return;
  check_started(user, *owner,
                {.site = site, .address = reinterpret_cast<std::uint64_t>(address), .size = size, .write = write});
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
                                 .phase = counted ? core_.gates().phase(gate_at(end.gate)) : 0});
}

void ClusterMemory::note_arrival(const void* gate, std::uint64_t phase, race::SiteId site) {
  const BlockRun* owner = owner_in_cluster(gate);
  if (owner == nullptr) return;
  const race::ThreadState& user = *weakspot_current->state;
  check_started(
      user, *owner,
      {.site = site, .address = reinterpret_cast<std::uint64_t>(gate), .size = 8, .write = true, .arrives = true});
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

void ClusterMemory::count(const race::ThreadName& agent, const void* gate) {
  uses_.count(core_.turns().running()->state.index, agent, reinterpret_cast<std::uint64_t>(gate),
              core_.gates().phase(gate_at(gate)), [this](const SharedUse& use) { return has_seen_end(use); });
}

bool ClusterMemory::has_seen_end(const SharedUse& use) const {
  return use.gate != 0 && core_.gates().seen(gate_at(reinterpret_cast<const void*>(use.gate))) > use.phase;
}

void ClusterMemory::forget_counted(const void* gate) {
  if (const BlockRun* owner = owner_of(gate)) {
    uses_.forget_counted(owner->state.index, reinterpret_cast<std::uint64_t>(gate));
  }
}

// Whatever one of its threads knew of was over before.
void ClusterMemory::end_block(BlockRun& block) {
  const std::vector<SharedUse> uses = uses_.take(block.state.index);
  if (uses.empty()) return;
  const race::ClockRef known = race::known_to_any(block.state);
  for (const SharedUse& use : uses) {
    // Threads of the whole grid have met since then.
    if (!use.user.uses_async_proxy() && use.at < block.state.shared_from) continue;
    if (known && known->knows(use.user, use.at)) {
      // Perhaps by a barrier that orders nothing else.
      const bool by_blocks = block.state.met && block.state.met->knows(use.user, use.at);
      if (!by_blocks && use.user.home() != block.state.index) core_.detector().barriers().keep_met();
      continue;
    }
    if (has_seen_end(use)) continue;
    const bool asynchronous = use.end != nullptr;
    Incident incident{.kind = asynchronous ? Incident::Kind::left_running : Incident::Kind::ended_block,
                      .site = use.site};
    incident.thread = use.issuer;
    incident.address = use.address;
    incident.size = use.size;
    incident.write = use.write;
    incident.arrives = use.arrives;
    if (asynchronous) incident.text = use.end;
    core_.note(std::move(incident));
  }
}

bool ClusterMemory::is_in_bounds(const void* address, unsigned size) const {
  const BlockRun* owner = owner_in_cluster(address);
  if (owner == nullptr || owner->running == 0) return false;
  return size <= core_.request().shared_bytes() - static_cast<std::uint64_t>(static_cast<const char*>(address) -
                                                                             core_.arena().window(owner->window));
}

char* ClusterMemory::mapped(const void* address, std::uint32_t rank) {
  const Meeting& cluster = core_.meetings().own_cluster();
  const auto offset = static_cast<const char*>(address) - core_.arena().base();
  if (!core_.arena().contains(address) || !core_.arena().is_shared(address) || rank >= cluster.blocks.size())
    return nullptr;
  return core_.arena().window(cluster.blocks[rank]->window) + offset % static_cast<std::ptrdiff_t>(Arena::kWindow);
}

std::uint32_t ClusterMemory::rank_of(const void* address) {
  const Meeting& cluster = core_.meetings().own_cluster();
  const BlockRun* owner = owner_in_cluster(address);
  return owner == nullptr ? static_cast<std::uint32_t>(cluster.blocks.size()) : owner->rank;
}

}  // namespace weakspot::race_jit
