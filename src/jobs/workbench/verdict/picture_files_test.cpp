// SPDX-License-Identifier: MIT
#include "workbench/picture_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "system/temporary_folder.h"

namespace weakspot::workbench {
namespace {

namespace fs = std::filesystem;

model::Picture picture_called(std::string test) {
  model::Picture picture;
  picture.test = std::move(test);
  picture.model = "sc";
  picture.verdict = "allowed";
  picture.columns = {"P0"};
  return picture;
}

TEST(PictureFiles, AreCalledAfterTheirTests) {
  const base::TemporaryFolder folder;
  const fs::path path = folder.path() / "new";
  PictureFiles files({{PictureFormat::svg, path.string() + "/"}, {PictureFormat::dot, path.string() + "/"}}, false);
  EXPECT_FALSE(files.one_expected());
  EXPECT_TRUE(files.write(picture_called("MP")).ok());
  EXPECT_TRUE(files.write(picture_called("a/b")).ok());
  for (const char* name : {"MP.svg", "MP.dot", "a_b.svg", "a_b.dot"}) EXPECT_TRUE(fs::exists(path / name)) << name;
  const base::Status again = files.write(picture_called("MP"));
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.errors().front().message, "not drawn: another test is also called 'MP'");
}

TEST(PictureFiles, AreCalledAfterTheirModelsIfThereAreSeveral) {
  const base::TemporaryFolder folder;
  PictureFiles files({{PictureFormat::png, folder.path().string()}}, true);
  EXPECT_TRUE(files.write(picture_called("MP")).ok());
  EXPECT_TRUE(fs::exists(folder.path() / "MP-sc.png"));
}

TEST(PictureFiles, AFileHasRoomForOnePicture) {
  const base::TemporaryFolder folder;
  const std::string path = (folder.path() / "one.svg").string();
  PictureFiles files({{PictureFormat::svg, path}}, false);
  EXPECT_TRUE(files.one_expected());
  EXPECT_TRUE(files.write(picture_called("MP")).ok());
  const base::Status second = files.write(picture_called("SB"));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.errors().front().message, "SB by sc is not drawn: '" + path +
                                                 "' has room for one picture; expected a folder, such as 'pictures/', "
                                                 "for several");
  EXPECT_NE(base::read_file(path)->find("MP: allowed by sc"), std::string::npos);
}

TEST(PictureFiles, TheEndOfANameTellsTheFormat) {
  EXPECT_EQ(*picture_format("a.png"), PictureFormat::png);
  EXPECT_FALSE(picture_format("a.gif").ok());
}

}  // namespace
}  // namespace weakspot::workbench
