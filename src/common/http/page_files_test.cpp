// SPDX-License-Identifier: MIT
#include "http/page_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "system/temporary_folder.h"

namespace weakspot::http::page_files_test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST(PageFiles, OnlyFilesOfTheFolderAreServed) {
  const base::TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "page";
  write(folder / "index.html", "<p>");
  write(folder / "a/b.js", "1");
  write(folder / ".hidden", "no");
  write(temporary.path() / "secret", "no");
  fs::create_symlink(temporary.path() / "secret", folder / "link");

  const std::optional<Response> index = page_file(folder, "");
  ASSERT_TRUE(index);
  EXPECT_EQ("<p>", index->body);
  EXPECT_EQ("text/html; charset=utf-8", index->type);
  EXPECT_TRUE(page_file(folder, "a/b.js"));

  for (const char* path : {"missing", "a", "a/", "/etc/passwd", "../secret", "a/../../secret", "a//b.js", ".hidden",
                           "a/.hidden", "link", "%2e%2e/secret", "..\\secret", "a/b.js/", "index.html ", "\xff"}) {
    EXPECT_FALSE(page_file(folder, path)) << path;
  }
}

}  // namespace
}  // namespace weakspot::http::page_files_test
