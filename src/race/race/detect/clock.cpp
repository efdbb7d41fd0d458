// SPDX-License-Identifier: MIT
#include "race/clock.h"

#include <algorithm>

namespace weakspot::race {
namespace {

void raise(Interval& known, Interval value) { known = std::max(known, value); }

// Bits that say which of two clocks lacks something that the other has.
constexpr unsigned kFirstLacks = 1, kSecondLacks = 2;

unsigned lacks(Interval a, Interval b) { return a < b ? kFirstLacks : a > b ? kSecondLacks : 0; }

auto part_before(const auto& part, std::uint32_t block) { return part.first < block; }

}  // namespace

Clock::Warp& Clock::WarpRef::changeable() {
  if (warp_ == nullptr) {
    *this = WarpRef(new Warp());
  } else if (warp_->owners > 1) {
    auto* copy = new Warp(*warp_);
    copy->owners = 0;
    *this = WarpRef(copy);
  }
  return *warp_;
}

Clock::Warp& Clock::Part::warp(std::uint32_t number) {
  if (warps.size() <= number) warps.resize(number + 1);
  return warps[number].changeable();
}

unsigned Clock::compare(const Warp* a, const Warp* b) {
  if (a == b) return 0;
  if (a == nullptr || b == nullptr) return a == nullptr ? kFirstLacks : kSecondLacks;
  // Without an early end, so that the loop is compiled to vector instructions.
  unsigned less = static_cast<unsigned>(a->before < b->before), more = static_cast<unsigned>(a->before > b->before);
  for (std::size_t i = 0; i < kWarp; ++i) {
    less |= static_cast<unsigned>(a->threads[i] < b->threads[i]);
    more |= static_cast<unsigned>(a->threads[i] > b->threads[i]);
  }
  return less * kFirstLacks | more * kSecondLacks;
}

// The knowledge of both about one block; one of them where it has all.
Clock::PartRef Clock::together(const PartRef& a, const PartRef& b) {
  if (a == b) return a;
  const std::size_t count = std::max(a->warps.size(), b->warps.size());
  auto warp_of = [](const Part& part, std::size_t i) { return i < part.warps.size() ? part.warps[i].get() : nullptr; };
  std::array<unsigned, kMaxBlockThreads / kWarp> lacking{};
  unsigned all = lacks(a->before, b->before);
  for (std::size_t i = 0; i < count; ++i) all |= lacking[i] = compare(warp_of(*a, i), warp_of(*b, i));
  if ((all & kFirstLacks) == 0) return a;
  if ((all & kSecondLacks) == 0) return b;
  auto sum = std::make_shared<Part>(*a);
  raise(sum->before, b->before);
  sum->warps.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (lacking[i] == kFirstLacks) sum->warps[i] = b->warps[i];
    if (lacking[i] != (kFirstLacks | kSecondLacks)) continue;
    Warp& warp = sum->warps[i].changeable();
    const Warp& other = *b->warps[i].get();
    raise(warp.before, other.before);
    for (std::size_t k = 0; k < kWarp; ++k) raise(warp.threads[k], other.threads[k]);
  }
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
  raise(changeable(thread.block).warp(thread.warp()).threads[thread.thread % kWarp], up_to);
}

void Clock::know_thread(ThreadName thread, Interval up_to, Interval warp_before, Interval block_before) {
  Part& part = changeable(thread.block);
  Warp& warp = part.warp(thread.warp());
  raise(warp.threads[thread.thread % kWarp], up_to);
  raise(warp.before, warp_before);
  raise(part.before, block_before);
}

void Clock::know_block(std::uint32_t block, Interval before) { raise(changeable(block).before, before); }

void Clock::know_grids(Interval launch) { raise(grids_, launch); }

void Clock::join(const Clock& other) {
  raise(grids_, other.grids_);
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
  if (interval < part->before) return true;
  const Warp* warp = thread.warp() < part->warps.size() ? part->warps[thread.warp()].get() : nullptr;
  return warp != nullptr && (interval < warp->before || interval <= warp->threads[thread.thread % kWarp]);
}

ClockRef joined(const ClockRef& a, const ClockRef& b) {
  if (!a || a == b) return b;
  if (!b) return a;
  if (b->ended_ != 0 && a->knows(b->maker_, b->ended_)) return a;
  if (a->ended_ != 0 && b->knows(a->maker_, a->ended_)) return b;
  auto sum = std::make_shared<Clock>(*a);
  sum->unseal();
  sum->join(*b);
  if (sum->parts_ == a->parts_ && sum->grids_ == a->grids_) return a;
  if (sum->parts_ == b->parts_ && sum->grids_ == b->grids_) return b;
  return sum;
}

}  // namespace weakspot::race
