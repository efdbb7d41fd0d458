// SPDX-License-Identifier: MIT
// From a request to reports: starts weakspot-race for each file, which does the work, reads what it found, and writes
// the files that were asked for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/job_ending.h"
#include "base/result.h"
#include "race/baseline.h"
#include "race/report.h"
#include "race/request.h"
#include "race/suppressions.h"
#include "race_command/keeper.h"
#include "race_command/settings/race_project.h"

namespace weakspot::race_command {

struct RaceRequest {
  race::Request request;                          // `headers` is filled in
  std::vector<race::Architecture> architectures;  // named by options of the compiler, the newest last
  bool every_architecture = false;                // check for each that is named, not for the newest alone
  std::string launch;                             // as parse_launch() takes it; empty and no arguments: from the file
  std::vector<std::string> arguments;             // of the launch, as parse_argument() takes them
  std::vector<std::string> variables;             // of the program besides the usual ones, as NAME or NAME=value
  std::string compile_commands;  // compile_commands.json or its folder, with flags for the file; empty: none
  std::string suppressions;      // a file; empty: none
  RaceProject project;           // settings that the others win over
  bool whole_project = false;    // the files are all that the project names
  std::string baseline;          // a file of findings that are known; empty: none
  std::optional<std::vector<race::ClassId>> fail_on;  // classes that are findings; none: errors and warnings
  bool allow_incomplete = false;                      // an incomplete report is as good as a clean one
  std::string sarif, html, junit, markdown;           // files for reports; empty: none
  std::string new_baseline;                           // a file for the findings of this run; empty: none
  std::string values;                                 // a folder for arrays after the launch; empty: none
  std::string capture;                                // a folder for the first launch; empty: none
  double least_score = 0;                             // least share of noticed mutants, in percent; less is a finding
  ReportKeeper* keeper = nullptr;                     // gets the reports as well; may be null
  std::function<bool()> interrupted;                  // true if the user wants to stop; may be empty
  std::function<void(const std::string&)> progress;   // told what is being done, in a line; may be empty
};

struct RaceResult {
  std::string messages;                // from weakspot-race and the compiler, rendered
  std::string output;                  // the host program's
  std::optional<race::Report> report;  // none if the program did not get that far
  std::vector<bool> used;              // for each accepted suppression: whether it fitted something
  base::Diagnostics problems;          // why there is no report, or a file could not be written
  base::JobEnding ending = base::JobEnding::fine;
};

struct RaceResults {
  race::Report report;                    // all files together
  std::vector<race::Suppression> unused;  // suppressions that fitted nothing in any file
  base::Diagnostics problems;             // files that could not be read or written
  base::JobEnding ending = base::JobEnding::fine;
};

// The program weakspot-race beside this one, or this one itself.
base::Result<std::string> race_program();
// The exit code of a program whose libraries are missing, as the dynamic linker and shells give it, and what to say.
inline constexpr int kNotLoaded = 127;
base::Diagnostic not_loaded();
// The request with the launch, the flags and the folders that it has by way of the other members.
base::Result<race::Request> complete_request(const RaceRequest& asked);

// The files that a name on the command line stands for: itself, or, if it is a folder such as a cache of Triton or
// Inductor, the PTX of every kernel in it. A kernel that is there as machine code alone stands for itself: its check
// says that it cannot be done.
base::Result<std::vector<std::string>> kernels_of(const std::string& name);

// One file after the other, each with the same request; `ended` is told of each. Then the reports are written. The
// ending is the worst: cancelled, then a finding, bad input, and a failure.
RaceResults find_all_races(const RaceRequest& request, const std::vector<std::string>& files,
                           const std::function<void(const std::string& file, const RaceResult&)>& ended);

// Suppressions and baseline of a project, read once before anything runs.
struct Accepted {
  std::vector<race::Suppression> suppressions;
  race::Baseline baseline;
};
base::Result<Accepted> read_accepted(const RaceRequest& asked);
// Moves it out of the findings; returns for each suppression whether it fitted something.
std::vector<bool> leave_out_accepted(const Accepted& accepted, race::Report& report);
// The suppressions that fitted nothing and could have: those of a project are for all of its files.
std::vector<race::Suppression> unused_suppressions(const RaceRequest& asked, const std::vector<std::string>& files,
                                                   const Accepted& accepted, const std::vector<bool>& used);
// SARIF, HTML, JUnit, Markdown and a baseline, as far as they are asked for.
base::Status write_race_files(const RaceRequest& asked, const race::Report& report, const std::string& title);

}  // namespace weakspot::race_command
