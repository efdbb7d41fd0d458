// SPDX-License-Identifier: MIT
#include "workbench/inputs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "system/temporary_folder.h"

namespace weakspot::workbench::inputs_test {
namespace {

constexpr const char* kTest = " P0 ;\n st x, 1 ;\nexists (x=1)\n";

class Inputs : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = (folder_.path() / name).string();
    EXPECT_TRUE(base::write_file(path, text).ok());
    return path;
  }
  std::string folder() const { return folder_.path().string(); }

 private:
  base::TemporaryFolder folder_;
};

std::vector<std::string> names_of(const TestInputs& inputs) {
  std::vector<std::string> names;
  for (const TestInput& input : inputs.tests) names.push_back(input.test.name);
  return names;
}

using Names = std::vector<std::string>;

TEST_F(Inputs, FilesFoldersAndIndexes) {
  const std::string a = write("a.litmus", std::string("weakspot A\n") + kTest);
  write("b.litmus", std::string("weakspot B\n") + kTest);
  const std::string index = write("@all", "b.litmus\na.litmus\n");
  EXPECT_EQ(names_of(load_tests({a})), Names{"A"});
  EXPECT_EQ(names_of(load_tests({folder()})), (Names{"A", "B"}));
  EXPECT_EQ(names_of(load_tests({index})), (Names{"B", "A"}));
}

TEST_F(Inputs, TestsOfTheCorpusByNameAndPath) {
  EXPECT_EQ(names_of(load_tests({"MP"})), Names{"MP"});
  EXPECT_EQ(names_of(load_tests({"classic/MP"})), Names{"MP"});
  EXPECT_EQ(names_of(load_tests({"classic/MP.litmus"})), Names{"MP"});
  EXPECT_GT(load_tests({"classic"}).tests.size(), 5u);
}

TEST_F(Inputs, WhatGivesNoTestIsAnErrorAndTheRestIsRead) {
  const std::string bad = write("bad.litmus", "no litmus test");
  const TestInputs inputs = load_tests({bad, "MP", "no-such-test.litmus", folder() + "/missing"});
  EXPECT_EQ(names_of(inputs), Names{"MP"});
  ASSERT_EQ(inputs.errors.size(), 3u);
  EXPECT_EQ(inputs.errors[0].file, bad);
  EXPECT_EQ(inputs.errors[1].file, "no-such-test.litmus");
}

TEST_F(Inputs, AnEmptyFolderIsAnError) {
  const TestInputs inputs = load_tests({folder()});
  ASSERT_EQ(inputs.errors.size(), 1u);
}

}  // namespace
}  // namespace weakspot::workbench::inputs_test
