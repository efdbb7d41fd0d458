// SPDX-License-Identifier: MIT
// The answer of 'weakspot race': kernels that ran, and findings, each with its places in the source.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/class_id.h"
#include "race/facts.h"
#include "race/fidelity.h"
#include "race/fix.h"
#include "race/front.h"
#include "race/mutants.h"
#include "race/not_modelled.h"
#include "race/site.h"
#include "race/stale.h"
#include "race/witness.h"

namespace weakspot::race {

enum class Severity : std::uint8_t { error, warning, hint };
std::string_view severity_text(Severity severity);

// The evidence that a barrier is redundant.
struct BarrierEvidence {
  std::uint64_t runs = 0;       // in which nothing needed it
  std::uint64_t instances = 0;  // in those runs
  std::uint64_t threads = 0;    // the most that met at one
  std::uint64_t confirmed = 0;  // runs without it, which showed nothing new
  std::uint64_t compared = 0;   // those that left the same memory; in the others it depends on the schedule
  std::vector<Place> together;  // redundant barriers that may be removed with it, all at once
  std::vector<Place> instead;   // redundant barriers that may not be removed with it
};

// A change that repairs a finding. Findings that one change repairs have one cause; see race/causes.h.
struct Repair {
  RepairKind kind = RepairKind::block_barrier;
  std::string relation;   // among the inputs, "pitch >= width"; empty unless the kind says so
  std::vector<Gap> gaps;  // a barrier, or the end of the first launch, in one is enough; ascending; none: a relation

  bool is_same_change(const Repair& other) const { return kind == other.kind && relation == other.relation; }
};
// "__syncthreads()", "two launches", "pitch >= width"
std::string repair_text(const Repair& repair);

// Memory that the host allocated.
struct Allocated {
  Variable variable;  // holds the address; empty if not known
  Place place;        // the allocating call
};

struct Finding {
  ClassId finding_class = ClassId::e1;
  FindingKind kind = FindingKind::race;
  Severity severity = Severity::error;
  std::string message;  // "write and read of shared sums[3] are not ordered"
  Place place;
  std::string function;        // the function around the place
  std::optional<Actor> actor;  // none at a redundant barrier
  std::vector<Place> called_from;
  PtxOrigin origin;
  std::optional<Place> other;
  std::string other_function;
  PtxOrigin other_origin;
  std::optional<Actor> other_actor;
  std::optional<Space> space;
  Variable variable;
  std::optional<Allocated> allocated;
  std::string kernel;
  std::string launch;  // "grid=2 block=64"
  std::string why;
  std::vector<Fix> fixes;                  // the best first; the others are alternatives
  std::string replay;                      // a command line that shows this finding again
  std::string reason;                      // for suppressing it; empty: not suppressed, or no reason is stated
  std::vector<std::string> architectures;  // that show it, "sm_80"; empty: all that were checked
  std::uint64_t count = 1;
  // The access may come before the block whose memory it is, or is asynchronous and may come after it. Reports do not
  // say it apart from the message.
  bool precedes_block = false, outlives_block = false;
  // Several blocks are needed, and nothing states that there are. Reports do not say it apart from the message.
  bool supposes_blocks = false;
  std::optional<Repair> repair;             // if it is known
  std::vector<Finding> also;                // others that the same change repairs; they have none themselves
  std::optional<BarrierEvidence> evidence;  // for a redundant barrier
  std::optional<Witness> witness;           // for a race, if a trace was kept
  std::optional<Distilled> distilled;       // the litmus tests made of it
  std::optional<StaleStory> stale;          // for V1
};

// Whether the advice is a fix. Otherwise it is a hint.
inline bool has_fix(const Finding& finding) { return !finding.fixes.empty() && finding.fixes.front().certain; }
// "put __syncthreads() before line 7"; empty if there is none. Alternatives to a fix are left out.
std::string advice_text(const Finding& finding);
// ". To fix it, put ...", ". Hint: consider ...", or nothing
std::string advice_sentence(const Finding& finding);

// "race", "possible-race" in U1
std::string kind_text(const Finding& finding);
// "sm_80 and sm_86", those that alone show it; empty if all do.
std::string architectures_text(const Finding& finding);
// Describes the acts at the places: "write by threadIdx=3 blockIdx=0", "2 instances, at most 64 threads".
std::string label_text(const Finding& finding);
std::string other_label_text(const Finding& finding);

struct KernelReport {
  std::string name;
  Place place;
  std::uint64_t launches = 0;
  std::uint64_t threads = 0;
  std::uint64_t branches = 0, branches_reached = 0;  // sides of branches
};

// The code that there is to run.
struct CodeReport {
  std::uint64_t kernels = 0;                   // with templates that have no instance
  std::uint64_t lines = 0, lines_reached = 0;  // of all kernels, and of the functions they call

