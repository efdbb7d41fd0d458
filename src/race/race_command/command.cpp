// SPDX-License-Identifier: MIT
#include "race_command/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <thread>

#include "base/plural.h"
#include "console/fold.h"
#include "console/interrupt.h"
#include "console/output.h"
#include "console/program.h"
#include "console/terminal.h"
#include "race/architecture.h"
#include "race/classes.h"
#include "race/explain.h"
#include "race/nvcc_command.h"
#include "race/source_lines.h"
#include "race_command/check/check_files.h"
#include "race_command/check/merge.h"
#include "race_command/watch/changes.h"
#include "race_command/watch/watched_files.h"

namespace weakspot::race_command {
namespace {

using console::print_error;
using console::print_errors;
using console::print_findings;
using console::print_output;

// One line on a terminal that says what is being done.
class RaceLine {
 public:
  RaceLine() : terminal_(console::terminal_of(STDERR_FILENO)) {}
  ~RaceLine() { clear(); }
  RaceLine(const RaceLine&) = delete;
  RaceLine& operator=(const RaceLine&) = delete;

  bool is_shown() const { return terminal_.redraws; }
  void draw(const std::string& text) {
    fmt::print(stderr, "\r\033[K{}", console::clipped(console::screen_text(text), terminal_.width - 1));
    std::fflush(stderr);
    drawn_ = true;
  }
  void clear() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
    drawn_ = false;
  }

 private:
  console::Terminal terminal_;
  bool drawn_ = false;
};

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

// Text of the program, which may leave its last line open: ours begin a new one.
std::string whole_lines(std::string text) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

struct Race {
  std::string name;  // the command's name
  std::shared_ptr<ReportKeeper> keeper;
  RaceRequest asked;
  std::vector<std::string> files, compiler_words;  // the latter are nvcc's, in their order
  std::string warp = "independent", front = "auto", schedule, fail_on, merge, memory, project_file, explained;
  bool json = false, unchecked = false, watches = false;

  std::size_t take_compiler_words(const std::vector<std::string>& words, std::size_t at) {
    const std::size_t count = race::nvcc_option_words(words, at);
    for (std::size_t i = at; i < at + count; ++i) compiler_words.push_back(words[i]);
    return count;
  }

  int run() {
    if (!explained.empty()) return explain();
    if (base::Status read = read_compiler_words(); !read) return console::fail(read.errors());
    take_command();
    if (base::Status read = read_project(); !read) return console::fail(read.errors());
    if (files.empty() && merge.empty()) {
      return console::misused("FILE is required: no weakspot.toml here names files", name + " --help");
    }
    if (base::Status listed = list_folders(); !listed) return console::fail(listed.errors());
    if (base::Status read = read_options(); !read) return console::fail(read.errors());
    const console::InterruptGuard guard;
    asked.interrupted = &console::InterruptGuard::interrupted;
    asked.keeper = keeper.get();
    if (!merge.empty()) return run_merge();
    if (watches) return watch();
    const RaceResults results = check([&](const std::string& file, const RaceResult& result) {
      if (result.report) print_report(*result.report, result, several() ? file : "");
    });
    if (has_total(results) && json) print_output(race::to_json_with_command(results.report) + "\n");
    print_end(results);
    return console::exit_code_of(results.ending);
  }

 private:
  int explain() const {
    const race::FindingClass* known = race::class_named(explained);
    if (known == nullptr) {
      return console::fail({base::error(fmt::format("--explain: '{}' is not a class of findings; expected one of {}{}",
                                                    explained, race::class_list(), race::meant_class(explained)))});
    }
    print_findings(race::explanation(*known).value_or(std::string(known->summary) + "\n"));
    return console::kFine;
  }

  bool several() const { return files.size() > 1; }
  // Several files were checked: a mistake in a baseline or a store may prevent it.
  bool has_total(const RaceResults& results) const { return several() && !results.report.files.empty(); }

