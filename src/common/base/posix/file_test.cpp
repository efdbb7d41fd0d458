// SPDX-License-Identifier: MIT
#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <fstream>

#include "base/unique_fd.h"

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
  ASSERT_TRUE(write_file(path("a"), "\xEF\xBB\xBFtext").ok());
  EXPECT_EQ(*read_file(path("a")), "text") << "without the byte order mark";
}

TEST_F(FileTest, ReplacesWhatALinkLeadsTo) {
  namespace fs = std::filesystem;
  ASSERT_TRUE(write_file(path("sub/target"), "old").ok());
  fs::create_symlink("sub/target", path("near"));
  fs::create_symlink(path("near"), path("far"));
  ASSERT_TRUE(write_file(path("far"), "new").ok());
  EXPECT_EQ(*read_file(path("sub/target")), "new");
  EXPECT_TRUE(fs::is_symlink(path("far")) && fs::is_symlink(path("near")));
  EXPECT_EQ(files_under(path("sub"), "")->size(), 1u) << "no temporary file is left";

  fs::create_symlink("sub/not yet", path("dangling"));
  ASSERT_TRUE(write_file(path("dangling"), "first").ok());
  EXPECT_EQ(*read_file(path("sub/not yet")), "first");
  EXPECT_TRUE(fs::is_symlink(path("dangling")));

  fs::create_symlink("loop", path("loop"));
  EXPECT_EQ(render(write_file(path("loop"), "x").errors()),
            path("loop") + ": error: cannot write: Too many levels of symbolic links\n");
}

TEST_F(FileTest, WritesIntoPipesAndDevices) {
  ASSERT_EQ(0, ::mkfifo(path("pipe").c_str(), 0600));
  std::filesystem::create_symlink("pipe", path("link"));
  // Open for both, so that neither side waits for the other.
  const UniqueFd pipe(::open(path("pipe").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(pipe.valid());
  for (const char* name : {"pipe", "link"}) {
    ASSERT_TRUE(write_file(path(name), "text").ok());
    char read[8] = {};
    EXPECT_EQ(4, ::read(pipe.get(), read, sizeof read));
    EXPECT_STREQ("text", read);
    EXPECT_TRUE(std::filesystem::is_fifo(path(name)));
  }
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(render(write_file(path("sub"), "x").errors()), path("sub") + ": error: cannot write: Is a directory\n");

  // A device of the test's own, where a mistake does no harm; only root can make one.
  if (::mknod(path("null").c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0) {
    const bool usable = UniqueFd(::open(path("null").c_str(), O_WRONLY | O_CLOEXEC)).valid();
    EXPECT_EQ(usable, write_file(path("null"), "text").ok());
    EXPECT_TRUE(std::filesystem::is_character_file(path("null")));
  }
  if (::mknod(path("full").c_str(), S_IFCHR | 0600, makedev(1, 7)) == 0) {
    if (UniqueFd(::open(path("full").c_str(), O_WRONLY | O_CLOEXEC)).valid()) {
      EXPECT_EQ(render(write_file(path("full"), "x").errors()),
                path("full") + ": error: cannot write: No space left on device\n");
    }
    EXPECT_TRUE(std::filesystem::is_character_file(path("full")));
  }
}

TEST_F(FileTest, KeepsPermissions) {
  const std::string name = path("kept");
  ASSERT_TRUE(write_file(name, "old").ok());
  std::filesystem::permissions(name, std::filesystem::perms(0640));
  ASSERT_TRUE(write_file(name, "new").ok());
  EXPECT_EQ(std::filesystem::perms(0640), std::filesystem::status(name).permissions());
  EXPECT_EQ("new", *read_file(name));
}

TEST_F(FileTest, OneProgramHasAFileToItself) {
  const std::string name = path("locked");
  UniqueFd first(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  UniqueFd second(::open(name.c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_TRUE(lock_file(name, first.get()).ok());
  const Status refused = lock_file(name, second.get());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ("another program is writing to the file", refused.errors().front().message);
  first = UniqueFd();
  EXPECT_TRUE(lock_file(name, second.get()).ok());
}

TEST_F(FileTest, ErrorsNameTheFileAndTheReason) {
  EXPECT_EQ(render(read_file(path("missing")).errors()),
            path("missing") + ": error: cannot open: No such file or directory\n");
  EXPECT_EQ(render(read_file(path("sub")).errors()), path("sub") + ": error: is a directory, expected a file\n");
  EXPECT_FALSE(write_file(path("no/such/folder"), "x").ok());
  EXPECT_FALSE(files_under(path("missing"), "").ok());
}

TEST_F(FileTest, AFullDiskIsAFaultOfTheMachine) {
  if (!exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const Status full = write_file("/dev/full", "text");
  ASSERT_FALSE(full);
  EXPECT_EQ(ErrorKind::environment, kind_of(full.errors()));
  EXPECT_EQ(ErrorKind::bad_input, kind_of(write_file("/no/such/folder/file", "text").errors()));
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
