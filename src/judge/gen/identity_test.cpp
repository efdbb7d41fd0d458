// SPDX-License-Identifier: MIT
#include "gen/identity.h"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"
#include "gen/build.h"
#include "gen/name.h"
#include "gen/search.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/read_one.h"

namespace weakspot::gen::identity_test {
namespace {

base::Hash128 hash_of(const std::string& text) { return canonical_hash(tests::read_one(text)); }

const char* const kMessagePassing =
    "weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, y ;\nst y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";

TEST(Identity, TheSameUnderOtherNames) {
  const char* const kSame[] = {
      // Threads the other way round, other locations and registers.
      "weakspot A\nP0 | P1 ;\nld a, q | st p, 1 ;\nld b, p | st q, 1 ;\nexists (0:a=1 /\\ 0:b=0)\n",
      // Other values; another order in the condition.
      "weakspot B\nP0 | P1 ;\nst x, 7 | ld r0, y ;\nst y, 3 | ld r1, x ;\nexists (1:r1=0 /\\ 1:r0=3)\n",
      ("weakspot C\n\"described\"\nExpect=sc forbidden\nP0 | P1 ;\nst y, 2 | ld r5, x ;\nst x, 1 | ld r4, y ;\n"
       "exists (1:r4=0 /\\ 1:r5=1)\n")};
  for (const char* text : kSame) EXPECT_EQ(hash_of(text), hash_of(kMessagePassing)) << text;
}

TEST(Identity, NotTheSame) {
  const char* const kOthers[] = {
      // The other outcome; another quantifier; another initial value; another order; fences; a scope tree.
      "weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, y ;\nst y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=1)\n",
      "weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, y ;\nst y, 1 | ld r1, x ;\n~exists (1:r0=1 /\\ 1:r1=0)\n",
      "weakspot MP\n{ x = 1; }\nP0 | P1 ;\nst x, 1 | ld r0, y ;\nst y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n",
      "weakspot MP\nP0 | P1 ;\nst x, 1 | ld.acq r0, y ;\nst y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n",
      "weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, y ;\nfence.sc | ld r1, x ;\nst y, 1 | ;\nexists (1:r0=1 /\\ 1:r1=0)\n",
      ("weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, y ;\nst y, 1 | ld r1, x ;\nscopes (wg P0 P1)\n"
       "exists (1:r0=1 /\\ 1:r1=0)\n"),
      // x twice.
      "weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, x ;\nst x, 2 | ld r1, x ;\nexists (1:r0=2 /\\ 1:r1=0)\n",
      "weakspot MP\nP0 | P1 ;\nst x, 0 | ld r0, y ;\nst y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n"};
  for (const char* text : kOthers) EXPECT_NE(hash_of(text), hash_of(kMessagePassing)) << text;
}

TEST(Identity, NumbersThatAreComputedWithStay) {
  auto with = [](int stored) {
    return hash_of("weakspot A\nP0 | P1 ;\nst x, " + std::to_string(stored) +
                   " | ld r0, x ;\n | add r1, r0, 1 ;\nexists (1:r1=" + std::to_string(stored + 1) + ")\n");
  };
  EXPECT_NE(with(1), with(5));
}

TEST(Identity, EightThreadsThatLookAlike) {
  const base::Result<Cycle> cycle = cycle_named("8.SB");
  ASSERT_TRUE(cycle.ok());
  const litmus::LitmusTest ring = *to_test(*cycle);
  // The same threads in two rings of four.
  litmus::LitmusTest rings = ring;
  for (std::uint32_t t = 0; t < 8; ++t) {
    auto& code = rings.threads[t].instructions;
    litmus::access_of(code[1])->address.location = litmus::LocationId{t / 4 * 4 + (t + 1) % 4};
  }
  litmus::LitmusTest turned = ring;
  std::swap(turned.threads[1], turned.threads[6]);
  EXPECT_NE(canonical_hash(rings), canonical_hash(ring));
  EXPECT_EQ(canonical_hash(turned), canonical_hash(ring));
}

SearchConfig some_cycles() {
  SearchConfig config;
  for (const char* word : {"Rfe", "Fre", "Coe", "Pod**", "Fence.scd**", "DpAddrd*", "DpDatadW", "DpCtrld*", "Rmw",
                           "Fence.acqreld**", "Membar.gld**"}) {
    for (const Edge& edge : expand_edge(word)) config.edges.push_back(edge);
  }
  config.size = {2, 6};
  return config;
}

// Any other values, as long as they differ and are not the initial one.
TEST(Identity, OtherValuesOfGeneratedTests) {
  base::Rng rng(1);
  std::size_t count = 0;
  search(some_cycles(), [&](const Cycle& cycle) {
    TestOptions options;
    std::vector<std::int64_t> pool(100);
    for (std::size_t i = 0; i < pool.size(); ++i) pool[i] = static_cast<std::int64_t>(i) + 1;
    rng.shuffle(pool);
    options.layout.values.assign(pool.begin(), pool.begin() + 16);
    EXPECT_EQ(canonical_hash(*to_test(cycle, options)), canonical_hash(*to_test(cycle))) << to_string(cycle);
    return ++count < 500;
  });
}

// Cycles that are not rotations of each other are different tests.
TEST(Identity, GeneratedTestsAllDiffer) {
  std::map<base::Hash128, std::string> seen;
  std::size_t count = 0;
  search(some_cycles(), [&](const Cycle& cycle) {
    const auto [entry, fresh] = seen.emplace(canonical_hash(*to_test(cycle)), to_string(cycle));
    EXPECT_TRUE(fresh) << entry->second << " and " << to_string(cycle);
    return ++count < 3'000;
  });
  EXPECT_GT(count, 1'000u);
}

}  // namespace
}  // namespace weakspot::gen::identity_test