  RaceResults check(const std::function<void(const std::string& file, const RaceResult& result)>& show) {
    RaceLine line;
    asked.progress = nullptr;
    if (line.is_shown()) asked.progress = [&](const std::string& text) { line.draw(text); };
    return find_all_races(asked, files, [&](const std::string& file, const RaceResult& result) {
      line.clear();
      print_error(whole_lines(result.messages));
      show(file, result);
      print_errors(result.problems);
    });
  }

  // Behind the reports of the files.
  void print_end(const RaceResults& results) const {
    if (has_total(results) && !json) {
      print_findings(race::total(results.report) + "\n");
      if (results.report.mutants) print_findings(race::score_text(*results.report.mutants) + "\n");
    }
    print_unused(results.unused);
    print_errors(results.problems);
  }

  // Checks again after every change, until the user ends it. The code is then that of an interrupted check: 1 if
  // something was found, else that of the signal.
  int watch() {
    std::map<std::string, LastCheck> last;
    for (bool first = true;; first = false) {
      const std::vector<std::string> folders = folders_for_includes();
      WatchedFiles watched(with_headers(files, folders));  // before the check: a change meanwhile counts
      const RaceResults results = check([&](const std::string& file, const RaceResult& result) {
        if (result.report) print_changes(*result.report, result, file, first, last[file]);
      });
      print_end(results);
      if (results.ending == base::JobEnding::cancelled) return console::exit_code_of(results.ending);
      print_error(fmt::format("watching {}; Ctrl-C ends it\n", base::counted(watched.count(), "file")));
      std::fflush(stdout);
      const std::vector<std::string> changed = watched.wait_for_change(asked.interrupted);
      if (changed.empty()) {
        const bool found = results.ending == base::JobEnding::finding;
        return console::exit_code_of(found ? base::JobEnding::finding : base::JobEnding::cancelled);
      }
      print_error(fmt::format("\nchanged: {}\n", fmt::join(changed, ", ")));
    }
  }

  // The folders of -I, of the project and of the command line.
  std::vector<std::string> folders_for_includes() const {
    std::vector<std::string> folders;
    for (const auto* arguments : {&asked.request.compiler_arguments, &asked.project.compiler_arguments}) {
      for (const std::string& argument : *arguments) {
        if (argument.starts_with("-I")) folders.push_back(argument.substr(2));
      }
    }
    return folders;
  }

  // All of the first report, and what differs in a later one.
  void print_changes(const race::Report& report, const RaceResult& result, const std::string& file, bool first,
                     LastCheck& last) const {
    const race::LineReader lines = race::lines_of_files();
    const Changes changes = last.next(report, lines);
    if (first) return print_report(report, result, several() ? file : "");
    print_output(whole_lines(result.output + report.output));
    for (const race::Finding& finding : changes.fresh) print_findings("new: " + race::to_text(finding, lines) + "\n");
    for (const std::string& gone : changes.gone) print_findings("gone: " + gone + "\n");
    if (changes.kept > 0) print_findings(fmt::format("as before: {}\n", base::counted(changes.kept, "finding")));
    if (report.fidelity) print_findings(race::fidelity_line(*report.fidelity) + "\n");
    print_findings(race::summary(report, several() ? file : "") + "\n");
  }

  // Without a file, the words behind '--' are a program to run.
  void take_command() {
    if (!files.empty() || !merge.empty()) return;
    asked.request.command = console::words_after_dashes();
    if (!asked.request.command.empty()) files = {asked.request.command.front()};
  }

  base::Status read_project() {
    base::Result<std::optional<project::ProjectFile>> file = project::open_project_file(project_file);
    if (!file) return file.errors();
    if (!*file) return base::ok_status();
    base::Result<RaceProject> read = read_race_project(**file);
    if (!read) return read.errors();
    asked.project = *std::move(read);
    if (files.empty() && merge.empty()) {
      files = asked.project.files;
      asked.whole_project = true;
    }
    return base::ok_status();
  }

