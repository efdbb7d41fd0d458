// SPDX-License-Identifier: MIT
#include "base/temporary_folder.h"

#include <gtest/gtest.h>

#include "base/file.h"

namespace weakspot::base {
namespace {

TEST(TemporaryFolder, IsOnesOwnAndGoesWithItsFiles) {
  std::filesystem::path first;
  {
    const TemporaryFolder one, other;
    first = one.path();
    EXPECT_TRUE(std::filesystem::is_directory(first));
    EXPECT_NE(first, other.path());
    ASSERT_TRUE(write_file((first / "file").string(), "text"));
  }
  EXPECT_FALSE(std::filesystem::exists(first));
}

}  // namespace
}  // namespace weakspot::base
