// SPDX-License-Identifier: MIT
// 'weakspot confirm': findings of races on a device.
#include "confirm/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/plural.h"
#include "capture/capture.h"
#include "cli/command/commands.h"
#include "cli/service/ask_self.h"
#include "confirm/replay_words.h"
#include "console/interrupt.h"
#include "json/invocation_json.h"
#include "race/replay.h"
#include "system/temporary_folder.h"

namespace weakspot::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestReport = std::uintmax_t{256} << 20;
constexpr std::size_t kMostFindings = 200;

double milliseconds_of(double seconds) { return std::min(seconds * 1000, 1e9); }
std::chrono::milliseconds as_milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::max(milliseconds_of(seconds), 1.0)));
}

struct Confirm {
  std::string what, folder, architecture;
  bool only_prepare = false, json = false, unchecked = false;
  std::size_t finding = 0;  // 0: each
  double seconds = 60, delay = 200e-6, launch_limit = 2;
  confirm::RunOptions options;

  int run() {
    const InterruptGuard guard;
    options.time = as_milliseconds(seconds);
    options.launch_limit = as_milliseconds(launch_limit);
    options.interrupted = &InterruptGuard::interrupted;
    base::Result<std::vector<std::string>> folders = prepared_folders();
    if (!folders) return fail(folders.errors());
    if (only_prepare) {
      print_results(fmt::format("{} prepared in {}\n", folders->size(), folder));
      return skipped_ > 0 && folders->empty() ? kBadInput : kFine;
    }
    return run_all(*folders);
  }

 private:
  // The folders to run; those of a report are made first.
  base::Result<std::vector<std::string>> prepared_folders() {
    std::error_code error;
    if (!fs::is_directory(what, error)) return prepare_report();
    if (only_prepare) return base::error("--prepare takes a report");
    std::vector<std::string> folders;
    if (base::is_file(fs::path(what) / confirm::kPreparedFile)) return std::vector<std::string>{what};
    for (const fs::directory_entry& entry : fs::directory_iterator(what, error)) {
      if (base::is_file(entry.path() / confirm::kPreparedFile)) folders.push_back(entry.path().string());
    }
    std::sort(folders.begin(), folders.end());
    if (folders.empty() || folders.size() > kMostFindings) {
      return base::error_in(what, fmt::format("expected a prepared finding, or a folder of 1 to {}", kMostFindings));
    }
    return folders;
  }

  base::Result<std::vector<std::string>> prepare_report() {
    std::error_code error;
    if (fs::file_size(what, error) > kLargestReport && !error) {
      return base::error_in(what, fmt::format("a report has at most {} MiB", kLargestReport >> 20));
    }
    const base::Result<std::string> text = base::read_file(what);
    if (!text) return text.errors();
    const base::Result<race::Report> report = race::report_from_json(*text);
    if (!report) return base::error_in(what, report.errors().front().message);
    if (report->findings.empty()) return base::error_in(what, "the report has no findings");
    if (finding > report->findings.size()) {
      return base::error_in(what, fmt::format("the report has {}", base::counted(report->findings.size(), "finding")));
    }
    if (folder.empty()) folder = fs::path(what).stem().string() + ".confirm";
    std::vector<std::string> folders;
    for (std::size_t i = 0; i < std::min(report->findings.size(), kMostFindings); ++i) {
      if (finding != 0 && i + 1 != finding) continue;
      const std::string to = (fs::path(folder) / fmt::format("finding-{}", i + 1)).string();
      if (base::Status done = prepare_finding(report->findings[i], to); !done) {
        if (finding != 0) return done.errors();
        ++skipped_;
        print_error(fmt::format("{}: finding {}: {}\n", what, i + 1, done.errors().front().message));
        continue;
      }
      folders.push_back(to);
    }
    return folders;
  }

  base::Status prepare_finding(const race::Finding& one, const std::string& to) const {
    if (one.kind != race::FindingKind::race || !one.other) {
      return base::error("only races between two accesses can be delayed");
    }
    const base::Result<confirm::ReplayWords> replay = confirm::replay_words(one.replay);
    if (!replay) return replay.errors();
    const bool is_capture = race::is_capture(replay->file);
    base::Result<capture::Capture> captured =
        is_capture ? capture::read_capture(replay->file) : capture_launch(*replay, one);
    if (!captured) return captured.errors();
    const confirm::Checker checker = [](const std::string& at) { return check_capture(at); };
    base::Result<confirm::Prepared> prepared = confirm::prepare(
        one, *std::move(captured), is_capture || race::is_ptx(replay->file),
        std::chrono::nanoseconds(static_cast<std::int64_t>(delay * 1e9)), unchecked ? confirm::Checker{} : checker);
    if (!prepared) return prepared.errors();
    return confirm::write_prepared(*prepared, to);
  }