  // Puts the files of a folder in its place.
  base::Status list_folders() {
    std::vector<std::string> all;
    if (!asked.request.command.empty()) return base::ok_status();
    for (const std::string& file : files) {
      base::Result<std::vector<std::string>> found = kernels_of(file);
      if (!found) return found.errors();
      all.insert(all.end(), found->begin(), found->end());
    }
    files = std::move(all);
    return base::ok_status();
  }

  int run_merge() {
    const base::Result<RaceResults> result = merge_races(asked, merge);
    if (!result) return console::fail(result.errors());
    print_report(result->report, {}, "");
    print_unused(result->unused);
    print_errors(result->problems);
    return console::exit_code_of(result->ending);
  }

  // Takes from the options of nvcc the parts that matter for checking: the language, the architecture, and sources and
  // arguments of the program.
  base::Status read_compiler_words() {
    base::Result<race::NvccCommand> command = race::parse_nvcc(compiler_words);
    if (!command) return command.errors();
    for (const race::NvccInput& source : command->sources) files.push_back(source.path);
    asked.request.compiler_arguments = std::move(command->language_flags);
    asked.architectures = std::move(command->architectures);
    asked.request.architecture = race::newest_of(asked.architectures);
    asked.request.gpu = std::move(command->gpu);
    asked.request.hip = command->language == "hip";
    asked.request.program_arguments = std::move(command->run_arguments);
    return base::ok_status();
  }

  base::Status read_options() {
    if (!files.empty() && !merge.empty()) return base::error("--merge takes a folder and no files");
    if (!asked.values.empty() && several()) return base::error("--out-values takes one file");
    if (!asked.capture.empty() && (several() || files.size() != 1)) return base::error("--capture takes one file");
    if (watches && !merge.empty()) return base::error("--watch needs files, which --merge does not check");
    if (watches && json) return base::error("--watch prints text and cannot be combined with --json");
    race::Request& request = asked.request;
    if (!request.weak && (request.weak_run || !request.expected.empty()))
      return base::error(fmt::format("{} needs --weak", request.weak_run ? "--weak-run" : "--expect"));
    if (asked.every_architecture && (request.mutants || !asked.values.empty())) {
      return base::error(
          fmt::format("--every-arch cannot be combined with {}", request.mutants ? "--mutants" : "--out-values"));
    }
    const char* again = request.mutants     ? "--mutants"
                        : request.weak      ? "--weak"
                        : keeper != nullptr ? keeper->tracing_option()
                                            : nullptr;
    if (again != nullptr && !merge.empty())
      return base::error(fmt::format("{} needs files, which --merge does not run", again));
    if (again != nullptr && unchecked)
      return base::error(fmt::format("{} needs a check, which --unchecked leaves out", again));
    const std::vector<std::string>& words = console::words_after_dashes();
    if (base::Status fits = check_launches_are_open(again); !fits) return fits;
    if (request.command.empty()) {
      request.program_arguments.insert(request.program_arguments.end(), words.begin(), words.end());
    }
    request.lockstep = warp == "lockstep";
    request.front = race::parse_front(front).value_or(race::Front::automatic);
    request.check = !unchecked;
    if (base::Status read = read_memory(); !read) return read;
    const std::string gpu = request.gpu.empty() ? race::kDefaultGpu : request.gpu;
    if (base::Status wave = race::check_wave(gpu, request.wave); !wave) return wave;
    if (asked.least_score < 0 || asked.least_score > 100) return base::error("--least-score: expected 0 to 100");
    if (asked.least_score > 0 && !request.mutants) return base::error("--least-score needs --mutants");
    if (!schedule.empty()) {
      base::Result<race::ScheduleChoice> choice = race::parse_schedule(schedule);
      if (!choice) return choice.errors();
      request.schedule = *choice;
    }
    if (!fail_on.empty()) {
      base::Result<std::vector<race::ClassId>> classes = race::parse_fail_on(fail_on);
      if (!classes) return classes.errors();
      asked.fail_on = *std::move(classes);
    }
    return base::ok_status();
  }

