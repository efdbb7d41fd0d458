// SPDX-License-Identifier: MIT
#include "system/child.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

namespace weakspot::base {
namespace {

Child::Clock::time_point soon() { return Child::Clock::now() + std::chrono::seconds(60); }

TEST(Child, AnswersLineByLine) {
  Result<Child> child = Child::start({"sh", "-c", "while read line; do echo \"<$line>\"; done; exit 3"});
  ASSERT_TRUE(child.ok()) << render(child.errors());
  std::string line;
  for (const char* text : {"one", "", "three words here"}) {
    ASSERT_TRUE(child->send(text));
    ASSERT_EQ(Child::Received::line, child->receive(line, soon()));
    EXPECT_EQ("<" + std::string(text) + ">", line);
  }
  EXPECT_EQ(3, child->end(std::chrono::seconds(60)).exit_code);
}

TEST(Child, SeveralLinesAtOnceComeOneByOne) {
  Result<Child> child = Child::start({"printf", "a\\nb\\nunfinished"});
  ASSERT_TRUE(child.ok());
  std::string line;
  ASSERT_EQ(Child::Received::line, child->receive(line, soon()));
  EXPECT_EQ("a", line);
  ASSERT_EQ(Child::Received::line, child->receive(line, soon()));
  EXPECT_EQ("b", line);
  EXPECT_EQ(Child::Received::ended, child->receive(line, soon()));
}

TEST(Child, ASilentChildTimesOutAndIsKilled) {
  Result<Child> child = Child::start({"sleep", "1000"});
  ASSERT_TRUE(child.ok());
  std::string line;
  EXPECT_EQ(Child::Received::timeout, child->receive(line, Child::Clock::now()));
  EXPECT_EQ(SIGKILL, child->end(std::chrono::milliseconds(0)).signal);
}

TEST(Child, OneThatDoesNotListenTakesNoLines) {
  Result<Child> child = Child::start({"sh", "-c", "exec <&-; exec >&-; sleep 1000"});
  ASSERT_TRUE(child.ok());
  std::string line;
  ASSERT_EQ(Child::Received::ended, child->receive(line, soon()));
  EXPECT_FALSE(child->send("hello"));
}

TEST(Child, WhatDriversDoToOurEnvironmentIsNotPassedOn) {
  ::setenv("WEAKSPOT_SET_LATER", "1", 1);
  Result<Child> child = Child::start({"sh", "-c", "echo \"<$WEAKSPOT_SET_LATER>\"; test -n \"$PATH\" && echo path"});
  ::unsetenv("WEAKSPOT_SET_LATER");
  ASSERT_TRUE(child.ok());
  std::string line;
  ASSERT_EQ(Child::Received::line, child->receive(line, soon()));
  EXPECT_EQ("<>", line);
  ASSERT_EQ(Child::Received::line, child->receive(line, soon()));
  EXPECT_EQ("path", line);
}

TEST(Child, HowItEndedIsSaid) {
  struct Case {
    const char* script;
    const char* text;
  };
  const Case cases[] = {
      {"kill -SEGV $$", "died of SIGSEGV (segmentation fault)"},
      {"kill -ILL $$", "died of SIGILL (illegal instruction)"},
      {"kill -USR1 $$", "died of signal 10"},
      {"exit 7", "ended with exit code 7"},
  };
  for (const Case& c : cases) {
    Result<Child> child = Child::start({"sh", "-c", c.script});
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(c.text, child->end(std::chrono::seconds(60)).text());
  }
}

TEST(Child, OneThatCannotBeStartedIsAnError) {
  EXPECT_EQ("error: cannot start '/no/such/program': No such file or directory\n",
            render(Child::start({"/no/such/program"}).errors()));
}

}  // namespace
}  // namespace weakspot::base
