// SPDX-License-Identifier: MIT
// Stories of two to four threads, as tests that ptx judges.
#include "distil/distil.h"

#include <gtest/gtest.h>

#include "distil/story.h"
#include "litmus/dialect.h"
#include "race/causes.h"

namespace weakspot::distil::distil_test {
namespace {

using race::WitnessStep;

WitnessStep access(const char* what, std::size_t location, const char* order, const char* scope, std::uint64_t number) {
  WitnessStep step;
  step.what = what;
  step.location = location;
  step.order = order;
  step.scope = scope;
  step.number = number;
  step.place = {"a.cu", static_cast<unsigned>(number), 1};
  return step;
}

WitnessStep plain(const char* what, std::uint64_t number) { return access(what, 0, "weak", "", number); }
WitnessStep flag(const char* what, const char* order, const char* scope, std::uint64_t number) {
  return access(what, 1, order, scope, number);
}
WitnessStep fence(const char* scope, std::uint64_t number) { return access("fence", 0, "acq_rel", scope, number); }
WitnessStep barrier(std::uint64_t number) { return access("barrier", 0, "", "", number); }

// Thread i runs in block i, unless said otherwise.
race::Finding story(std::vector<std::vector<WitnessStep>> threads, std::vector<race::Witness::Link> links) {
  race::Finding finding;
  finding.kind = "race";
  finding.message = "write and read of global data[0] are not ordered";
  finding.place = {"a.cu", 1, 1};
  finding.witness.emplace();
  finding.witness->locations = {{"data[0]", "global", 4}, {"flag", "global", 4}};
  for (std::uint32_t i = 0; i < threads.size(); ++i) {
    finding.witness->threads.push_back({"threadIdx=0", i, 0, std::move(threads[i])});
  }
  finding.witness->links = std::move(links);
  return finding;
}

race::Finding message(const char* write_order, const char* read_order, const char* scope) {
  return story({{plain("write", 1), flag("write", write_order, scope, 2)},
                {flag("read", read_order, scope, 3), plain("read", 4)}},
               {{2, 3}});
}

class DistilTest : public testing::Test {
 protected:
  DistilTest() : model(*model::load_model("ptx")) {}

  race::Distilled judged(const race::Finding& finding) {
    const std::optional<Pair> pair = distil(finding, "t", model, "ptx");
    EXPECT_TRUE(pair.has_value());
    return pair ? pair->summary : race::Distilled{};
  }
  void expect_pair(const race::Finding& finding) {
    const race::Distilled found = judged(finding);
    EXPECT_EQ(found.verdict, "allowed");
    EXPECT_EQ(found.repaired_verdict, "forbidden");
    EXPECT_EQ(found.problem, "");
    EXPECT_FALSE(found.repair.empty());
  }

