// SPDX-License-Identifier: MIT
#include "desk/fences.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "litmus/normalize.h"
#include "model/library.h"
#include "support/corpus_tests.h"
#include "support/read_one.h"

namespace weakspot::desk::fences_test {
namespace {

using Reach = model::Verdict::Reach;

model::Model model_named(const std::string& name) {
  const base::Result<model::Model> model = model::load_model(name);
  EXPECT_TRUE(model.ok()) << base::render(model.errors());
  return *model;
}

std::vector<std::string> ways_of(const litmus::LitmusTest& test, const std::string& model) {
  const Fences found = find_fences(test, model_named(model));
  EXPECT_TRUE(found.complete) << found.reason;
  const ChangeTexts change_text(test, found.places);
  std::vector<std::string> ways;
  for (const Way& way : found.ways) {
    std::string& text = ways.emplace_back();
    for (const Change& change : way.changes) text += (text.empty() ? "" : "; ") + change_text(change);
  }
  return ways;
}

using Texts = std::vector<std::string>;

TEST(Fences, OfMessagePassingInPtx) {
  const litmus::LitmusTest test = tests::read_one(
      "PTX mp\n{ 0:r0=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ;\n"
      " st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n");
  EXPECT_EQ(ways_of(test, "ptx").front(),
            "P0 `st.relaxed.gpu y, 1` -> `st.release.gpu y, 1`; "
            "P1 `ld.relaxed.gpu r0, y` -> `ld.acquire.gpu r0, y`");
}

TEST(Fences, OfStoreBufferingByModel) {
  const litmus::LitmusTest test = tests::read_one(
      "weakspot SB\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n ld r0, y | ld r0, x ;\nexists (0:r0=0 /\\ 1:r0=0)\n");
  EXPECT_EQ(ways_of(test, "ptx"), (Texts{"P0 `fence.sc` before `ld r0, y`; P1 `fence.sc` before `ld r0, x`"}));
  EXPECT_EQ(ways_of(test, "sc"), Texts{});  // forbidden as it is
}

TEST(Fences, WidenScopes) {
  const litmus::LitmusTest test = tests::read_one(
      "weakspot MP\n P0 | P1 ;\n st x, 1 | ld.acq.wg r0, y ;\n st.rel y, 1 | ld r1, x ;\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n");
  const Fences found = find_fences(test, model_named("ptx"), {.places = 1});
  ASSERT_FALSE(found.ways.empty());
  const ChangeTexts change_text(test, found.places);
  EXPECT_EQ(change_text(found.ways.front().changes.front()), "P1 `ld.acq.wg r0, y` -> `ld.acq r0, y`");
  EXPECT_EQ(change_text.narrow(found.ways.front().changes.front()),
            "it reaches its own workgroup only, and P0 is in another");
}

// What is claimed of every way: it is a valid test, forbidden, and minimal.
TEST(Fences, AreForbiddenAndMinimal) {
  for (const std::string name : {"ptx", "c11", "aarch64", "tso"}) {
    const model::Model model = model_named(name);
    std::size_t ways = 0;
    for (const litmus::LitmusTest& test : testing_support::corpus_tests("classic/@all", 23)) {
      if (test.threads.size() > 3) continue;
      const Fences found = find_fences(test, model, {.places = 2, .tests = 500});
      for (const Way& way : found.ways) {
        EXPECT_TRUE(litmus::validate(way.test).empty()) << test.name << " by " << name;
        EXPECT_EQ(model::judge(way.test, model).reach, Reach::forbidden) << test.name << " by " << name;
        EXPECT_FALSE(way.weaker.empty());
        for (const WeakerTest& weaker : way.weaker) {
          EXPECT_EQ(model::judge(strengthened(test, found.places, weaker.changes), model).reach, Reach::allowed)
              << test.name << " by " << name;
        }
        ++ways;
      }
    }
    EXPECT_GT(ways, 0u) << name;
  }
}

// A stronger test allows no more: what the search relies on.
TEST(Fences, StrongerTestsAllowNoMore) {
  for (const std::string name : {"ptx", "c11", "opencl", "vulkan", "aarch64", "tso"}) {
    const model::Model model = model_named(name);
    for (const litmus::LitmusTest& test : testing_support::corpus_tests("classic/@all", 31)) {
      const std::vector<Place> places = places_to_strengthen(test, model);
      for (std::size_t place = 0; place < places.size(); ++place) {
        Reach last = model::judge(test, model).reach;
        for (std::size_t i = 0; i < places[place].alternatives.size(); ++i) {
          if (i > 0 && !at_most_as_strong(places[place].alternatives[i - 1], places[place].alternatives[i])) continue;
          const Reach now = model::judge(strengthened(test, places, {{place, i}}), model).reach;
          EXPECT_FALSE(last == Reach::forbidden && now == Reach::allowed) << test.name << " by " << name;
          last = now;
        }
      }
    }
  }
}

}  // namespace
}  // namespace weakspot::desk::fences_test
