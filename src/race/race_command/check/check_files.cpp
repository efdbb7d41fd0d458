// SPDX-License-Identifier: MIT
#include "race_command/check/check_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>

#include "base/build_info.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/source.h"
#include "capture/capture.h"
#include "race/classes.h"
#include "race/compile_commands.h"
#include "race/gate_reports.h"
#include "race/npy.h"
#include "race/source_lines.h"
#include "race_command/check/environment.h"
#include "race_command/check/process.h"
#include "system/temporary_folder.h"

namespace weakspot::race_command {
namespace {

namespace fs = std::filesystem;
using base::ending_of;
using Ending = base::JobEnding;

// Beyond the time for the launches: deciding on findings, trying what goes without barriers, and the report.
std::chrono::milliseconds time_to_run(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1500)) + std::chrono::seconds(20);
}

base::Result<race::FileFlags> recorded_flags(const std::string& compile_commands, const std::string& source) {
  std::error_code ignored;
  const fs::path path(compile_commands);
  const std::string file = (fs::is_directory(path, ignored) ? path / "compile_commands.json" : path).string();
  base::Result<std::string> text = base::read_file(file);
  if (!text) return text.errors();
  return race::flags_of_file(*text, file, source);
}

base::Result<std::string> toolkit_folder(const std::string& folder) {
  std::error_code ignored;
  std::string path = fs::absolute(folder, ignored).lexically_normal().string();
  while (path.ends_with('/')) path.pop_back();
  if (fs::exists(fs::path(path) / "include" / "cuda_runtime.h", ignored)) return path;
  return base::error(fmt::format("there is no CUDA toolkit in '{}': it has no include/cuda_runtime.h", path));
}

// Type and size of an array that a file has; weakspot-race reads the contents.
base::Status look_into_file(race::ArgumentSpec& argument) {
  if (argument.file.empty()) return base::ok_status();
  const base::Result<std::string> text = base::read_file(argument.file);
  if (!text) return text.errors();
  const base::Result<race::NpyArray> array = race::read_npy(*text, argument.file);
  if (!array) return array.errors();
  argument.type = array->type;
  argument.count = array->count;
  return base::ok_status();
}

// Writes the arrays that arrived into a folder. Names of parameters are the source's, which may mean no good.
base::Status write_values(const std::string& folder, const std::vector<std::string>& values) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) return base::error_in(folder, fmt::format("cannot make this folder: {}", code.message()));
  for (const std::string& value : values) {
    const std::size_t end = value.find('\n');
    const std::string name = value.substr(0, end);
    if (end == std::string::npos || name.empty() || name.front() == '.' || name.find('/') != std::string::npos) {
      return base::error(fmt::format("an array named '{}' cannot be a file", name));
    }
    const base::Status written = base::write_file((fs::path(folder) / (name + ".npy")).string(), value.substr(end + 1));
    if (!written) return written;
  }
  return base::ok_status();
}

// Writes the files of a capture as they arrived, the list last. They come from a process that ran the kernels.
base::Status write_launch(const std::string& folder, const std::vector<std::string>& arrived) {
  std::vector<capture::CaptureFile> files;
  for (const std::string& text : arrived) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    files.push_back({text.substr(0, end), text.substr(std::min(end + 1, text.size()))});
  }
  return capture::write_files(files, folder);
}

base::Result<race::LaunchSpec> launch_of(const RaceRequest& asked) {
  base::Result<race::LaunchSpec> launch = race::parse_launch(asked.launch);
  if (!launch) return launch.errors();
  for (const std::string& text : asked.arguments) {
    base::Result<race::ArgumentSpec> argument = race::parse_argument(text);
    if (!argument) return argument.errors();
    if (base::Status looked = look_into_file(*argument); !looked) return looked.errors();
    launch->arguments.push_back(std::move(*argument));
  }
  if (!asked.request.kernel.empty()) launch->kernel = asked.request.kernel;
  return launch;
}

