// SPDX-License-Identifier: MIT
#include "workbench/emit_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/names.h"
#include "workbench/conformance/suite_texts.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {
namespace {

constexpr base::Named<ForeignSuite> kForeignSuites[] = {
    {"amber", ForeignSuite::amber},
    {"opencl-cts", ForeignSuite::opencl_cts},
    {"webgpu-cts", ForeignSuite::webgpu_cts},
};

codegen::Target target_of(ForeignSuite suite) {
  if (suite == ForeignSuite::amber) return codegen::Target::spirv;
  return suite == ForeignSuite::opencl_cts ? codegen::Target::opencl : codegen::Target::wgsl;
}

std::string path_of(const ProvedTest& test, std::string_view ending) {
  std::string stem = test.name;
  std::replace(stem.begin(), stem.end(), '/', '_');
  return fmt::format("{}{}{}", test.mutant_of.empty() ? "" : "mutants/", stem, ending);
}

base::Result<SuiteFile> file_of(const ProvedTest& test, ForeignSuite suite) {
  switch (suite) {
    case ForeignSuite::amber: {
      base::Result<std::string> script = amber_script(test);
      if (!script) return script.errors();
      return SuiteFile{test.name, test.mutant_of, path_of(test, ".amber"), *std::move(script)};
    }
    case ForeignSuite::opencl_cts:
      return SuiteFile{test.name, test.mutant_of, path_of(test, ".cl"), opencl_kernels(test)};
    case ForeignSuite::webgpu_cts:
      break;
  }
  return SuiteFile{test.name, test.mutant_of, path_of(test, ".spec.ts"), webgpu_spec(test)};
}

}  // namespace

std::string_view to_string(ForeignSuite suite) { return base::name_of(kForeignSuites, suite); }

std::optional<ForeignSuite> foreign_suite_named(std::string_view name) {
  for (const auto& known : kForeignSuites) {
    if (known.name == name) return known.value;
  }
  return std::nullopt;
}

std::vector<std::string> foreign_suite_words() {
  std::vector<std::string> words;
  for (const auto& known : kForeignSuites) words.emplace_back(known.name);
  return words;
}

base::Result<std::vector<SuiteFile>> emit_suite(const EmitSuiteRequest& request) {
  const TestInputs inputs = load_tests(request.tests);
  if (!inputs.errors.empty()) return inputs.errors;
  const questions::Platform device{target_of(request.suite), {}};
  model::ModelShelf shelf;
  std::vector<ProvedTest> tests;
  std::vector<SuiteFile> files;
  for (const TestInput& input : inputs.tests) {
    base::Result<std::vector<ProvedTest>> proved = prove(input.test, device, shelf);
    if (!proved) return proved.errors();
    for (ProvedTest& test : *proved) {
      base::Result<SuiteFile> file = file_of(test, request.suite);
      if (!file) return file.errors();
      files.push_back(*std::move(file));
      tests.push_back(std::move(test));
    }
  }
  if (request.suite == ForeignSuite::opencl_cts) {
    files.push_back({"", "", "proved_tests.h", opencl_table(tests)});
    files.push_back({"", "", "run.cpp", opencl_host()});
  }
  files.push_back({"", "", "README.md", suite_page(tests, fmt::format("Tests for {}", to_string(request.suite)))});
  return files;
}

base::Status write_suite(const std::string& folder, const std::vector<SuiteFile>& files) {
  namespace fs = std::filesystem;
  for (const SuiteFile& file : files) {
    const fs::path path = fs::path(folder) / file.path;
    std::error_code code;
    fs::create_directories(path.parent_path(), code);
    if (code) {
      return base::error_in(path.parent_path().string(), fmt::format("cannot create the folder: {}", code.message()));
    }
    const base::Status written = base::write_file(path.string(), file.text, base::Durable::no);
    if (!written) return base::of_kind(base::ErrorKind::environment, written.errors());
  }
  return base::ok_status();
}

}  // namespace weakspot::workbench
