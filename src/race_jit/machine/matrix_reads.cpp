// SPDX-License-Identifier: MIT
#include "race_jit/machine/matrix_reads.h"

#include <utility>

#include "race_jit/machine/bulk_copies.h"
#include "race_jit/machine/machine.h"
#include "race_jit/machine/signals.h"

namespace weakspot::race_jit {
namespace {

// Addresses in descriptors have 18 bits.
constexpr std::uint32_t kDescribed = 0x3ffff;
constexpr std::uint32_t kAllLanes = ~0u;

}  // namespace

std::uint32_t MatrixDescriptor::offset(std::uint32_t row, std::uint32_t half) const {
  auto field = [&](unsigned from) { return static_cast<std::uint32_t>(bits >> from & 0x3fff) * 16; };
  const std::uint32_t start = field(0), between_halves = field(16), between_eights = field(32);
  const auto shuffle = static_cast<unsigned>(bits >> 62);  // 0: none, 1: of 128 bytes, 2: of 64, 3: of 32
  const std::uint32_t first = start + row / 8 * between_eights;
  if (shuffle == 0) return (first + half * between_halves + row % 8 * 16) & kDescribed;
  const std::uint32_t width = 256u >> shuffle;
  const std::uint32_t place = first + row % 8 * width + half * 16;
  return (place ^ ((place >> 3) & (width - 16))) & kDescribed;
}

void MatrixReads::bring(std::uint32_t block, std::uint32_t warp, const race::ClockRef& known) {
  race::ClockRef& brought = warps_[{block, warp}].brought;
  brought = race::joined(brought, known);
}

race::ClockRef MatrixReads::take(std::uint32_t block, std::uint32_t warp) {
  return std::exchange(warps_[{block, warp}].brought, nullptr);
}

void MatrixReads::add(std::uint32_t block, std::uint32_t warp, const race::ClockRef& end) {
  race::ClockRef& open = warps_[{block, warp}].open;
  open = race::joined(open, end);
}

void MatrixReads::commit(std::uint32_t block, std::uint32_t warp) {
  Warp& here = warps_[{block, warp}];
  here.closed.push_back(std::exchange(here.open, nullptr));
}

void MatrixReads::finish(std::uint32_t block, std::uint32_t warp, std::uint32_t left) {
  Warp& here = warps_[{block, warp}];
  while (here.closed.size() > left) {
    here.finished = race::joined(here.finished, here.closed.front());
    here.closed.pop_front();
  }
}

race::ClockRef MatrixReads::finished(std::uint32_t block, std::uint32_t warp) const {
  auto found = warps_.find({block, warp});
  return found == warps_.end() ? nullptr : found->second.finished;
}

extern "C" {

// The warp reads 16 rows of the first factor, if that is in memory, and all rows of the second.
void weakspot_matrix_reads(std::uint64_t first, std::uint32_t has_first, std::uint64_t second, std::uint32_t rows,
                           std::uint32_t site) {
  ThreadContext& thread = *weakspot_current;
  const std::uint32_t block = thread.state->block->index, warp = thread.number / race::kWarp;
  {
    InRuntime inside;
    machine->matrices().bring(block, warp, machine->detector().publish(*thread.state));
  }
  weakspot_vote(kAllLanes, kVoteAny, 1, site);
  if (thread.number % race::kWarp != 0) return;
  InRuntime inside;
  const BulkCopies::Agent agent = machine->bulk().start(*thread.state, machine->matrices().take(block, warp));
  const auto base = static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(thread.shared)) & kDescribed;
  auto read = [&](std::uint64_t descriptor, std::uint32_t from, std::uint32_t count) {
    for (std::uint32_t i = 0; i < 2 * count; ++i) {
      const std::uint32_t at = MatrixDescriptor{descriptor}.offset(from + i / 2, i % 2);
      checked_for_bulk(agent, thread.shared + ((at - base) & kDescribed), 16, false, site);
    }
  };
  if (has_first != 0) read(first, warp % 4 * 16, 16);
  read(second, 0, rows);
  machine->matrices().add(block, warp, agent.done_reading());
}

void weakspot_matrix_commit(std::uint32_t) {
  InRuntime inside;
  const ThreadContext& thread = *weakspot_current;
  if (thread.number % race::kWarp == 0) {
    machine->matrices().commit(thread.state->block->index, thread.number / race::kWarp);
  }
}

void weakspot_matrix_wait(std::uint32_t left, std::uint32_t site) {
  ThreadContext& thread = *weakspot_current;
  const std::uint32_t block = thread.state->block->index, warp = thread.number / race::kWarp;
  if (thread.number % race::kWarp == 0) {
    InRuntime inside;
    machine->matrices().finish(block, warp, left);
  }
  weakspot_vote(kAllLanes, kVoteAny, 1, site);
  InRuntime inside;
  machine->detector().learn(*thread.state, machine->matrices().finished(block, warp));
}

}  // extern "C"

std::vector<HookSymbol> matrix_hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&name)}
      HOOK(weakspot_matrix_reads),
      HOOK(weakspot_matrix_commit),
      HOOK(weakspot_matrix_wait),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
