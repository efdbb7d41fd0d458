// SPDX-License-Identifier: MIT
#include "workbench/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "base/file.h"
#include "base/source.h"
#include "litmus/dialect.h"
#include "questions/corpus_names.h"

namespace weakspot::workbench {
namespace {

namespace fs = std::filesystem;

using questions::CorpusFile;

// The corpus on disk, where a change of it counts, or the one that the program carries.
std::vector<CorpusFile> all_files() {
  const fs::path corpus = base::data_directory("corpus");
  if (corpus.empty()) return questions::carried_files();
  std::vector<CorpusFile> files;
  const base::Result<std::vector<std::string>> paths = base::files_under(corpus.string(), ".litmus");
  if (!paths) return {};
  for (const std::string& path : *paths) {
    const fs::path inside = fs::path(path).lexically_relative(corpus);
    files.push_back({path, inside.parent_path().string(), inside.stem().string()});
  }
  std::sort(files.begin(), files.end(), [](const CorpusFile& a, const CorpusFile& b) {
    return std::tie(a.folder, a.name) < std::tie(b.folder, b.name);
  });
  return files;
}

// The tests of the corpus without their descriptions, by folder and name.
std::vector<CorpusTest> all_tests() {
  std::vector<CorpusTest> tests;
  std::map<std::string, int> uses;
  for (CorpusFile& file : all_files()) {
    ++uses[file.name];
    tests.push_back({std::move(file.name), std::move(file.folder), std::move(file.path), ""});
  }
  for (CorpusTest& test : tests) {
    if (uses[test.name] > 1) test.name = test.folder + "/" + test.name;
  }
  return tests;
}

bool is_meant(const CorpusTest& test, std::string_view pattern) {
  return questions::is_meant({test.file, test.folder, fs::path(test.file).stem().string()}, pattern);
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

base::Result<std::vector<CorpusTest>> list_corpus(const std::vector<std::string>& patterns) {
  if (const base::Status good = questions::check_patterns(patterns, all_files()); !good) return good.errors();
  std::vector<CorpusTest> chosen;
  for (const CorpusTest& test : all_tests()) {
    const bool meant =
        patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                        [&](const std::string& pattern) { return is_meant(test, pattern); });
    if (!meant) continue;
    const base::Result<std::vector<litmus::LitmusTest>> read = read_input(test.file);
    if (!read) return read.errors();
    chosen.push_back(test);
    if (!read->empty()) chosen.back().description = on_one_line(read->front().description);
  }
  return chosen;
}

base::Result<std::vector<std::string>> find_in_corpus(const std::string& name) {
  return questions::files_named(name, all_files(), "file, folder or test of the corpus");
}

std::vector<std::string> corpus_files() {
  std::vector<std::string> paths;
  for (CorpusFile& file : all_files()) paths.push_back(std::move(file.path));
  return paths;
}

base::Result<std::vector<litmus::LitmusTest>> read_input(const std::string& file) {
  if (!questions::is_carried(file)) return litmus::read_test_file(file);
  const base::Result<base::Source> source = questions::carried_source(file);
  if (!source) return source.errors();
  return litmus::read_tests(*source);
}

std::vector<std::string> corpus_arguments() {
  std::vector<std::string> names;
  for (const CorpusTest& test : all_tests()) names.push_back(test.name);
  return names;
}

}  // namespace weakspot::workbench
