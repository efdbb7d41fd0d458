// SPDX-License-Identifier: MIT
#include "race_jit/search/workers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "race_jit/search/bytes.h"
#include "race_jit/search/input_run.h"

namespace weakspot::race_jit {
namespace {

TEST(Workers, AnswerInTheOrderOfTheRequests) {
  Workers workers(3, [](const std::string& request) { return request + "!"; });
  ASSERT_EQ(workers.count(), 3u);
  for (int round = 0; round < 2; ++round) {
    std::vector<std::string> requests;
    for (int i = 0; i < 40; ++i) requests.push_back(std::string(static_cast<std::size_t>(i) * 1000, 'a') + "z");
    const auto answers = workers.run(requests);
    ASSERT_EQ(answers.size(), requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) EXPECT_EQ(answers[i], requests[i] + "!") << i;
  }
}

TEST(Workers, AreCopies) {
  int number = 0;
  Workers workers(1, [&](const std::string&) { return std::to_string(++number); });
  EXPECT_EQ(workers.run({"", ""}), (std::vector<std::optional<std::string>>{"1", "2"}));
  EXPECT_EQ(number, 0);
}

TEST(Workers, OneThatDiesGivesNoAnswer) {
  Workers workers(2, [](const std::string& request) {
    if (request == "die") _exit(1);
    return request;
  });
  EXPECT_EQ(workers.run({"a", "die", "b", "c"}),
            (std::vector<std::optional<std::string>>{"a", std::nullopt, "b", "c"}));
  EXPECT_EQ(workers.run({"die", "d"})[0], std::nullopt);
  EXPECT_EQ(workers.run({"e"}), (std::vector<std::optional<std::string>>{std::nullopt}));
}

TEST(Bytes, ReadAsTheyWereWritten) {
  const std::map<std::uint16_t, std::string> uses{{3, "three"}, {5, ""}};
  const std::set<std::pair<std::uint16_t, std::uint16_t>> pairs{{1, 2}, {2, 1}};
  ByteWriter writer;
  writer(7, std::string("seven"), std::vector<std::uint16_t>{1, 2, 3}, uses, pairs);
  const std::string bytes = writer.take();
  ByteReader reader(bytes);
  int number = 0;
  std::string text;
  std::vector<std::uint16_t> list;
  std::map<std::uint16_t, std::string> read_uses;
  std::set<std::pair<std::uint16_t, std::uint16_t>> read_pairs;
  reader(number, text, list, read_uses, read_pairs);
  EXPECT_EQ(number, 7);
  EXPECT_EQ(text, "seven");
  EXPECT_EQ(list, (std::vector<std::uint16_t>{1, 2, 3}));
  EXPECT_EQ(read_uses, uses);
  EXPECT_EQ(read_pairs, pairs);
  EXPECT_FALSE(reader.failed());
  reader(list);
  EXPECT_TRUE(reader.failed());
  EXPECT_TRUE(list.empty());
}

TEST(Bytes, TasksAndOutcomesComeBack) {
  Task task;
  task.kernel = 2;
  task.input.launch.grid = {2, 3, 1};
  task.input.launch.arguments = {{.name = "a", .type = "int", .count = 4, .value = {}, .fill = "zero", .values = {1}}};
  const std::optional<Task> same = task_from(task_bytes(task));
  ASSERT_TRUE(same);
  EXPECT_EQ(same->kernel, 2u);
  EXPECT_EQ(same->input.launch.grid, (race::Extent{2, 3, 1}));
  EXPECT_EQ(same->input.launch.arguments.at(0).count, 4u);
  EXPECT_EQ(same->input.launch.arguments.at(0).values, std::vector<double>{1});
  Outcome outcome;
  outcome.noticed.incidents = {{.kind = Incident::Kind::crash, .site = 3, .text = "it fell"}};
  outcome.known.uses[4] = {10, 32};
  const std::string bytes = outcome_bytes(outcome);
  const std::optional<Outcome> again = outcome_from(bytes);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->noticed.incidents.at(0).text, "it fell");
  EXPECT_EQ(again->known.uses.at(4).threads, 32u);
  EXPECT_FALSE(outcome_from(bytes.substr(0, bytes.size() - 1)));
}

}  // namespace
}  // namespace weakspot::race_jit
