#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include "base/build_info.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "base/temporary_folder.h"
#include "cli/commands.h"
#include "race/classes.h"
#include "race/compile_commands.h"
#include "race/html_report.h"
#include "race/report.h"
#include "race/request.h"
#include "race/sarif.h"
#include "race/suppressions.h"

namespace weakspot::cli {
namespace {

namespace fs = std::filesystem;

// The program that does the work stands beside this one.
fs::path worker() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path beside = self.parent_path() / "weakspot-race";
  return fs::exists(beside, error) ? beside : fs::path();
}

race::LineReader file_lines() {
  auto files = std::make_shared<std::map<std::string, std::vector<std::string>>>();
  return [files](const std::string& file, unsigned line) -> std::optional<std::string> {
    auto [found, fresh] = files->try_emplace(file);
    if (fresh) {
      base::Result<std::string> text = base::read_file(file);
      if (!text) return std::nullopt;
      std::size_t at = 0;
      while (at < text->size()) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        found->second.push_back(text->substr(at, end - at));
        at = end + 1;
      }
    }
    if (line == 0 || line > found->second.size()) return std::nullopt;
    return found->second[line - 1];
  };
}

struct Race {
  race::Request request;
  std::vector<std::string> include_folders, definitions, arguments;
  std::string launch, warp = "independent", standard, compile_commands;
  std::string schedule;
  std::uint64_t runs = 0;
  bool runs_given = false;
  std::string sarif_file, html_file, suppressions_file, fail_on;
  std::optional<std::vector<race::ClassId>> failing_classes;
  std::vector<race::Suppression> suppressions;
  bool json = false, unchecked = false;

  base::Status complete() {
    if (!compile_commands.empty()) {
      std::error_code ignored;
      const fs::path path(compile_commands);
      const std::string file = (fs::is_directory(path, ignored) ? path / "compile_commands.json" : path).string();
      base::Result<std::string> text = base::read_file(file);
      if (!text) return text.errors();
      base::Result<std::vector<std::string>> flags = race::flags_of_file(*text, file, request.file);
      if (!flags) return flags.errors();
      request.compiler_arguments = std::move(*flags);
    }
    for (const std::string& folder : include_folders) request.compiler_arguments.push_back("-I" + folder);
    for (const std::string& definition : definitions) request.compiler_arguments.push_back("-D" + definition);
    if (!standard.empty()) request.compiler_arguments.push_back("-std=" + standard);
    request.lockstep = warp == "lockstep";
    request.check = !unchecked;
    request.headers = base::data_directory("cuda").string();
    if (request.headers.empty()) return base::error("the CUDA headers of weakspot are not where they were installed");
    if (!request.cuda_path.empty()) {
      std::error_code ignored;
      request.cuda_path = fs::absolute(request.cuda_path, ignored).lexically_normal().string();
      while (request.cuda_path.ends_with('/')) request.cuda_path.pop_back();
      if (!fs::exists(fs::path(request.cuda_path) / "include" / "cuda_runtime.h", ignored)) {
        return base::error(
            fmt::format("there is no CUDA toolkit in '{}': it has no include/cuda_runtime.h", request.cuda_path));
      }
    }
    if (runs_given) request.runs = runs;
    if (!schedule.empty()) {
      base::Result<race::ScheduleChoice> choice = race::parse_schedule(schedule);
      if (!choice) return choice.errors();
      request.schedule = *choice;
    }
    if (!fail_on.empty()) {
      base::Result<std::vector<race::ClassId>> classes = race::parse_fail_on(fail_on);
      if (!classes) return classes.errors();
      failing_classes = std::move(*classes);
    }
    if (!suppressions_file.empty()) {
      base::Result<std::string> text = base::read_file(suppressions_file);
      if (!text) return text.errors();
      base::Result<std::vector<race::Suppression>> read =
          race::read_suppressions(base::Source(suppressions_file, std::move(*text)));
      if (!read) return read.errors();
      suppressions = std::move(*read);
    }
    if (launch.empty() && arguments.empty()) return base::ok_status();
    base::Result<race::LaunchSpec> spec = race::parse_launch(launch);
    if (!spec) return spec.errors();
    for (const std::string& text : arguments) {
      base::Result<race::ArgumentSpec> argument = race::parse_argument(text);
      if (!argument) return argument.errors();
      spec->arguments.push_back(std::move(*argument));
    }
    if (!request.kernel.empty()) spec->kernel = request.kernel;
    request.launches.push_back(std::move(*spec));
    return base::ok_status();
  }

  int run() {
    if (base::Status done = complete(); !done) {
      print_error(base::render(done.errors()));
      return kBadInput;
    }
    const fs::path program = worker();
    if (program.empty()) {
      print_error("error: this build has no 'weakspot race': it needs LLVM 19 ('tools/setup build' installs it)\n");
      return kDeviceFailed;
    }
    const base::TemporaryFolder folder;
    const std::string report_file = (folder.path() / "report.json").string();
    base::ProcessOptions options;
    options.input = race::to_json(request);
    options.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(request.seconds * 1000) + 180'000);
    base::Result<base::ProcessResult> result = base::run_process({program.string(), report_file}, options);
    if (!result) {
      print_error(base::render(result.errors()));
      return kDeviceFailed;
    }
    print_error(result->errors);
    if (result->timed_out || result->signal != 0) {
      print_error(result->timed_out ? "error: the run did not end\n"
                                    : fmt::format("error: the run ended by signal {}\n", result->signal));
      return kDeviceFailed;
    }
    if (result->exit_code != 0) return result->exit_code;
    return show(report_file, result->output);
  }

