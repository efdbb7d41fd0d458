// SPDX-License-Identifier: MIT
#include "gen/split.h"

#include <gtest/gtest.h>

#include "base/source.h"
#include "litmus/dialect.h"
#include "support/corpus_tests.h"

namespace weakspot::gen::split_test {
namespace {

litmus::LitmusTest read(const std::string& text) {
  const auto tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

std::vector<std::string> names(const std::vector<litmus::LitmusTest>& tests) {
  std::vector<std::string> all;
  for (const litmus::LitmusTest& test : tests) all.push_back(test.name);
  return all;
}

TEST(Split, EveryWayOnce) {
  const auto mp =
      splits(read("weakspot MP\n P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x ;\n"
                  "exists (1:r0=1 /\\ 1:r1=0)\n"));
  EXPECT_EQ((std::vector<std::string>{"MP-cg", "MP-gc"}), names(mp));
  EXPECT_EQ(
      "weakspot MP-cg\nArch=ptx\n P0          | P1               ;\n st x, 1     | ld.acq.sys r0, y ;\n"
      " st.rel y, 1 | ld.sys r1, x     ;\nscopes (cpu (wg P0)) (dev (wg P1))\nexists (1:r0=1 /\\ 1:r1=0)\n",
      *litmus::print(mp[0], litmus::Dialect::canonical));
  const auto sb = splits(
      read("weakspot SB\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n ld r0, y | ld r0, x ;\nexists (0:r0=0 /\\ 1:r0=0)\n"));
  EXPECT_EQ(std::vector<std::string>{"SB-cg"}, names(sb));
}

TEST(Split, WhatCannotBeOnACpuIsNotSplit) {
  for (const char* scopes : {"scopes (wg P0) (wg P1)", ""}) {
    const std::string text =
        std::string("weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n") + scopes + "\nexists (1:r0=1)\n";
    EXPECT_EQ(*scopes == '\0' ? 2u : 0u, splits(read(text)).size());
  }
}

TEST(Split, TheCorpusSplitsIntoValidTests) {
  std::size_t shapes = 0;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests("classic/@all")) {
    const auto made = splits(test);
    shapes += !made.empty() && test.name.find("+fence") == std::string::npos;
    for (const litmus::LitmusTest& one : made) {
      const auto again = litmus::read_tests(base::Source(one.name, *litmus::print(one, litmus::Dialect::canonical)));
      ASSERT_TRUE(again.ok()) << base::render(again.errors());
    }
  }
  EXPECT_GT(shapes, 20u);
}

}  // namespace
}  // namespace weakspot::gen::split_test
