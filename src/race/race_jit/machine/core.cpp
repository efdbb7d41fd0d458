// SPDX-License-Identifier: MIT
#include "race_jit/machine/core.h"

#include <fmt/format.h>

#include <utility>

#include "race_jit/machine/crew.h"
#include "race_jit/machine/machine.h"
#include "race_jit/machine/rendezvous.h"
#include "race_jit/machine/signals.h"
#include "race_jit/storage/shadow_memory.h"

namespace weakspot::race_jit {

constinit thread_local Core* core = nullptr;

namespace {

// After this many rounds in which no thread changed memory or made progress, waiting threads are stuck. Atomics that
// leave memory as it is, such as additions of nothing, look like polling: threads that access other memory in every
// round are given this many turns.
constexpr std::uint64_t kIdleRounds = 300, kIdleTurns = std::uint64_t{1} << 20;
constexpr std::size_t kSideBySide = 8;

// From the first to the last.
std::vector<std::uint64_t> all_windows() {
  std::vector<std::uint64_t> windows;
  for (std::uint64_t i = Arena::kWindows; i-- > 1;) windows.push_back(i);
  return windows;
}

race::Shadow shadow_of(const Arena& arena, race::Cell* cells, race::Entry* more_entries) {
  return {cells, reinterpret_cast<std::uint64_t>(arena.base()), arena.size(), more_entries};
}

// Tells the detector the clusters if there are several. Blocks of other launches are in none of them.
void tell_clusters(race::Detector& detector, const LaunchRequest& request) {
  if (!request.has_clusters() || !request.has_other_clusters()) {
    detector.set_clusters(nullptr);
    return;
  }
  detector.set_clusters([&request](std::uint32_t block) -> std::uint32_t {
    const std::uint64_t index = block - request.first_block;
    if (index >= request.grid.count()) return block | race::kAgentBlock;
    const std::array<std::uint32_t, 3> at = request.grid.coordinates(index);
    const Extent& c = request.cluster;
    const Extent clusters{request.grid.x / c.x, request.grid.y / c.y, request.grid.z / c.z};
    return (at[2] / c.z * clusters.y + at[1] / c.y) * clusters.x + at[0] / c.x;
  });
}

}  // namespace

Core::Core(Machine& device, const race::DetectorOptions& options)
    : device_(device),
      arena_(device.arena()),
      sites_(device.sites()),
      detector_(shadow_of(arena_, arena_.cells(), arena_.more_entries()), options),
      blocks_(*this, all_windows()),
      windows_(*this, arena_.cells()) {}

Core::Core(Machine& device, Crew& crew, ShadowMemory& shadow, std::uint64_t window)
    : device_(device),
      crew_(&crew),
      arena_(device.arena()),
      sites_(device.sites()),
      detector_(shadow_of(arena_, shadow.cells(), shadow.more_entries()), device.detector().options()),
      blocks_(*this, {window}),
      windows_(*this, shadow.cells()) {}

std::span<std::uint8_t> Core::marks() { return is_worker() ? std::span(own_marks_) : device_.marks(); }

void Core::doubt(race::Effect effect, race::SiteId site) {
  // Later blocks are to have the doubt as well.
  if (is_worker() && (race::casts_doubt(effect) || effect == race::Effect::grids)) crew_->give_up();
  race::Doubt doubt = detector_.doubt();
  if (race::casts_doubt(effect) && !doubt.threads) doubt.threads = site;
  if (effect == race::Effect::grids && !doubt.grids) doubt.grids = site;
  detector_.set_doubt(doubt);
}

void Core::note(Incident incident) {
  incident.launch = device_.launches();
  if (incident.kind == Incident::Kind::not_modelled) {
    doubt(incident.effect, incident.site);
  } else {
    incident.doubt = detector_.doubt().threads;
  }
  notes_.add(std::move(incident));
}

BarrierKnowledge Core::take_barriers() {
  std::map<race::SiteId, BarrierUse> uses = notes_.take_barriers();
  return {std::move(uses), detector_.take_needed()};
}

bool Core::has_given_up() const { return crew_ != nullptr && crew_->is_over(); }

// Leaves as if the thread had crashed, but without a word.
void Core::leave() {
  crew_->give_up();
  turns_.drop();
}

bool Core::may_write(const Allocation& allocation) {
  if (!is_worker() || crew_->keep(allocation)) return true;
  crew_->give_up();
  return false;
}

void Core::give_way(const void* address) {
  // Shared memory is changed by threads of the block.
  turns_.give_way(!arena_.contains(address) || !arena_.is_shared(address) || request_->has_clusters());
}

bool Core::is_in_shared_bounds(const void* address, unsigned size) const {
  const char* window = weakspot_current->shared;
  const std::uint64_t bytes = weakspot_current->shared_bytes;
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - window);
  return offset < bytes ? size <= bytes - offset : shared_.is_in_bounds(address, size);
}

void Core::abandon(Incident incident) {
  if (weakspot_current != nullptr) {
    incident.thread = {weakspot_current->state->block->index, weakspot_current->number};
  }
  note(std::move(incident));
  turns_.drop();
}

// Runs every thread that is ready until it waits; true if any made progress.
bool Core::step(BlockRun& block) {
  turns_.run_round(block);
  if (turns_.is_abandoned()) return false;
  if (block.running == 0) shared_.end_block(block);
  const bool settled = settle_warps(*this, block);
  return settle_barrier(*this, block) || settled || block.progress;
}