  // Runs the launch again on the CPU, and takes what it finds in memory, with PTX for a GPU.
  base::Result<capture::Capture> capture_launch(const confirm::ReplayWords& replay, const race::Finding& one) const {
    const base::TemporaryFolder made;
    if (made.path().empty()) return base::error("cannot make a temporary folder", base::ErrorKind::environment);
    const std::string at = (made.path() / "capture").string();
    std::vector<std::string> words = {"race", replay.file};
    words.insert(words.end(), replay.words.begin(), replay.words.end());
    const bool names_kernel =
        std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("--kernel="); });
    if (!names_kernel) words.push_back("--kernel=" + one.kernel);
    if (!architecture.empty()) words.insert(words.end(), {"--arch", architecture});
    words.insert(words.end(), {"--schedules", "1", "--json", "--project", "none", "--capture", at});
    if (!replay.program.empty()) {
      words.emplace_back("--");
      words.insert(words.end(), replay.program.begin(), replay.program.end());
    }
    const base::Result<std::string> report = ask_self(words);
    if (!race::is_capture(at)) {
      return report ? base::error("the launch could not be captured", base::ErrorKind::environment)
                    : report.errors().front();
    }
    base::Result<capture::Capture> captured = capture::read_capture(at);
    if (!captured) return captured;
    const std::string shape = race::launch_text(captured->launches.front().shape);
    if (shape != one.launch) {
      return base::error(
          fmt::format("the first launch of '{}' has {}, and that of the finding {}", one.kernel, shape, one.launch));
    }
    return captured;
  }

  static base::Result<race::Report> check_capture(const std::string& at) {
    const base::Result<std::string> text = ask_self({"race", at, "--json", "--project", "none", "--seconds", "20"});
    if (!text) return text.errors();
    return race::report_from_json(*text);
  }

  int run_all(const std::vector<std::string>& folders) {
    base::JsonValue list = base::json_array();
    bool confirmed = false, unknown = false;
    const auto end = std::chrono::steady_clock::now() + options.time;
    for (std::size_t i = 0; i < folders.size() && !InterruptGuard::interrupted(); ++i) {
      const base::Result<confirm::Prepared> prepared = confirm::read_prepared(folders[i]);
      if (!prepared) return fail(prepared.errors());
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      options.time = std::max(left / static_cast<std::int64_t>(folders.size() - i), std::chrono::milliseconds(1));
      const base::Result<confirm::Confirmation> result = confirm::run(*prepared, folders[i], options);
      if (!result) return fail(result.errors());
      confirmed = confirmed || result->verdict == confirm::Verdict::confirmed;
      unknown = unknown || result->verdict == confirm::Verdict::unknown;
      if (json) {
        list.push_back(confirm::to_json(*result, folders[i]));
      } else {
        print_results((i == 0 ? "" : "\n") + confirm::to_text(*result, folders[i]));
      }
    }
    if (json) {
      base::JsonValue answer = base::json_object();
      base::add_invocation(answer);
      answer.add("findings", std::move(list));
      answer.add("skipped", skipped_);
      print_output(json_text(answer));
    }
    if (InterruptGuard::interrupted()) return InterruptGuard::exit_code();
    if (folders.empty()) return kBadInput;
    return confirmed ? kFinding : unknown ? kDeviceFailed : kFine;
  }

  std::size_t skipped_ = 0;  // findings that cannot be confirmed
};

struct ConfirmWorker {
  confirm::WorkerRequest request;
  double seconds = 60, launch_limit = 2;

  int run() {
    request.time = as_milliseconds(seconds);
    request.launch_limit = as_milliseconds(launch_limit);
    return confirm::serve(request);
  }
};

}  // namespace

void add_confirm(Command& app, int& exit_code) {
  auto options = std::make_shared<Confirm>();
  Command* command = app.add_subcommand("confirm", "Run a race on a GPU as it is, delayed and repaired");
  command
      ->add_option("REPORT", options->what,
                   "a report of 'weakspot race --json', or a folder that --prepare made, also on another machine")
      ->required();
  command->add_option("--finding N", options->finding, "only this finding of the report, from 1 (default: each)");
  command->add_flag("--prepare", options->only_prepare, "make the folder and run nothing (default: run)");
  command->add_option("--folder FOLDER", options->folder, "for the forms of a report (default: REPORT.confirm)");
  command->add_option("--runs N", options->options.runs, "runs of each form, from 1 (default 1000)")->range(1, 1e9);
  command->add_option("--seconds TIME", options->seconds, "time for all runs, such as 500ms or 2min (default 60s)")
      ->as_time();
  command
      ->add_option("--launch-limit TIME", options->launch_limit,
                   "after which a run counts as one without end (default 2s)")
      ->as_time();
  command->add_option("--delay TIME", options->delay, "the delay of an access, to 1 s (default 200us)")
      ->as_time(1e-6, 1);
  command->add_option("--arch NAME", options->architecture,
                      "compile for this GPU, sm_70 to sm_121 (default: the report's)");
  command->add_option("--device N", options->options.device, "the CUDA device (default 0)")->range(0, 255);
  command->add_flag("--unchecked", options->unchecked,
                    "put repairs in without asking 'weakspot race' about them (default: ask)");
  command->add_flag("--json", options->json, "print the answer as JSON (default: as text)");
  command->footer(
      "Exit codes: 0 no run differed, 1 confirmed, 2 bad usage or input, 3 not known.\n\n"
      "Examples:\n"
      "  weakspot race sum.cu --json > sum.json\n"
      "  weakspot confirm sum.json\n"
      "  weakspot confirm sum.json --prepare --folder sum.confirm\n"
      "  weakspot confirm sum.confirm");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

void add_confirm_worker(Command& app, int& exit_code) {
  auto options = std::make_shared<ConfirmWorker>();
  confirm::WorkerRequest& request = options->request;
  Command* command = app.add_subcommand("confirm-worker", "Run the forms of a finding; started by 'confirm'");
  command->hide();
  command->add_option("FOLDER", request.folder, "a prepared finding")->required();
  command->add_option("--first N", request.first, "its first form to run, from 0");
  command->add_option("--done N", request.done, "runs of that form so far");
  command->add_option("--runs N", request.runs, "runs of each form");
  command->add_option("--seconds TIME", options->seconds, "time for them")->as_time();
  command->add_option("--launch-limit TIME", options->launch_limit, "time for one")->as_time();
  command->add_option("--device N", request.device, "the CUDA device");
  command->add_option("--results FOLDER", request.results, "for memory after runs");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