// Those flags of a project that do not define a macro anew: the compiler would warn of a second definition.
std::vector<std::string> flags_not_replaced(const std::vector<std::string>& flags,
                                            const std::vector<std::string>& given) {
  auto macro_of = [](const std::string& flag) { return flag.starts_with("-D") ? flag.substr(0, flag.find('=')) : ""; };
  std::vector<std::string> kept;
  std::copy_if(flags.begin(), flags.end(), std::back_inserter(kept), [&](const std::string& flag) {
    return std::none_of(given.begin(), given.end(), [&](const std::string& other) {
      return !macro_of(flag).empty() && macro_of(other) == macro_of(flag);
    });
  });
  return kept;
}

// The request as weakspot-race takes it.
}  // namespace

base::Diagnostic not_loaded() {
  return base::error(
      "weakspot-race needs the libraries of clang 19, which Debian and Ubuntu have in the package clang-19",
      base::ErrorKind::environment);
}

base::Result<std::string> race_program() {
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code).parent_path() / "weakspot-race";
  if (!code && fs::exists(program, code)) return program.string();
  return base::error(
      "weakspot-race is missing beside this program: install the package weakspot-race, or build it where clang 19 is "
      "installed ('tools/setup build' does that)",
      base::ErrorKind::environment);
}

base::Result<race::Request> complete_request(const RaceRequest& asked) {
  race::Request request = asked.request;
  if (!asked.compile_commands.empty()) {
    base::Result<race::FileFlags> flags = recorded_flags(asked.compile_commands, request.file);
    if (!flags) return flags.errors();
    request.compiler_arguments.insert(request.compiler_arguments.begin(), flags->words.begin(), flags->words.end());
    if (!request.architecture) request.architecture = race::newest_of(flags->architectures);
  }
  const std::vector<std::string> flags =
      flags_not_replaced(asked.project.compiler_arguments, request.compiler_arguments);
  request.compiler_arguments.insert(request.compiler_arguments.begin(), flags.begin(), flags.end());
  if (!request.architecture) request.architecture = asked.project.architecture;
  request.headers = base::data_directory("cuda").string();
  if (request.headers.empty()) {
    return base::error("the program's own CUDA headers are missing: " + base::missing_data("cuda"),
                       base::ErrorKind::environment);
  }
  if (!request.cuda_path.empty()) {
    base::Result<std::string> folder = toolkit_folder(request.cuda_path);
    if (!folder) return folder.errors();
    request.cuda_path = *std::move(folder);
  }
  if (asked.keeper != nullptr && asked.keeper->tracing_option() != nullptr) {
    request.trace = true;
    request.jobs = 1;  // one process: only the one that made a run has what it showed
  }
  request.values = !asked.values.empty();
  request.capture = !asked.capture.empty();
  if (request.values && asked.launch.empty()) return base::error("--out-values needs --launch");
  if (asked.launch.empty() && asked.arguments.empty()) {
    const bool runs_main = request.program || !request.program_arguments.empty();
    if (!runs_main) request.launches = launches_for(asked.project, request.file, request.kernel);
    return request;
  }
  base::Result<race::LaunchSpec> launch = launch_of(asked);
  if (!launch) return launch.errors();
  request.launches.push_back(*std::move(launch));
  return request;
}

