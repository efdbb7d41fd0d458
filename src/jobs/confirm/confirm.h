// SPDX-License-Identifier: MIT
// Findings of races on a device. The kernel of a finding runs there in several forms: as it is; with a delay in front
// of either access, for the thread of the finding alone; repaired; and repaired with the same delays. Delays change
// nothing but time, so a result that they change depends on the order of threads.
//
// prepare() makes the forms, which needs PTX and no device. run() needs a device and nothing else.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capture/capture.h"
#include "json/json.h"
#include "race/report.h"

namespace weakspot::confirm {

enum class FormKind : std::uint8_t { original, delayed, repaired, repaired_delayed };

struct Form {
  FormKind kind = FormKind::original;
  unsigned site = 0;       // the delayed one, 0 or 1
  std::size_t module = 0;  // of the capture, in the place of the kernel's
};

// The reason why an access is not delayed.
enum class NoDelay : std::uint8_t { none, not_in_ptx, other_launch };
// The reason why there is no repaired form.
enum class NoRepair : std::uint8_t {
  none,
  no_fix,       // the finding names no change, or one that a person has to make
  no_place,     // its place is not in the PTX
  still_found,  // weakspot race finds as much where it was put
  not_in_ptx,   // weakspot race finds nothing in the PTX: the compiler left the race out
};

struct Site {
  race::Place place;
  std::string act;              // "write by threadIdx=3 blockIdx=0"
  std::vector<unsigned> lines;  // of the kernel's PTX: the instructions that are delayed
  NoDelay no_delay = NoDelay::none;
};

// The finding, as far as a report tells of it.
struct Subject {
  std::string finding_class, message, kernel, launch;
  std::array<Site, 2> sites;
  bool same_value = false;  // the threads write one value: no order of them can show
  std::string repair;       // instructions
  std::vector<unsigned> repair_lines;
  NoRepair no_repair = NoRepair::none;
  bool only_reason = false;     // nothing else in the kernel can give it several results
  bool repair_checked = false;  // weakspot race finds it no longer, and nothing new
};

struct Prepared {
  Subject subject;
  capture::Capture capture;  // with the modules of all forms
  std::vector<Form> forms;   // the original is the first
  std::uint64_t delay = 0;   // nanoseconds
};

// Checks the capture in a folder; an error if that cannot be done here.
using Checker = std::function<base::Result<race::Report>(const std::string& folder)>;

// Fails if the finding is not one of two accesses, or if the capture has no launch of its kernel. `checker` may be
// empty. `own_ptx`: the PTX is what was checked, so that its lines in the finding are those of the capture.
base::Result<Prepared> prepare(const race::Finding& finding, capture::Capture capture, bool own_ptx,
                               std::chrono::nanoseconds delay, const Checker& checker);

// The file that makes a folder a prepared finding.
inline constexpr const char* kPreparedFile = "confirm.json";
base::Status write_prepared(const Prepared& prepared, const std::string& folder);
// A folder may come from anybody: nothing outside of it is read.
base::Result<Prepared> read_prepared(const std::string& folder);

struct RunOptions {
  std::uint64_t runs = 1000;                      // of each form
  std::chrono::milliseconds time{60'000};         // for all forms
  std::chrono::milliseconds launch_limit{2'000};  // after which a run has not ended
  int device = 0;
  std::function<bool()> interrupted;  // may be empty
};

enum class OutcomeKind : std::uint8_t { memory, failed, not_ended };

// One way in which a run ended.
struct Outcome {
  OutcomeKind kind = OutcomeKind::memory;
  std::string name;  // a hash of memory, or the driver's error

  auto operator<=>(const Outcome&) const = default;
};

struct FormRuns {
  Form form;
  std::map<Outcome, std::uint64_t> outcomes;
  std::string refusal;  // why the driver does not take its PTX

  std::uint64_t runs() const;
};

// A word of four bytes that differs.
struct Difference {
  std::string buffer;
  std::uint64_t word = 0;
  std::uint32_t expected = 0, found = 0;
};

enum class Verdict : std::uint8_t { confirmed, same, unknown };
// The reason for a verdict.
enum class Because : std::uint8_t {
  differs_unrepaired,  // the repaired form has one result, and others differ from it
  differs_delayed,     // without a repaired form: a delay changes the one result of the kernel
  varies,              // the kernel has several results, for which this race is the only reason
  all_same,
  same_value,       // nothing was run
  repair_varies,    // the repaired form has several results
  original_varies,  // the kernel has several results, and there is no repaired form
  no_result,        // the form to compare with does not come to an end, or fails
  not_run,
};

struct Confirmation {
  Subject subject;
  std::string device;
  std::vector<FormRuns> forms;
  Verdict verdict = Verdict::unknown;
  Because because = Because::not_run;
  std::optional<Outcome> expected;
  std::vector<Difference> differences;  // of one result that differs; the first few
  std::uint64_t different_words = 0;    // of it
};

// Fails if there is no device.
base::Result<Confirmation> run(const Prepared& prepared, const std::string& folder, const RunOptions& options);
// The verdict over the runs, which are all that is known.
void judge(Confirmation& confirmation);
// True if a run of that form and outcome counts as one that differs.
bool differs(const Confirmation& confirmation, const Outcome& outcome);

// The job of the process that run() starts: the runs of all forms from `first` on, a line for each on standard output.
// A run that does not end takes the process with it.
struct WorkerRequest {
  std::string folder;
  std::size_t first = 0;   // form
  std::uint64_t done = 0;  // runs of it
  std::uint64_t runs = 0;  // of each form
  std::chrono::milliseconds launch_limit{0}, time{0};
  std::string results;  // a folder for the memory after runs, by hash; empty: none
  int device = 0;
};
int serve(const WorkerRequest& request);

std::string to_text(const Confirmation& confirmation, const std::string& folder);
base::JsonValue to_json(const Confirmation& confirmation, const std::string& folder);
// "the kernel as it is", "write at line 4 delayed"
std::string form_text(const Subject& subject, const Form& form);

}  // namespace weakspot::confirm
