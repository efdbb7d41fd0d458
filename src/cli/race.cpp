// SPDX-License-Identifier: MIT
#include "workbench/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "race/classes.h"

namespace weakspot::cli {
namespace {

struct Race {
  workbench::RaceRequest asked;
  std::vector<std::string> include_folders, definitions;
  std::string warp = "independent", standard, schedule, fail_on;
  bool json = false, unchecked = false;

  int run() {
    if (base::Status read = read_options(); !read) return fail(read.errors());
    const InterruptGuard guard;
    asked.interrupted = &InterruptGuard::interrupted;
    const base::Result<workbench::RaceResult> result = workbench::find_races(asked);
    if (!result) return fail(result.errors());
    print_error(result->messages);
    if (result->report) print_report(*result);
    print_errors(result->problems);
    return exit_code_of(result->ending);
  }

 private:
  base::Status read_options() {
    race::Request& request = asked.request;
    for (const std::string& folder : include_folders) request.compiler_arguments.push_back("-I" + folder);
    for (const std::string& definition : definitions) request.compiler_arguments.push_back("-D" + definition);
    if (!standard.empty()) request.compiler_arguments.push_back("-std=" + standard);
    request.lockstep = warp == "lockstep";
    request.check = !unchecked;
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

  void print_report(const workbench::RaceResult& result) const {
    const race::Report& report = *result.report;
    if (json) {
      print_error(result.output);
      print_output(race::to_json(report) + "\n");
    } else {
      print_output(result.output + report.output);
      print_findings(race::to_text(report, workbench::lines_of_files()));
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
  command->add_option("FILE", request.file, "a CUDA source file")->required();
  command->add_option("ARGUMENTS ...", request.program_arguments, "arguments of main(), after --");
  command->add_option("--kernel NAME", request.kernel, "only this kernel (default: all)");
  command->add_option("--launch TEXT", asked.launch, "grid=G block=B [shared=BYTES], extents as 16 or 16,4");
  command
      ->add_option("--arg TEXT", asked.arguments,
                   "an argument of the launch: NAME=VALUE or 'NAME=TYPE[COUNT] fill=HOW'; may be repeated")
      ->take_all()
      ->expected(1);
  command->add_option("-I FOLDER", options->include_folders, "a folder for #include; may be repeated")
      ->expected(1)
      ->take_all();
  command->add_option("-D MACRO", options->definitions, "NAME or NAME=VALUE; may be repeated")->expected(1)->take_all();
  command->add_option("-p PATH", asked.compile_commands, "compile_commands.json, or its folder, with flags for FILE");
  command->add_option("--cuda-path FOLDER", request.cuda_path,
                      "use the headers of this CUDA toolkit (default: our own)");
  command->add_option("--std NAME", options->standard, "the language (default c++17)");
  command
      ->add_option("--warp HOW", options->warp,
                   "how lanes run: independent, or lockstep as before sm_70 (default independent)")
      ->one_of({"independent", "lockstep"});
  command->add_option("--seed N", request.seed, "seed of contents and schedules (default 1)");
  command->add_option("--schedules N", request.schedules,
                      "runs of each launch: forward, reversed, then random (default 3)");
  command->add_option("--schedule NAME", options->schedule,
                      "only this schedule: forward, reversed, random or random:NUMBER");
  command->add_option(
      "--runs N", request.runs,
      "runs to spend searching for inputs (default 1000 if no launch is given; 0 turns the search off)");
  request.jobs = std::max(std::thread::hardware_concurrency(), 1u);
  command->add_option("--jobs N", request.jobs, "processes that share the search (default: one per processor)")
      ->positive();
  command->add_option("--seconds S", request.seconds, "time for all launches together (default 60)")->positive();
  command->add_option("--compile-seconds S", request.compile_seconds, "time for compiling FILE (default 120)")
      ->positive();
  command->add_option("--clang PATH", request.clang, "the compiler, clang 19 (default clang-19)");
  command->add_flag("--program", request.program, "run main() even if the file says what to launch");
  command->add_flag("--no-program", request.no_program, "never run main(): only kernels, with searched inputs");
  command->add_flag("--trust", request.trust, "run main() without a sandbox (default: with one)");
  command->add_option("--memory MIB", request.memory,
                      "memory of the program (default: half of the machine's, at most 16384)");
  command->add_flag("--unchecked", options->unchecked, "run without checking, to compare times");
  command->add_flag("--plain-checker", request.plain_checker, "call the checker for every access, to compare with it")
      ->hide();
  command->add_flag("--json", options->json, "print the report as JSON");
  command->add_option("--sarif FILE", asked.sarif, "write the report as SARIF 2.1.0");
  command->add_option("--html FILE", asked.html, "write the report as a page");
  command->add_option("--fail-on CLASS,...", options->fail_on,
                      "classes that make the exit code 1, such as E1,D2, or none (default: all errors and warnings)");
  command->add_flag("--allow-incomplete", asked.allow_incomplete,
                    "exit with 0, not 3, if nothing was found but something is not modelled or did not run");
  command->add_option("--suppressions FILE", asked.suppressions, "lines CLASS FILE[:LINE|:FUNCTION] to leave out");
  command->footer(
      "Launches come from --launch, from lines '// weakspot: launch grid=2 block=64' in\n"
      "the file, from running its main(), or are searched.\n"
      "main() is the file's own code and really runs, in a sandbox; see docs/race.md.\n"
      "Exit code 0: clean. 1: an error or a warning was found, or what --fail-on names.\n"
      "3: incomplete, or this machine cannot run the checker.\n\nExamples:\n"
      "  weakspot race app.cu -- 1000\n"
      "  weakspot race reduce.cu --launch 'grid=4 block=128' --arg n=500");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
