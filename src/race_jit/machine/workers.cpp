// SPDX-License-Identifier: MIT
// What a machine does as a worker of another, and with workers of its own; see crew.h.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "race_jit/machine/block_run.h"
#include "race_jit/machine/crew.h"
#include "race_jit/machine/machine.h"
#include "race_jit/machine/shadow_memory.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

constexpr std::uint64_t kBlocksWorthSharing = 8;
constexpr std::uint64_t kManyThreads = 16384;  // each of which makes some accesses: worth sharing from the start
constexpr std::uint64_t kShadowBytes = 6;      // for a byte of memory

// Shadows are not to take more than half of the memory of this machine.
bool fits_in_memory(const Arena& arena, std::uint64_t workers) {
  const auto pages = static_cast<std::uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t used = arena.mark() - Arena::kWindow * Arena::kWindows;
  return used * kShadowBytes * workers <= pages * page / 2;
}

}  // namespace

Machine::Machine(Machine& main, Crew& crew, ShadowMemory& shadow, std::uint64_t window)
    : options_(main.options_),
      main_(&main),
      member_of_(&crew),
      arena_(main.arena_),
      cells_(shadow.cells()),
      detector_(
          race::Shadow(cells_, reinterpret_cast<std::uint64_t>(arena_->base()), arena_->size(), shadow.more_entries()),
          main.detector_.options()) {
  free_windows_ = {window};
}

bool Machine::is_worth_a_crew(std::uint64_t blocks) const {
  const LaunchRequest& request = *request_;
  const bool much = request.threads() >= kManyThreads || checked_ - checked_before_ >= options_.worth_sharing;
  return request.cores > 1 && blocks >= kBlocksWorthSharing && much && request.cluster.count() == 1 &&
         !request.cooperative && request.concurrent.empty() && !request.keep_history && skip_.empty() &&
         detector_.trace() == nullptr && !dependent_.contains(request.entry) && fits_in_memory(*arena_, request.cores);
}

Crew& Machine::crew(unsigned workers) {
  if (!crew_) crew_ = std::make_unique<Crew>(*this, workers);
  return *crew_;
}

void Machine::join(const LaunchRequest& request, Schedule schedule) {
  begin_launch(request, schedule);
  launches_ = main_->launches_;
  own_marks_.assign(main_->marks_.size(), 0);
  marks_ = own_marks_;
  checked_ = checked_before_ = 0;
  barriers_.clear();
  output_.clear();
  take_incidents();
  detector_.join_launch(main_->detector_);
}

bool Machine::run_alone(std::uint64_t index) {
  scheduler_bounds_ = own_stack();
  live_.push_back(start_block(index));
  BlockRun& block = *live_.front();
  int busy = 0;
  while (block.running > 0 && !stop_if_late() && !has_given_up()) {
    given_way_ = false;
    const bool progress = step(block);
    // Otherwise other blocks would run now, or the run would end.
    const bool by_itself = progress || (busy++ < kBusyRounds && memory_changed());
    if (progress) busy = 0;
    if (abandoned_) break;
    if (!by_itself || detector_.is_spent() || (given_way_ && schedule_ != Schedule::forward)) give_up();
  }
  const bool ended = block.running == 0 && !has_given_up();
  end_launch();
  return ended;
}

bool Machine::has_given_up() const { return member_of_ != nullptr && member_of_->is_over(); }

void Machine::give_up() { member_of_->give_up(); }

// As if the thread had crashed, but without a word.
void Machine::leave() {
  give_up();
  abandoned_ = true;
  // Not on the stack that is left: the sanitizer takes that away before the switch.
  static thread_local void* dropped = nullptr;
  switch_stack(&dropped, scheduler_stack_, scheduler_bounds_, true);
  __builtin_unreachable();
}

void Machine::take_counts(Machine& worker) {
  checked_ += worker.checked_;
  for (std::size_t i = 0; i < marks_.size(); ++i) marks_[i] |= worker.own_marks_[i];
}

}  // namespace weakspot::race_jit
