// SPDX-License-Identifier: MIT
#include "store/result_store.h"

#include <gtest/gtest.h>

#include "store/maintain.h"
#include "support/store_test.h"

namespace weakspot::store::result_store_test {
namespace {

class ResultStoreTest : public support::StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, ResultStoreTest, support::both_engines(), support::engine_name);

Record run_of(const std::string& test, const std::string& device, const std::string& document) {
  return {.kind = RecordKind::run,
          .test = test,
          .test_hash = "hash-of-" + test,
          .device = device,
          .device_class = "cpu",
          .environment = "",
          .model = "ptx",
          .time = "2026-11-16T10:00:00Z",
          .campaign = "",
          .document = document};
}

std::vector<std::string> documents(ResultStore& store, const RecordFilter& filter) {
  std::vector<std::string> texts;
  EXPECT_TRUE(store.visit(filter, [&](const StoredRecord& record) {
    texts.push_back(record.record.document);
    return base::ok_status();
  }));
  return texts;
}

TEST_P(ResultStoreTest, KeepsDocumentsByteForByteInTheirOrder) {
  const auto database = new_store();
  ResultStore store(*database);
  const std::vector<std::string> texts = {"{\"b\":1}", "{ \"a\" : \"\xc3\xa9'\\\"; DROP TABLE records; --\" }\n\n", "",
                                          std::string(100'000, 'x')};
  for (const std::string& text : texts) {
    ASSERT_TRUE(store.add(std::vector<Record>{run_of("mp", "cpu:0", text)}));
  }
  EXPECT_EQ(texts, documents(store, {}));
  const base::Result<std::optional<StoredRecord>> found = store.find(content_hash(texts[1]));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ(run_of("mp", "cpu:0", texts[1]), (*found)->record);
  EXPECT_FALSE(*store.find(content_hash("never stored")));
}

Record journal_of(const std::string& document) { return {.kind = RecordKind::tune_journal, .document = document}; }

TEST_P(ResultStoreTest, ALongerJournalTakesThePlaceOfAShorterOne) {
  const auto database = new_store();
  ResultStore store(*database);
  const auto add = [&](const std::string& document) { return *store.add(std::vector<Record>{journal_of(document)}); };
  EXPECT_EQ(1U, add("search 1\na\n").added);
  EXPECT_EQ(1U, add("search 2\na\n").added);
  EXPECT_EQ(1U, add("search 1\na\nb\nhalf a li").grown);
  EXPECT_EQ(1U, add("search 1\na\nb\nc\nd\n").grown);
  EXPECT_EQ((std::vector<std::string>{"search 1\na\nb\nc\nd\n", "search 2\na\n"}), documents(store, {}));
  // Older versions of it bring nothing new, and other measurements are another journal.
  EXPECT_EQ(1U, add("search 1\na\nb\n").known);
  EXPECT_EQ(1U, add("search 1\na\nb\nhalf a li").known);
  EXPECT_EQ(1U, add("search 1\na\nx\n").added);
  EXPECT_EQ(3, *store.count());
  const base::Result<std::optional<StoredRecord>> found = store.find(content_hash("search 1\na\nb\nc\nd\n"));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ(1, (*found)->id);
  EXPECT_TRUE(verify_store(*database)->problems.empty());
}

TEST_P(ResultStoreTest, WhatIsAddedTwiceIsThereOnce) {
  const auto database = new_store();
  ResultStore store(*database);
  const std::vector<Record> records = {run_of("mp", "cpu:0", "1"), run_of("sb", "cpu:0", "2"),
                                       run_of("mp", "cpu:0", "1")};
  base::Result<Added> first = store.add(records);
  ASSERT_TRUE(first);
  EXPECT_EQ(2U, first->added);
  EXPECT_EQ(1U, first->known);
  const base::Result<Added> second = store.add(records);
  ASSERT_TRUE(second);
  EXPECT_EQ(0U, second->added);
  EXPECT_EQ(3U, second->known);
  EXPECT_EQ(2, *store.count());
}

TEST_P(ResultStoreTest, Filters) {
  const auto database = new_store();
  ResultStore store(*database);
  Record late = run_of("lb", "cpu:1", "3");
  late.time = "2026-11-17T00:00:00Z";
  late.campaign = "nightly";
  late.environment = "stress=on";
  Record score{.kind = RecordKind::score, .document = "4"};
  ASSERT_TRUE(store.add(std::vector<Record>{run_of("mp", "cpu:0", "1"), run_of("sb", "cpu:0", "2"), late, score}));
  using Texts = std::vector<std::string>;
  EXPECT_EQ((Texts{"1", "2", "3", "4"}), documents(store, {}));
  EXPECT_EQ((Texts{"1", "2", "3"}), documents(store, {.kind = RecordKind::run}));
  EXPECT_EQ((Texts{"4"}), documents(store, {.kind = RecordKind::score}));
  EXPECT_EQ((Texts{"2"}), documents(store, {.test = "sb"}));
  EXPECT_EQ((Texts{"2"}), documents(store, {.test = "hash-of-sb"}));
  EXPECT_EQ((Texts{"3"}), documents(store, {.device = "cpu:1"}));
  EXPECT_EQ((Texts{"3"}), documents(store, {.environment = "stress=on"}));
  EXPECT_EQ((Texts{"3"}), documents(store, {.campaign = "nightly"}));
  EXPECT_EQ((Texts{"3"}), documents(store, {.since = "2026-11-17"}));
  EXPECT_EQ((Texts{"1", "2"}), documents(store, {.model = "ptx", .until = "2026-11-17"}));
  EXPECT_EQ(Texts{}, documents(store, {.test = "' OR 1=1 --"}));
  EXPECT_EQ(1, *store.count({.test = "mp", .device_class = "cpu"}));

  const base::Result<std::vector<KindCount>> kinds = store.count_kinds();
  ASSERT_TRUE(kinds);
  ASSERT_EQ(2U, kinds->size());
  EXPECT_EQ(RecordKind::run, kinds->at(0).kind);
  EXPECT_EQ(3, kinds->at(0).records);
  EXPECT_EQ(3, kinds->at(0).bytes);
}

TEST_P(ResultStoreTest, PagesHoldEveryRecordOnce) {
  const auto database = new_store();
  ResultStore store(*database);
  std::vector<Record> records;
  std::vector<std::string> texts;
  for (int i = 0; i < 600; ++i) {
    texts.push_back(std::to_string(i));
    records.push_back(run_of("mp", "cpu:0", texts.back()));
  }
  ASSERT_TRUE(store.add(records));
  EXPECT_EQ(texts, documents(store, {.test = "mp"}));
}

TEST_P(ResultStoreTest, AddsAllOrNothing) {
  const auto database = new_store();
  ResultStore store(*database);
  const base::Result<Added> added =
      store.add(std::vector<Record>{run_of("mp", "cpu:0", "1"), run_of("mp", "cpu:0", std::string("a\0b", 3))});
  ASSERT_FALSE(added);
  EXPECT_EQ(database->place() + ": error: a text with a NUL byte cannot be stored\n", base::render(added.errors()));
  EXPECT_FALSE(store.add(std::vector<Record>{run_of("mp", "cpu:0", "1"), run_of("mp", "cpu:0", "\xff")}));
  EXPECT_EQ(0, *store.count());
  EXPECT_TRUE(store.add(std::vector<Record>{run_of("mp", "cpu:0", "1")}));
}

TEST_P(ResultStoreTest, StaysWhenItIsOpenedAgain) {
  const std::string place = new_place();
  ASSERT_TRUE(ResultStore(*open(place)).add(std::vector<Record>{run_of("mp", "cpu:0", "1")}));
  const auto again = open(place, Access::read);
  ResultStore store(*again);
  EXPECT_EQ(1, *store.count());
  const base::Result<Added> refused = store.add(std::vector<Record>{run_of("mp", "cpu:0", "2")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(again->place() + ": error: the store may only be read: nothing was stored\n",
            base::render(refused.errors()));
}

}  // namespace
}  // namespace weakspot::store::result_store_test
