// SPDX-License-Identifier: MIT
#include "workbench/race.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "cli/commands.h"
#include "cli/fold.h"
#include "cli/interrupt.h"
#include "cli/shared_options.h"
#include "cli/terminal.h"
#include "race/classes.h"
#include "workbench/race_merge.h"

namespace weakspot::cli {
namespace {

// One line on a terminal that says what is being done.
class RaceLine {
 public:
  RaceLine() : terminal_(terminal_of(STDERR_FILENO)) {}
  ~RaceLine() { clear(); }
  RaceLine(const RaceLine&) = delete;
  RaceLine& operator=(const RaceLine&) = delete;

  bool is_shown() const { return terminal_.redraws; }
  void draw(const std::string& text) {
    fmt::print(stderr, "\r\033[K{}", clipped(screen_text(text), terminal_.width - 1));
    std::fflush(stderr);
    drawn_ = true;
  }
  void clear() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
    drawn_ = false;
  }

 private:
  Terminal terminal_;
  bool drawn_ = false;
};

struct Race {
  workbench::RaceRequest asked;
  std::vector<std::string> files, include_folders, definitions;
  std::string warp = "independent", standard, schedule, fail_on, merge;
  bool json = false, unchecked = false;

  int run() {
    if (files.empty() && merge.empty()) {
      const int status = fail({base::error("FILE is required")});
      print_error("see 'weakspot race --help'\n");
      return status;
    }
    if (base::Status read = read_options(); !read) return fail(read.errors());
    const InterruptGuard guard;
    asked.interrupted = &InterruptGuard::interrupted;
    if (!merge.empty()) return run_merge();
    RaceLine line;
    if (line.is_shown()) asked.progress = [&](const std::string& text) { line.draw(text); };
    const bool several = files.size() > 1;
    const workbench::RaceResults results =
        workbench::find_all_races(asked, files, [&](const std::string& file, const workbench::RaceResult& result) {
          line.clear();
          print_error(result.messages);
          if (result.report) print_report(*result.report, result, several ? file : "");
          print_errors(result.problems);
        });
    if (several && json) print_output(race::to_json(results.report) + "\n");
    if (several && !json) print_findings(race::total(results.report) + "\n");
    if (several && !json && results.report.mutants) print_findings(race::score_text(*results.report.mutants) + "\n");
    print_errors(results.problems);
    return exit_code_of(results.ending);
  }

 private:
  int run_merge() {
    const base::Result<workbench::RaceResult> result = workbench::merge_races(asked, merge);
    if (!result) return fail(result.errors());
    print_report(*result->report, *result, "");
    print_errors(result->problems);
    return exit_code_of(result->ending);
  }

