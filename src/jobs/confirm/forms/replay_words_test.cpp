// SPDX-License-Identifier: MIT
#include "confirm/replay_words.h"

#include <gtest/gtest.h>

namespace weakspot::confirm::replay_words_test {
namespace {

using Words = std::vector<std::string>;

TEST(ReplayWords, TakesALaunchWithoutItsSchedule) {
  const auto words = replay_words(
      "weakspot race 'my tiles.cu' -DN=2 --kernel tiles --launch 'grid=1 block=64' --arg 'a=int[4] fill=one' "
      "--schedule reversed --seed 7");
  ASSERT_TRUE(words.ok());
  EXPECT_EQ(words->file, "my tiles.cu");
  EXPECT_EQ(words->words,
            (Words{"-DN=2", "--kernel=tiles", "--launch=grid=1 block=64", "--arg=a=int[4] fill=one", "--seed=7"}));
  EXPECT_TRUE(words->program.empty());
}

TEST(ReplayWords, AValueIsNoOption) {
  const auto words = replay_words("weakspot race a.cu --kernel --html=x --seed --trust");
  ASSERT_TRUE(words.ok());
  EXPECT_EQ(words->words, (Words{"--kernel=--html=x", "--seed=--trust"}));
}

TEST(ReplayWords, TakesArgumentsOfMain) {
  const auto words = replay_words(R"(weakspot race app.cu -- 'it'\''s' 10)");
  ASSERT_TRUE(words.ok());
  EXPECT_EQ(words->program, (Words{"it's", "10"}));
}

// A report may come from anybody.
TEST(ReplayWords, RefusesWhatSaysMore) {
  for (const char* replay :
       {"", "rm -rf x", "weakspot race", "weakspot race -- ./app", "weakspot race a.cu --html out.html",
        "weakspot race a.cu --trust", "weakspot race a.cu --read /", "weakspot race a.cu --clang /tmp/x",
        "weakspot race a.cu --kernel", "weakspot race a.cu 'open", "weakspot race a.cu b.cu",
        "weakspot race a.cu --capture /tmp/x", "weakspot race a.cu --cuda-path /tmp"}) {
    EXPECT_FALSE(replay_words(replay).ok()) << replay;
  }
}

}  // namespace
}  // namespace weakspot::confirm::replay_words_test
