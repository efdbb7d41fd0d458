// SPDX-License-Identifier: MIT
// A request to 'weakspot race': a file, how to compile it, and what to run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/architecture.h"
#include "race/front.h"
#include "race/launch_shape.h"

namespace weakspot::race {

// An argument of a kernel. An array has a count, a single value a text. The contents are given by `fill`:
// zero, one, iota, random, random:LOW:HIGH, equal:VALUE, sorted, permutation, duplicates, special; by `values`, all of
// them; or by `file`, as NumPy writes arrays.
struct ArgumentSpec {
  std::string name;
  std::string type;  // an element's; empty for a single value
  std::optional<std::uint64_t> count;
  std::string value;  // only for a single value
  std::string fill = "zero";
  std::vector<double> values;
  std::string file;
};

// A launch as it is asked for.
struct LaunchSpec : LaunchShape {
  std::string kernel;  // empty: the only one, or each
  std::vector<ArgumentSpec> arguments;
};

// The argument of that name; null if the launch does not state it.
ArgumentSpec* find_argument(LaunchSpec& launch, const std::string& name);
const ArgumentSpec* find_argument(const LaunchSpec& launch, const std::string& name);

// The order in which threads run: ascending, descending or random.
enum class Schedule : std::uint8_t { forward, reversed, random };
struct ScheduleChoice {
  Schedule order = Schedule::forward;
  std::uint64_t number = 0;  // tells random ones apart
};

// Whether the file is a text of PTX, by its name: kernels without a host part.
inline bool is_ptx(const std::string& file) { return file.ends_with(".ptx"); }
// Whether the file is HIP by its name.
inline bool is_hip(const std::string& file) { return file.ends_with(".hip"); }

// The file that makes a folder a capture: launches that a program made, with what they found in memory.
inline constexpr const char* kCaptureFile = "capture.json";
bool is_capture(const std::string& folder);

// A location that the asker names: an element of an array, or a variable.
struct NamedLocation {
  std::string name;
  std::uint64_t index = 0;
};

struct Request {
  std::string file;
  std::vector<std::string> compiler_arguments;  // -I, -D, -std= and the like
  std::vector<LaunchSpec> launches;             // none: from the file, or searched for
  bool program = false;                         // run main()
  bool no_program = false;                      // never run main()
  bool trust = false;                           // run it without a sandbox
  std::uint64_t memory = 0;                     // MiB that it may have; 0: half of the machine's, at most 16 GiB
  std::vector<std::string> program_arguments;
  // A program to run instead, with its arguments: whatever calls CUDA. `file` is then its name.
  std::vector<std::string> command;
  std::string kernel;  // only this one
  bool lockstep = false;
  bool check = true;
  bool plain_checker = false;  // every access calls the checker: for comparing
  bool trace = false;          // tell races as stories of a few threads, see Finding::witness
  bool mutants = false;        // then weaken one operation after the other, see race/mutants.h
  // Then repeat the launches with stale values, see race/weak_memory.h: so many runs, or only the one of this number.
  bool weak = false;
  std::uint64_t weak_runs = 200;
  std::optional<std::uint64_t> weak_run;
  std::vector<std::string> expected;  // NAME=FILE.npy: what these runs are to leave in an array
  // Evaluate the threads of the launch instead of running them (residual/residual.h); the locations are named by the
  // asker.
  bool residual = false;
  std::vector<NamedLocation> named;
  std::optional<std::string> text;  // to evaluate instead of the contents of the file; launches are the file's
  bool values = false;              // send what the first run of a stated launch leaves in its arrays
  bool capture = false;             // send the first launch with its memory and its PTX
  std::uint64_t seed = 1;
  unsigned schedules = 3;
  std::optional<ScheduleChoice> schedule;  // only this one
  // Runs to spend searching for inputs; 0: one made-up launch instead. Without a value, inputs are searched for if no
  // launch is stated.
  std::optional<std::uint64_t> runs;
  unsigned jobs = 1;  // cores that share the runs of a search, or the blocks of a launch
  double seconds = 60;
  double compile_seconds = 120;
  std::string headers;                       // the folder of our own CUDA headers
  std::string cuda_path;                     // a toolkit whose headers are used instead; empty: none
  std::optional<Architecture> architecture;  // of the device and of its code; none: the default
  std::string clang = "clang-19";
  bool hip = false;                // compile the file as HIP, whatever its name is
  std::string gpu;                 // the GPU of AMD that HIP is compiled for, "gfx90a"; empty: the default
  unsigned wave = 0;               // lanes of its waves, 32 or 64; 0: as many as it has by itself
  Front front = Front::automatic;  // who compiles the device part
  std::vector<std::string> read;   // files and folders that the compiler and the program see besides their own

  bool is_ptx() const { return race::is_ptx(file); }
  bool is_hip() const { return hip || race::is_hip(file); }
};

// Fails unless the grid consists of whole clusters of at most kMaxClusterBlocks blocks.
inline constexpr std::uint64_t kMaxClusterBlocks = 16;
base::Status check_cluster(const LaunchShape& launch);

// "16" or "16,4" or "16x4x2".
base::Result<Extent> parse_extent(std::string_view text);
// "in=int[64] fill=random", "n=192", "x=1.5f", "in=@array.npy"
base::Result<ArgumentSpec> parse_argument(std::string_view text);
// "grid=2 block=64 cluster=2 shared=1024 kernel=k"
base::Result<LaunchSpec> parse_launch(std::string_view text);

// "forward", "reversed", "random" or "random:7"
base::Result<ScheduleChoice> parse_schedule(std::string_view text);
std::string schedule_text(const ScheduleChoice& schedule);
// The schedules of a request: the one it names, or the first of forward, reversed, random:0, random:1, ...
std::vector<ScheduleChoice> schedules_of(const Request& request);

// The lines "// weakspot: launch ...", "// weakspot: arg ...", "// weakspot: kernel NAME", "// weakspot: program",
// "// weakspot: assert CONDITION" of a source. An arg belongs to the launch above it, or to all launches if there is
// none above.
struct Annotations {
  std::vector<LaunchSpec> launches;
  std::string kernel;  // named before any launch
  bool program = false;
  std::vector<base::Span> assertions;  // conditions over final memory, for proofs
};
base::Result<Annotations> read_annotations(const base::Source& source);

// For the program that does the work.
std::string to_json(const Request& request);
base::Result<Request> request_from_json(const std::string& text);

}  // namespace weakspot::race