  base::Status read_options() {
    if (!files.empty() && !merge.empty()) return base::error("--merge takes a folder and no files");
    const bool runs_again = asked.request.mutants || !asked.distil.empty();
    if (runs_again && !merge.empty())
      return base::error("--distil and --mutants need files, which --merge does not run");
    if (runs_again && unchecked)
      return base::error("--distil and --mutants need a check, which --unchecked leaves out");
    race::Request& request = asked.request;
    request.program_arguments = words_after_dashes();
    for (const std::string& folder : include_folders) request.compiler_arguments.push_back("-I" + folder);
    for (const std::string& definition : definitions) request.compiler_arguments.push_back("-D" + definition);
    if (!standard.empty()) request.compiler_arguments.push_back("-std=" + standard);
    request.lockstep = warp == "lockstep";
    request.check = !unchecked;
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

  // With the name of the file if there are several.
  void print_report(const race::Report& report, const workbench::RaceResult& result, const std::string& file) const {
    if (json) {
      print_error(result.output);
      if (file.empty()) print_output(race::to_json(report) + "\n");
    } else {
      print_output(result.output + report.output);
      print_findings(race::to_text(report, workbench::lines_of_files(), file) + (file.empty() ? "" : "\n"));
    }
    for (const race::Suppression& suppression : result.unused) {
      print_error(fmt::format("{}:{}: warning: '{}' suppressed nothing\n", asked.suppressions, suppression.source_line,
                              suppression.text));
    }
  }
};

}  // namespace

void add_race(Command& app, int& exit_code) {
  auto options = std::make_shared<Race>();
  Command* command = app.add_subcommand("race", "Run CUDA kernels on the CPU and find their synchronisation bugs");
  workbench::RaceRequest& asked = options->asked;
  race::Request& request = asked.request;
  command->add_option("FILE ...", options->files,
                      "CUDA source files, each checked by itself; arguments of main() after --");
  command->add_option("--merge FOLDER", options->merge,
                      "one report of those that programs built by weakspot-nvcc left in this folder (default: none)");
  command->add_option("--kernel NAME", request.kernel, "only this kernel (default: all of the file)");
  command->add_option("--launch TEXT", asked.launch,
                      "grid=G block=B [cluster=C] [shared=BYTES], extents as 16 or 16,4 "
                      "(default: from the file, from main(), or searched)");
  command
      ->add_option(
          "--arg TEXT", asked.arguments,
          "an argument of the launch: NAME=VALUE or 'NAME=TYPE[COUNT] fill=HOW', also for a member, view.rows=3; "
          "may be repeated (default: made up)")
      ->take_all()
      ->expected(1);
  command->add_option("-I FOLDER", options->include_folders, "a folder for #include; may be repeated (default: none)")
      ->expected(1)
      ->take_all();
  command->add_option("-D MACRO", options->definitions, "NAME or NAME=VALUE; may be repeated (default: none)")
      ->expected(1)
      ->take_all();
  command->add_option("-p PATH", asked.compile_commands,
                      "compile_commands.json, or its folder, with flags for FILE (default: none)");
  command->add_option("--cuda-path FOLDER", request.cuda_path,
                      "use the headers of this CUDA toolkit (default: our own)");
  command->add_option("--std NAME", options->standard, "the language (default c++17)");
  command
      ->add_option("--warp HOW", options->warp,
                   "how lanes run: independent, or lockstep as before sm_70 (default independent)")
      ->one_of({"independent", "lockstep"});
  command->add_option("--seed N", request.seed, "seed of contents and schedules, 0 to 2^64-1 (default 1)");
  command
      ->add_option("--schedules N", request.schedules,
                   "runs of each launch, from 1: forward, reversed, then random (default 3)")
      ->range(1, 1e6);
  command->add_option("--schedule NAME", options->schedule,
                      "only this schedule: forward, reversed, random or random:NUMBER (default: --schedules)");
  command->add_option(
      "--runs N", request.runs,
      "runs to spend searching for the inputs of each kernel (default 1000 if no launch is given, else 0; "
      "0: no search)");
  request.jobs = std::max(std::thread::hardware_concurrency(), 1u);
  command->add_option("--jobs N", request.jobs, "processes that share the search, from 1 (default: one per processor)")
      ->positive();
  command
      ->add_option("--seconds TIME", request.seconds,
                   "time for all launches of a file together, such as 500ms or 2min (default 60s)")
      ->as_time();
  command->add_option("--compile-seconds TIME", request.compile_seconds, "time for compiling a file (default 120s)")
      ->as_time();
  command->add_option("--clang PATH", request.clang, "the compiler, clang 19 (default clang-19)");
  command->add_flag("--program", request.program,
                    "run main() even if the file says what to launch (default: if it does not)");
  command->add_flag("--no-program", request.no_program,
                    "never run main(): only kernels, with searched inputs (default: run it)");
  command->add_flag("--trust", request.trust, "run main() without a sandbox (default: with one)");
  command->add_option("--memory MIB", request.memory,
                      "memory of the program (default: half of the machine's, at most 16384)");
  command->add_flag("--unchecked", options->unchecked, "run without checking, to compare times (default: check)");
  command->add_flag("--plain-checker", request.plain_checker, "call the checker for every access, to compare with it")
      ->hide();
  command->add_flag("--json", options->json, "print the report as JSON, one for all files (default: as text)");
  add_store_option(*command, asked.store, "the report of all files");
  command->add_option("--sarif FILE", asked.sarif, "write the report of all files as SARIF 2.1.0 (default: none)");
  command->add_option("--html FILE", asked.html, "write the report of all files as a page (default: none)");
  command->add_option("--distil FOLDER", asked.distil,
                      "write findings about the order of memory as litmus tests (default: none)");
  command->add_flag("--mutants", request.mutants,
                    "weaken each barrier, fence and atomic in turn, and say which are noticed (default: do not)");
  command->add_option("--least-score PCT", asked.least_score,
                      "with --mutants: exit with 1 if fewer are noticed, from 0 to 100 (default 0)");
  command->add_option("--fail-on CLASS,...", options->fail_on,
                      "classes that make the exit code 1, such as E1,D2, or none (default: all errors and warnings)");
  command->add_flag("--allow-incomplete", asked.allow_incomplete,
                    "exit with 0, not 3, if something is not modelled or not exercised (default: 3)");
  command->add_option("--suppressions FILE", asked.suppressions,
                      "lines CLASS FILE[:LINE|:FUNCTION] to leave out (default: none)");
  command->footer(
      "Launches come from --launch, from lines '// weakspot: launch grid=2 block=64' in\n"
      "the file, from running its main(), or are searched.\n"
      "main() is the file's own code and really runs, in a sandbox; see docs/race.md.\n"
      "Exit code 0: clean. 1: an error or a warning was found, or what --fail-on names.\n"
      "3: incomplete, not exercised, or this machine cannot run the checker. Of several\n"
      "files: 1, 2 (a file that cannot be compiled), 3 or 0, the first that applies.\n\nExamples:\n"
      "  weakspot race app.cu -- 1000\n"
      "  weakspot race reduce.cu --launch 'grid=4 block=128' --arg n=500");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