  // Programs and captures say themselves what is launched, which options for a file do not change. `again` is one that
  // runs kernels again, or null.
  base::Status check_launches_are_open(const char* again) const {
    const race::Request& request = asked.request;
    const bool capture = std::any_of(files.begin(), files.end(), race::is_capture);
    if (request.command.empty() && !capture) return base::ok_status();
    const std::pair<bool, const char*> options[] = {{again != nullptr, again},
                                                    {watches, "--watch"},
                                                    {!asked.launch.empty(), "--launch"},
                                                    {!asked.arguments.empty(), "--arg"},
                                                    {!asked.values.empty(), "--out-values"},
                                                    {!asked.capture.empty(), "--capture"},
                                                    {!request.kernel.empty(), "--kernel"},
                                                    {request.runs.has_value(), "--runs"},
                                                    {!schedule.empty(), "--schedule"},
                                                    {unchecked, "--unchecked"},
                                                    {asked.every_architecture, "--every-arch"},
                                                    {request.program, "--program"},
                                                    {request.no_program, "--no-program"}};
    for (const auto& [given, option] : options) {
      if (!given) continue;
      return base::error(
          capture ? fmt::format("{} has no meaning for a capture, which states its launches", option)
                  : fmt::format("{} needs a file; without one, the words behind '--' are a program to run", option));
    }
    return base::ok_status();
  }

  // In whole MiB, as a plain number always was.
  base::Status read_memory() {
    if (memory.empty()) return base::ok_status();
    const bool plain = memory.find_first_not_of("0123456789") == std::string::npos;
    const std::optional<std::uint64_t> bytes = console::read_bytes(plain ? memory + "M" : memory);
    if (!bytes || *bytes == 0) return base::error("--memory: expected a size such as 512M or 2G, or a number of MiB");
    asked.request.memory = (*bytes + kMebibyte - 1) / kMebibyte;
    return base::ok_status();
  }

  // With the name of the file if there are several.
  void print_report(const race::Report& report, const RaceResult& result, const std::string& file) const {
    if (json) {
      print_error(whole_lines(result.output));
      if (file.empty()) print_output(race::to_json_with_command(report) + "\n");
    } else {
      print_output(whole_lines(result.output + report.output));
      print_findings(race::to_text(report, race::lines_of_files(), file) + (file.empty() ? "" : "\n"));
    }
  }

  static void print_unused(const std::vector<race::Suppression>& unused) {
    for (const race::Suppression& suppression : unused) {
      print_error(fmt::format("{}:{}: warning: '{}' suppressed nothing\n", suppression.source, suppression.source_line,
                              suppression.text));
    }
  }
};

}  // namespace

