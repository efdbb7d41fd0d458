// SPDX-License-Identifier: MIT
#include "store/maintain.h"

#include <gtest/gtest.h>

#include "store/campaign_store.h"
#include "store/submission_store.h"
#include "support/store_test.h"

namespace weakspot::store::maintain_test {
namespace {

class MaintainTest : public support::StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, MaintainTest, support::both_engines(), support::engine_name);

const Time kNow{Duration(1'800'000'000'000)};

Record record_of(const std::string& document) { return {.test = "mp", .document = document}; }

// Two shards, of which this one is done here.
void make_campaign(Database& database, const std::string& done) {
  CampaignStore store(database);
  const std::vector<Shard> shards = {{"s0", "cpu", 1, "{}"}, {"s1", "cpu", 1, "{}"}};
  ASSERT_TRUE(store.create({"c1", "nightly", "{}"}, shards, kNow));
  const base::Result<Claims> claims =
      store.claim({.agent = "a", .device = "a/cpu", .device_classes = {"cpu"}, .campaign = "", .most = 2}, kNow);
  ASSERT_TRUE(claims);
  for (const Claim& claim : claims->claims) {
    if (claim.attempt.shard != done) continue;
    ASSERT_EQ(Finished::stored, *store.finish("a", {claim.attempt, "a/cpu", 1, {record_of("of " + done)}}, kNow));
  }
}

TEST_P(MaintainTest, MergeAddsWhatIsMissingOnce) {
  const auto ours = new_store(), theirs = new_store();
  make_campaign(*ours, "s0");
  make_campaign(*theirs, "s1");
  ASSERT_TRUE(ResultStore(*theirs).add(std::vector<Record>{record_of("of s0"), record_of("more")}));
  const base::Result<Merged> merged = merge_store(*theirs, *ours);
  ASSERT_TRUE(merged) << base::render(merged.errors());
  EXPECT_EQ(2U, merged->records.added);
  EXPECT_EQ(1U, merged->records.known);
  EXPECT_EQ(0U, merged->campaigns.added);
  EXPECT_EQ(1U, merged->shard_results.added);
  const base::Result<Merged> again = merge_store(*theirs, *ours);
  ASSERT_TRUE(again);
  EXPECT_EQ(0U, again->records.added + again->campaigns.added + again->shard_results.added);

  CampaignStore store(*ours);
  EXPECT_TRUE(store.status("c1", kNow)->over());
  std::vector<std::string> documents;
  ASSERT_TRUE(store.visit_results("c1", [&](const ShardResult& result) {
    for (const StoredRecord& record : result.records) documents.push_back(record.record.document);
    return base::ok_status();
  }));
  EXPECT_EQ((std::vector<std::string>{"of s0", "of s1"}), documents);

  const auto empty = new_store();
  ASSERT_TRUE(merge_store(*ours, *empty));
  EXPECT_EQ(3, *ResultStore(*empty).count());
  EXPECT_TRUE(CampaignStore(*empty).status("c1", kNow)->over());
  EXPECT_TRUE(verify_store(*empty)->problems.empty());
}

TEST_P(MaintainTest, MergeNeverBringsBackWhatWasDeleted) {
  const auto ours = new_store(), theirs = new_store();
  SubmissionStore store(*ours);
  ASSERT_TRUE(store.submit(std::vector<Submission>{{"t1", "v", "a", "", "one", {{.test = "mp", .test_hash = "h"}}},
                                                   {"t2", "v", "a", "", "two", {}}},
                           kNow));
  ASSERT_EQ(2U, merge_store(*ours, *theirs)->submissions.added);
  ASSERT_TRUE(*store.remove("t1"));
  EXPECT_EQ(0U, merge_store(*theirs, *ours)->submissions.added);
  EXPECT_EQ(1, store.count()->accepted);
  ASSERT_TRUE(merge_store(*ours, *theirs));
  EXPECT_EQ(1, SubmissionStore(*theirs).count()->accepted);
}

TEST_P(MaintainTest, VerifyFindsWhatWasChanged) {
  const auto database = new_store();
  make_campaign(*database, "s0");
  ASSERT_TRUE(ResultStore(*database).add(std::vector<Record>{record_of("{}")}));
  const base::Result<Verified> fine = verify_store(*database);
  ASSERT_TRUE(fine);
  EXPECT_EQ(2, fine->records);
  EXPECT_TRUE(fine->problems.empty());
  ASSERT_TRUE(
      database->run_script("UPDATE records SET document = '[]' WHERE document = '{}'; "
                           "UPDATE shards SET state = 'open' WHERE id = 's0'"));
  const base::Result<Verified> changed = verify_store(*database);
  ASSERT_TRUE(changed);
  ASSERT_EQ(2U, changed->problems.size());
  EXPECT_EQ("record 2: the document does not have the hash " + content_hash("{}"), changed->problems[0]);
  EXPECT_EQ("1 results of shards that are not done", changed->problems[1]);
}

TEST_P(MaintainTest, VacuumKeepsEverything) {
  const auto database = new_store();
  ASSERT_TRUE(ResultStore(*database).add(std::vector<Record>{record_of("{}")}));
  ASSERT_TRUE(database->vacuum());
  EXPECT_EQ(1, *ResultStore(*database).count());
}

}  // namespace
}  // namespace weakspot::store::maintain_test
