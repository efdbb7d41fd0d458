// SPDX-License-Identifier: MIT
// What 'weakspot race' answers: kernels that ran, and findings, each with its places in the source.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/class_id.h"
#include "race/mutants.h"
#include "race/not_modelled.h"
#include "race/site.h"
#include "race/witness.h"

namespace weakspot::race {

enum class Severity : std::uint8_t { error, warning, hint };
const char* severity_text(Severity severity);

// The evidence that a barrier is redundant.
struct BarrierEvidence {
  std::uint64_t runs = 0;       // in which nothing needed it
  std::uint64_t instances = 0;  // in those runs
  std::uint64_t threads = 0;    // the most that met at one
  std::uint64_t confirmed = 0;  // runs without it, which showed nothing new
  std::uint64_t compared = 0;   // of those, runs that left the same memory; it depends on the schedule in the others
  std::vector<Place> together;  // redundant barriers that may be removed with it, all at once
  std::vector<Place> instead;   // redundant barriers that may not be removed with it
};

// A place for a barrier: before or after the accesses of a line.
struct Gap {
  std::string file;
  unsigned line = 0;
  bool after = false;

  auto operator<=>(const Gap&) const = default;
};

// A change that repairs a finding. Findings that one change repairs have one cause; see race/causes.h.
struct Repair {
  std::string what;       // "__syncthreads()", kTwoLaunches, or a relation of the inputs, "pitch >= width"
  std::vector<Gap> gaps;  // where one barrier, or the end of the first launch, is enough; ascending; none: a relation
};
inline constexpr const char* kTwoLaunches = "two launches";

// Memory that the host allocated.
struct Allocated {
  std::string variable;  // that holds its address, with the element: "counts[3]"; empty if it is not known
  Place place;           // of the call
};

struct Finding {
  ClassId finding_class = ClassId::e1;
  std::string kind;  // race, divergence, redundant-barrier, invalid-access, assertion; possible-race and so on in U1
  Severity severity = Severity::error;
  std::string message;  // "write and read of shared sums[3] are not ordered"
  Place place;
  std::string function;  // in which the place is
  std::string label;     // what happens there: "write by threadIdx=3 blockIdx=0"
  std::vector<Place> called_from;
  std::optional<Place> other;
  std::string other_function;
  std::string other_label;
  std::string space;     // shared, global
  std::string variable;  // with its element: "sums[3]"
  std::optional<Allocated> allocated;
  std::string kernel;
  std::string launch;  // "grid=2 block=64"
  std::string why;
  std::string fix;
  std::string replay;  // a command line that shows this finding again
  std::uint64_t count = 1;
  std::optional<Repair> repair;             // if it is known
  std::vector<Finding> also;                // others that the same change repairs; they have none themselves
  std::optional<BarrierEvidence> evidence;  // of a redundant barrier
  std::optional<Witness> witness;           // of a race, if a trace was kept
  std::optional<Distilled> distilled;       // the litmus tests made of it
};

struct KernelReport {
  std::string name;
  Place place;
  std::uint64_t launches = 0;
  std::uint64_t threads = 0;
  std::uint64_t branches = 0, branches_reached = 0;  // sides of branches
};

// What a search for inputs has tried.
struct SearchReport {
  std::uint64_t runs = 0;
  std::uint64_t unjudged = 0;  // runs whose inputs the kernel cannot take; their findings do not count
  std::uint64_t branches = 0, branches_reached = 0;
  std::uint64_t pairs = 0;  // of accesses that conflict, ordered or not
  double seconds = 0;
};

// One of several files of a report.
struct FileVerdict {
  std::string file;
  std::string verdict;  // clean, not exercised, incomplete, found, or failed if it could not be checked
};

struct Report {
  std::vector<FileVerdict> files;  // if there are several
  std::vector<KernelReport> kernels;
  std::vector<Finding> findings;
  std::vector<Finding> suppressed;
  std::vector<NotModelled> not_modelled;
  std::vector<NotExercised> not_exercised;  // of the kernels that were asked for
  std::string output;                       // what the kernels printed
  std::uint64_t accesses = 0;               // that reached the detector
  double compile_seconds = 0, run_seconds = 0;
  int program_exit = 0;
  std::string incomplete;                      // why more could have been found; empty: the run came to its end
  std::optional<SearchReport> search;          // if inputs were searched for
  std::optional<std::vector<Mutant>> mutants;  // if they were asked for
};

std::string to_json(const Report& report);
base::Result<Report> report_from_json(const std::string& text);

// file:line:column
std::string place_text(const Place& place);

// "counts[3], allocated at a.cu:12"
std::string allocated_text(const Allocated& memory);

// For a person. `line_of` gives the text of a line, or nothing.
using LineReader = std::function<std::optional<std::string>(const std::string& file, unsigned line)>;
std::string to_text(const Report& report, const LineReader& line_of, const std::string& file = {});
// Its last line: "found: 1 error, ...", "incomplete: ...", "not exercised: ..." or "clean: ...", with the file if it is
// given.
std::string summary(const Report& report, const std::string& file = {});

// What was found in several files together. A file without a report could not be checked.
struct FileReport {
  std::string file;
  std::optional<Report> report;
};
Report merged(const std::vector<FileReport>& reports);
// "total: 1 found, 2 clean in 3 files; 1 error, 0 warnings, 0 hints"
std::string total(const Report& merged);

// Whether anything is worse than a hint.
bool has_faults(const Report& report);

// Whether something ran that is not modelled, a kernel that was asked for did not run or took few of its branches, or
// the run did not come to its end.
bool is_incomplete(const Report& report);

// Whether enough of a kernel's branches was reached to say anything about it: most of them.
inline bool are_most(std::uint64_t reached, std::uint64_t branches) { return branches == 0 || 2 * reached > branches; }

// Clean: nothing is worse than a hint, and nothing is missing. Not exercised: all that is missing are runs of kernels,
// or of most of their branches.
enum class RaceVerdict : std::uint8_t { clean, not_exercised, incomplete, found };
RaceVerdict verdict(const Report& report);
const char* verdict_word(RaceVerdict verdict);

// For every kind of report: "not modelled: X at a.cu:3: may order accesses", or "not reached: X at a.cu:3, which is not
// modelled"; and "not exercised: kernel k at a.cu:5: never launched".
std::string not_modelled_line(const NotModelled& operation);
std::string not_exercised_line(const NotExercised& kernel);
// "X at a.cu:3: may order accesses"
std::string not_modelled_text(const NotModelled& operation);

}  // namespace weakspot::race
