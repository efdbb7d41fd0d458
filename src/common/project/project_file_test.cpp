// SPDX-License-Identifier: MIT
#include "project/project_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "json/json.h"

namespace weakspot::project::project_file_test {
namespace {

namespace fs = std::filesystem;

class ProjectFileTest : public ::testing::Test {
 protected:
  ProjectFileTest() {
    std::string made = (fs::temp_directory_path() / "weakspot-project-XXXXXX").string();
    root_ = ::mkdtemp(made.data());
  }
  ~ProjectFileTest() override { fs::remove_all(root_); }

  void make_file(const std::string& path) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << "\n";
  }

  fs::path root_;
};

TEST_F(ProjectFileTest, IsFoundUpToTheRepository) {
  make_file("weakspot.toml");
  make_file("repository/.git/HEAD");
  make_file("repository/deep/er/a.cu");
  EXPECT_EQ(find_project_file(root_ / "repository" / "deep" / "er"), std::nullopt);
  make_file("repository/weakspot.toml");
  EXPECT_EQ(find_project_file(root_ / "repository" / "deep" / "er"), root_ / "repository" / "weakspot.toml");
  make_file("repository/deep/weakspot.toml");
  EXPECT_EQ(find_project_file(root_ / "repository" / "deep" / "er"), root_ / "repository" / "deep" / "weakspot.toml");
}

TEST_F(ProjectFileTest, OutsideOfARepositoryThisFolderAloneCounts) {
  make_file("weakspot.toml");
  make_file("deep/a.cu");
  EXPECT_EQ(find_project_file(root_ / "deep"), std::nullopt);
  EXPECT_EQ(find_project_file(root_), root_ / "weakspot.toml");
}

TEST_F(ProjectFileTest, GlobsFindFiles) {
  for (const char* file : {"a.cu", "src/b.cu", "src/deep/c.cu", "src/d.cpp", ".git/e.cu", "src/.old/f.cu"}) {
    make_file(file);
  }
  using Files = std::vector<std::string>;
  EXPECT_EQ(files_of_glob(root_, "**/*.cu"), (Files{"a.cu", "src/b.cu", "src/deep/c.cu"}));
  EXPECT_EQ(files_of_glob(root_, "src/*.cu"), Files{"src/b.cu"});
  EXPECT_EQ(files_of_glob(root_, "src/d.cpp"), Files{"src/d.cpp"});
  EXPECT_EQ(files_of_glob(root_, "src"), Files{});
  EXPECT_EQ(files_of_glob(root_, "missing/*.cu"), Files{});
}

#if WEAKSPOT_HAS_TOML

base::Result<ProjectFile> read(const std::string& text) { return read_project_text("weakspot.toml", text, "/"); }

TEST(ProjectText, ValuesKnowTheirPlaces) {
  const base::Result<ProjectFile> file = read("[race]\n# é\nfiles = [\"é.cu\", 'b.cu']\nseconds = -1.5\nok = true\n");
  ASSERT_TRUE(file) << base::render(file.errors());
  const base::JsonValue& race = *file->table("race");
  EXPECT_EQ(file->source.slice(race.at("files").at(1).span()), "'b.cu'");
  EXPECT_EQ(file->source.slice(race.at("files").span()), "[\"é.cu\", 'b.cu']");
  EXPECT_EQ(race.at("seconds").real(), -1.5);
  EXPECT_TRUE(race.at("ok").truth());
  EXPECT_EQ(file->table("check"), nullptr);
}

TEST(ProjectText, MistakesHaveTheirPlaces) {
  static constexpr struct {
    const char* text;
    const char* message;
  } kTests[] = {
      {"[race]\nfiles = [\"a.cu\"\n",
       "weakspot.toml:2:16: error: not valid TOML: parsing array: encountered end-of-file\n"
       " files = [\"a.cu\"\n                ^\n"},
      {"[raec]\n",
       "weakspot.toml:1:2: error: unknown key 'raec' in a project file; did you mean 'race'?\n [raec]\n  ^~~~\n"},
      {"check = 3\n",
       "weakspot.toml:1:9: error: expected a table, which begins with [check]\n check = 3\n         ^\n"},
  };
  for (const auto& [text, message] : kTests) {
    const base::Result<ProjectFile> file = read(text);
    ASSERT_FALSE(file) << text;
    EXPECT_EQ(base::render(file.errors()), message);
  }
}

#else

TEST(ProjectText, NeedsALibrary) {
  const base::Result<ProjectFile> file = read_project_text("weakspot.toml", "", "/");
  ASSERT_FALSE(file);
  EXPECT_EQ(base::kind_of(file.errors()), base::ErrorKind::environment);
}

#endif

}  // namespace
}  // namespace weakspot::project::project_file_test
