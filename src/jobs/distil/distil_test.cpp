// SPDX-License-Identifier: MIT
// Stories of two to four threads, as tests that ptx judges.
#include "distil/distil.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "distil/story/story.h"
#include "litmus/dialect.h"
#include "race/causes.h"

namespace weakspot::distil::distil_test {
namespace {

using race::StepKind;
using race::StepOrder;
using race::WitnessStep;

using Scope = std::optional<race::Scope>;
constexpr Scope kBlock = race::Scope::block, kDevice = race::Scope::device;

WitnessStep access(StepKind kind, std::size_t location, StepOrder order, Scope scope, std::uint64_t number) {
  WitnessStep step;
  step.kind = kind;
  step.location = location;
  step.order = order;
  step.scope = scope;
  step.number = number;
  step.place = {"a.cu", static_cast<unsigned>(number), 1};
  return step;
}

WitnessStep plain(StepKind kind, std::uint64_t number) { return access(kind, 0, StepOrder::weak, {}, number); }
WitnessStep flag(StepKind kind, StepOrder order, Scope scope, std::uint64_t number) {
  return access(kind, 1, order, scope, number);
}
WitnessStep fence(Scope scope, std::uint64_t number) {
  return access(StepKind::fence, 0, StepOrder::acq_rel, scope, number);
}
WitnessStep barrier(std::uint64_t number) { return access(StepKind::barrier, 0, StepOrder::none, {}, number); }

// Thread i runs in block i, unless said otherwise.
race::Finding story(std::vector<std::vector<WitnessStep>> threads, std::vector<race::Witness::Link> links) {
  race::Finding finding;
  finding.message = "write and read of global data[0] are not ordered";
  finding.place = {"a.cu", 1, 1};
  finding.witness.emplace();
  finding.witness->locations = {{{"data", "[0]", {}}, race::Space::global, 4},
                                {{"flag", {}, {}}, race::Space::global, 4}};
  for (std::uint32_t i = 0; i < threads.size(); ++i) {
    finding.witness->threads.push_back({{{}, {{i}}, {}}, i, 0, std::move(threads[i])});
  }
  finding.witness->links = std::move(links);
  return finding;
}

race::Finding message(StepOrder write_order, StepOrder read_order, Scope scope) {
  return story({{plain(StepKind::write, 1), flag(StepKind::write, write_order, scope, 2)},
                {flag(StepKind::read, read_order, scope, 3), plain(StepKind::read, 4)}},
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
  expect_pair(message(StepOrder::relaxed, StepOrder::relaxed, kDevice));
  expect_pair(message(StepOrder::release, StepOrder::relaxed, kDevice));
  expect_pair(message(StepOrder::relaxed, StepOrder::acquire, kDevice));
}

// A finding in which a copy uses what a thread of block 0 wrote.
race::Finding missing_proxy_fence(race::Space space, race::Act use, const race::ThreadIndex& issuer) {
  race::Finding finding;
  finding.finding_class = race::ClassId::p1;
  finding.space = space;
  finding.place = {"a.cu", 3, 1};
  finding.other = race::Place{"a.cu", 7, 1};
  finding.actor = {race::Act::write, {{{5}}, {}, {}}};
  finding.other_actor = {use, issuer};
  return finding;
}

// The thread that writes, another of its block, and one of another block.
const std::vector<race::ThreadIndex> kIssuers = {{{{5}}, {}, {}}, {}, {{}, {{1}}, {}}};

TEST_F(DistilTest, AMissingProxyFence) {
  for (const race::Act use : {race::Act::asynchronous_read, race::Act::asynchronous_write}) {
    for (const race::Space space : {race::Space::shared, race::Space::global}) {
      for (const race::ThreadIndex& issuer : kIssuers) {
        const race::Finding finding = missing_proxy_fence(space, use, issuer);
        const race::Distilled found = judged(finding);
        const std::string what = fmt::format("{} {}", space_word(space), actor_text(*finding.other_actor));
        EXPECT_EQ(found.verdict, "allowed") << what << found.problem;
        EXPECT_EQ(found.repaired_verdict, "forbidden") << what;
        EXPECT_FALSE(found.disagrees);
        EXPECT_EQ(found.repair, std::vector<std::string>{"fence.proxy.async before the copy at a.cu:7:1"});
      }
    }
  }
}

TEST_F(DistilTest, AReadThatACopyOverwrites) {
  for (const race::Space space : {race::Space::shared, race::Space::global}) {
    for (const race::ThreadIndex& issuer : kIssuers) {
      race::Finding finding = missing_proxy_fence(space, race::Act::asynchronous_write, issuer);
      finding.finding_class = race::ClassId::p2;
      finding.actor->act = race::Act::read;
      const race::Distilled found = judged(finding);
      EXPECT_EQ(found.verdict, "allowed") << space_word(space) << thread_text(issuer) << found.problem;
      EXPECT_EQ(found.repaired_verdict, "forbidden") << space_word(space) << thread_text(issuer);
      EXPECT_FALSE(found.disagrees);
    }
  }
}

TEST_F(DistilTest, ATensorMapThatWasNotReleasedAndAcquired) {
  for (const race::ThreadIndex& issuer : kIssuers) {
    const race::Distilled found = judged(missing_proxy_fence(race::Space::global, race::Act::map_use, issuer));
    EXPECT_EQ(found.verdict, "allowed") << thread_text(issuer) << found.problem;
    EXPECT_EQ(found.repaired_verdict, "forbidden") << thread_text(issuer);
    EXPECT_FALSE(found.disagrees);
    EXPECT_EQ(found.repair, std::vector<std::string>{"fence.proxy.tensormap: release behind a.cu:3:1, acquire before "
                                                     "the copy at a.cu:7:1"});
  }
}

TEST_F(DistilTest, AFenceOfTheClusterIsNotTold) {
  const race::Distilled found = judged(message(StepOrder::relaxed, StepOrder::relaxed, race::Scope::cluster));
  EXPECT_EQ(found.problem, "an operation has the scope of a cluster, which the test does not tell");
}

TEST_F(DistilTest, AMessageOfTooNarrowAScope) { expect_pair(message(StepOrder::release, StepOrder::acquire, kBlock)); }

TEST_F(DistilTest, AMessageThatTheModelForbidsIsADisagreement) {
  const race::Distilled found = judged(message(StepOrder::release, StepOrder::acquire, kDevice));
  EXPECT_EQ(found.verdict, "forbidden");
  EXPECT_TRUE(found.disagrees);
}

TEST_F(DistilTest, ALockWithFencesOfTheBlock) {
  expect_pair(
      story({{plain(StepKind::write, 1), fence(kBlock, 2), flag(StepKind::update, StepOrder::relaxed, kDevice, 3)},
             {flag(StepKind::update, StepOrder::relaxed, kDevice, 4), fence(kBlock, 5), plain(StepKind::write, 6)}},
            {{3, 4}}));
}

TEST_F(DistilTest, AReadThatTheNextOwnerOverwrites) {
  expect_pair(story({{plain(StepKind::read, 1), flag(StepKind::write, StepOrder::relaxed, kDevice, 2)},
                     {flag(StepKind::read, StepOrder::relaxed, kDevice, 3), plain(StepKind::write, 4)}},
                    {{2, 3}}));
}

TEST_F(DistilTest, AReadThatTheNextOwnerUpdates) {
  expect_pair(story({{plain(StepKind::read, 1), flag(StepKind::write, StepOrder::relaxed, kDevice, 2)},
                     {flag(StepKind::read, StepOrder::relaxed, kDevice, 3),
                      access(StepKind::update, 0, StepOrder::relaxed, kDevice, 4)}},
                    {{2, 3}}));
}

TEST_F(DistilTest, BarriersOfTheThreadsOfABlock) {
  race::Finding finding = story({{plain(StepKind::write, 1), barrier(2)},
                                 {barrier(2), flag(StepKind::update, StepOrder::relaxed, kDevice, 3)},
                                 {flag(StepKind::update, StepOrder::relaxed, kDevice, 4), barrier(5)},
                                 {barrier(5), plain(StepKind::read, 6)}},
                                {{2, 2}, {3, 4}, {5, 5}});
  for (std::uint32_t i = 0; i < 4; ++i) {
    finding.witness->threads[i].block = i / 2;
    finding.witness->threads[i].warp = i % 2;
  }
  expect_pair(finding);
}

TEST_F(DistilTest, AnUpdateOfTheBlockOnTheWay) {
  expect_pair(story({{plain(StepKind::write, 1), flag(StepKind::update, StepOrder::release, kDevice, 2)},
                     {flag(StepKind::update, StepOrder::relaxed, kBlock, 3)},
                     {flag(StepKind::update, StepOrder::acquire, kDevice, 4), plain(StepKind::read, 5)}},
                    {{2, 3}, {3, 4}}));
}

TEST_F(DistilTest, AtomicsOfTheBlockBetweenBlocks) {
  expect_pair(story({{access(StepKind::update, 0, StepOrder::relaxed, kBlock, 1)},
                     {access(StepKind::update, 0, StepOrder::relaxed, kBlock, 2)}},
                    {}));
}

TEST_F(DistilTest, AnAtomicAndAPlainAccess) {
  expect_pair(story({{access(StepKind::update, 0, StepOrder::relaxed, kDevice, 1)}, {plain(StepKind::write, 2)}}, {}));
  expect_pair(story({{access(StepKind::update, 0, StepOrder::relaxed, kDevice, 1)}, {plain(StepKind::read, 2)}}, {}));
}

TEST_F(DistilTest, AStoreAndALoadOfALock) {
  race::Finding finding = story({{plain(StepKind::write, 1)}, {plain(StepKind::read, 2)}}, {});
  finding.witness->on_signal = true;
  expect_pair(finding);
}

TEST_F(DistilTest, TwoStoresOfALock) {
  race::Finding finding = story({{plain(StepKind::write, 1)}, {plain(StepKind::write, 2)}}, {});
  EXPECT_FALSE(is_about_order(finding));
  finding.witness->on_signal = true;
  expect_pair(finding);
  finding.witness->threads[1].block = 0;
  EXPECT_FALSE(is_about_order(finding));  // a barrier is missing
}

TEST_F(DistilTest, PlainAccessesAloneAreNotAboutOrder) {
  EXPECT_FALSE(is_about_order(story({{plain(StepKind::write, 1)}, {plain(StepKind::read, 2)}}, {})));
  race::Finding barrier_only;
  EXPECT_FALSE(is_about_order(barrier_only));
}

TEST_F(DistilTest, TheTestNamesItsLines) {
  const base::Result<litmus::LitmusTest> test =
      story_test(message(StepOrder::release, StepOrder::relaxed, kDevice), "t");
  ASSERT_TRUE(test.ok()) << base::render(test.errors());
  const base::Result<std::string> text = litmus::print(*test, litmus::Dialect::ptx);
  ASSERT_TRUE(text.ok()) << base::render(text.errors());
  EXPECT_NE(text->find("P1=threadIdx=0 blockIdx=1: read of flag at a.cu:3:1, read of data[0] at a.cu:4:1"),
            std::string::npos)
      << *text;
}

}  // namespace
}  // namespace weakspot::distil::distil_test
