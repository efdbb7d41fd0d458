// What 'weakspot race' answers: kernels that ran, and findings, each with its places in the source.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/site.h"

namespace weakspot::race {

enum class Severity : std::uint8_t { error, warning, hint };

struct Finding {
  std::string finding_class;  // E1, E2, W1, W3, D1 ... D4, R1, A1; docs/race.md says what they are
  std::string kind;           // race, divergence, redundant-barrier, invalid-access, assertion
  Severity severity = Severity::error;
  std::string message;  // "write after read by another thread"
  Place place;
  std::string label;  // what happens there: "write by thread 3 of block 0"
  std::vector<Place> called_from;
  std::optional<Place> other;
  std::string other_label;
  std::string space;     // shared, global
  std::string variable;  // with its element: "sums[3]"
  std::string kernel;
  std::string launch;  // "grid=2 block=64"
  std::string why;
  std::string fix;
  std::string replay;  // a command line
  std::uint64_t count = 1;
};

struct KernelReport {
  std::string name;
  Place place;
  std::uint64_t launches = 0;
  std::uint64_t threads = 0;
};

struct Report {
  std::vector<KernelReport> kernels;
  std::vector<Finding> findings;
  std::vector<std::string> notes;  // what was not modelled, and where
  std::string output;              // what the kernels printed
  std::uint64_t accesses = 0;      // that reached the detector
  double compile_seconds = 0, run_seconds = 0;
  int program_exit = 0;
};

std::string to_json(const Report& report);
base::Result<Report> report_from_json(const std::string& text);

// For a person. `line_of` gives the text of a line, or nothing.
using LineReader = std::function<std::optional<std::string>(const std::string& file, unsigned line)>;
std::string to_text(const Report& report, const LineReader& line_of);

// Whether anything is worse than a hint.
bool has_faults(const Report& report);

}  // namespace weakspot::race
