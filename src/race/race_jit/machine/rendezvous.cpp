// SPDX-License-Identifier: MIT
#include "race_jit/machine/rendezvous.h"

#include <algorithm>
#include <utility>

#include "race_jit/hooks/warp_operations.h"
#include "race_jit/machine/core.h"

namespace weakspot::race_jit {

namespace {

// Threads at different sites met at one barrier: the hardware only counts arrivals.
void judge_barrier(Core& here, const BlockRun& block, const std::vector<ThreadContext*>& waiting, bool some_ended) {
  const ThreadContext& first = *waiting.front();
  const unsigned wave = here.detector().warps().lanes;
  for (const ThreadContext* thread : waiting) {
    if (thread->site == first.site) continue;
    // Two lanes of one warp at different sites are the graver case: look for one.
    const ThreadContext* other = &first;
    for (const ThreadContext* candidate : waiting) {
      if (candidate->number / wave == thread->number / wave && candidate->site != thread->site) {
        other = candidate;
        break;
      }
    }
    const bool same_warp = other->number / wave == thread->number / wave;
    // Waves may count up one bare barrier from different places.
    if (!same_warp && block.at_bare_barrier == waiting.size()) continue;
    Incident incident{.kind = same_warp ? Incident::Kind::divergent_warp : Incident::Kind::divergent_block,
                      .site = other->site,
                      .other_site = thread->site};
    incident.thread = {block.state.index, other->number};
    incident.other_thread = {block.state.index, thread->number};
    here.note(std::move(incident));
    if (same_warp) break;
  }
  if (!some_ended) return;
  auto ended = std::find_if(block.contexts.begin(), block.contexts.end(),
                            [](const ThreadContext& thread) { return thread.wait == Wait::finished; });
  Incident incident{.kind = Incident::Kind::exited_early, .site = first.site, .other_site = ended->site};
  incident.thread = {block.state.index, first.number};
  incident.other_thread = {block.state.index, ended->number};
  here.note(std::move(incident));
}

void settle_any_barrier(Core& here, BlockRun& block) {
  std::vector<ThreadContext*>& waiting = block.waiting;
  waiting.clear();
  bool some_ended = false;
  for (ThreadContext& thread : block.contexts) {
    if (thread.wait == Wait::finished) {
      some_ended = true;
    } else {
      waiting.push_back(&thread);
    }
  }
  const race::SiteId site = waiting.front()->site;
  const bool mixed =
      std::any_of(waiting.begin(), waiting.end(), [&](const ThreadContext* thread) { return thread->site != site; });
  if (mixed || some_ended) judge_barrier(here, block, waiting, some_ended);
  int sum = 0;
  for (const ThreadContext* thread : waiting) sum += thread->barrier_value != 0 ? 1 : 0;
  for (ThreadContext* thread : waiting) {
    thread->barrier_result = thread->barrier_kind == kCountTrue ? sum
                             : thread->barrier_kind == kAllTrue
                                 ? static_cast<int>(sum == static_cast<int>(waiting.size()))
                                 : static_cast<int>(sum != 0);
    thread->wait = Wait::nothing;
  }
  here.notes().add_barrier(site, {1, waiting.size()});
  if (block.at_bare_barrier != 0) {
    // Even one thread of the block without fences beside its barrier leaves the others unordered with it.
    for (const ThreadContext* thread : waiting) here.detector().keep_barrier(thread->site);
    here.detector().mixed_barrier(block.state, true);
  } else if (mixed) {
    for (const ThreadContext* thread : waiting) here.detector().keep_barrier(thread->site);
    here.detector().mixed_barrier(block.state);
  } else {
    here.detector().barrier(block.state, site);
  }
}

}  // namespace

bool settle_barrier(Core& here, BlockRun& block) {
  if (block.at_barrier == 0 || block.at_barrier != block.running) return false;
  if (block.mixed_barrier || block.running != block.contexts.size()) {
    settle_any_barrier(here, block);
  } else {
    // All threads are at one site: nothing to judge. Each stops waiting when its turn comes.
    block.same_again = block.ready.size() == block.contexts.size();
    if (!block.same_again) {
      for (ThreadContext& thread : block.contexts) thread.wait = Wait::nothing;
    }
    here.notes().add_barrier(block.barrier_site, {1, block.running});
    here.detector().barrier(block.state, block.barrier_site);
  }
  block.at_barrier = 0;
  block.mixed_barrier = false;
  block.at_bare_barrier = 0;
  return true;
}

namespace {

bool meets_wave(const ThreadContext& thread) {
  return thread.wait == Wait::warp_operation && thread.operation.kind >= kWaveBallot;
}

// Operations without masks concern the lanes that are active together. Compilers have them meet again behind a branch,
// so a wave is looked at once none of its lanes can go on, and those that are first in the code do their operation:
// the others are behind the place where they will meet.
bool settle_waves(Core& here, BlockRun& block) {
  const unsigned wave = here.detector().warps().lanes;
  bool progress = false;
  for (std::size_t first = 0; first < block.contexts.size(); first += wave) {
    const std::size_t end = std::min<std::size_t>(first + wave, block.contexts.size());
    ThreadContext* next = nullptr;
    bool complete = true;
    for (std::size_t i = first; i < end; ++i) {
      ThreadContext& thread = block.contexts[i];
      if (thread.wait == Wait::nothing) complete = false;
      if (meets_wave(thread) && (next == nullptr || thread.site < next->site)) next = &thread;
    }
    if (next == nullptr || !complete) continue;
    std::vector<ThreadContext*>& lanes = block.waiting;
    lanes.clear();
    for (std::size_t i = first; i < end; ++i) {
      ThreadContext& thread = block.contexts[i];
      if (meets_wave(thread) && thread.site == next->site && thread.operation.kind == next->operation.kind) {
        lanes.push_back(&thread);
      }
    }
    compute_wave_operation(lanes, wave);
    if (next->operation.kind == kWaveSync) {
      std::vector<unsigned> numbers;
      for (const ThreadContext* lane : lanes) numbers.push_back(lane->number);
      here.detector().warp_barrier(block.state, numbers);
    }
    for (ThreadContext* lane : lanes) lane->wait = Wait::nothing;
    block.in_warp_operation -= static_cast<unsigned>(lanes.size());
    progress = true;
  }
  return progress;
}

}  // namespace

bool settle_warps(Core& here, BlockRun& block) {
  if (block.in_warp_operation == 0) return false;
  bool progress = settle_waves(here, block);
  std::vector<ThreadContext*>& lanes = block.waiting;
  for (ThreadContext& thread : block.contexts) {
    if (thread.wait != Wait::warp_operation || meets_wave(thread)) continue;
    const std::uint32_t first = thread.number / race::kWarp * race::kWarp;
    lanes.clear();
    bool complete = true;
    ThreadContext* absent = nullptr;
    for (unsigned lane = 0; lane < race::kWarp && complete; ++lane) {
      if ((thread.operation.mask >> lane & 1) == 0 || first + lane >= block.contexts.size()) continue;
      ThreadContext& other = block.contexts[first + lane];
      if (other.wait == Wait::finished) {
        absent = &other;
      } else if (other.wait == Wait::warp_operation && other.operation.mask == thread.operation.mask &&
                 other.operation.kind == thread.operation.kind) {
        lanes.push_back(&other);
      } else {
        complete = false;
      }
    }
    if (!complete || lanes.empty()) continue;
    if (absent != nullptr) {
      Incident incident{.kind = Incident::Kind::absent_lane, .site = thread.site};
      incident.thread = {block.state.index, thread.number};
      incident.other_thread = {block.state.index, absent->number};
      here.note(std::move(incident));
    }
    compute_warp_operation(lanes);
    if (thread.operation.kind == kSyncWarp) {
      std::vector<unsigned> numbers;
      for (const ThreadContext* lane : lanes) numbers.push_back(lane->number);
      here.detector().warp_barrier(block.state, numbers);
    }
    for (ThreadContext* lane : lanes) lane->wait = Wait::nothing;
    block.in_warp_operation -= static_cast<unsigned>(lanes.size());
    progress = true;
  }
  return progress;
}

}  // namespace weakspot::race_jit
