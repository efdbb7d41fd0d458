// SPDX-License-Identifier: MIT
#include "workbench/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/file.h"
#include "base/nearest.h"
#include "desk/corpus.h"
#include "litmus/dialect.h"

namespace weakspot::workbench {
namespace {

namespace fs = std::filesystem;

// How a file is called that only the program has.
constexpr std::string_view kInside = "corpus:";

struct CorpusFile {
  std::string path;
  std::string folder, name;  // "classic", "MP"
};

// The corpus on disk, where a change of it counts, or the one that the program carries.
std::vector<CorpusFile> all_files() {
  std::vector<CorpusFile> files;
  if (const fs::path corpus = base::data_directory("corpus"); !corpus.empty()) {
    const base::Result<std::vector<std::string>> paths = base::files_under(corpus.string(), ".litmus");
    if (!paths) return {};
    for (const std::string& path : *paths) {
      const fs::path inside = fs::path(path).lexically_relative(corpus);
      files.push_back({path, inside.parent_path().string(), inside.stem().string()});
    }
  } else {
    for (const base::PackedTexts::Text& text : desk::packed_corpus().all()) {
      const std::size_t slash = text.name.rfind('/');
      files.push_back({fmt::format("{}{}.litmus", kInside, text.name), std::string(text.name.substr(0, slash)),
                       std::string(text.name.substr(slash + 1))});
    }
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

// A folder is meant by its own name, by that of one it is in, and by the empty one.
bool is_under(std::string_view folder, std::string_view above) {
  return above.empty() || folder == above ||
         (folder.starts_with(above) && folder.substr(above.size()).starts_with('/'));
}

bool is_meant(const CorpusTest& test, std::string_view pattern) {
  while (pattern.ends_with('/')) pattern.remove_suffix(1);
  const std::string stem = fs::path(test.file).stem().string();
  if (!pattern.empty() && is_under(test.folder, pattern)) return true;
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
    const base::Result<std::vector<litmus::LitmusTest>> read = read_input(test.file);
    if (!read) return read.errors();
    chosen.push_back(test);
    if (!read->empty()) chosen.back().description = on_one_line(read->front().description);
  }
  return chosen;
}

CorpusFiles find_in_corpus(std::string_view name) {
  if (name.starts_with(kInside)) name.remove_prefix(kInside.size());
  if (name.starts_with("corpus/")) name.remove_prefix(7);
  while (name.ends_with('/')) name.remove_suffix(1);
  if (name.empty()) return {};
  std::string_view folder = name;
  if (folder == "@all" || folder.ends_with("/@all")) folder.remove_suffix(std::min<std::size_t>(folder.size(), 5));
  CorpusFiles in_folder, of_name;
  for (CorpusFile& file : all_files()) {
    const std::string place = file.folder + "/" + file.name;
    if (name == place || name == place + ".litmus") return {{std::move(file.path)}};
    if (is_under(file.folder, folder)) {
      in_folder.files.push_back(std::move(file.path));
    } else if (file.name == name) {
      of_name.files.push_back(std::move(file.path));
    }
  }
  if (!in_folder.files.empty()) return in_folder;
  of_name.several_tests = of_name.files.size() > 1;
  return of_name;
}

std::vector<std::string> corpus_files() {
  std::vector<std::string> paths;
  for (CorpusFile& file : all_files()) paths.push_back(std::move(file.path));
  return paths;
}

bool is_carried(std::string_view file) { return file.starts_with(kInside) && file.ends_with(".litmus"); }

base::Result<std::vector<litmus::LitmusTest>> read_input(const std::string& file) {
  if (!is_carried(file)) return litmus::read_test_file(file);
  std::string_view name = file;
  name.remove_prefix(kInside.size());
  name.remove_suffix(7);
  const std::optional<std::string_view> text = desk::packed_corpus().named(name);
  if (!text) return base::error_in(file, "the corpus has no such test");
  return litmus::read_tests(base::Source(file, std::string(*text)));
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
