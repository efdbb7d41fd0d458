// SPDX-License-Identifier: MIT
// Functions that compiled kernels call for asynchronous operations and for mbarriers with bytes.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "race_jit/hooks/tensor_copies.h"
#include "race_jit/machine/bulk_copies.h"
#include "race_jit/machine/core.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

// The way to wait for the end of a copy that counts at this mbarrier or, without one, in a group.
BulkEnd end_of(const void* gate) {
  if (gate != nullptr) return {"let a thread of that block wait at the mbarrier before it ends", gate};
  return {"wait for it with cp.async.bulk.wait_group.read 0 before the block ends", nullptr};
}

constexpr int kTurnsToGiveWay = 64;  // times that a thread gives way for an mbarrier to be initialised

race::ThreadState& issuing_thread() { return *weakspot_current->state; }

race::Access bulk_access(const BulkCopies::Agent& agent, const void* address, race::AccessKind kind,
                         std::uint32_t site) {
  race::Access access;
  access.address = reinterpret_cast<std::uint64_t>(address);
  access.kind = kind;
  access.space = core->arena().is_shared(address) ? race::Space::shared : race::Space::global;
  access.site = site_id(site);
  // Strong, so that no comparison of the fast path finds it settled by a barrier; of block scope in a block of its own,
  // so that it is not an atomic for anybody.
  access.strong = true;
  access.scope = race::Scope::block;
  access.asynchronous = true;
  access.of_product = agent.engine != race::Engine::copies;
  access.fenced = agent.fenced[static_cast<std::size_t>(access.space)].get();
  return access;
}

// An update of one element, which is atomic with others of its kind.
void checked_update(const BulkCopies::Agent& agent, void* address, int operation, unsigned size, std::uint64_t operand,
                    std::uint32_t site, const void* gate) {
  if (!is_valid_access(address, size, true, site, end_of(gate).how)) return;
  race::Access access = bulk_access(agent, address, race::AccessKind::update, site);
  access.size = size;
  access.scope = race::Scope::device;
  access.ignored = true;
  core->counts().checked++;
  if (access.space == race::Space::shared) {
    core->shared().note_use(*agent.writes, address, size, true, site_id(site), end_of(gate));
  }
  core->detector().access(*agent.writes, access);
  apply_atomic(address, operation, size, operand, 0);
}

// A worker gives up where the order of updates may depend on other blocks.
void leave_if_shared_by_blocks(const void* to) {
  const Arena& arena = core->arena();
  if (!arena.contains(to) || !arena.is_shared(to)) core->needs_others();
}

// One side of a bulk copy is shared memory. A size that is larger is invalid there, and large enough to be found so.
std::uint64_t within_shared(std::uint64_t size) { return std::min(size, Arena::kWindow); }

// The operation is over: its bytes count at the mbarrier, or its group is to be waited for.
void complete(const BulkCopies::Agent& agent, void* gate, std::uint64_t bytes, std::uint32_t site) {
  core->counts().changes++;
  if (gate == nullptr) {
    core->bulk().add_to_group(issuing_thread(), agent);
  } else if (use_mbarrier(gate, site)) {
    core->gates().tell(gate_at(gate), agent.done(), !is_in_own_block(gate));
    core->gates().expect_bytes(gate_at(gate), -static_cast<std::int64_t>(bytes));
  }
}

GateReach reach_of(std::uint32_t flags) {
  return (flags & kGateRelaxed) != 0 ? GateReach::nobody
         : (flags & kGateBlock) != 0 ? GateReach::block
                                     : GateReach::cluster;
}

// Notes an operation that names no scope: the text then means that of the block, and its writers mean that of the
// cluster.
void note_scope(std::uint32_t flags, std::uint32_t site) {
  if ((flags & (kGateRelaxed | kGateBlock | kGateCluster)) != 0) return;
  weakspot_not_modelled("mbarrier operation of unnamed scope between blocks, taken as one of cluster scope",
                        static_cast<std::uint32_t>(race::Effect::stronger), site);
}

