// SPDX-License-Identifier: MIT
#include "workbench/inputs.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/source.h"
#include "litmus/dialect.h"
#include "questions/corpus_names.h"
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

base::Result<Paths> resolve(const std::string& argument) {
  std::error_code code;
  if (argument == "-") return Paths{argument};
  const fs::file_status status = fs::status(argument, code);
  if (fs::is_directory(status)) return tests_in_folder(argument);
  if (fs::exists(status)) return Paths{argument};
  return find_in_corpus(argument);
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
    if (questions::is_carried(argument)) {
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