  CodeReport& operator+=(const CodeReport& other) {
    kernels += other.kernels;
    lines += other.lines;
    lines_reached += other.lines_reached;
    return *this;
  }
};

// The extent of a search for inputs.
struct SearchReport {
  std::uint64_t runs = 0;
  std::uint64_t unjudged = 0;  // runs whose inputs the kernel cannot take; their findings do not count
  std::uint64_t branches = 0, branches_reached = 0;
  std::uint64_t pairs = 0;  // pairs of accesses that conflict, ordered or not
  double seconds = 0;
};

// Clean: nothing is worse than a hint, and nothing is missing. Not exercised: all that is missing are runs of kernels,
// or of most of their branches.
enum class RaceVerdict : std::uint8_t { clean, not_exercised, incomplete, found };

// One of several files of a report.
struct FileVerdict {
  std::string file;
  std::optional<RaceVerdict> verdict;  // none: it could not be checked
  FrontUsed front = FrontUsed::clang;
};

struct Report {
  std::vector<FileVerdict> files;     // if there are several
  std::vector<KernelReport> kernels;  // those that ran
  CodeReport code;
  std::optional<Fidelity> fidelity;  // none if the checker did not say it
  std::vector<Finding> findings;
  std::vector<Finding> suppressed;
  std::vector<NotModelled> not_modelled;
  std::vector<NotExercised> not_exercised;  // among the kernels that were asked for
  std::string output;                       // printed by the kernels
  std::uint64_t accesses = 0;               // accesses that reached the detector
  double compile_seconds = 0, run_seconds = 0;
  int program_exit = 0;
  std::string incomplete;                      // why more could have been found; empty: the run came to its end
  FrontUsed front = FrontUsed::clang;          // of PTX nothing is compiled
  std::vector<std::string> architectures;      // those that were checked, if it is said; the newest last
  std::optional<SearchReport> search;          // if inputs were searched for
  std::optional<std::vector<Mutant>> mutants;  // if they were asked for
  std::optional<WeakReport> weak;              // if runs with weak values were
};

std::string to_json(const Report& report);
// The same for a reader: with the program, the date and the command, if this process was made by a command. They
// differ where a run is repeated, so that records of runs do not have them.
std::string to_json_with_command(const Report& report);
base::Result<Report> report_from_json(const std::string& text);

// file:line:column
std::string place_text(const Place& place);

// A place behind the one that a finding names, with the words before it: "inside", "PTX".
struct InnerPlace {
  std::string_view words;
  const Place& place;
};
// The line of the library first. Leaves out the text of PTX where it is what the finding names.
std::vector<InnerPlace> inner_places(const PtxOrigin& origin, const Place& named);

// "counts[3], allocated at a.cu:12"
std::string allocated_text(const Allocated& memory);

// For a person. `line_of` gives the text of a line, or nothing.
using LineReader = std::function<std::optional<std::string>(const std::string& file, unsigned line)>;
std::string to_text(const Report& report, const LineReader& line_of, const std::string& file = {});
std::string to_text(const Finding& finding, const LineReader& line_of);
// Its last line: "found: 1 error, ...", "incomplete: ...", "not exercised: ..." or "clean: ...", with the file if it is
// given.
std::string summary(const Report& report, const std::string& file = {});

// The findings of several files together. A file without a report could not be checked.
struct FileReport {
  std::string file;
  std::optional<Report> report;
};
Report merged(const std::vector<FileReport>& reports);
// The findings of one file, checked for several architectures: each report has the name of one as its file. A barrier
// is redundant only if it is for all of them.
Report merged_architectures(const std::vector<FileReport>& reports);
// "total: 1 found, 2 clean in 3 files; 1 error, 0 warnings, 0 hints"
std::string total(const Report& merged);

// True if some finding is worse than a hint.
bool has_faults(const Report& report);

// True if something ran that is not modelled, a kernel that was asked for did not run or took few of its branches, or
// the run did not come to its end.
bool is_incomplete(const Report& report);

// Whether most branches of a kernel were reached: enough to say anything about it.
inline bool are_most(std::uint64_t reached, std::uint64_t branches) { return branches == 0 || 2 * reached > branches; }

RaceVerdict verdict(const Report& report);
// "failed" if there is none.
std::string_view verdict_word(std::optional<RaceVerdict> verdict);

// For every kind of report: "not modelled: X at a.cu:3: may order accesses", or "not reached: X at a.cu:3, which is not
// modelled"; and "not exercised: kernel k at a.cu:5: never launched".
std::string not_modelled_line(const NotModelled& operation);
std::string not_exercised_line(const NotExercised& kernel);
// "X at a.cu:3: may order accesses"
std::string not_modelled_text(const NotModelled& operation);

}  // namespace weakspot::race