// Captures come before the kernels in them, which by themselves say nothing of launches and memory.
base::Result<std::vector<std::string>> kernels_of(const std::string& name) {
  std::error_code ignored;
  if (!fs::is_directory(name, ignored) || race::is_capture(name)) return std::vector<std::string>{name};
  base::Result<std::vector<std::string>> found = base::files_under(name, ".ptx");
  if (!found) return found;
  const base::Result<std::vector<std::string>> binaries = base::files_under(name, ".cubin");
  if (!binaries) return binaries;
  std::copy_if(binaries->begin(), binaries->end(), std::back_inserter(*found),
               [](const std::string& file) { return !base::exists(fs::path(file).replace_extension(".ptx")); });
  const base::Result<std::vector<std::string>> lists = base::files_under(name, race::kCaptureFile);
  if (!lists) return lists;
  for (const std::string& list : *lists) {
    const fs::path folder = fs::path(list).parent_path();
    if (!race::is_capture(folder.string())) continue;  // the name has more in front
    std::erase_if(*found, [&](const std::string& file) { return file.starts_with((folder / "").string()); });
    found->push_back(folder.string());
  }
  if (found->empty()) {
    return base::error_in(name, "this folder has no kernels: expected files NAME.ptx, or folders with a capture");
  }
  std::sort(found->begin(), found->end());
  return found;
}

base::Result<Accepted> read_accepted(const RaceRequest& asked) {
  Accepted accepted;
  accepted.suppressions = asked.project.suppressions;
  if (!asked.suppressions.empty()) {
    base::Result<std::string> text = base::read_file(asked.suppressions);
    if (!text) return text.errors();
    auto suppressions = race::read_suppressions(base::Source(asked.suppressions, *std::move(text)));
    if (!suppressions) return suppressions.errors();
    accepted.suppressions.insert(accepted.suppressions.end(), suppressions->begin(), suppressions->end());
  }
  if (!asked.baseline.empty()) {
    base::Result<std::string> text = base::read_file(asked.baseline);
    if (!text) return text.errors();
    base::Result<race::Baseline> baseline = race::read_baseline(base::Source(asked.baseline, *std::move(text)));
    if (!baseline) return baseline.errors();
    accepted.baseline = *std::move(baseline);
  }
  return accepted;
}

std::vector<bool> leave_out_accepted(const Accepted& accepted, race::Report& report) {
  std::vector<bool> used = race::suppress(report, accepted.suppressions);
  race::leave_out_known(report, accepted.baseline, race::lines_of_files());
  return used;
}

std::vector<race::Suppression> unused_suppressions(const RaceRequest& asked, const std::vector<std::string>& files,
                                                   const Accepted& accepted, const std::vector<bool>& used) {
  std::vector<race::Suppression> unused;
  for (std::size_t i = 0; i < accepted.suppressions.size(); ++i) {
    const race::Suppression& suppression = accepted.suppressions[i];
    const bool concerned =
        suppression.folder.empty() || asked.whole_project ||
        std::any_of(files.begin(), files.end(), [&](const std::string& file) {
          return base::matches_glob(suppression.file, project::path_in_project(suppression.folder, file));
        });
    // A kernel alone does not show what the others would.
    const bool all_ran = suppression.folder.empty() || asked.request.kernel.empty();
    if (!used[i] && concerned && all_ran) unused.push_back(suppression);
  }
  return unused;
}

base::Status write_race_files(const RaceRequest& asked, const race::Report& report, const std::string& title) {
  const race::LineReader lines = race::lines_of_files();
  const std::pair<const std::string&, std::function<std::string()>> files[] = {
      {asked.sarif, [&] { return race::to_sarif(report, std::string(base::kVersion), lines); }},
      {asked.html, [&] { return race::to_html(report, title, lines); }},
      {asked.junit, [&] { return race::to_junit(report); }},
      {asked.markdown, [&] { return race::to_markdown(report, title); }},
      {asked.new_baseline, [&] { return race::baseline_text(report, lines); }},
  };
  for (const auto& [file, text] : files) {
    if (file.empty()) continue;
    if (base::Status written = base::write_file(file, text()); !written) return written;
  }
  return base::ok_status();
}