void add_race_command(console::Command& command, int& exit_code, std::shared_ptr<ReportKeeper> keeper) {
  auto options = std::make_shared<Race>();
  options->name = command.full_name();
  options->keeper = std::move(keeper);
  RaceRequest& asked = options->asked;
  race::Request& request = asked.request;
  command.add_option(
      "FILE ...", options->files,
      "CUDA and HIP sources and files of PTX, each checked by itself, folders with files of PTX, such as a Triton "
      "cache, or captures; arguments of main() after -- (default: the files that weakspot.toml names). Without FILE, "
      "the words after -- are a program to run, such as './app 10' or 'python3 train.py', whose use of CUDA is "
      "checked");
  command.add_option("--project FILE", options->project_file, project::kProjectHelp);
  command.add_option("--merge FOLDER", options->merge,
                     "one report of those that programs built by weakspot-nvcc left in this folder (default: none)");
  command.add_option("--kernel NAME", request.kernel, "only this kernel (default: all of the file)");
  command.add_option("--launch TEXT", asked.launch,
                     "grid=G block=B [cluster=C] [shared=BYTES], extents as 16 or 16,4 "
                     "(default: from weakspot.toml, the file or main(), or searched)");
  command
      .add_option(
          "--arg TEXT", asked.arguments,
          "an argument of the launch: NAME=VALUE, 'NAME=TYPE[COUNT] fill=HOW' or NAME=@ARRAY.npy, also for a member, "
          "view.rows=3; may be repeated (default: made up)")
      ->repeatable();
  command.take_words([options](const auto& words, std::size_t at) { return options->take_compiler_words(words, at); });
  command.add_taken_option("-I FOLDER", "a folder for #include; may be repeated (default: none)");
  command.add_taken_option("-D MACRO", "NAME or NAME=VALUE; may be repeated (default: none)");
  command.add_option("-p PATH", asked.compile_commands,
                     "compile_commands.json, or its folder, with flags for FILE (default: none)");
  command.add_option("--cuda-path FOLDER", request.cuda_path,
                     "use the headers of this CUDA toolkit (default: our own)");
  command.add_taken_option("--arch NAME",
                           "the device's architecture, sm_70 to sm_121, also sm_90a; the newest of several (default: "
                           "as -p says, else sm_90)");
  command.add_flag("--every-arch", asked.every_architecture,
                   "check for each architecture that --arch, -gencode or -p names, one after the other, and say which "
                   "show a finding (default: for the newest)");
  command.add_taken_option("--std NAME", "the language, c++11 to c++23 (default c++17)");
  command
      .add_option("--warp HOW", options->warp,
                  "how lanes run: independent, or lockstep as before sm_70 (default independent)")
      ->one_of({"independent", "lockstep"});
  command.add_option("--wave N", request.wave,
                     "lanes of a wave, for HIP: 32 or 64, where the GPU of --offload-arch has both (default: 64 up to "
                     "gfx9, then 32)");
  command.add_option("--seed N", request.seed, "seed of contents and schedules, 0 to 2^64-1 (default 1)");
  command
      .add_option("--schedules N", request.schedules,
                  "runs of each launch, from 1: forward, reversed, then random (default 3)")
      ->range(1, 1e6);
  command.add_option("--schedule NAME", options->schedule,
                     "only this schedule: forward, reversed, random or random:NUMBER (default: --schedules)");
  command.add_option(
      "--runs N", request.runs,
      "runs to spend searching for the inputs of each kernel (default 1000 if no launch is given, 20 for "
      "PTX, else 0; 0: no search)");
  request.jobs = std::max(std::thread::hardware_concurrency(), 1u);
  command.add_option("--jobs N", request.jobs, "processors that share the work, from 1 (default: all)")->positive();
  command
      .add_option("--seconds TIME", request.seconds,
                  "time for all launches of a file together, such as 500ms or 2min (default 60s)")
      ->as_time();
  command.add_option("--compile-seconds TIME", request.compile_seconds, "time for compiling a file (default 120s)")
      ->as_time();
  command.add_option("--clang PATH", request.clang, "the compiler, clang 19 (default clang-19)");
  command
      .add_option("--front NAME", options->front,
                  "compiler of the device part: clang, nvcc (of --cuda-path, else of PATH), or auto: nvcc where clang "
                  "fails (default auto)")
      ->one_of({"auto", "clang", "nvcc"});
  command.add_flag("--program", request.program,
                   "run main() even if the file says what to launch (default: if it does not)");
  command.add_flag("--no-program", request.no_program,
                   "never run main(): only kernels, with searched inputs (default: run it)");
  command.add_flag("--trust", request.trust, "run main() without a sandbox (default: with one)");
  command.add_option("--memory SIZE", options->memory,
                     "memory of the program, such as 2G or 512M, a plain number in MiB (default: half of the "
                     "machine's, at most 16G)");
  command
      .add_option("--env NAME[=VALUE]", asked.variables,
                  "a variable that the program sees besides PATH, LANG, OMP_* and the like; may be repeated "
                  "(default: none)")
      ->repeatable();
  command
      .add_option("--read PATH", request.read,
                  "a file or folder that the compiler and the program may read besides their own; may be repeated "
                  "(default: none)")
      ->repeatable();
  command.add_flag("--unchecked", options->unchecked, "run without checking, to compare times (default: check)");
  command.add_flag("--plain-checker", request.plain_checker, "call the checker for every access, to compare with it")
      ->hide();
  command.add_flag("--json", options->json, "print the report as JSON, one for all files (default: as text)");
  command.add_option("--sarif FILE", asked.sarif, "write the report of all files as SARIF 2.1.0 (default: none)");
  command.add_option("--html FILE", asked.html, "write the report of all files as a page (default: none)");
  command.add_option("--junit FILE", asked.junit, "write the report of all files as JUnit XML (default: none)");
  command.add_option("--markdown FILE", asked.markdown, "write a summary in Markdown (default: none)");
  command.add_option("--baseline FILE", asked.baseline,
                     "findings that are known: only new ones are reported and fail (default: none)");
  command.add_option("--new-baseline FILE", asked.new_baseline,
                     "write the findings of this run as a baseline (default: none)");
  command.add_option("--out-values DIR", asked.values,
                     "write what the first run of --launch leaves in the arrays, each as NAME.npy (default: nothing)");
  command.add_option("--capture FOLDER", asked.capture,
                     "write the first launch of --launch or of main() as a capture: PTX, arguments, memory "
                     "(default: none)");
  command.add_flag("--watch", options->watches,
                   "check again when a file or a header of it changes, and say what is new and what is gone "
                   "(default: check once)");
  command.add_option("--explain CLASS", options->explained,
                     "say what a class of findings means, such as E1 or data-race, and end (default: check files)");
  if (options->keeper != nullptr) options->keeper->add_options(command);
  command.add_flag("--mutants", request.mutants,
                   "weaken each barrier, fence and atomic in turn, and say which are noticed (default: do not)");
  command.add_flag("--weak", request.weak,
                   "repeat the launches with values that PTX's memory model lets strong reads return although they are "
                   "overwritten (default: do not)");
  command.add_option("--weak-runs N", request.weak_runs, "with --weak: runs of each launch, from 1 (default 200)")
      ->range(1, 1e9);
  command.add_option("--weak-run N", request.weak_run,
                     "with --weak: only the run of this number, from 0 (default: --weak-runs)");
  command
      .add_option("--expect TEXT", request.expected,
                  "with --weak: NAME=ARRAY.npy, what each run is to leave in an array; may be repeated (default: none)")
      ->repeatable();
  command.add_option("--least-score PCT", asked.least_score,
                     "with --mutants: exit with 1 if fewer are noticed, from 0 to 100 (default 0)");
  command.add_option("--fail-on CLASS,...", options->fail_on,
                     "classes that make the exit code 1, such as E1,D2, or none (default: all errors and warnings)");
  command.add_flag("--allow-incomplete", asked.allow_incomplete,
                   "exit with 0, not 3, if something is not modelled or not exercised (default: 3)");
  command.add_option("--suppressions FILE", asked.suppressions,
                     "lines CLASS FILE[:LINE|:FUNCTION] to leave out (default: none)");
  command.footer(
      fmt::format("Launches come from --launch, from weakspot.toml, from lines of the file such as\n"
                  "'// weakspot: launch grid=2 block=64', from running its main(), or are searched.\n"
                  "main() is the file's own code and really runs, in a sandbox; see docs/race.md.\n"
                  "Options of nvcc mean the same here, such as -isystem, -include, -U, -gencode and\n"
                  "-Xcompiler; those about optimizing, linking and machine code change nothing.\n"
                  "Exit code 0: clean. 1: an error or a warning was found, or what --fail-on names.\n"
                  "3: incomplete, not exercised, or this machine cannot run the checker. Of several\n"
                  "files: 1, 2 (a file that cannot be compiled), 3 or 0, the first that applies.\n\nExamples:\n"
                  "  {0} app.cu -- 1000\n"
                  "  {0} -- python3 train.py\n"
                  "  {0} reduce.cu --launch 'grid=4 block=128' --arg n=500",
                  options->name));
  command.callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::race_command
