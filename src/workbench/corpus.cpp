// SPDX-License-Identifier: MIT
#include "workbench/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "base/file.h"
#include "base/nearest.h"
#include "litmus/dialect.h"

namespace weakspot::workbench {
namespace {

namespace fs = std::filesystem;

// The tests of the corpus without their descriptions, in the order of their paths.
std::vector<CorpusTest> all_tests() {
  const fs::path corpus = base::data_directory("corpus");
  if (corpus.empty()) return {};
  base::Result<std::vector<std::string>> files = base::files_under(corpus.string(), ".litmus");
  if (!files) return {};
  std::vector<CorpusTest> tests;
  std::map<std::string, int> uses;
  for (const std::string& file : *files) {
    const fs::path inside = fs::path(file).lexically_relative(corpus);
    tests.push_back({inside.stem().string(), inside.parent_path().string(), file, ""});
    ++uses[tests.back().name];
  }
  for (CorpusTest& test : tests) {
    if (uses[test.name] > 1) test.name = test.folder + "/" + test.name;
  }
  auto key = [](const CorpusTest& test) { return std::pair(test.folder, fs::path(test.file).stem().string()); };
  std::sort(tests.begin(), tests.end(), [&](const CorpusTest& a, const CorpusTest& b) { return key(a) < key(b); });
  return tests;
}

bool is_meant(const CorpusTest& test, std::string_view pattern) {
  while (pattern.ends_with('/')) pattern.remove_suffix(1);
  const std::string stem = fs::path(test.file).stem().string();
  if (pattern == test.folder || test.folder.starts_with(std::string(pattern) + "/")) return true;
  return matches(pattern, stem) || matches(pattern, test.folder + "/" + stem);
}

std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  // Where to go on if what follows the last star does not fit.
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

base::Result<std::vector<CorpusTest>> list_corpus(const std::vector<std::string>& patterns) {
  const std::vector<CorpusTest> all = all_tests();
  if (all.empty())
    return base::error("the corpus is missing: " + base::missing_data("corpus"), base::ErrorKind::environment);
  base::Diagnostics errors;
  for (const std::string& pattern : patterns) {
    const bool any =
        std::any_of(all.begin(), all.end(), [&](const CorpusTest& test) { return is_meant(test, pattern); });
    if (!any) {
      errors.push_back(base::error(fmt::format("no test or folder of the corpus is called '{}'{}", pattern,
                                               base::did_you_mean(pattern, corpus_names()))));
    }
  }
  if (!errors.empty()) return errors;
  std::vector<CorpusTest> chosen;
  for (const CorpusTest& test : all) {
    const bool meant =
        patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                        [&](const std::string& pattern) { return is_meant(test, pattern); });
    if (!meant) continue;
    const base::Result<std::vector<litmus::LitmusTest>> read = litmus::read_test_file(test.file);
    if (!read) return read.errors();
    chosen.push_back(test);
    if (!read->empty()) chosen.back().description = on_one_line(read->front().description);
  }
  return chosen;
}

std::vector<std::string> find_in_corpus(const std::string& name) {
  const fs::path corpus = base::data_directory("corpus");
  if (corpus.empty() || name.empty()) return {};
  for (const fs::path& path : {corpus / name, corpus / (name + ".litmus")}) {
    std::error_code code;
    if (fs::exists(path, code)) return {path.string()};
  }
  std::vector<std::string> found;
  for (const CorpusTest& test : all_tests()) {
    if (fs::path(test.file).stem() == name) found.push_back(test.file);
  }
  return found;
}

std::vector<std::string> corpus_arguments() {
  std::vector<std::string> names;
  for (const CorpusTest& test : all_tests()) names.push_back(test.name);
  return names;
}

std::vector<std::string> corpus_names() {
  std::vector<std::string> names;
  for (const CorpusTest& test : all_tests()) {
    if (std::find(names.begin(), names.end(), test.folder) == names.end()) names.push_back(test.folder);
    names.push_back(fs::path(test.file).stem().string());
  }
  return names;
}

}  // namespace weakspot::workbench