namespace {

RaceResult failed(RaceResult result, base::Diagnostics problems) {
  result.ending = ending_of(problems);
  result.problems = std::move(problems);
  return result;
}

// Fails if the request is bad, or weakspot-race cannot be started. Writes no files.
base::Result<RaceResult> find_races(const RaceRequest& asked, const Accepted& accepted) {
  const base::Result<race::Request> request = complete_request(asked);
  if (!request) return request.errors();
  const base::Result<std::string> program = race_program();
  if (!program) return program.errors();

  using base::ErrorKind;
  const base::TemporaryFolder folder;
  if (folder.path().empty()) return base::error("cannot make a temporary folder", ErrorKind::environment);
  RaceProcessOptions options;
  options.to_compile = std::chrono::milliseconds(static_cast<std::int64_t>(request->compile_seconds * 1000));
  options.to_run = time_to_run(request->seconds * (1 + (request->mutants ? 1 : 0) + (request->weak ? 1 : 0)));
  options.environment = environment_of_program(asked.variables, request->trust);
  options.interrupted = asked.interrupted;
  options.progress = asked.progress;
  if (asked.progress) asked.progress("compiling");
  base::Result<RaceProcess> process =
      run_race_process(*program, folder.path().string(), race::to_json(*request), options);
  if (!process) return base::of_kind(ErrorKind::environment, process.errors());
  RaceResult result;
  result.messages = std::move(process->messages);
  result.output = std::move(process->output);
  if (!process->running && !process->problem.empty()) {
    if (process->limit == RaceLimit::interrupt) result.ending = Ending::cancelled;
    const std::string text = fmt::format("{}; the limit is {} s (--compile-seconds)", process->problem,
                                         static_cast<std::int64_t>(request->compile_seconds));
    if (process->limit == RaceLimit::interrupt) return result;
    return failed(std::move(result), {base::error_in(request->file, text, ErrorKind::environment)});
  }
  if (process->exit_code != 0 && process->problem.empty()) {  // the messages say why
    result.ending = process->exit_code == 2 ? Ending::bad_input : Ending::failed;
    if (process->exit_code != kNotLoaded) return result;
    return failed(std::move(result), {not_loaded()});
  }
  race::Report report = std::move(process->report).value_or(race::Report{});
  if (!process->problem.empty()) {
    report.incomplete = process->problem;
  } else if (!process->finished) {
    report.incomplete = "the checker ended without its last record";
  }
  if (request->values) {
    if (base::Status written = write_values(asked.values, process->values); !written) {
      return failed(std::move(result), base::of_kind(ErrorKind::environment, written.errors()));
    }
  }
  if (request->capture && !process->files.empty()) {
    if (base::Status written = write_launch(asked.capture, process->files); !written) {
      return failed(std::move(result), base::of_kind(ErrorKind::environment, written.errors()));
    }
  }
  result.used = leave_out_accepted(accepted, report);
  result.report = std::move(report);
  if (race::fails(*result.report, asked.fail_on ? &*asked.fail_on : nullptr)) {
    result.ending = Ending::finding;
  } else if (process->limit == RaceLimit::interrupt) {
    result.ending = Ending::cancelled;
  } else if (!result.report->incomplete.empty() || (!asked.allow_incomplete && race::is_incomplete(*result.report))) {
    result.ending = Ending::failed;
  }
  return result;
}

Ending worse_ending(Ending a, Ending b) {
  constexpr Ending kFromWorst[] = {Ending::cancelled, Ending::finding, Ending::bad_input, Ending::failed};
  for (const Ending ending : kFromWorst) {
    if (a == ending || b == ending) return ending;
  }
  return Ending::fine;
}

// Those to check, the newest last; none: the default.
base::Result<std::vector<race::Architecture>> architectures_of(const RaceRequest& asked) {
  if (!asked.every_architecture || !asked.architectures.empty() || asked.compile_commands.empty()) {
    return asked.every_architecture ? asked.architectures : std::vector<race::Architecture>();
  }
  base::Result<race::FileFlags> flags = recorded_flags(asked.compile_commands, asked.request.file);
  if (!flags) return flags.errors();
  return std::move(flags->architectures);
}

// For each architecture, if all that are named are asked for.
base::Result<RaceResult> find_races_on_each(const RaceRequest& asked, const Accepted& accepted) {
  const base::Result<std::vector<race::Architecture>> named = architectures_of(asked);
  if (!named) return named.errors();
  if (named->size() < 2) return find_races(asked, accepted);
  RaceResult all;
  std::vector<race::FileReport> reports;
  for (const race::Architecture& architecture : *named) {
    const std::string name = race::architecture_name(architecture);
    RaceRequest one = asked;
    one.request.architecture = architecture;
    if (asked.progress) {
      one.progress = [&](const std::string& line) { asked.progress(fmt::format("{}: {}", name, line)); };
    }
    base::Result<RaceResult> found = find_races(one, accepted);
    if (!found) return found.errors();
    if (all.messages.find(found->messages) == std::string::npos) all.messages += found->messages;
    if (all.output.find(found->output) == std::string::npos) all.output += found->output;
    all.used.resize(std::max(all.used.size(), found->used.size()));
    for (std::size_t i = 0; i < found->used.size(); ++i) all.used[i] = all.used[i] || found->used[i];
    all.problems.insert(all.problems.end(), found->problems.begin(), found->problems.end());
    all.ending = worse_ending(all.ending, found->ending);
    reports.push_back({name, std::move(found->report)});
    if (all.ending == Ending::cancelled) break;
  }
  all.report = race::merged_architectures(reports);
  return all;
}

}  // namespace

