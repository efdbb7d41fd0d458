// SPDX-License-Identifier: MIT
#include "store/submission_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "support/store_test.h"

namespace weakspot::store::submission_store_test {
namespace {

class SubmissionStoreTest : public support::StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, SubmissionStoreTest, support::both_engines(), support::engine_name);

const Time kNow{Duration(1'800'000'000'000)};

SubmissionRow row_of(const std::string& test, std::int64_t weak, std::int64_t forbidden = 0) {
  return {.test = test,
          .test_hash = "hash-of-" + test,
          .environment = "stress=on",
          .instances = 100,
          .sequential = 90 - weak - forbidden,
          .interleaved = 10,
          .weak = weak,
          .forbidden = forbidden,
          .unknown = 0,
          .seconds = 0.5};
}

Submission submission(int number, std::vector<SubmissionRow> rows, const std::string& device = "") {
  return {.token = fmt::format("token{}", number),
          .vendor = "acme",
          .architecture = "one",
          .device = device,
          .document = fmt::format("{{\"number\":{}}}", number),
          .rows = std::move(rows)};
}

SubmissionAnswer submit(SubmissionStore& store, const Submission& submission) {
  const base::Result<std::vector<SubmissionAnswer>> answers = store.submit(std::span(&submission, 1), kNow);
  EXPECT_TRUE(answers) << base::render(answers.errors());
  return answers ? answers->at(0) : SubmissionAnswer{};
}

TEST_P(SubmissionStoreTest, ASecondTryIsNotASecondSubmission) {
  const auto database = new_store();
  SubmissionStore store(*database);
  const SubmissionAnswer first = submit(store, submission(1, {row_of("mp", 3)}));
  EXPECT_EQ(Submitted::stored, first.submitted);
  EXPECT_EQ(SubmissionState::accepted, first.state);
  EXPECT_EQ(32U, first.id.size());
  const SubmissionAnswer second = submit(store, submission(1, {row_of("mp", 3)}));
  EXPECT_EQ(Submitted::already_stored, second.submitted);
  EXPECT_EQ(first.id, second.id);
  Submission replay = submission(1, {row_of("mp", 3)});
  replay.token = "another";
  EXPECT_EQ(Submitted::duplicate, submit(store, replay).submitted);
  EXPECT_EQ(1, store.count()->accepted);
}

TEST_P(SubmissionStoreTest, RowsAreShownOnceFiveDevicesShareThem) {
  const auto database = new_store();
  SubmissionStore store(*database);
  for (int i = 0; i < 4; ++i) submit(store, submission(i, {row_of("mp", i), row_of("sb", 1)}));
  // The same device again does not make five.
  submit(store, submission(100, {row_of("sb", 1)}, "d"));
  submit(store, submission(101, {row_of("mp", 1)}, "d"));
  Submission other = submission(102, {row_of("mp", 5)});
  other.architecture = "two";
  submit(store, other);
  const base::Result<std::vector<ShownRow>> shown = store.shown();
  ASSERT_TRUE(shown) << base::render(shown.errors());
  ASSERT_EQ(2U, shown->size());
  const ShownRow& row = shown->at(0);
  EXPECT_EQ("acme", row.vendor);
  EXPECT_EQ("one", row.architecture);
  EXPECT_EQ(5, row.devices);
  EXPECT_EQ("mp", row.sum.test);
  EXPECT_EQ(500, row.sum.instances);
  EXPECT_EQ(0 + 1 + 2 + 3 + 1, row.sum.weak);
  EXPECT_DOUBLE_EQ(2.5, row.sum.seconds);
  EXPECT_EQ(1U, store.shown({.vendor = "acme", .architecture = "one", .test = "sb"})->size());
  EXPECT_TRUE(store.shown({.architecture = "two"})->empty());
  ASSERT_TRUE(*store.remove("token0"));
  EXPECT_TRUE(store.shown()->empty());
}

TEST_P(SubmissionStoreTest, TheSameDeviceCountsOnce) {
  const auto database = new_store();
  SubmissionStore store(*database);
  for (int i = 0; i < 9; ++i) submit(store, submission(i, {row_of("mp", 1)}, "d"));
  EXPECT_TRUE(store.shown()->empty());
}

TEST_P(SubmissionStoreTest, ForbiddenOutcomesArePrivateUntilReleased) {
  const auto database = new_store();
  SubmissionStore store(*database);
  for (int i = 0; i < 4; ++i) submit(store, submission(i, {row_of("mp", 1)}));
  const SubmissionAnswer withheld = submit(store, submission(4, {row_of("mp", 1, 2)}));
  EXPECT_EQ(SubmissionState::withheld, withheld.state);
  EXPECT_TRUE(store.shown()->empty());
  EXPECT_EQ(withheld.id, store.in_state(SubmissionState::withheld)->at(0).id);
  EXPECT_TRUE(*store.release(withheld.id));
  EXPECT_FALSE(*store.release(withheld.id));
  ASSERT_EQ(1U, store.shown()->size());
  EXPECT_EQ(2, store.shown()->at(0).sum.forbidden);
  EXPECT_EQ(1, store.count()->released);
}

TEST_P(SubmissionStoreTest, DeletionLeavesNothing) {
  const std::string place = new_place();
  const auto database = open(place);
  SubmissionStore store(*database);
  Submission mine = submission(1, {row_of("mp", 1)});
  mine.document = "{\"a\":\"unmistakable words of mine\"}";
  submit(store, mine);
  submit(store, submission(2, {row_of("mp", 1)}));
  EXPECT_FALSE(*store.remove("wrong"));
  EXPECT_TRUE(*store.remove(mine.token));
  EXPECT_FALSE(*store.remove(mine.token));
  EXPECT_EQ(1, store.count()->accepted);
  EXPECT_EQ(1, whole_of(database->query("SELECT count(*) FROM submission_rows")->at(0).at(0)));
  if (GetParam() != Engine::sqlite) return;
  for (const std::string& file : {place, place + "-wal"}) {
    const base::Result<std::string> bytes = base::read_file(file);
    EXPECT_EQ(std::string::npos, bytes ? bytes->find("unmistakable words") : std::string::npos) << file;
  }
}

TEST_P(SubmissionStoreTest, TokensAreKeptAsHashes) {
  const auto database = new_store();
  SubmissionStore store(*database);
  const base::Result<std::string> token = new_token();
  ASSERT_TRUE(token);
  EXPECT_NE(*token, *new_token());
  Submission mine = submission(1, {});
  mine.token = *token;
  submit(store, mine);
  const base::Result<std::vector<Row>> row = database->query("SELECT * FROM submissions");
  for (const std::optional<std::string>& field : row->at(0)) EXPECT_NE(*token, text_of(field));
}

TEST_P(SubmissionStoreTest, RejectedOnesAreKeptApart) {
  const auto database = new_store();
  SubmissionStore store(*database);
  ASSERT_TRUE(store.reject("{'; DROP TABLE records; --", "not JSON", kNow));
  ASSERT_TRUE(store.reject(std::string("\xff\0x", 3), "not UTF-8", kNow));
  base::Result<std::vector<RejectedSubmission>> rejected = store.rejected();
  ASSERT_EQ(2U, rejected->size());
  EXPECT_EQ("not JSON", rejected->at(0).reason);
  EXPECT_EQ("\\xff\\x00x", rejected->at(1).document);
  EXPECT_EQ(2, store.count()->rejected);
  EXPECT_EQ(0, store.count()->accepted);
  // Only so much of it.
  ASSERT_TRUE(store.reject("12345", "last", kNow, 10));
  ASSERT_EQ(1U, store.rejected()->size());
  EXPECT_EQ("last", store.rejected()->at(0).reason);
}

}  // namespace
}  // namespace weakspot::store::submission_store_test
