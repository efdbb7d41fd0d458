// SPDX-License-Identifier: MIT
#include "race/clock.h"

#include <algorithm>

namespace weakspot::race {
namespace {

void raise(std::vector<Interval>& list, std::size_t at, Interval value) {
  if (list.size() <= at) list.resize(at + 1);
  list[at] = std::max(list[at], value);
}

void raise_all(std::vector<Interval>& list, const std::vector<Interval>& other) {
  if (list.size() < other.size()) list.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) list[i] = std::max(list[i], other[i]);
}

// Which of two lists has something that the other lacks.
struct Lacks {
  unsigned first = 0, second = 0;  // not zero: this one lacks something

  void look(const std::vector<Interval>& a, const std::vector<Interval>& b) {
    const std::size_t both = std::min(a.size(), b.size());
    // Without an early end, so that the loop is compiled to vector instructions.
    unsigned less = 0, more = 0;
    for (std::size_t i = 0; i < both; ++i) {
      less |= static_cast<unsigned>(a[i] < b[i]);
      more |= static_cast<unsigned>(a[i] > b[i]);
    }
    first |= less | static_cast<unsigned>(a.size() < b.size());
    second |= more | static_cast<unsigned>(b.size() < a.size());
  }
};

Interval at_or_none(const std::vector<Interval>& list, std::size_t at) { return at < list.size() ? list[at] : 0; }

auto part_before(const auto& part, std::uint32_t block) { return part.first < block; }

}  // namespace

// The knowledge of both about one block; one of them where it has all.
Clock::PartRef Clock::together(const PartRef& a, const PartRef& b) {
  if (a == b) return a;
  Lacks lacks{static_cast<unsigned>(a->before < b->before), static_cast<unsigned>(a->before > b->before)};
  lacks.look(a->warps, b->warps);
  lacks.look(a->threads, b->threads);
  if (lacks.first == 0) return a;
  if (lacks.second == 0) return b;
  auto sum = std::make_shared<Part>(*a);
  sum->before = std::max(sum->before, b->before);
  raise_all(sum->warps, b->warps);
  raise_all(sum->threads, b->threads);
  return sum;
}

// The block's part, copied first if other clocks share it.
Clock::Part& Clock::changeable(std::uint32_t block) {
  auto found = std::lower_bound(parts_.begin(), parts_.end(), block, part_before<decltype(parts_)::value_type>);
  if (found == parts_.end() || found->first != block) {
    found = parts_.insert(found, {block, std::make_shared<Part>()});
  } else if (found->second.use_count() > 1) {
    found->second = std::make_shared<Part>(*found->second);
  }
  return *found->second;
}

const Clock::Part* Clock::find(std::uint32_t block) const {
  auto found = std::lower_bound(parts_.begin(), parts_.end(), block, part_before<decltype(parts_)::value_type>);
  return found == parts_.end() || found->first != block ? nullptr : found->second.get();
}

void Clock::know_thread(ThreadName thread, Interval up_to) {
  raise(changeable(thread.block).threads, thread.thread, up_to);
}

void Clock::know_thread(ThreadName thread, Interval up_to, Interval warp_before, Interval block_before) {
  Part& part = changeable(thread.block);
  raise(part.threads, thread.thread, up_to);
  raise(part.warps, thread.warp(), warp_before);
  part.before = std::max(part.before, block_before);
}

void Clock::know_block(std::uint32_t block, Interval before) {
  Part& part = changeable(block);
  part.before = std::max(part.before, before);
}

void Clock::join(const Clock& other) {
  std::vector<std::pair<std::uint32_t, PartRef>> all;
  all.reserve(std::max(parts_.size(), other.parts_.size()));
  auto mine = parts_.begin();
  for (const auto& [block, theirs] : other.parts_) {
    while (mine != parts_.end() && mine->first < block) all.push_back(std::move(*mine++));
    if (mine == parts_.end() || mine->first != block) {
      all.emplace_back(block, theirs);
    } else {
      all.emplace_back(block, together((mine++)->second, theirs));
    }
  }
  all.insert(all.end(), std::make_move_iterator(mine), std::make_move_iterator(parts_.end()));
  parts_ = std::move(all);
}

bool Clock::knows(ThreadName thread, Interval interval) const {
  const Part* part = find(thread.block);
  if (part == nullptr) return false;
  if (interval < part->before || interval < at_or_none(part->warps, thread.warp())) return true;
  return thread.thread < part->threads.size() && interval <= part->threads[thread.thread];
}

ClockRef joined(const ClockRef& a, const ClockRef& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  auto sum = std::make_shared<Clock>(*a);
  sum->join(*b);
  if (sum->parts_ == a->parts_) return a;
  if (sum->parts_ == b->parts_) return b;
  return sum;
}

}  // namespace weakspot::race
