// SPDX-License-Identifier: MIT
#include "race/shadow.h"

#include <algorithm>

namespace weakspot::race {
namespace {

enum Kind : unsigned { kWrite, kRead, kOtherRead };

constexpr Entry kKindBits = Entry{3} << 16;
constexpr Entry kByteBits = Entry{kAllBytes} << 18;

// An entry and the bytes it stands for.
struct Item {
  Entry entry = 0;
  Kind kind = kWrite;
  unsigned bytes = 0;

  bool strong() const { return is_strong(entry); }
  // Strong accesses are compared by their bytes, so the list must have exactly those.
  bool fits() const { return !strong() || (bytes == bytes_of(entry) && kind != kOtherRead); }
};

struct Items {
  std::array<Item, 12> items;
  std::size_t count = 0;

  void add(Entry entry, Kind kind, unsigned byte, Interval stale) {
    if (entry == 0 || interval_of(entry) < stale) return;
    for (std::size_t i = 0; i < count; ++i) {
      Item& item = items[i];
      const bool same = item.strong() ? item.entry == entry : (item.entry & ~kByteBits) == (entry & ~kByteBits);
      if (!same || item.kind != kind) continue;
      item.bytes |= 1u << byte;
      return;
    }
    items[count++] = {entry, kind, 1u << byte};
  }
};

}  // namespace

ByteCells Shadow::bytes(std::uint64_t address) const {
  const std::uint64_t at = index(address);
  const Cell& word = cells_[at];
  if ((word.write & kList) == kList) return read_list(at);
  if (word.write == kSplit) return exact_.at(at);
  return {word, word, word, word};
}

void Shadow::keep_bytes(std::uint64_t address, const ByteCells& bytes, Interval stale) {
  const std::uint64_t at = index(address);
  const bool was_exact = cells_[at].write == kSplit;
  const bool full = exact_.size() >= kExactWords && !was_exact;
  if (more_ != nullptr && write_list(at, bytes, stale, full)) {
    if (was_exact) exact_.erase(at);
    return;
  }
  exact_[at] = bytes;
  cells_[at] = {kSplit, 0, 0};
}

bool Shadow::write_list(std::uint64_t index, const ByteCells& bytes, Interval stale, bool whatever_fits) {
  // Writes come first: they are dropped last.
  Items all;
  for (Kind kind : {kWrite, kRead, kOtherRead}) {
    for (unsigned i = 0; i < 4; ++i) {
      const Cell& cell = bytes[i];
      all.add(kind == kWrite ? cell.write : kind == kRead ? cell.read : cell.other_read, kind, i, stale);
    }
  }
  Entry first = kList;
  std::array<Entry, 3> others{};
  std::size_t used = 0;
  for (std::size_t i = 0; i < all.count; ++i) {
    const Item& item = all.items[i];
    Entry entry = item.entry;
    if (item.strong()) {
      if (item.kind == kWrite) entry |= kListBit;
    } else {
      entry = (entry & ~(kByteBits | kKindBits)) | (Entry{item.bytes} << 18) | (Entry{item.kind} << 16);
    }
    if (!item.strong() && first == kList) {
      first |= entry;
    } else if (used < others.size() && item.fits()) {
      others[used++] = entry;
    } else if (!whatever_fits) {
      return false;
    }
  }
  cells_[index] = {first, others[0], others[1]};
  more_[index] = others[2];
  return true;
}

ByteCells Shadow::read_list(std::uint64_t index) const {
  ByteCells bytes{};
  const Cell& word = cells_[index];
  auto spread = [&](Entry entry, Kind kind) {
    for (unsigned i = 0; i < 4; ++i) {
      if ((bytes_of(entry) >> i & 1) == 0) continue;
      (kind == kWrite ? bytes[i].write : kind == kRead ? bytes[i].read : bytes[i].other_read) = entry;
    }
  };
  auto plain = [&](Entry entry) { spread(entry & ~kKindBits, static_cast<Kind>((entry & kKindBits) >> 16)); };
  plain(word.write & ~kList);
  for (Entry entry : {word.read, word.other_read, more_[index]}) {
    if (!is_strong(entry)) {
      plain(entry);
    } else {
      spread(entry & ~kListBit, (entry & kListBit) != 0 ? kWrite : kRead);
    }
  }
  return bytes;
}

}  // namespace weakspot::race