// The tensor map that the copy goes by. A kernel may have written it, unless it is a parameter.
TensorMapBits map_of(const BulkCopies::Agent& agent, const void* map, std::uint32_t site) {
  TensorMapBits bits{};
  if (core->arena().contains(map)) {
    if (!is_valid_access(map, sizeof bits, false, site, nullptr) || core->has_given_up()) return bits;
    const BulkCopies::MapView view =
        core->bulk().map_view(issuing_thread(), *agent.reads->clock, reinterpret_cast<std::uint64_t>(map));
    race::Access access = bulk_access(agent, map, race::AccessKind::read, site);
    access.of_map = true;
    access.fenced = view.acquired.get();
    access.released = view.released.get();
    core->counts().checked++;
    for (std::uint64_t end = access.address + sizeof bits; access.address < end; access.address += access.size) {
      core->detector().access(*agent.reads, access);
    }
  }
  std::memcpy(&bits, map, sizeof bits);
  return bits;
}

// The box that a copy by a tensor map moves; nothing, which is listed, if that is not modelled.
std::optional<TensorBox> box_of(const TensorMapBits& bits, const std::array<std::int32_t, 5>& begin,
                                std::uint32_t site) {
  const char* why = nullptr;
  std::optional<TensorBox> box = TensorBox::make(bits, begin, &why);
  if (!box) weakspot_not_modelled(why, static_cast<std::uint32_t>(race::Effect::memory), site);
  return box;
}

// Calls act(place, offset in the box, size) for parts of the box that lie together in shared memory.
template <typename Act>
void for_each_part(const TensorBox& box, const void* shared, std::uint32_t from, std::uint32_t size, const Act& act) {
  for (std::uint32_t at = from; at < from + size;) {
    const std::uint32_t count = std::min(box.together(at), from + size - at);
    act(reinterpret_cast<void*>(box.place(reinterpret_cast<std::uint64_t>(shared), at)), at, count);
    at += count;
  }
}

}  // namespace

bool use_mbarrier(const void* gate, std::uint32_t site) {
  weakspot_current->site = site_id(site);
  if (!check_gate(gate, site)) return false;
  if (core->turns().is_local(gate)) return true;
  race::Access access;
  access.address = reinterpret_cast<std::uint64_t>(gate);
  access.size = 8;
  access.space = core->arena().is_shared(gate) ? race::Space::shared : race::Space::global;
  access.site = weakspot_current->site;
  access.strong = true;
  access.feeds_data = false;
  core->detector().access(issuing_thread(), access);
  return true;
}

void let_be_initialised(const void* gate, std::uint32_t site) {
  weakspot_current->site = site_id(site);
  weakspot_current->operation.value = reinterpret_cast<std::uint64_t>(gate);
  for (int i = 0; i < kTurnsToGiveWay && gate != nullptr && !core->gates().exists(gate_at(gate)); ++i) {
    core->give_way(gate);
  }
}

BulkTargets::BulkTargets(void* to, void* gate, std::uint32_t mask) {
  if (mask == 0) places[count++] = {to, gate};
  for (std::uint32_t rank = 0; rank < 32; ++rank) {
    if ((mask >> rank & 1) == 0) continue;
    places[count++] = {core->shared().mapped(to, rank), core->shared().mapped(gate, rank)};
  }
}

void* checked_for_bulk(const BulkCopies::Agent& agent, void* address, std::uint64_t size, bool write,
                       std::uint32_t site, const BulkEnd& end) {
  if (core->turns().is_local(address)) return address;
  if (!is_valid_access(address, size, write, site, end.how) || core->has_given_up())
    return core->windows().scratch(size);
  race::Access access = bulk_access(agent, address, write ? race::AccessKind::write : race::AccessKind::read, site);
  race::ThreadState& thread = write ? *agent.writes : *agent.reads;
  core->counts().checked++;
  if (access.space == race::Space::shared && size > 0) {
    core->shared().note_use(thread, address, size, write, site_id(site), end);
  }
  for (std::uint64_t at = 0; at < size; at += access.size) {
    access.address = reinterpret_cast<std::uint64_t>(address) + at;
    access.size = static_cast<unsigned>(std::min(4 - (access.address & 3), size - at));
    core->detector().access(thread, access);
  }
  return address;
}

