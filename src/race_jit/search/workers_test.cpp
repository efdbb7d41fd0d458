#include "race_jit/search/workers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "race_jit/search/bytes.h"

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
  ByteWriter writer;
  writer.put(7);
  writer.put(std::string("seven"));
  writer.put(std::vector<std::uint16_t>{1, 2, 3});
  const std::string bytes = writer.take();
  ByteReader reader(bytes);
  int number = 0;
  std::string text;
  std::vector<std::uint16_t> list;
  reader.get(number);
  reader.get(text);
  reader.get(list);
  EXPECT_EQ(number, 7);
  EXPECT_EQ(text, "seven");
  EXPECT_EQ(list, (std::vector<std::uint16_t>{1, 2, 3}));
  EXPECT_FALSE(reader.failed());
  reader.get(list);
  EXPECT_TRUE(reader.failed());
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace weakspot::race_jit
