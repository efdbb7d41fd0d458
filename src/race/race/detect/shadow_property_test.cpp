// SPDX-License-Identifier: MIT
// Byte cells kept as a list in the place of their word give the answers of byte cells kept apart.
#include "race/shadow.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "base/rng.h"
#include "race/detector.h"

namespace weakspot::race {
namespace {

constexpr std::uint64_t kBase = 4096;
constexpr std::uint64_t kWords = 4;

struct Side {
  explicit Side(bool lists)
      : cells(kWords),
        more(kWords),
        detector(Shadow(cells.data(), kBase, 4 * kWords, lists ? more.data() : nullptr), {}) {}

  std::vector<Cell> cells;
  std::vector<Entry> more;
  Detector detector;
  BlockState blocks[2];
};

Access draw_access(base::Rng& rng) {
  Access access;
  access.size = 1u << rng.below(3);
  access.address = kBase + rng.below(4 * kWords / access.size) * access.size;
  access.kind = rng.percent(50) ? AccessKind::read : AccessKind::write;
  access.site = static_cast<SiteId>(1 + rng.below(4));
  access.strong = rng.percent(20);
  access.scope = rng.percent(50) ? Scope::device : Scope::volatile_access;
  return access;
}

RC_GTEST_PROP(Shadow, ListsAnswerLikeCells, (std::uint64_t seed)) {
  base::Rng rng(seed);
  Side list(true), apart(false);
  // Mostly few threads, so that lists do not overflow at once.
  const std::uint64_t threads = 2 + rng.below(7);
  for (Side* side : {&list, &apart}) {
    side->detector.start_launch();
    for (std::uint32_t i = 0; i < 2; ++i) side->detector.start_block(side->blocks[i], i, 64);
  }
  for (int step = 0; step < 200; ++step) {
    const std::uint64_t block = rng.below(2), thread = rng.below(threads) * 9;
    const bool barrier = rng.percent(5);
    const auto site = static_cast<SiteId>(10 + rng.below(2));
    const Access access = draw_access(rng);
    for (Side* side : {&list, &apart}) {
      BlockState& state = side->blocks[block];
      if (barrier) {
        side->detector.barrier(state, site);
      } else {
        side->detector.access(state.threads[thread], access);
      }
    }
    RC_ASSERT(list.detector.conflicts() == apart.detector.conflicts());
  }
  const std::vector<Race>&a = list.detector.races(), &b = apart.detector.races();
  RC_ASSERT(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(a[i].race_class == b[i].race_class && a[i].count == b[i].count);
    RC_ASSERT(a[i].first.thread == b[i].first.thread && a[i].second.thread == b[i].second.thread);
    RC_ASSERT(a[i].first.site == b[i].first.site && a[i].second.site == b[i].second.site);
  }
  for (SiteId site : {SiteId{10}, SiteId{11}}) {
    RC_ASSERT(list.detector.barrier_needed(site) == apart.detector.barrier_needed(site));
  }
}

// A thread for each byte is what kernels over characters do.
TEST(Shadow, AThreadForEachByteNeedsNoMore) {
  Side side(true);
  side.detector.start_launch();
  side.detector.start_block(side.blocks[0], 0, 64);
  auto all = [&](AccessKind kind) {
    for (unsigned i = 0; i < 4 * kWords; ++i) {
      side.detector.access(side.blocks[0].threads[i], {.address = kBase + i, .size = 1, .kind = kind, .site = 1});
    }
  };
  all(AccessKind::write);
  EXPECT_EQ(side.detector.shadow().exact_words(), 0u);
  all(AccessKind::write);
  EXPECT_EQ(side.detector.shadow().exact_words(), 0u);
  all(AccessKind::read);
  EXPECT_EQ(side.detector.shadow().exact_words(), kWords);
  all(AccessKind::write);
  EXPECT_EQ(side.detector.shadow().exact_words(), 0u);
  EXPECT_TRUE(side.detector.races().empty());
}

}  // namespace
}  // namespace weakspot::race