// Stops the launch; findings until then stand.
bool Core::stop(std::string why) {
  Incident incident{.kind = Incident::Kind::deadline};
  incident.text = std::move(why);
  if (!blocks_.live().empty()) {
    const BlockRun& first = *blocks_.live().front();
    incident.site = first.contexts.front().site;
    incident.thread = {first.state.index, 0};
  }
  note(std::move(incident));
  turns_.abandon();
  return true;
}

// A run that has met too many barriers is given up.
bool Core::stop_if_spent() {
  if (!detector_.is_spent()) return false;
  return stop(fmt::format("the runs have met more barriers and fences than can be told apart: {} intervals",
                          detector_.last_interval()));
}

// The alarm may always find the scheduler and never compiled code, where waiting threads are settled for most of the
// time.
bool Core::stop_if_late() {
  if (time_left() || blocks_.live().empty()) return false;
  return stop(kTimeIsOver);
}

void Core::begin_launch(const LaunchRequest& request, Schedule schedule) {
  request_ = &request;
  turns_.begin_launch(request, schedule);
  blocks_.begin_launch();
  mutation_.begin_launch();
  counts_.ticks = 0;
  counts_.checked_before = counts_.checked;
  gates_.clear();
  copies_.clear();
  bulk_.clear();
  matrices_.clear();
  tensor_.clear();
  shared_.begin_launch();
  windows_.begin_launch(sites().size());
  meetings_.begin_launch();
  tell_clusters(detector_, request);
}

void Core::end_launch() {
  blocks_.release_all();
  turns_.end_launch();
}

void Core::join(const LaunchRequest& request, Schedule schedule) {
  begin_launch(request, schedule);
  own_marks_.assign(device_.marks().size(), 0);
  counts_.checked = counts_.checked_before = counts_.blocks = 0;
  notes_.clear();
  detector_.join_launch(device_.detector());
}

bool Core::run_alone(std::uint64_t index) {
  turns_.begin_here();
  blocks_.start(index);
  BlockRun& block = *blocks_.live().front();
  int busy = 0;
  while (block.running > 0 && !stop_if_late() && !has_given_up()) {
    turns_.expect_polling();
    const bool progress = step(block);
    // Otherwise other blocks would run now, or the run would end.
    const bool by_itself = progress || (busy++ < kBusyRounds && blocks_.have_changed_memory());
    if (progress) busy = 0;
    if (turns_.is_abandoned()) break;
    const bool polls = turns_.has_polled() && turns_.schedule() != Schedule::forward;
    if (!by_itself || detector_.is_spent() || polls) crew_->give_up();
  }
  const bool ended = block.running == 0 && !has_given_up();
  end_launch();
  return ended;
}

bool Core::launch(const LaunchRequest& request, Schedule schedule) {
  begin_launch(request, schedule);
  // Counted in clusters, which mostly are single blocks.
  const std::uint64_t together = request.cluster.count();
  const std::uint64_t total = request.grid.count() / together;
  const std::vector<std::unique_ptr<BlockRun>>& live = blocks_.live();
  std::uint64_t next = 0, idle = 0, accesses = 0;
  int busy = 0;
  auto is_stuck = [&] {
    if (++idle == 1) accesses = blocks_.accesses();
    if (idle <= kIdleRounds) return !blocks_.any_ready();
    return blocks_.accesses() - accesses < idle - 1 || idle * blocks_.running() > kIdleTurns;
  };
  auto start_next = [&] {
    // The reversed schedule takes the blocks from the end as well.
    blocks_.start_cluster(schedule == Schedule::reversed ? total - 1 - next : next);
    ++next;
  };
  auto can_start = [&] { return next < total && blocks_.has_room(together); };
  // Blocks run side by side where threads wait for each other through memory.
  auto side_by_side = [&] {
    return turns_.has_polled() && schedule != Schedule::forward && live.size() < kSideBySide && can_start();
  };
  while ((!live.empty() || next < total) && !stop_if_spent() && !stop_if_late()) {
    if (live.empty()) {
      const Machine::Sharing shared = device_.share(request, schedule, next, total);
      if (shared == Machine::Sharing::late) turns_.abandon();
      if (shared != Machine::Sharing::none) break;
      start_next();
    }
    // Those that start catch up before the others go on.
    std::size_t first = 0;
    if (side_by_side()) {
      first = live.size();
      while (live.size() < kSideBySide && can_start()) start_next();
    }
    turns_.expect_polling();
    bool progress = false;
    for (std::size_t i = first; i < live.size() && !turns_.is_abandoned(); ++i) progress = step(*live[i]) || progress;
    if (turns_.is_abandoned()) break;
    progress = blocks_.release_ended() || progress;
    if (progress) {
      idle = 0;
      busy = 0;
      continue;
    }
    if (meetings_.settle_clusters()) {
      idle = 0;
    } else if (live.size() == 1 && busy < kBusyRounds && blocks_.have_changed_memory()) {
      ++busy;
    } else if (can_start()) {
      if (!side_by_side()) start_next();
    } else if ((next == total && meetings_.settle_grid()) || blocks_.have_changed_memory()) {
      idle = 0;
    } else if (is_stuck()) {
      blocks_.report_stuck();
      turns_.abandon();
      break;
    }
  }
  end_launch();
  request_ = nullptr;
  return !turns_.is_abandoned();
}

}  // namespace weakspot::race_jit