  model::Model model;
};

TEST_F(DistilTest, AMessageWithoutReleaseOrAcquire) {
  expect_pair(message("relaxed", "relaxed", "device"));
  expect_pair(message("release", "relaxed", "device"));
  expect_pair(message("relaxed", "acquire", "device"));
}

// What a thread of block 0 wrote is used by a copy.
race::Finding missing_proxy_fence(const std::string& space, const std::string& use) {
  race::Finding finding;
  finding.finding_class = race::ClassId::p1;
  finding.kind = "race";
  finding.space = space;
  finding.place = {"a.cu", 3, 1};
  finding.other = race::Place{"a.cu", 7, 1};
  finding.label = "write by threadIdx=5 blockIdx=0";
  finding.other_label = use;
  return finding;
}

TEST_F(DistilTest, AMissingProxyFence) {
  for (const char* copy : {"read", "write"}) {
    for (const char* space : {"shared", "global"}) {
      for (const char* issuer : {"threadIdx=5 blockIdx=0", "threadIdx=0 blockIdx=0", "threadIdx=0 blockIdx=1"}) {
        const race::Distilled found =
            judged(missing_proxy_fence(space, std::string("asynchronous ") + copy + " by " + issuer));
        EXPECT_EQ(found.verdict, "allowed") << copy << space << issuer << found.problem;
        EXPECT_EQ(found.repaired_verdict, "forbidden") << copy << space << issuer;
        EXPECT_FALSE(found.disagrees);
        EXPECT_EQ(found.repair, std::vector<std::string>{"fence.proxy.async before the copy at a.cu:7:1"});
      }
    }
  }
}

TEST_F(DistilTest, ATensorMapThatWasNotReleasedAndAcquired) {
  for (const char* issuer : {"threadIdx=5 blockIdx=0", "threadIdx=0 blockIdx=0", "threadIdx=0 blockIdx=1"}) {
    const race::Distilled found = judged(missing_proxy_fence("global", std::string(race::kMapUse) + " by " + issuer));
    EXPECT_EQ(found.verdict, "allowed") << issuer << found.problem;
    EXPECT_EQ(found.repaired_verdict, "forbidden") << issuer;
    EXPECT_FALSE(found.disagrees);
    EXPECT_EQ(found.repair, std::vector<std::string>{"fence.proxy.tensormap: release behind a.cu:3:1, acquire before "
                                                     "the copy at a.cu:7:1"});
  }
}

TEST_F(DistilTest, AMessageOfTooNarrowAScope) { expect_pair(message("release", "acquire", "block")); }

TEST_F(DistilTest, AMessageThatTheModelForbidsIsADisagreement) {
  const race::Distilled found = judged(message("release", "acquire", "device"));
  EXPECT_EQ(found.verdict, "forbidden");
  EXPECT_TRUE(found.disagrees);
}

TEST_F(DistilTest, ALockWithFencesOfTheBlock) {
  expect_pair(story({{plain("write", 1), fence("block", 2), flag("update", "relaxed", "device", 3)},
                     {flag("update", "relaxed", "device", 4), fence("block", 5), plain("write", 6)}},
                    {{3, 4}}));
}

TEST_F(DistilTest, AReadThatTheNextOwnerOverwrites) {
  expect_pair(story({{plain("read", 1), flag("write", "relaxed", "device", 2)},
                     {flag("read", "relaxed", "device", 3), plain("write", 4)}},
                    {{2, 3}}));
}

TEST_F(DistilTest, AReadThatTheNextOwnerUpdates) {
  expect_pair(story({{plain("read", 1), flag("write", "relaxed", "device", 2)},
                     {flag("read", "relaxed", "device", 3), access("update", 0, "relaxed", "device", 4)}},
                    {{2, 3}}));
}

TEST_F(DistilTest, BarriersOfTheThreadsOfABlock) {
  race::Finding finding = story({{plain("write", 1), barrier(2)},
                                 {barrier(2), flag("update", "relaxed", "device", 3)},
                                 {flag("update", "relaxed", "device", 4), barrier(5)},
                                 {barrier(5), plain("read", 6)}},
                                {{2, 2}, {3, 4}, {5, 5}});
  for (std::uint32_t i = 0; i < 4; ++i) {
    finding.witness->threads[i].block = i / 2;
    finding.witness->threads[i].warp = i % 2;
  }
  expect_pair(finding);
}

TEST_F(DistilTest, AnUpdateOfTheBlockOnTheWay) {
  expect_pair(story({{plain("write", 1), flag("update", "release", "device", 2)},
                     {flag("update", "relaxed", "block", 3)},
                     {flag("update", "acquire", "device", 4), plain("read", 5)}},
                    {{2, 3}, {3, 4}}));
}

TEST_F(DistilTest, AtomicsOfTheBlockBetweenBlocks) {
  expect_pair(story({{access("update", 0, "relaxed", "block", 1)}, {access("update", 0, "relaxed", "block", 2)}}, {}));
}

TEST_F(DistilTest, AnAtomicAndAPlainAccess) {
  expect_pair(story({{access("update", 0, "relaxed", "device", 1)}, {plain("write", 2)}}, {}));
  expect_pair(story({{access("update", 0, "relaxed", "device", 1)}, {plain("read", 2)}}, {}));
}

TEST_F(DistilTest, AStoreAndALoadOfALock) {
  race::Finding finding = story({{plain("write", 1)}, {plain("read", 2)}}, {});
  finding.witness->on_signal = true;
  expect_pair(finding);
}

TEST_F(DistilTest, TwoStoresOfALock) {
  race::Finding finding = story({{plain("write", 1)}, {plain("write", 2)}}, {});
  EXPECT_FALSE(is_about_order(finding));
  finding.witness->on_signal = true;
  expect_pair(finding);
  finding.witness->threads[1].block = 0;
  EXPECT_FALSE(is_about_order(finding));  // a barrier is missing
}

TEST_F(DistilTest, PlainAccessesAloneAreNotAboutOrder) {
  EXPECT_FALSE(is_about_order(story({{plain("write", 1)}, {plain("read", 2)}}, {})));
  race::Finding barrier_only;
  EXPECT_FALSE(is_about_order(barrier_only));
}

TEST_F(DistilTest, TheTestNamesItsLines) {
  const base::Result<litmus::LitmusTest> test = story_test(message("release", "relaxed", "device"), "t");
  ASSERT_TRUE(test.ok()) << base::render(test.errors());
  const base::Result<std::string> text = litmus::print(*test, litmus::Dialect::ptx);
  ASSERT_TRUE(text.ok()) << base::render(text.errors());
  EXPECT_NE(text->find("P1=threadIdx=0: read of flag at a.cu:3:1, read of data[0] at a.cu:4:1"), std::string::npos)
      << *text;
}

}  // namespace
}  // namespace weakspot::distil::distil_test
