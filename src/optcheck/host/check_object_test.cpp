// SPDX-License-Identifier: MIT
// Object code that clang 19 made of our own tests (tests/data/host): the kernel's OpenCL C, and an object file for each
// machine with its code and its table of lines. In the files named after a fault the compiler was given other lines:
// what it might do to the test.
#include "optcheck/host/check_object.h"

#include <gtest/gtest.h>

#include "base/build_info.h"
#include "base/file.h"
#include "support/corpus_tests.h"

namespace weakspot::optcheck::check_object_test {
namespace {

litmus::LitmusTest test_named(const std::string& name) {
  static const std::vector<litmus::LitmusTest> kCorpus = testing_support::corpus_tests();
  for (const litmus::LitmusTest& test : kCorpus) {
    if (test.name == name) return test;
  }
  ADD_FAILURE() << name;
  return {};
}

CodeCheck checked(const std::string& test, const std::string& object) {
  const std::string folder = std::string(base::kSourceDirectory) + "/tests/data/host/";
  const base::Result<std::string> source = base::read_file(folder + test + ".cl");
  const base::Result<std::string> image = base::read_file(folder + object + ".o");
  EXPECT_TRUE(source.ok() && image.ok()) << object;
  if (!source || !image) return {};
  const std::vector<std::uint8_t> bytes(image->begin(), image->end());
  return check_object(test_named(test), {bytes, *source, "run"});
}

TEST(CheckObject, UnchangedCodeMatches) {
  for (const char* name :
       {"MP", "MP+ra", "MP+fence.sc+fence.sc", "LB+datas", "LB+addrs", "LB+ctrls", "RMW-inc+inc", "CoWW"}) {
    for (const char* machine : {".aarch64", ".x86_64"}) {
      const CodeCheck check = checked(name, std::string(name) + machine);
      EXPECT_EQ("", check.reason) << name << machine;
      EXPECT_TRUE(check.verdict == CodeVerdict::matched) << name << machine;
    }
  }
}

struct ChangedObject {
  const char* test;
  const char* object;
  const char* reason;  // its beginning
};

TEST(CheckObject, ChangedCodeIsFound) {
  const ChangedObject all[] = {
      {"MP", "MP.swap.aarch64", "P1: 'ld r0, y': two accesses are swapped: 'ldr w"},
      {"MP", "MP.swap.x86_64", "P1: 'ld r0, y': two accesses are swapped: 'mov"},
      {"MP", "MP.missing.aarch64", "P0: 'st x, 1': the store is missing from the code"},
      {"MP", "MP.missing.x86_64", "P0: 'st x, 1': the store is missing from the code"},
      {"MP+ra", "MP+ra.acquire.aarch64", "P1: 'ld.acq r0, y': the order is rlx, expected acq: 'ldr w"},
      {"MP+ra", "MP+ra.release.aarch64", "P0: 'st.rel y, 1': the order is rlx, expected rel: 'str w"},
      {"MP+fence.sc+fence.sc", "MP+fence.sc+fence.sc.fence.aarch64",
       "P0: 'fence.sc': the fence is missing from the code"},
      {"MP+fence.sc+fence.sc", "MP+fence.sc+fence.sc.fence.x86_64",
       "P0: 'fence.sc': the fence is missing from the code"},
      {"LB+datas", "LB+datas.data.aarch64", "P0: 'st y, r2': the data dependency on 'ldr w"},
      {"LB+datas", "LB+datas.data.x86_64", "P0: 'st y, r2': the data dependency on 'mov"},
  };
  for (const ChangedObject& one : all) {
    const CodeCheck check = checked(one.test, one.object);
    EXPECT_TRUE(check.verdict == CodeVerdict::changed) << one.object;
    EXPECT_TRUE(check.reason.starts_with(one.reason)) << one.object << ": " << check.reason;
    EXPECT_TRUE(check.pairings.empty());
  }
}

// A processor whose every load acquires has nothing to lose.
TEST(CheckObject, WhatTheProcessorDoesAnywayIsNotMissed) {
  EXPECT_TRUE(checked("MP+ra", "MP+ra.acquire.x86_64").verdict == CodeVerdict::matched);
  EXPECT_TRUE(checked("MP+ra", "MP+ra.release.x86_64").verdict == CodeVerdict::matched);
}

TEST(CheckObject, RefusesWhatItCannotRead) {
  const std::vector<std::uint8_t> rubbish(100, 3);
  const CodeCheck check = check_object(test_named("MP"), {rubbish, "", "run"});
  EXPECT_TRUE(check.verdict == CodeVerdict::unknown);
  EXPECT_EQ("the object code is not an ELF file", check.reason);
}

}  // namespace
}  // namespace weakspot::optcheck::check_object_test