extern "C" {

// Copies to shared memory or from it. With a mask, to the same place in each block of the cluster that the mask names,
// with its own mbarrier.
void weakspot_bulk_copy(void* to, const void* from, std::uint64_t size, void* gate, std::uint32_t mask,
                        std::uint32_t site) {
  const BulkTargets targets(to, gate, mask);
  for (const auto& [place, counter] : targets.all()) let_be_initialised(counter, site);
  InRuntime inside;
  size = within_shared(size);
  weakspot_current->site = site_id(site);
  const BulkCopies::Agent agent = core->bulk().start(issuing_thread());
  std::vector<char> bytes(size);
  std::memcpy(bytes.data(), checked_for_bulk(agent, const_cast<void*>(from), size, false, site, end_of(gate)), size);
  for (const auto& [place, counter] : targets.all()) {
    std::memcpy(checked_for_bulk(agent, place, size, true, site, end_of(counter)), bytes.data(), size);
    complete(agent, counter, size, site);
  }
}

void weakspot_bulk_reduce(void* to, const void* from, std::uint64_t size, void* gate, std::uint32_t operation,
                          std::uint32_t element, std::uint32_t site) {
  leave_if_shared_by_blocks(to);
  let_be_initialised(gate, site);
  InRuntime inside;
  weakspot_current->site = site_id(site);
  size = within_shared(size);
  const BulkCopies::Agent agent = core->bulk().start(issuing_thread());
  const char* source =
      static_cast<char*>(checked_for_bulk(agent, const_cast<void*>(from), size, false, site, end_of(gate)));
  const std::vector<char> bytes(source, source + size);
  for (std::uint64_t at = 0; at + element <= size; at += element) {
    std::uint64_t operand = 0;
    std::memcpy(&operand, bytes.data() + at, element);
    checked_update(agent, static_cast<char*>(to) + at, static_cast<int>(operation), element, operand, site, gate);
  }
  complete(agent, gate, size, site);
}

// cp.async.bulk.tensor to shared memory, with a mask as above.
void weakspot_tensor_load(void* to, const void* map, std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t v,
                          std::int32_t w, void* gate, std::uint32_t mask, std::uint32_t site) {
  const BulkTargets targets(to, gate, mask);
  for (const auto& [place, counter] : targets.all()) let_be_initialised(counter, site);
  InRuntime inside;
  weakspot_current->site = site_id(site);
  const BulkCopies::Agent agent = core->bulk().start(issuing_thread());
  const std::optional<TensorBox> box = box_of(map_of(agent, map, site), {x, y, z, v, w}, site);
  if (!box) return;
  std::vector<char> bytes(box->bytes());
  for (const TensorBox::Piece& piece : box->pieces()) {
    const void* from = checked_for_bulk(agent, reinterpret_cast<void*>(piece.address), piece.size, false, site, {});
    std::memcpy(&bytes[piece.offset], from, piece.size);
  }
  for (const auto& [begin, counter] : targets.all()) {
    for_each_part(*box, begin, 0, box->bytes(), [&](void* place, std::uint32_t offset, std::uint32_t size) {
      std::memcpy(checked_for_bulk(agent, place, size, true, site, end_of(counter)), &bytes[offset], size);
    });
    complete(agent, counter, box->bytes(), site);
  }
}

// The same from shared memory. An operation other than kStore is a reduction.
void weakspot_tensor_store(const void* map, std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t v,
                           std::int32_t w, const void* from, std::uint32_t operation, std::uint32_t site) {
  if (operation != kStore) core->needs_others();
  InRuntime inside;
  weakspot_current->site = site_id(site);
  const BulkCopies::Agent agent = core->bulk().start(issuing_thread());
  const std::optional<TensorBox> box = box_of(map_of(agent, map, site), {x, y, z, v, w}, site);
  if (!box) return;
  const int atomic = operation == kStore ? kStore : box->operation(static_cast<int>(operation));
  if (atomic < 0) {
    weakspot_not_modelled("this reduction by a tensor map", static_cast<std::uint32_t>(race::Effect::memory), site);
    return;
  }
  std::vector<char> bytes(box->bytes());
  const std::vector<TensorBox::Piece> pieces = box->pieces();
  for (const TensorBox::Piece& piece : pieces) {
    for_each_part(*box, from, piece.offset, piece.size, [&](void* place, std::uint32_t offset, std::uint32_t size) {
      std::memcpy(&bytes[offset], checked_for_bulk(agent, place, size, false, site, end_of(nullptr)), size);
    });
  }
  for (const TensorBox::Piece& piece : pieces) {
    char* to = reinterpret_cast<char*>(piece.address);
    if (atomic == kStore) {
      std::memcpy(checked_for_bulk(agent, to, piece.size, true, site, {}), &bytes[piece.offset], piece.size);
      continue;
    }
    for (std::uint32_t at = 0; at < piece.size; at += box->element()) {
      std::uint64_t operand = 0;
      std::memcpy(&operand, &bytes[piece.offset + at], box->element());
      checked_update(agent, to + at, atomic, box->element(), operand, site, nullptr);
    }
  }
  complete(agent, nullptr, box->bytes(), site);
}

// st.async, of one element.
void weakspot_bulk_store(void* to, std::uint64_t value, std::uint32_t size, void* gate, std::uint32_t site) {
  let_be_initialised(gate, site);
  InRuntime inside;
  weakspot_current->site = site_id(site);
  const BulkCopies::Agent agent = core->bulk().start(issuing_thread());
  std::memcpy(checked_for_bulk(agent, to, size, true, site, end_of(gate)), &value, size);
  complete(agent, gate, size, site);
}

// red.async
void weakspot_bulk_update(void* to, std::uint64_t value, std::uint32_t operation, std::uint32_t size, void* gate,
                          std::uint32_t site) {
  leave_if_shared_by_blocks(to);
  let_be_initialised(gate, site);
  InRuntime inside;
  weakspot_current->site = site_id(site);
  const BulkCopies::Agent agent = core->bulk().start(issuing_thread());
  checked_update(agent, to, static_cast<int>(operation), size, value, site, gate);
  complete(agent, gate, size, site);
}

void weakspot_bulk_commit(std::uint32_t) {
  InRuntime inside;
  core->bulk().commit(issuing_thread());
}

void weakspot_bulk_wait(std::uint32_t left, std::uint32_t for_reads, std::uint32_t) {
  InRuntime inside;
  core->bulk().wait(issuing_thread(), left, for_reads != 0);
}

void weakspot_proxy_fence(std::uint32_t spaces, std::uint32_t site) {
  if (core->mutation().applies(site_id(site), race::MutantKind::no_fence)) return;
  InRuntime inside;
  core->bulk().fence(issuing_thread(), (spaces & kProxyGlobal) != 0, (spaces & kProxyShared) != 0);
}

// fence.proxy.tensormap: without a map it releases.
void weakspot_map_fence(int scope, const void* map, std::uint64_t size, std::uint32_t site) {
  if (core->mutation().applies(site_id(site), race::MutantKind::no_fence)) return;
  if (core->mutation().applies(site_id(site), race::MutantKind::narrow_fence)) scope = kBlockScope;
  InRuntime inside;
  if (map == nullptr) {
    core->bulk().release_maps(issuing_thread(), scope_here(scope), site_id(site));
  } else {
    core->bulk().acquire_map(issuing_thread(), scope_here(scope), site_id(site), reinterpret_cast<std::uint64_t>(map),
                             size);
  }
}

// tensormap.cp_fenceproxy: the lanes of a warp copy a map together, and release it. They wait for each other, which
// does not order what they did before; all of them have then copied.
void weakspot_map_copy(void* to, const void* from, int scope, std::uint32_t site) {
  constexpr std::size_t kMapBytes = 128;
  weakspot_vote(kAllLanes, kVoteAny, 1, site);
  if (weakspot_current->number % race::kWarp == 0) {
    std::array<char, kMapBytes> bytes{};
    std::memcpy(bytes.data(), weakspot_access(const_cast<void*>(from), kMapBytes, 0, site, 0), kMapBytes);
    std::memcpy(weakspot_access(to, kMapBytes, kWrite, site, 0), bytes.data(), kMapBytes);
    weakspot_map_fence(scope, nullptr, 0, site);
  }
  weakspot_current->operation = {.mask = kAllLanes, .kind = kSyncWarp};
  core->detector().keep_barrier(site_id(site));
  core->turns().wait(Wait::warp_operation, site_id(site));
}

// griddepcontrol.wait
void weakspot_grid_wait(std::uint32_t) {
  InRuntime inside;
  core->detector().wait_for_grids(issuing_thread());
}

void weakspot_mbarrier_init(void* gate, std::uint32_t expected, std::uint32_t site) {
  weakspot_access(gate, 8, kWrite, site, 0);
  InRuntime inside;
  core->gates().start(gate_at(gate), expected);
}

// Arrives for `count` threads, with so many bytes to come.
std::uint64_t weakspot_mbarrier_arrive(void* gate, std::uint32_t count, std::uint32_t bytes, std::uint32_t flags,
                                       std::uint32_t site) {
  let_be_initialised(gate, site);
  InRuntime inside;
  if (!use_mbarrier(gate, site)) return 0;
  if (!is_in_own_block(gate)) note_scope(flags, site);
  core->gates().expect_bytes(gate_at(gate), bytes);
  return core->gates().arrive(
      gate_at(gate), {.count = count, .drop = (flags & kGateDrop) != 0, .reach = reach_of(flags), .site = site});
}

// So many bytes are to come, or have come if it is negative.
void weakspot_mbarrier_bytes(void* gate, std::int64_t bytes, std::uint32_t site) {
  let_be_initialised(gate, site);
  InRuntime inside;
  if (!use_mbarrier(gate, site)) return;
  if (!is_in_own_block(gate)) core->shared().note_arrival(gate, core->gates().phase(gate_at(gate)), site_id(site));
  core->gates().expect_bytes(gate_at(gate), bytes);
}

// Returns whether the phase is over; with kGateBlocking, waits until it is.
std::uint32_t weakspot_mbarrier_wait(void* gate, std::uint64_t phase, std::uint32_t flags, std::uint32_t site) {
  let_be_initialised(gate, site);
  Gates& gates = core->gates();
  for (;;) {
    {
      InRuntime inside;
      if (!use_mbarrier(gate, site)) return 1;
      const std::uint64_t now = gates.phase(gate_at(gate));
      if (phase >= kParityPhase - 1 ? (now & 1) != kParityPhase - phase : now > phase) {
        if (gates.was_opened_from_elsewhere(gate_at(gate))) note_scope(flags, site);
        gates.pass(gate_at(gate), reach_of(flags));
        return 1;
      }
    }
    weakspot_current->operation.value = reinterpret_cast<std::uint64_t>(gate);
    core->give_way(gate);
    if ((flags & kGateBlocking) == 0) return 0;
  }
}

}  // extern "C"

std::vector<HookSymbol> bulk_hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&(name))}
      HOOK(weakspot_bulk_copy),      HOOK(weakspot_bulk_reduce),   HOOK(weakspot_bulk_store),
      HOOK(weakspot_bulk_update),    HOOK(weakspot_bulk_commit),   HOOK(weakspot_bulk_wait),
      HOOK(weakspot_proxy_fence),    HOOK(weakspot_mbarrier_init), HOOK(weakspot_mbarrier_arrive),
      HOOK(weakspot_mbarrier_bytes), HOOK(weakspot_grid_wait),     HOOK(weakspot_mbarrier_wait),
      HOOK(weakspot_tensor_load),    HOOK(weakspot_tensor_store),  HOOK(weakspot_map_fence),
      HOOK(weakspot_map_copy),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
