// SPDX-License-Identifier: MIT
// The table [race] of a project file; docs/project-file.md describes it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "project/project_file.h"
#include "race/request.h"
#include "race/suppressions.h"

namespace weakspot::race_command {

struct ProjectLaunch {
  std::string files;  // a glob
  race::LaunchSpec launch;
};

struct RaceProject {
  std::filesystem::path folder;                 // globs begin here
  std::vector<std::string> files;               // those to check, as paths from the current folder
  std::vector<std::string> compiler_arguments;  // -I, -D and -std=
  std::optional<race::Architecture> architecture;
  std::vector<ProjectLaunch> launches;
  std::vector<race::Suppression> suppressions;
};

// Reports all mistakes of the table at once. A file without the table gives an empty project.
base::Result<RaceProject> read_race_project(const project::ProjectFile& file);

// The launches that the project states for the file; of the kernel alone if it is not empty.
std::vector<race::LaunchSpec> launches_for(const RaceProject& project, const std::string& file,
                                           const std::string& kernel);

}  // namespace weakspot::race_command
