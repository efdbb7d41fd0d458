// SPDX-License-Identifier: MIT
#include "model/execution/path_filter.h"

#include <gtest/gtest.h>

#include "support/read_one.h"

namespace weakspot::model::path_filter_test {
namespace {

// "admitted of all" choices of a path for each of the two threads.
std::string admitted(const std::string& text) {
  const litmus::LitmusTest test = tests::read_one("weakspot t\n" + text + "exists (true)\n");
  Allowance unlimited;
  const Layouts layouts(test, {}, unlimited);
  const PathFilter filter(test, layouts.settled(), unlimited);
  int count = 0;
  int all = 0;
  for (std::size_t i = 0; i < layouts.paths_of(0); ++i) {
    for (std::size_t j = 0; j < layouts.paths_of(1); ++j) {
      ++all;
      count += filter.admits({i, j}) ? 1 : 0;
    }
  }
  return std::to_string(count) + " of " + std::to_string(all);
}

TEST(PathFilter, AdmitsWhatSomeoneStores) {
  struct Case {
    const char* text;
    const char* expected;
  };
  const Case cases[] = {
      // Each needs what the other stores, so both store or neither does.
      {" P0 | P1 ;\n ld r0, x | ld r0, y ;\n @r0 st y, 1 | @r0 st x, 1 ;\n", "2 of 4"},
      // To read zero, the other must store it.
      {"{ x = 1; y = 1; }\n P0 | P1 ;\n ld r0, x | ld r0, y ;\n @r0 st y, 0 | @r0 st x, 0 ;\n", "3 of 4"},
      // The stored value depends on a read: it may be anything.
      {" P0 | P1 ;\n ld r0, x | ld r1, z ;\n @r0 st y, 1 | st x, r1 ;\n st z, 1 | ;\n", "2 of 2"},
      // Its own store, even a later one, is left for the model to judge.
      {" P0 | P1 ;\n ld r0, x | st y, 1 ;\n @r0 st y, 2 | ;\n st x, 1 | ;\n", "2 of 2"},
      // A constraint on two reads is not looked at.
      {" P0 | P1 ;\n ld r0, x | st y, 1 ;\n ld r1, y | ;\n beq r0, r1, L | ;\n st z, 1 | ;\n L: | ;\n", "2 of 2"},
  };
  for (const Case& one : cases) EXPECT_EQ(admitted(one.text), one.expected) << one.text;
}

}  // namespace
}  // namespace weakspot::model::path_filter_test
