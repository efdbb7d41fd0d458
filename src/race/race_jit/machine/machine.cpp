// SPDX-License-Identifier: MIT
#include "race_jit/machine/machine.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "race_jit/machine/crew.h"

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

Machine::Machine(std::unique_ptr<Arena> arena, MachineOptions options)
    : options_(options), arena_(std::move(arena)), core_(*this, options.detector) {
  race_jit::core = &core_;
}

Machine::~Machine() { race_jit::core = nullptr; }

bool Machine::launch(const LaunchRequest& request, Schedule schedule) {
  ++launches_;
  children_.clear();
  first_interval_ = detector().start_launch(request.concurrent, request.keep_history, request.prerequisite);
  return core_.launch(request, schedule);
}

void Machine::set_weak(const std::optional<race::WeakChoices>& choices) {
  if (choices) weak_.set_choices(*choices);
  detector().set_weak(choices ? &weak_ : nullptr);
}

bool Machine::is_worth_a_crew(const LaunchRequest& request, std::uint64_t blocks) const {
  const Counts& counts = core_.counts();
  const bool much =
      request.threads() >= kManyThreads || counts.checked - counts.checked_before >= options_.worth_sharing;
  return request.cores > 1 && blocks >= kBlocksWorthSharing && much && !request.has_clusters() &&
         !request.cooperative && request.concurrent.empty() && !request.keep_history && !core_.mutation().any() &&
         detector().trace() == nullptr && detector().weak() == nullptr && !dependent_.contains(request.entry) &&
         fits_in_memory(*arena_, request.cores);
}

Machine::Sharing Machine::share(const LaunchRequest& request, Schedule schedule, std::uint64_t next,
                                std::uint64_t total) {
  if (!is_worth_a_crew(request, total - next)) return Sharing::none;
  if (!crew_) crew_ = std::make_unique<Crew>(*this, request.cores);
  switch (crew_->run(request, schedule, next, total)) {
    case Crew::End::done:
      return Sharing::done;
    case Crew::End::late:
      return Sharing::late;
    case Crew::End::dependent:
      dependent_.insert(request.entry);
  }
  return Sharing::none;
}

void Machine::add_barriers(const BarrierKnowledge& knowledge) {
  for (const auto& [site, use] : knowledge.uses) core_.notes().add_barrier(site, use);
  for (const race::SiteId site : knowledge.needed) detector().keep_barrier(site);
}

void Machine::take_counts(Core& worker) {
  core_.counts().checked += worker.counts().checked;
  core_.counts().blocks += worker.counts().blocks;
  const std::span<std::uint8_t> theirs = worker.marks();
  for (std::size_t i = 0; i < marks_.size(); ++i) marks_[i] |= theirs[i];
}

}  // namespace weakspot::race_jit
