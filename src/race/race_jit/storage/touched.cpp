// SPDX-License-Identifier: MIT
#include "race_jit/storage/touched.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {
namespace {

constexpr race::Entry kIntervalBits = (race::Entry{race::kMaxInterval} << 32);

// The numbers of machines that wrote and that accessed one word or byte.
struct Seen {
  unsigned writers = 0, accessors = 0;

  void add(bool wrote, bool accessed) {
    writers += wrote ? 1 : 0;
    accessors += wrote || accessed ? 1 : 0;
  }
  bool is_shared() const { return writers > 0 && accessors > 1; }
};

bool share_written_byte(const std::vector<race::Shadow*>& shadows, std::uint64_t address, race::Entry from) {
  Seen seen[4];
  for (const race::Shadow* shadow : shadows) {
    const race::ByteCells cells = shadow->bytes(address);
    for (unsigned i = 0; i < 4; ++i) {
      auto here = [&](race::Entry entry) { return (entry & kIntervalBits) >= from; };
      seen[i].add(here(cells[i].write), here(cells[i].read) || here(cells[i].other_read));
    }
  }
  return seen[0].is_shared() || seen[1].is_shared() || seen[2].is_shared() || seen[3].is_shared();
}

}  // namespace

TouchBits update_bit(int operation, unsigned size) {
  if (size != 4 && size != 8) return 0;
  static constexpr int kKinds[] = {kAdd, kMinSigned, kMaxSigned, kMinUnsigned, kMaxUnsigned, kAnd, kOr, kXor};
  const auto* kind = std::find(std::begin(kKinds), std::end(kKinds), operation == kSub ? kAdd : operation);
  if (kind == std::end(kKinds)) return 0;
  return TouchBits{4} << (2 * (kind - std::begin(kKinds)) + (size == 8 ? 1 : 0));
}

Compare how_to_compare(TouchBits bits) {
  const TouchBits plain = bits & (kTouchRead | kTouchWrite);
  if (plain == bits) return (bits & kTouchWrite) != 0 ? Compare::words : Compare::nothing;
  return plain == 0 && std::has_single_bit(bits) ? Compare::nothing : Compare::is_dependent;
}

bool share_written_word(const std::vector<race::Shadow*>& shadows, std::uint64_t address, std::uint64_t size,
                        race::Interval first) {
  const race::Entry from = race::entry_at(first);
  for (std::uint64_t end = address + size; address < end; address += 4) {
    Seen seen;
    race::Entry any = 0;
    for (race::Shadow* shadow : shadows) {
      const race::Cell& cell = shadow->word(address);
      any |= cell.write;
      seen.add((cell.write & kIntervalBits) >= from, (cell.read & kIntervalBits) >= from);
    }
    // A word with cells for its bytes has the highest bit set, as strong writes have.
    if ((any & race::kStrongBit) == 0 ? seen.is_shared() : share_written_byte(shadows, address, from)) return true;
  }
  return false;
}

}  // namespace weakspot::race_jit
