#include "base/file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace weakspot::base {
namespace {

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() / ("weakspot_file_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(directory_ / "sub");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  std::filesystem::path directory_;
};

TEST_F(FileTest, WritesAndReadsBack) {
  const std::string text("a\0b\n", 4);
  ASSERT_TRUE(write_file(path("a"), text).ok());
  EXPECT_EQ(*read_file(path("a")), text);
  ASSERT_TRUE(write_file(path("a"), "new").ok());
  EXPECT_EQ(*read_file(path("a")), "new");
  EXPECT_EQ(files_under(directory_.string(), "")->size(), 1u) << "no temporary file is left";
}

TEST_F(FileTest, ErrorsNameTheFileAndTheReason) {
  EXPECT_EQ(render(read_file(path("missing")).errors()),
            path("missing") + ": error: cannot open: No such file or directory\n");
  EXPECT_EQ(render(read_file(path("sub")).errors()), path("sub") + ": error: is a directory, expected a file\n");
  EXPECT_FALSE(write_file(path("no/such/folder"), "x").ok());
  EXPECT_FALSE(files_under(path("missing"), "").ok());
}

TEST_F(FileTest, ListsSortedAndBySuffix) {
  for (const char* name : {"b.litmus", "sub/a.litmus", "c.txt"}) ASSERT_TRUE(write_file(path(name), "").ok());
  const std::vector<std::string> expected = {path("b.litmus"), path("sub/a.litmus")};
  EXPECT_EQ(*files_under(directory_.string(), ".litmus"), expected);
}

TEST(DataDirectory, FindsTheSourceTree) {
  EXPECT_TRUE(std::filesystem::is_directory(data_directory("src")));
  EXPECT_TRUE(data_directory("no_such_folder").empty());
}

}  // namespace
}  // namespace weakspot::base
