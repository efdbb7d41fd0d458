// SPDX-License-Identifier: MIT
#include "workbench/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/nearest.h"
#include "litmus/dialect.h"
#include "litmus/mutant_name.h"
#include "workbench/corpus.h"

namespace weakspot::workbench {
namespace {

namespace fs = std::filesystem;

using Paths = std::vector<std::string>;

base::Result<Paths> tests_in_folder(const std::string& folder) {
  base::Result<Paths> litmus = base::files_under(folder, ".litmus");
  if (!litmus) return litmus.errors();
  base::Result<Paths> json = base::files_under(folder, ".json");
  if (!json) return json.errors();
  Paths paths = std::move(*litmus);
  paths.insert(paths.end(), json->begin(), json->end());
  std::sort(paths.begin(), paths.end());
  if (paths.empty()) return base::error_in(folder, "there is no .litmus or .json file in this folder");
  return paths;
}

// What a test of the corpus is called now, with the folder if `former` has one; empty if it never had that name.
std::string renamed_in_corpus(const std::string& former) {
  fs::path path = former;
  if (path.extension() == ".litmus") path.replace_extension();
  const std::optional<std::string_view> present = litmus::present_name(path.filename().string());
  if (!present) return {};
  const std::string now = (path.parent_path() / *present).string();
  return find_in_corpus(now).files.empty() ? std::string() : now;
}

base::Result<Paths> resolve(const std::string& argument) {
  std::error_code code;
  if (argument == "-") return Paths{argument};
  const fs::file_status status = fs::status(argument, code);
  if (fs::is_directory(status)) return tests_in_folder(argument);
  if (fs::exists(status)) return Paths{argument};
  CorpusFiles found = find_in_corpus(argument);
  if (found.files.empty()) {
    const std::string now = renamed_in_corpus(argument);
    if (!now.empty()) return base::error_in(argument, fmt::format("this test is called {} now", now));
    return base::error_in(
        argument, "there is no such file, folder or test of the corpus" + base::did_you_mean(argument, corpus_names()));
  }
  if (found.several_tests) {
    std::vector<std::string> names;
    for (const std::string& file : found.files) {
      const fs::path path = file.substr(file.find(':') + 1);
      names.push_back((path.parent_path().filename() / path.stem()).string());
    }
    return base::error_in(argument,
                          fmt::format("several tests of the corpus have this name: {}", fmt::join(names, ", ")));
  }
  return std::move(found.files);
}

}  // namespace

base::Diagnostics for_each_test(const std::vector<std::string>& arguments, const VisitTest& visit) {
  base::Diagnostics errors;
  auto fail = [&](const base::Diagnostics& more) { errors.insert(errors.end(), more.begin(), more.end()); };
  auto take = [&](base::Result<std::vector<litmus::LitmusTest>> tests, const std::string& file) {
    if (!tests) return fail(tests.errors());
    for (litmus::LitmusTest& test : *tests) visit(std::move(test), file);
  };
  for (const std::string& argument : arguments) {
    std::error_code code;
    if (litmus::is_index(argument) && fs::is_regular_file(argument, code)) {
      const litmus::IndexFiles index = litmus::files_of_index(argument);
      fail(index.errors);
      for (const std::string& path : index.files) take(litmus::read_test_file(path), path);
      continue;
    }
    if (is_carried(argument)) {
      take(read_input(argument), argument);
      continue;
    }
    // Most arguments of a batch name a file, which opening it tells.
    if (argument.ends_with(".litmus")) {
      if (base::Result<std::string> text = base::read_file(argument)) {
        take(litmus::read_tests(base::Source(argument, *std::move(text))), argument);
        continue;
      }
    }
    base::Result<Paths> paths = resolve(argument);
    if (!paths) {
      fail(paths.errors());
      continue;
    }
    for (const std::string& path : *paths) take(read_input(path), path);
  }
  return errors;
}

TestInputs load_tests(const std::vector<std::string>& arguments) {
  TestInputs inputs;
  inputs.tests.reserve(arguments.size());
  inputs.errors = for_each_test(arguments, [&](litmus::LitmusTest&& test, const std::string& file) {
    inputs.tests.push_back({std::move(test), file});
  });
  return inputs;
}

}  // namespace weakspot::workbench
