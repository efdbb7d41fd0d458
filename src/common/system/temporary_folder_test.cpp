// SPDX-License-Identifier: MIT
#include "system/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

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

TEST(TemporaryFolder, WhatAKilledOwnerLeftIsSwept) {
  namespace fs = std::filesystem;
  const TemporaryFolder parent;
  const auto make = [&](const char* name, bool old) {
    const fs::path folder = parent.path() / name;
    fs::create_directories(folder / "inside");
    const timespec past[2] = {{1000, 0}, {1000, 0}};
    if (old) ::utimensat(AT_FDCWD, folder.c_str(), past, 0);
    return folder;
  };
  const fs::path left = make("weakspot-aaaaaa", true), young = make("weakspot-bbbbbb", false);
  const fs::path held = make("weakspot-cccccc", true), other = make("weakspot-reports", true);
  const UniqueFd lock(::open(held.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(::flock(lock.get(), LOCK_EX), 0);
  fs::create_directory_symlink(other, parent.path() / "weakspot-dddddd");
  sweep_temporary_folders(parent.path());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(young));
  EXPECT_TRUE(fs::exists(held));
  EXPECT_TRUE(fs::exists(other / "inside"));
}

TEST(TemporaryFolder, IsLockedWhileItLives) {
  const TemporaryFolder folder;
  const UniqueFd other(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  EXPECT_NE(::flock(other.get(), LOCK_EX | LOCK_NB), 0);
}

}  // namespace
}  // namespace weakspot::base
