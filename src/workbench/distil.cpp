// SPDX-License-Identifier: MIT
#include "workbench/distil.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/file.h"
#include "distil/distil.h"
#include "litmus/dialect.h"
#include "model/library.h"

namespace weakspot::workbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModel = "ptx";

// Letters, digits and a few signs that stand in the name of a test and of a file.
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
  const std::string variable = finding.variable.substr(0, finding.variable.find('['));
  std::string name = fmt::format("{}-{}-{}", fs::path(file).stem().string(), variable, finding.place.line);
  if (finding.other) name += fmt::format("-{}", finding.other->line);
  return test_word(name);
}

base::Result<std::string> write_litmus(const litmus::LitmusTest& test, const fs::path& folder) {
  const base::Result<std::string> text = litmus::print(test, litmus::Dialect::ptx);
  if (!text) return text.errors();
  std::string path = (folder / (test.name + ".litmus")).string();
  if (base::Status written = base::write_file(path, *text); !written) return written.errors();
  return path;
}

}  // namespace

base::Status distil_findings(race::Report& report, const std::string& file, const std::string& folder) {
  const base::Result<model::Model> model = model::load_model(kModel);
  if (!model) return model.errors();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return base::error(fmt::format("cannot make the folder '{}': {}", folder, error.message()));
  std::set<std::string> taken;
  for (race::Finding& finding : report.findings) {
    const std::string plain = test_name(finding, file);
    std::string name = plain;
    for (unsigned i = 2; taken.contains(name); ++i) name = fmt::format("{}-{}", plain, i);
    std::optional<distil::Pair> pair = distil::distil(finding, name, *model, kModel);
    if (!pair) continue;
    taken.insert(name);
    for (auto [test, path] :
         {std::pair(&pair->test, &pair->summary.test), std::pair(&pair->repaired, &pair->summary.repaired)}) {
      if (!*test) continue;
      base::Result<std::string> written = write_litmus(**test, folder);
      if (!written) return written.errors();
      *path = *std::move(written);
    }
    finding.distilled = std::move(pair->summary);
  }
  return base::ok_status();
}

base::Status write_distilled_index(const race::Report& report, const std::string& folder) {
  std::string all = "# Made by 'weakspot race --distil': findings as tests, and their repairs (+fixed).\n";
  base::JsonValue entries = base::json_array();
  for (const race::Finding& finding : report.findings) {
    if (!finding.distilled) continue;
    for (const std::string* path : {&finding.distilled->test, &finding.distilled->repaired}) {
      if (!path->empty()) all += fs::path(*path).filename().string() + "\n";
    }
    base::JsonValue entry = race::to_json(*finding.distilled);
    entry["message"] = finding.message;
    entry["file"] = finding.place.file;
    entry["line"] = finding.place.line;
    if (finding.other) entry["other_line"] = finding.other->line;
    entries.push_back(std::move(entry));
  }
  const fs::path path(folder);
  if (base::Status written = base::write_file((path / "@all").string(), all); !written) return written;
  return base::write_file((path / "index.json").string(), base::json_indented(entries) + "\n");
}

}  // namespace weakspot::workbench
