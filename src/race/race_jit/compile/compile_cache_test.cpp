// SPDX-License-Identifier: MIT
#include "race_jit/compile/compile_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "system/temporary_folder.h"

namespace weakspot::race_jit {
namespace {

namespace fs = std::filesystem;

class CompileCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    source = (folder / "a.cu").string();
    ASSERT_TRUE(base::write_file(source, "one"));
  }

  const base::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
  std::string source;
};

TEST_F(CompileCacheTest, WhatWasStoredIsFound) {
  const CompileCache cache(folder / "cache");
  EXPECT_FALSE(cache.find("-O1 a.cu"));
  cache.store("-O1 a.cu", {std::string("bits\0\n\xff", 7), "a.cu:1: warning: \"x\"\n"}, {source});
  const std::optional<CachedCompilation> found = cache.find("-O1 a.cu");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bitcode, std::string("bits\0\n\xff", 7));
  EXPECT_EQ(found->messages, "a.cu:1: warning: \"x\"\n");
  EXPECT_FALSE(cache.find("-O2 a.cu"));
}

TEST_F(CompileCacheTest, NotWhenAFileHasChanged) {
  const CompileCache cache(folder / "cache");
  cache.store("k", {"bits", ""}, {source});
  ASSERT_TRUE(base::write_file(source, "another"));
  EXPECT_FALSE(cache.find("k"));
  cache.store("k", {"more bits", ""}, {source});
  EXPECT_EQ(cache.find("k")->bitcode, "more bits");
  fs::remove(source);
  EXPECT_FALSE(cache.find("k"));
}

TEST_F(CompileCacheTest, BrokenEntriesAreNone) {
  const CompileCache cache(folder / "cache");
  cache.store("k", {"bits", ""}, {source});
  for (const fs::directory_entry& file : fs::directory_iterator(folder / "cache")) {
    ASSERT_TRUE(base::write_file(file.path().string(), "{\"key\": 1"));
  }
  EXPECT_FALSE(cache.find("k"));
}

TEST_F(CompileCacheTest, WithoutAFolderNothingIsKept) {
  const CompileCache cache("");
  cache.store("k", {"bits", ""}, {source});
  EXPECT_FALSE(cache.find("k"));
}

}  // namespace
}  // namespace weakspot::race_jit
