// SPDX-License-Identifier: MIT
#include "race_command/settings/race_project.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/glob.h"
#include "json/json_fields.h"
#include "race/classes.h"

namespace weakspot::race_command {
namespace {

namespace fs = std::filesystem;
using base::JsonFields;
using base::JsonValue;
using Kind = JsonValue::Kind;

constexpr unsigned kLastLine = 1u << 30;

class ProjectReader {
 public:
  explicit ProjectReader(const project::ProjectFile& file) : file_(file), mistakes_(file.source) {
    project_.folder = file.folder;
  }

  base::Result<RaceProject> read() {
    if (const JsonValue* table = file_.table("race")) read_table(*table);
    if (mistakes_.any()) return mistakes_.take();
    return std::move(project_);
  }

 private:
  void read_table(const JsonValue& table) {
    JsonFields fields(table, mistakes_, "[race]");
    for (const JsonValue* glob : texts(fields, "files")) {
      for (const std::string& path : files_of(*glob)) {
        const std::string near = from_here(path);
        if (std::find(project_.files.begin(), project_.files.end(), near) == project_.files.end()) {
          project_.files.push_back(near);
        }
      }
    }
    for (const JsonValue* folder : texts(fields, "include")) {
      project_.compiler_arguments.push_back("-I" + from_here(folder->text()));
    }
    for (const JsonValue* definition : texts(fields, "define")) {
      project_.compiler_arguments.push_back("-D" + definition->text());
    }
    if (const auto standard = fields.string("std")) {
      project_.compiler_arguments.push_back(fmt::format("-std={}", *standard));
    }
    if (const JsonValue* name = fields.take("arch", Kind::string)) {
      project_.architecture = understood(*name, race::parse_architecture(name->text()));
    }
    for (const JsonValue* launch : tables(fields, "launch")) read_launch(*launch);
    for (const JsonValue* suppression : tables(fields, "suppress")) read_suppression(*suppression);
    fields.done();
  }

  void read_launch(const JsonValue& table) {
    JsonFields fields(table, mistakes_, "[[race.launch]]");
    ProjectLaunch stated;
    if (const JsonValue* glob = fields.take("file", Kind::string, true)) {
      stated.files = glob->text();
      files_of(*glob);
    }
    if (const JsonValue* text = fields.take("launch", Kind::string, true)) {
      if (auto launch = understood(*text, race::parse_launch(text->text()))) stated.launch = *std::move(launch);
    }
    if (const auto kernel = fields.string("kernel")) stated.launch.kernel = *kernel;
    for (const JsonValue* text : texts(fields, "args")) {
      auto argument = understood(*text, race::parse_argument(text->text()));
      if (argument) stated.launch.arguments.push_back(*std::move(argument));
    }
    fields.done();
    project_.launches.push_back(std::move(stated));
  }

  void read_suppression(const JsonValue& table) {
    JsonFields fields(table, mistakes_, "[[race.suppress]]");
    race::Suppression suppression;
    const JsonValue* id = fields.take("class", Kind::string, true);
    if (id != nullptr && id->text() != "*") {
      if (const race::FindingClass* known = race::find_class(id->text())) {
        suppression.finding_class = known->number;
      } else {
        mistakes_.add(id->span(), fmt::format("'{}' is not a class of findings; expected one as in E1, or *{}",
                                              base::clipped(id->text()), race::meant_class(id->text())));
      }
    }
    suppression.file = fields.text("file");
    suppression.folder = file_.folder.string();
    suppression.function = fields.string("kernel").value_or("");
    if (fields.has("line")) suppression.line = static_cast<unsigned>(fields.whole("line", kLastLine));
    const JsonValue* reason = fields.take("reason", Kind::string, true);
    if (reason != nullptr && reason->text().find_first_not_of(" \t\n") == std::string::npos) {
      mistakes_.add(reason->span(), "expected the reason for which the finding is acceptable");
    }
    if (reason != nullptr) suppression.reason = reason->text();
    fields.done();
    suppression.source = file_.source.name();
    suppression.source_line = static_cast<unsigned>(file_.source.position(table.span().begin).line);
    suppression.text = fmt::format("{} {}", id != nullptr ? id->text() : "*", suppression.file);
    if (suppression.line != 0) suppression.text += fmt::format(":{}", suppression.line);
    if (!suppression.function.empty()) suppression.text += fmt::format(":{}", suppression.function);
    project_.suppressions.push_back(std::move(suppression));
  }

  // The items of an optional list of strings.
  std::vector<const JsonValue*> texts(JsonFields& fields, std::string_view key) {
    std::vector<const JsonValue*> found;
    const JsonValue* list = fields.take(key, Kind::array);
    if (list == nullptr) return found;
    for (const JsonValue& item : list->items()) {
      if (item.is(Kind::string)) {
        found.push_back(&item);
      } else {
        mistakes_.add(item.span(),
                      fmt::format("'{}': expected a string, found {}", key, found_text(item, file_.source)));
      }
    }
    return found;
  }

  // The tables [[race.KEY]].
  std::vector<const JsonValue*> tables(JsonFields& fields, std::string_view key) {
    std::vector<const JsonValue*> found;
    const JsonValue* list = fields.take(key);
    if (list == nullptr) return found;
    for (const JsonValue& item : list->items()) {
      if (item.is(Kind::object)) found.push_back(&item);
    }
    if (!list->is(Kind::array) || found.size() != list->items().size()) {
      mistakes_.add(list->span(), fmt::format("expected tables, each of which begins with [[race.{}]]", key));
    }
    return found;
  }

  std::vector<std::string> files_of(const JsonValue& glob) {
    std::vector<std::string> found = project::files_of_glob(file_.folder, glob.text());
    if (found.empty()) {
      mistakes_.add(glob.span(),
                    fmt::format("no file fits '{}' in the folder of this file", base::clipped(glob.text())));
    }
    return found;
  }

  // A path of the project file as the current folder sees it.
  std::string from_here(const std::string& path) const {
    std::error_code error;
    const fs::path whole = (file_.folder / path).lexically_normal();
    return whole.lexically_proximate(fs::current_path(error)).string();
  }

  template <typename Value>
  std::optional<Value> understood(const JsonValue& text, base::Result<Value> read) {
    if (read) return *std::move(read);
    mistakes_.add(text.span(), base::messages(read.errors()));
    return std::nullopt;
  }

  const project::ProjectFile& file_;
  base::Mistakes mistakes_;
  RaceProject project_;
};

}  // namespace

base::Result<RaceProject> read_race_project(const project::ProjectFile& file) { return ProjectReader(file).read(); }

std::vector<race::LaunchSpec> launches_for(const RaceProject& project, const std::string& file,
                                           const std::string& kernel) {
  const std::string path = project::path_in_project(project.folder, file);
  std::vector<race::LaunchSpec> launches;
  for (const auto& [files, launch] : project.launches) {
    if (!base::matches_glob(files, path)) continue;
    if (!kernel.empty() && !launch.kernel.empty() && launch.kernel != kernel) continue;
    launches.push_back(launch);
    if (!kernel.empty()) launches.back().kernel = kernel;
  }
  return launches;
}

}  // namespace weakspot::race_command
