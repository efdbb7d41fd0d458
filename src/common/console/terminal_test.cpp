// SPDX-License-Identifier: MIT
#include "console/terminal.h"

#include <gtest/gtest.h>

#include <map>

namespace weakspot::console::terminal_test {
namespace {

Variables having(std::map<std::string, std::string> values) {
  return [values](const char* name) { return values.count(name) == 0 ? std::string() : values.at(name); };
}

TEST(Terminal, ColoursAreForTerminals) {
  EXPECT_TRUE(wants_colour(ColourChoice::automatic, true, having({{"TERM", "xterm"}})));
  EXPECT_FALSE(wants_colour(ColourChoice::automatic, false, having({{"TERM", "xterm"}})));
  EXPECT_FALSE(wants_colour(ColourChoice::automatic, true, having({{"TERM", "dumb"}})));
  EXPECT_FALSE(wants_colour(ColourChoice::automatic, true, having({{"NO_COLOR", "1"}})));
  EXPECT_TRUE(wants_colour(ColourChoice::automatic, true, having({{"NO_COLOR", ""}})));
  EXPECT_TRUE(wants_colour(ColourChoice::automatic, false, having({{"CLICOLOR_FORCE", "1"}})));
  EXPECT_FALSE(wants_colour(ColourChoice::automatic, false, having({{"CLICOLOR_FORCE", "0"}})));
  EXPECT_FALSE(wants_colour(ColourChoice::automatic, true, having({{"NO_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}})));
}

TEST(Terminal, TheChoiceOfTheUserComesFirst) {
  EXPECT_TRUE(wants_colour(ColourChoice::always, false, having({{"NO_COLOR", "1"}, {"TERM", "dumb"}})));
  EXPECT_FALSE(wants_colour(ColourChoice::never, true, having({{"CLICOLOR_FORCE", "1"}})));
}

TEST(Terminal, OnlyTerminalsAreDrawnOver) {
  EXPECT_TRUE(can_redraw(true, having({{"TERM", "xterm"}, {"NO_COLOR", "1"}})));
  EXPECT_FALSE(can_redraw(true, having({{"TERM", "dumb"}})));
  EXPECT_FALSE(can_redraw(false, having({{"TERM", "xterm"}})));
}

TEST(Terminal, APlainLocaleNamesAnotherEncoding) {
  for (const char* plain : {"C", "POSIX", "en_US", "de_DE.ISO-8859-1"}) {
    EXPECT_TRUE(is_plain_locale(having({{"LANG", plain}}))) << plain;
  }
  for (const char* utf8 : {"C.UTF-8", "en_US.utf8", "de_DE.UTF8@euro"}) {
    EXPECT_FALSE(is_plain_locale(having({{"LANG", utf8}}))) << utf8;
  }
  EXPECT_FALSE(is_plain_locale(having({})));
  EXPECT_TRUE(is_plain_locale(having({{"LC_ALL", "C"}, {"LANG", "en_US.UTF-8"}})));
  EXPECT_FALSE(is_plain_locale(having({{"LC_CTYPE", "C.UTF-8"}, {"LANG", "C"}})));
}

TEST(Terminal, Width) {
  EXPECT_EQ(usable_width(132, having({{"COLUMNS", "60"}})), 132u);
  EXPECT_EQ(usable_width(0, having({{"COLUMNS", "60"}})), 60u);
  EXPECT_EQ(usable_width(0, having({})), std::nullopt);
  EXPECT_EQ(usable_width(0, having({{"COLUMNS", "wide"}})), std::nullopt);
  EXPECT_EQ(usable_width(0, having({{"COLUMNS", "0"}})), std::nullopt);
  EXPECT_EQ(usable_width(10, having({})), 40u);
}

}  // namespace
}  // namespace weakspot::console::terminal_test
