// SPDX-License-Identifier: MIT
#include "workbench/distil_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"
#include "distil/distil.h"
#include "litmus/dialect.h"

namespace weakspot::workbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDistilModel = "ptx";

// Letters, digits and a few signs that may stand in the name of a test and of a file.
std::string test_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (fits) {
      word += c;
    } else if (!word.empty() && word.back() != '-') {
      word += '-';
    }
  }
  while (word.ends_with('-')) word.pop_back();
  return word;
}

// "no_release-data-12-17": the source, the variable and the lines.
std::string test_name(const race::Finding& finding, const std::string& file) {
  std::string name =
      fmt::format("{}-{}-{}", fs::path(file).stem().string(), race::array_text(finding.variable), finding.place.line);
  if (finding.other) name += fmt::format("-{}", finding.other->line);
  return test_word(name);
}

}  // namespace

base::Result<DistilFolder> DistilFolder::open(const std::string& path) {
  base::Result<model::Model> model = model::load_model(kDistilModel);
  if (!model) return model.errors();
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return base::error(fmt::format("cannot make the folder '{}': {}", path, error.message()));
  return DistilFolder(path, *std::move(model));
}

base::Status DistilFolder::add(race::Report& report, const std::string& file) {
  for (race::Finding& finding : report.findings) {
    const std::string plain = test_name(finding, file);
    std::string name = plain;
    for (unsigned i = 2; names_.contains(name); ++i) name = fmt::format("{}-{}", plain, i);
    std::optional<distil::Pair> pair = distil::distil(finding, name, model_, kDistilModel);
    if (!pair) continue;
    names_.insert(name);
    for (auto [test, path] :
         {std::pair(&pair->test, &pair->summary.test), std::pair(&pair->repaired, &pair->summary.repaired)}) {
      if (!*test) continue;
      base::Result<std::string> written = write(**test);
      if (!written) return written.errors();
      *path = *std::move(written);
    }
    finding.distilled = std::move(pair->summary);
  }
  return base::ok_status();
}

base::Result<std::string> DistilFolder::write(const litmus::LitmusTest& test) {
  const base::Result<std::string> text = litmus::print(test, litmus::Dialect::ptx);
  if (!text) return text.errors();
  std::string path = (fs::path(path_) / (test.name + ".litmus")).string();
  if (base::Status written = base::write_file(path, *text); !written) return written.errors();
  list_ += test.name + ".litmus\n";
  return path;
}

base::Status DistilFolder::finish() const {
  const char* title = "# Made by 'weakspot race --distil': findings as tests, and their repairs (+fixed).\n";
  return base::write_file((fs::path(path_) / "@all").string(), title + list_);
}

}  // namespace weakspot::workbench
