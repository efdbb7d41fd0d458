// SPDX-License-Identifier: MIT
#include "questions/corpus_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/nearest.h"
#include "base/sort.h"
#include "litmus/mutant_name.h"
#include "questions/corpus.h"

namespace weakspot::questions {
namespace {

using Paths = std::vector<std::string>;

constexpr std::string_view kInside = "corpus:", kSuffix = ".litmus";

// A folder is meant by its own name, by that of one it is in, and by the empty one.
bool is_in_folder(std::string_view folder, std::string_view above) {
  return above.empty() || folder == above ||
         (folder.starts_with(above) && folder.substr(above.size()).starts_with('/'));
}

std::string place_of(const CorpusFile& file) { return file.folder + "/" + file.name; }

// The files that the name means; of several folders if no folder is named.
std::vector<CorpusFile> meant_by(std::string_view name, const std::vector<CorpusFile>& files) {
  for (const std::string_view prefix : {kInside, std::string_view("corpus/")}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  while (name.ends_with('/')) name.remove_suffix(1);
  if (name.empty()) return {};
  std::string_view folder = name, stem = name;
  if (folder == "@all" || folder.ends_with("/@all")) folder.remove_suffix(std::min<std::size_t>(folder.size(), 5));
  if (stem.ends_with(kSuffix)) stem.remove_suffix(kSuffix.size());
  std::vector<CorpusFile> in_folder, of_name;
  for (const CorpusFile& file : files) {
    if (stem == place_of(file)) return {file};
    if (is_in_folder(file.folder, folder)) {
      in_folder.push_back(file);
    } else if (file.name == name) {
      of_name.push_back(file);
    }
  }
  return in_folder.empty() ? of_name : in_folder;
}

// The present name of a test, with the folder if `former` has one; empty if no test ever had that name.
std::string renamed(std::string_view former, const std::vector<CorpusFile>& files) {
  if (former.ends_with(kSuffix)) former.remove_suffix(kSuffix.size());
  const std::size_t stem = former.rfind('/') + 1;  // 0 without a folder
  const std::optional<std::string_view> present = litmus::present_name(former.substr(stem));
  if (!present) return {};
  std::string now = fmt::format("{}{}", former.substr(0, stem), *present);
  return meant_by(now, files).empty() ? std::string() : now;
}

}  // namespace

std::vector<CorpusFile> carried_files() {
  std::vector<CorpusFile> files;
  for (const base::PackedTexts::Text& text : packed_corpus().all()) {
    const std::size_t slash = text.name.rfind('/');
    files.push_back({fmt::format("{}{}{}", kInside, text.name, kSuffix), std::string(text.name.substr(0, slash)),
                     std::string(text.name.substr(slash + 1))});
  }
  base::sort(files, [](const CorpusFile& a, const CorpusFile& b) {
    return std::tie(a.folder, a.name) < std::tie(b.folder, b.name);
  });
  return files;
}

bool is_carried(std::string_view path) { return path.starts_with(kInside) && path.ends_with(kSuffix); }

base::Result<base::Source> carried_source(const std::string& path) {
  std::string_view name = path;
  name.remove_prefix(kInside.size());
  name.remove_suffix(kSuffix.size());
  const std::optional<std::string_view> text = packed_corpus().named(name);
  if (!text) return base::error_in(path, "the corpus has no such test");
  return base::Source(path, std::string(*text));
}

base::Result<Paths> files_named(const std::string& name, const std::vector<CorpusFile>& files,
                                std::string_view expected) {
  const std::vector<CorpusFile> meant = meant_by(name, files);
  if (meant.empty()) {
    const std::string now = renamed(name, files);
    if (!now.empty()) return base::error_in(name, fmt::format("this test is called {} now", now));
    return base::error_in(
        name, fmt::format("there is no such {}{}", expected, base::did_you_mean(name, corpus_words(files))));
  }
  const auto is_namesake = [&](const CorpusFile& file) { return file.name == meant.front().name; };
  if (meant.size() > 1 && std::all_of(meant.begin(), meant.end(), is_namesake)) {
    Paths places;
    for (const CorpusFile& file : meant) places.push_back(place_of(file));
    return base::error_in(name, fmt::format("several tests of the corpus have this name: {}", fmt::join(places, ", ")));
  }
  Paths paths;
  for (const CorpusFile& file : meant) paths.push_back(file.path);
  return paths;
}

bool matches(std::string_view pattern, std::string_view text) {
  // If the text after the last star does not fit, that star takes one character more, from `retry`. Going back to
  // earlier stars is never needed: what they took already let the pattern between the stars fit as early as possible.
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

bool is_meant(const CorpusFile& file, std::string_view pattern) {
  while (pattern.ends_with('/')) pattern.remove_suffix(1);
  if (!pattern.empty() && is_in_folder(file.folder, pattern)) return true;
  return matches(pattern, file.name) || matches(pattern, place_of(file));
}

base::Status check_patterns(const std::vector<std::string>& patterns, const std::vector<CorpusFile>& files) {
  base::Diagnostics errors;
  for (const std::string& pattern : patterns) {
    if (std::any_of(files.begin(), files.end(), [&](const CorpusFile& file) { return is_meant(file, pattern); }))
      continue;
    errors.push_back(base::error(fmt::format("no test or folder of the corpus is called '{}'{}", pattern,
                                             base::did_you_mean(pattern, corpus_words(files)))));
  }
  if (!errors.empty()) return errors;
  return base::ok_status();
}

std::vector<std::string> corpus_words(const std::vector<CorpusFile>& files) {
  std::vector<std::string> words;
  for (const CorpusFile& file : files) {
    if (std::find(words.begin(), words.end(), file.folder) == words.end()) words.push_back(file.folder);
    words.push_back(file.name);
  }
  return words;
}

bool is_test_text(std::string_view words) { return words.find_first_of("\n{") != std::string_view::npos; }

base::Result<base::Source> text_or_named_test(const std::string& words, const std::string& file) {
  if (is_test_text(words)) return base::Source(file, words);
  const base::Result<Paths> paths = files_named(words, carried_files(), "test of the corpus");
  if (!paths) return paths.errors();
  if (paths->size() > 1) {
    return base::error_in(words, fmt::format("this is a folder of {} tests; expected one test", paths->size()));
  }
  return carried_source(paths->front());
}

}  // namespace weakspot::questions