  int show(const std::string& report_file, const std::string& program_output) const {
    base::Result<std::string> text = base::read_file(report_file);
    if (!text) {
      print_error(base::render(text.errors()));
      return kDeviceFailed;
    }
    base::Result<race::Report> report = race::report_from_json(*text);
    if (!report) {
      print_error(base::render(report.errors()));
      return kDeviceFailed;
    }
    const std::vector<race::Suppression> unused = race::suppress(*report, suppressions);
    if (json) {
      print_error(program_output);
      print_output(race::to_json(*report) + "\n");
    } else {
      print_output(program_output + report->output + race::to_text(*report, file_lines()));
    }
    for (const race::Suppression& suppression : unused) {
      print_error(fmt::format("{}:{}: warning: '{}' suppressed nothing\n", suppressions_file, suppression.source_line,
                              suppression.text));
    }
    if (base::Status done = write_files(*report); !done) {
      print_error(base::render(done.errors()));
      return kBadInput;
    }
    return race::fails(*report, failing_classes ? &*failing_classes : nullptr) ? kFinding : kFine;
  }

  base::Status write_files(const race::Report& report) const {
    if (!sarif_file.empty()) {
      if (base::Status done =
              base::write_file(sarif_file, race::to_sarif(report, std::string(base::kVersion), file_lines()));
          !done) {
        return done;
      }
    }
    if (html_file.empty()) return base::ok_status();
    return base::write_file(html_file, race::to_html(report, request.file, file_lines()));
  }
};

}  // namespace

void add_race(Command& app, int& exit_code) {
  auto options = std::make_shared<Race>();
  Command* command = app.add_subcommand("race", "Run CUDA kernels on the CPU and find their synchronisation bugs");
  race::Request& request = options->request;
  command->add_option("FILE", request.file, "a CUDA source file")->required();
  command->add_option("ARGUMENTS", request.program_arguments, "of main(), after --");
  command->add_option("--kernel", request.kernel, "only this kernel");
  command->add_option("--launch", options->launch, "grid=G block=B [shared=BYTES], extents as 16 or 16,4");
  command->add_option("--arg", options->arguments, "NAME=VALUE or 'NAME=TYPE[COUNT] fill=HOW'; may be repeated")
      ->take_all()
      ->expected(1);
  command->add_option("-I", options->include_folders, "a folder for #include")->expected(1)->take_all();
  command->add_option("-D", options->definitions, "a macro, NAME or NAME=VALUE")->expected(1)->take_all();
  command->add_option("-p", options->compile_commands, "compile_commands.json, or its folder: flags for the file");
  command->add_option("--cuda-path", request.cuda_path,
                      "use the headers of the CUDA toolkit in this folder, not our own");
  command->add_option("--std", options->standard, "the language, c++17 unless told");
  command->add_option("--warp", options->warp, "how the lanes of a warp run: independent, or lockstep as before sm_70")
      ->one_of({"independent", "lockstep"});
  command->add_option("--seed", request.seed, "for contents and schedules");
  command->add_option("--schedules", request.schedules, "runs of each launch: forward, reversed, then random");
  Option* runs = command->add_option(
      "--runs", options->runs, "search inputs with so many runs: 1000 where nothing says what to launch; 0 for none");
  command->add_option("--schedule", options->schedule, "only this one: forward, reversed, random or random:NUMBER");
  request.jobs = std::max(std::thread::hardware_concurrency(), 1u);
  command->add_option("--jobs", request.jobs, "processes that share the runs of a search: as many as processors")
      ->positive();
  command->add_option("--seconds", request.seconds, "time for all launches together")->positive();
  command->add_option("--clang", request.clang, "the compiler, clang 19");
  command->add_flag("--program", request.program, "run main() although the file says what to launch");
  command->add_flag("--unchecked", options->unchecked, "run without looking, to compare times");
  command->add_flag("--plain-checker", request.plain_checker, "call the checker for every access, to compare with it")
      ->hide();
  command->add_flag("--json", options->json, "print a report for programs");
  command->add_option("--sarif", options->sarif_file, "write a report as SARIF 2.1.0 to this file");
  command->add_option("--html", options->html_file, "write a report as a page to this file");
  command->add_option("--fail-on", options->fail_on, "classes that make the exit code 1, as E1,D2; or none");
  command->add_option("--suppressions", options->suppressions_file, "a file of lines CLASS FILE[:LINE|:FUNCTION]");
  command->footer(
      "Launches come from --launch, from lines '// weakspot: launch grid=2 block=64' in the file, from running its\n"
      "main(), or are searched.\n"
      "Exit code 1: an error or a warning was found, or what --fail-on names; hints alone give 0.\n\nExamples:\n"
      "  weakspot race reduce.cu\n  weakspot race app.cu -- 1000\n"
      "  weakspot race reduce.cu --launch 'grid=4 block=128' --arg n=500");
  command->callback([options, runs, &exit_code] {
    options->runs_given = runs->given();
    exit_code = options->run();
  });
}

}  // namespace weakspot::cli
