// SPDX-License-Identifier: MIT
// The project file, weakspot.toml: settings that a team would otherwise repeat with every command.
//
// It has a table for each command that reads it: [race] and [check]. This module finds the file and reads TOML into
// values that know their places; each command understands its own table, so that a mistake is shown with its line.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "json/json.h"

namespace weakspot::project {

inline constexpr const char* kProjectFileName = "weakspot.toml";
// The word of the option --project for no file at all.
inline constexpr const char* kNoProject = "none";
inline constexpr const char* kProjectHelp =
    "settings of the project (default: weakspot.toml here or in a folder above, up to the repository's; none: no file)";

struct ProjectFile {
  base::Source source;
  base::JsonValue value;         // tables are objects
  std::filesystem::path folder;  // absolute; paths and patterns of the file begin here

  // The table of a command, or nullptr.
  const base::JsonValue* table(std::string_view command) const { return value.find(command); }
};

// The file in `from` or in a folder above it. Looks no further than the root of a repository; outside of a repository
// in `from` alone, as a folder above may be everybody's.
std::optional<std::filesystem::path> find_project_file(const std::filesystem::path& from);

// Understands `choice` as --project takes it: a path, "none", or "" for the file that is found from the current folder.
base::Result<std::optional<ProjectFile>> open_project_file(const std::string& choice);

// Reads the text of a project file. Fails without toml++.
base::Result<ProjectFile> read_project_text(std::string name, std::string text, std::filesystem::path folder);

// The regular files below the folder that a glob (base/glob.h) stands for, as paths from the folder, sorted. Does not
// follow links to folders.
std::vector<std::string> files_of_glob(const std::filesystem::path& folder, const std::string& glob);

// The path as globs of a project see it: from the project's folder, with '/'. Begins with ".." outside of it.
std::string path_in_project(const std::filesystem::path& folder, const std::string& path);

}  // namespace weakspot::project
