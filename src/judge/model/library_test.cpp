// SPDX-License-Identifier: MIT
#include "model/library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "model/evaluate/cat_program.h"

namespace weakspot::model::library_test {

TEST(Library, BuiltInModelsAreTheFiles) {
  const std::filesystem::path folder = base::data_directory("models");
  ASSERT_FALSE(folder.empty());
  const auto paths = base::files_under(folder.string(), ".cat");
  ASSERT_TRUE(paths);
  std::vector<std::string> files;
  for (const std::string& path : *paths) {
    files.push_back(std::filesystem::path(path).stem().string());
    EXPECT_EQ(built_in_text(files.back()), *base::read_file(path)) << path;
  }
  const std::vector<std::string_view> built_in = built_in_models();
  EXPECT_TRUE(std::is_permutation(built_in.begin(), built_in.end(), files.begin(), files.end()));
  EXPECT_FALSE(built_in_text("no such model"));
}

TEST(Library, ListsEveryModelFromTheStrongestOn) {
  const auto entries = list_models();
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size() + 1, built_in_models().size());  // all but whole-threads
  EXPECT_EQ(entries->front().name, "sc");
  for (const ModelEntry& entry : *entries) EXPECT_FALSE(entry.description.empty()) << entry.name;
}

// Explanations quote the model: a check without words would leave the reader with its name.
TEST(Library, EveryCheckHasWords) {
  for (const std::string_view name : built_in_models()) {
    const auto model = load_model(std::string(name));
    ASSERT_TRUE(model) << name;
    for (const cat::CheckInfo& check : model->program().check_infos) {
      if (check.statement->kind != cat::StatementKind::check) continue;  // `with`: its order is checked as well
      EXPECT_FALSE(check.statement->words.empty()) << name << ": " << check.statement->name->text;
    }
  }
}

TEST(Library, NamesWhatIsMissing) {
  const auto model = load_model("nonsense");
  ASSERT_FALSE(model);
  EXPECT_EQ(model.errors().front().message, "there is no model 'nonsense'; 'weakspot models' lists them");
}

}  // namespace weakspot::model::library_test