RaceResults find_all_races(const RaceRequest& request, const std::vector<std::string>& files,
                           const std::function<void(const std::string& file, const RaceResult&)>& ended) {
  RaceResults results;
  const base::Result<Accepted> accepted = read_accepted(request);
  if (!accepted) return {{}, {}, accepted.errors(), ending_of(accepted.errors())};
  std::vector<bool> used(accepted->suppressions.size());
  ReportKeeper* const keeper = request.keeper;
  if (base::Status opened = keeper != nullptr ? keeper->open() : base::ok_status(); !opened) {
    return {{}, {}, opened.errors(), ending_of(opened.errors())};
  }
  base::Status written = base::ok_status();
  std::vector<race::FileReport> reports;
  for (const std::string& file : files) {
    RaceRequest asked = request;
    asked.request.file = file;
    if (request.progress && files.size() > 1) {
      asked.progress = [&](const std::string& line) {
        request.progress(fmt::format("{} of {}: {}: {}", reports.size() + 1, files.size(), file, line));
      };
    }
    base::Result<RaceResult> found = find_races_on_each(asked, *accepted);
    RaceResult result = found ? *std::move(found) : failed({}, found.errors());
    for (std::size_t i = 0; i < result.used.size(); ++i) used[i] = used[i] || result.used[i];
    results.ending = worse_ending(results.ending, result.ending);
    if (keeper != nullptr && written && result.report) written = keeper->add(*result.report, file);
    ended(file, result);
    reports.push_back({file, std::move(result.report)});
    if (result.ending == Ending::cancelled) break;
  }
  const bool all_checked =
      std::all_of(reports.begin(), reports.end(), [](const race::FileReport& file) { return file.report.has_value(); });
  if (all_checked && reports.size() == files.size()) {
    results.unused = unused_suppressions(request, files, *accepted, used);
  }
  // A single file that could not be checked has a report that says so.
  const bool several = files.size() > 1;
  results.report = several || !reports.front().report ? race::merged(reports) : *std::move(reports.front().report);
  if (results.report.mutants && race::score_of(*results.report.mutants).percent() < request.least_score) {
    results.ending = worse_ending(results.ending, Ending::finding);
  }
  const std::string title = several ? fmt::format("{} files", files.size()) : files.front();
  if (written) written = write_race_files(request, results.report, title);
  if (written && keeper != nullptr) written = keeper->finish(results.report);
  if (!written) {
    results.ending = worse_ending(results.ending, ending_of(written.errors()));
    results.problems = written.errors();
  }
  return results;
}

}  // namespace weakspot::race_command
