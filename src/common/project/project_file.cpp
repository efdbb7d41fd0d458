// SPDX-License-Identifier: MIT
#include "project/project_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/glob.h"
#include "base/mistakes.h"
#include "json/json_fields.h"
#if WEAKSPOT_HAS_TOML
#include "project/toml/read_toml.h"
#endif

namespace weakspot::project {
namespace {

namespace fs = std::filesystem;

#if !WEAKSPOT_HAS_TOML
base::Result<base::JsonValue> read_toml(const base::Source& source) {
  return base::error_in(source.name(),
                        "this build cannot read project files: it needs toml++ ('tools/setup build' installs it); "
                        "--project none goes without",
                        base::ErrorKind::environment);
}
#endif

}  // namespace

std::optional<fs::path> find_project_file(const fs::path& from) {
  std::error_code error;
  std::optional<fs::path> nearest;
  for (fs::path folder = from;; folder = folder.parent_path()) {
    const fs::path file = folder / kProjectFileName;
    if (!nearest && fs::exists(file, error)) nearest = file;
    if (fs::exists(folder / ".git", error)) return nearest;
    if (!folder.has_relative_path()) break;
  }
  return nearest && nearest->parent_path() == from ? nearest : std::nullopt;
}

base::Result<ProjectFile> read_project_text(std::string name, std::string text, fs::path folder) {
  base::Source source(std::move(name), std::move(text));
  base::Result<base::JsonValue> value = read_toml(source);
  if (!value) return value.errors();
  base::Mistakes mistakes(source);
  base::JsonFields fields(*value, mistakes, "a project file");
  for (const std::string_view command : {"race", "check"}) {
    const base::JsonValue* table = fields.take(command);
    if (table != nullptr && !table->is(base::JsonValue::Kind::object)) {
      mistakes.add(table->span(), fmt::format("expected a table, which begins with [{}]", command));
    }
  }
  fields.done();
  if (mistakes.any()) return mistakes.take();
  return ProjectFile{std::move(source), *std::move(value), std::move(folder)};
}

base::Result<std::optional<ProjectFile>> open_project_file(const std::string& choice) {
  if (choice == kNoProject) return std::optional<ProjectFile>();
  std::error_code error;
  const fs::path here = fs::current_path(error);
  std::optional<fs::path> file = choice.empty() ? find_project_file(here) : here / choice;
  if (!file) return std::optional<ProjectFile>();
  // The name for messages: as it was given, or from here.
  const std::string name = choice.empty() ? file->lexically_proximate(here).string() : choice;
  base::Result<std::string> text = base::read_file(name);
  if (!text) return text.errors();
  base::Result<ProjectFile> read = read_project_text(name, *std::move(text), file->lexically_normal().parent_path());
  if (!read) return read.errors();
  return std::optional<ProjectFile>(*std::move(read));
}

std::vector<std::string> files_of_glob(const fs::path& folder, const std::string& glob) {
  // Only below the parts before the first pattern: a folder of results beside the sources may be large.
  const std::string before = glob.substr(0, glob.find_first_of("*?"));
  const fs::path begin = folder / before.substr(0, before.find_last_of('/') + 1);
  std::error_code error;
  if (before == glob) {
    return fs::is_regular_file(folder / glob, error) ? std::vector<std::string>{glob} : std::vector<std::string>{};
  }
  std::vector<std::string> found;
  fs::recursive_directory_iterator entries(begin, fs::directory_options::skip_permission_denied, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    const fs::directory_entry& entry = *entries;
    std::error_code ignored;
    const std::string name = entry.path().filename().string();
    if (name == ".git" && entry.is_directory(ignored)) entries.disable_recursion_pending();
    std::string path = path_in_project(folder, entry.path().string());
    if (entry.is_regular_file(ignored) && base::matches_glob(glob, path)) found.push_back(std::move(path));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string path_in_project(const fs::path& folder, const std::string& path) {
  std::error_code error;
  return fs::absolute(path, error).lexically_normal().lexically_relative(folder).generic_string();
}

}  // namespace weakspot::project
