// SPDX-License-Identifier: MIT
#include "serve/page/checks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace weakspot::serve::checks_test {
namespace {

constexpr const char* kSum = R"({"files":[{"name":"sum.cu","text":"int x;\n"}])";

std::string mistake(const std::string& body) {
  const base::Result<CheckOrder> read = read_check(body);
  return read ? "" : read.errors().front().message;
}

// Remembers the words, says which files it finds, and answers with its own path of them.
struct Program {
  std::vector<std::string> words;
  std::vector<std::string> found;
  bool fails = false;

  AskProgram ask() {
    return [this](const std::vector<std::string>& given) -> base::Result<std::string> {
      words = given;
      const std::filesystem::path path = words.back();
      const bool folder = std::filesystem::is_directory(path);
      for (const auto& entry : std::filesystem::directory_iterator(folder ? path : path.parent_path())) {
        std::ifstream file(entry.path());
        std::string line;
        std::getline(file, line);
        found.push_back(entry.path().filename().string() + ": " + line);
      }
      std::sort(found.begin(), found.end());
      if (fails) return base::error(path.string() + ":1:2: error: no");
      return R"({"file": ")" + path.string() + R"(", "command": "weakspot race )" + path.string() + "\"}";
    };
  }
};

TEST(CheckOrder, HasFilesAndWhatToDo) {
  const base::Result<CheckOrder> race = read_check(std::string(kSum) + "}");
  ASSERT_TRUE(race.ok()) << base::render(race.errors());
  EXPECT_EQ("sum.cu", race->files.at(0).name);
  EXPECT_EQ("int x;\n", race->files[0].text);
  EXPECT_FALSE(race->prove);
  const base::Result<CheckOrder> prove =
      read_check(std::string(kSum) + R"(,"prove":true,"launch":"grid=2","assert":"x == 1"})");
  ASSERT_TRUE(prove.ok()) << base::render(prove.errors());
  EXPECT_TRUE(prove->prove);
  EXPECT_EQ("grid=2", prove->launch);
  EXPECT_EQ("x == 1", prove->condition);
}

TEST(CheckOrder, NamesNoFilesOfTheMachine) {
  for (const char* name : {"", "../x.cu", "/etc/passwd", "a/b.cu", ".bashrc", "-x.cu", "a\\u0000b", "weakspot.toml"}) {
    EXPECT_EQ("'name': expected a file's name, such as sum.cu",
              mistake(std::string(R"({"files":[{"name":")") + name + R"(","text":""}]})"))
        << name;
  }
}

TEST(CheckOrder, MistakesAreReported) {
  EXPECT_NE("", mistake(""));
  EXPECT_NE("", mistake("{}"));
  EXPECT_EQ("'files': expected 1 to 256", mistake(R"({"files":[]})"));
  EXPECT_EQ("'files': two have one name",
            mistake(R"({"files":[{"name":"a.cu","text":""},{"name":"a.cu","text":""}]})"));
  EXPECT_EQ("'files': expected one to prove",
            mistake(R"({"prove":true,"files":[{"name":"a.cu","text":""},{"name":"b.cu","text":""}]})"));
  EXPECT_NE("", mistake(std::string(kSum) + R"(,"colour":"red"})"));
  EXPECT_NE("", mistake(R"({"files":[{"name":"a.cu"}]})"));
}

TEST(Check, AsksForTheFileAndHidesItsFolder) {
  Program program;
  const base::Result<base::JsonValue> report = check({{{"sum.cu", "int x;\n"}}, false, "grid=2", ""}, program.ask());
  ASSERT_TRUE(report.ok()) << base::render(report.errors());
  EXPECT_EQ("sum.cu", report->at("file").text());
  EXPECT_EQ("weakspot race sum.cu", report->at("command").text());
  EXPECT_EQ(std::vector<std::string>{"sum.cu: int x;"}, program.found);
  EXPECT_EQ("race", program.words.front());
  EXPECT_NE(program.words.end(), std::find(program.words.begin(), program.words.end(), "--launch=grid=2"));
  EXPECT_FALSE(std::filesystem::exists(program.words.back()));  // nothing stays
}

TEST(Check, SeveralFilesAreAFolder) {
  Program program;
  ASSERT_TRUE(check({{{"k.ptx", ".version"}, {"k.json", "{}"}}, false, "", ""}, program.ask()).ok());
  EXPECT_EQ((std::vector<std::string>{"k.json: {}", "k.ptx: .version"}), program.found);
}

TEST(Check, ProgramsComeWithTheirHeaders) {
  Program program;
  ASSERT_TRUE(check({{{"sum.h", "int y;"}, {"sum.cu", "int x;"}}, false, "", ""}, program.ask()).ok());
  EXPECT_TRUE(program.words.back().ends_with("/sum.cu"));
  EXPECT_EQ((std::vector<std::string>{"sum.cu: int x;", "sum.h: int y;"}), program.found);
}

TEST(Check, SaysWhatTheProgramSaid) {
  Program program;
  program.fails = true;
  const base::Result<base::JsonValue> report = check({{{"sum.cu", "x"}}, true, "", "x == 1"}, program.ask());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ("sum.cu:1:2: error: no", report.errors().front().message);
  EXPECT_EQ("prove", program.words.front());
  EXPECT_NE(program.words.end(), std::find(program.words.begin(), program.words.end(), "--assert=x == 1"));
}

}  // namespace
}  // namespace weakspot::serve::checks_test
