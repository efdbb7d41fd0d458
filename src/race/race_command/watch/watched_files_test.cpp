// SPDX-License-Identifier: MIT
#include "race_command/watch/watched_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "system/temporary_folder.h"

namespace weakspot::race_command::watched_files_test {
namespace {

namespace fs = std::filesystem;

class WatchedFilesTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }

  base::TemporaryFolder folder_;
};

TEST_F(WatchedFilesTest, HeadersAreFoundBesideAndInFolders) {
  const std::string source =
      write("src/a.cu", "#include \"b.h\"\n # include <lib/c.h>\n#include <vector>\n#include X\n");
  const std::string beside = write("src/b.h", "#include \"../src/a.cu\"\n#include \"missing.h\"\n#include \"\n");
  const std::string in_folder = write("include/lib/c.h", "#pragma once\n");
  EXPECT_EQ(with_headers({source}, {(folder_.path() / "include").string()}),
            (std::vector<std::string>{source, beside, in_folder}));
}

TEST_F(WatchedFilesTest, ChangesAreSeen) {
  const std::string file = write("a.cu", "one"), other = write("b.h", "two");
  WatchedFiles watched({file, other});
  write("b.h", "three");
  EXPECT_EQ(watched.wait_for_change([] { return false; }), std::vector<std::string>{other});
  int looks = 0;
  EXPECT_TRUE(watched.wait_for_change([&] { return ++looks > 1; }).empty());
  fs::remove(file);
  EXPECT_EQ(watched.wait_for_change([] { return false; }), std::vector<std::string>{file});
}

}  // namespace
}  // namespace weakspot::race_command::watched_files_test
