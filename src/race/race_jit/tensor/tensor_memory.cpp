// SPDX-License-Identifier: MIT
#include "race_jit/tensor/tensor_memory.h"

#include <algorithm>
#include <utility>

namespace weakspot::race_jit {
namespace {

using race::TensorGap;

bool knows_step(const race::ClockRef& clock, const TensorStep& step) {
  return clock && clock->knows(step.thread, step.at);
}

bool knows_any(const race::ClockRef& clock, const TensorSteps& steps) {
  return clock && std::any_of(steps.begin(), steps.end(),
                              [&](const TensorStep& step) { return clock->knows(step.thread, step.at); });
}

bool of_one_warp(const TensorOperation& a, const TensorOperation& b) {
  return a.issuer.block == b.issuer.block && a.issuer.warp() == b.issuer.warp();
}

// 9.7.16.6.2: products with one accumulator, shape and kind, and a copy before a product.
bool are_a_pair(const TensorOperation& earlier, const TensorOperation& later) {
  if (later.act != TensorAct::product) return false;
  return earlier.act == TensorAct::copy || earlier.accumulator == later.accumulator;
}

// 9.7.16.6.1: what a warp gives back is ordered behind its own operations.
bool gives_back_own(const TensorOperation& earlier, const TensorOperation& later) {
  return later.act == TensorAct::release && of_one_warp(earlier, later);
}

TensorRelation relation_to_warp(const TensorOperation& earlier, const TensorOperation& later,
                                const TensorKnowledge& knows) {
  if (gives_back_own(earlier, later)) return {};
  if (!earlier.waited && earlier.act == TensorAct::load && later.act == TensorAct::release &&
      knows_step(knows.known, earlier.issued)) {
    return {TensorOrder::by_registers};
  }
  const TensorGap wait = earlier.act == TensorAct::load ? TensorGap::load_wait : TensorGap::store_wait;
  if (!earlier.waited) return {TensorOrder::unordered, wait};
  if (of_one_warp(earlier, later) || knows_any(knows.fenced, *earlier.waited) ||
      knows_any(knows.seen, *earlier.waited)) {
    return {};
  }
  if (knows_any(knows.known, *earlier.waited)) return {TensorOrder::without_fences};
  if (knows_any(knows.heard, *earlier.waited)) return {TensorOrder::unordered, TensorGap::fences};
  // Others are told between the operation and its wait.
  const bool late = knows_step(knows.known, earlier.issued) || knows_step(knows.fenced, earlier.issued) ||
                    knows_step(knows.heard, earlier.issued);
  return {TensorOrder::unordered, late ? wait : TensorGap::threads};
}

TensorRelation relation_to_queued(const TensorOperation& earlier, const TensorOperation& later,
                                  const TensorKnowledge& knows) {
  if (knows_step(knows.seen, earlier.done) || knows_step(knows.fenced, earlier.done)) return {};
  if (gives_back_own(earlier, later)) return {};
  const bool own = earlier.issuer == later.issuer;
  const bool in_line = is_queued(later.act) && (own || knows_step(knows.fenced, earlier.issued));
  const bool pair = is_queued(later.act) && are_a_pair(earlier, later);
  if (in_line && pair) return {};
  if (knows_step(knows.known, earlier.done)) return {TensorOrder::without_fences};
  if (in_line) return {TensorOrder::by_issue};
  if (knows_step(knows.heard, earlier.done)) return {TensorOrder::unordered, TensorGap::fences};
  // Threads have met, but that says nothing about an operation that nobody has waited for.
  const bool met = pair && !own && knows_step(knows.known, earlier.issued);
  return {TensorOrder::unordered, met                 ? TensorGap::fences
                                  : earlier.committed ? TensorGap::mbarrier_wait
                                                      : TensorGap::commit};
}

}  // namespace

TensorRelation tensor_relation(const TensorOperation& earlier, const TensorOperation& later,
                               const TensorKnowledge& knows) {
  return is_of_warp(earlier.act) ? relation_to_warp(earlier, later, knows) : relation_to_queued(earlier, later, knows);
}

TensorPlace tensor_place(TensorShape shape, unsigned lane, unsigned number) {
  switch (shape) {
    case TensorShape::lanes32_words1:
      return {lane, number};
    case TensorShape::lanes16_words2:
      return {lane / 4 + lane % 2 * 8, 2 * number + lane / 2 % 2};
    case TensorShape::lanes16_words4:
      return {lane / 4 + number % 2 * 8, number / 2 * 4 + lane % 4};
    case TensorShape::lanes16_words8:
      return {lane / 4 + number / 2 % 2 * 8, number / 4 * 8 + lane % 4 * 2 + number % 2};
  }
  return {};
}

std::optional<unsigned> TensorMemory::allocate(unsigned columns, race::SiteId site, race::ThreadName thread) {
  for (unsigned first = 0; first + columns <= kTensorColumns; first += 32) {
    const auto begin = owner_.begin() + first, end = begin + columns;
    if (std::any_of(begin, end, [](std::uint32_t owner) { return owner != 0; })) continue;
    allocations_.push_back({first, columns, site, thread});
    std::fill(begin, end, static_cast<std::uint32_t>(allocations_.size()));
    if (cells_.empty()) {
      cells_.resize(std::size_t{kTensorRows} * kTensorColumns);
      words_.resize(std::size_t{kTensorLanes} * kTensorColumns);
    }
    // Accesses by their owner before were compared with the release.
    for (unsigned row = 0; row < kTensorRows; ++row) {
      const auto cells = cells_.begin() + row * kTensorColumns + first;
      std::fill(cells, cells + columns, Cell{});
    }
    return first;
  }
  return std::nullopt;
}

bool TensorMemory::is_allocated(unsigned first, unsigned columns) const {
  if (columns == 0 || columns > kTensorColumns || first > kTensorColumns - columns) return false;
  const auto begin = owner_.begin() + first;
  return std::all_of(begin, begin + columns, [](std::uint32_t owner) { return owner != 0; });
}

void TensorMemory::release(unsigned first, unsigned columns) {
  std::fill(owner_.begin() + first, owner_.begin() + first + columns, std::uint32_t{0});
}

std::vector<TensorMemory::Allocation> TensorMemory::left() const {
  std::vector<Allocation> result;
  for (std::size_t i = 0; i < allocations_.size(); ++i) {
    const auto columns = std::count(owner_.begin(), owner_.end(), static_cast<std::uint32_t>(i + 1));
    if (columns == 0) continue;
    result.push_back(allocations_[i]);
    result.back().columns = static_cast<unsigned>(columns);
  }
  return result;
}

std::uint32_t& TensorMemory::word(unsigned lane, unsigned column) {
  return words_[std::size_t{lane} * kTensorColumns + column];
}

void TensorMemory::access(const TensorOperationRef& operation, const TensorRegion& region, bool writes,
                          const TensorKnowledge& knows, const OnConflict& conflict) {
  std::vector<std::pair<const TensorOperation*, bool>> told;
  auto compare = [&](const TensorOperationRef& earlier, bool earlier_writes, unsigned row, unsigned column) {
    if (!earlier || earlier == operation) return;
    const std::pair<const TensorOperation*, bool> key(earlier.get(), earlier_writes);
    if (std::find(told.begin(), told.end(), key) != told.end()) return;
    told.push_back(key);
    conflict(*earlier, tensor_relation(*earlier, *operation, knows), earlier_writes,
             (row * kLanesOfCell) << 16 | column);
  };
  for (unsigned row = 0; row < kTensorRows; ++row) {
    if ((region.rows >> row & 1) == 0) continue;
    for (unsigned column = region.first; column < region.first + region.columns; ++column) {
      Cell& cell = cells_[std::size_t{row} * kTensorColumns + column];
      compare(cell.write, true, row, column);
      if (writes) {
        for (const TensorOperationRef& read : cell.reads) compare(read, false, row, column);
        cell.write = operation;
        cell.reads.clear();
        continue;
      }
      // A wait or commit covers all earlier ones, so the last read of an issuer stands for those before it.
      auto same = std::find_if(cell.reads.begin(), cell.reads.end(), [&](const TensorOperationRef& read) {
        return read->issuer == operation->issuer && is_of_warp(read->act) == is_of_warp(operation->act);
      });
      if (same != cell.reads.end()) {
        *same = operation;
      } else {
        cell.reads.push_back(operation);
      }
    }
  }
}

}  // namespace weakspot::race_jit
