// SPDX-License-Identifier: MIT
// Runs all forms, each in processes that can be killed.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "confirm/confirm.h"
#include "confirm/device/lines.h"
#include "system/subprocess.h"
#include "system/temporary_folder.h"

namespace weakspot::confirm {
namespace {

namespace fs = std::filesystem;
using RunClock = std::chrono::steady_clock;

// Runs of a form that may fail or hang, one process each, before it is left alone.
constexpr unsigned kMostLostProcesses = 3;
constexpr std::chrono::milliseconds kStart{20'000};  // a process may take to begin: the driver compiles there
constexpr std::size_t kShownDifferences = 4;

class Runner {
 public:
  Runner(const Prepared& prepared, const std::string& folder, const RunOptions& options)
      : prepared_(prepared), folder_(folder), options_(options), end_(RunClock::now() + options.time) {}

  base::Result<Confirmation> run() {
    Confirmation result;
    result.subject = prepared_.subject;
    if (prepared_.subject.same_value) {
      judge(result);
      return result;
    }
    if (results_.path().empty()) {
      return base::error("cannot make a temporary folder", base::ErrorKind::environment);
    }
    std::error_code error;
    program_ = fs::read_symlink("/proc/self/exe", error).string();
    for (std::size_t i = 0; i < prepared_.forms.size(); ++i) {
      FormRuns runs;
      runs.form = prepared_.forms[i];
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - RunClock::now());
      form_end_ = RunClock::now() + left / static_cast<std::int64_t>(prepared_.forms.size() - i);
      if (options_.progress) options_.progress(form_text(prepared_.subject, runs.form));
      if (base::Status done = run_form(i, runs); !done) return done.errors();
      result.forms.push_back(std::move(runs));
    }
    result.device = device_;
    judge(result);
    compare(result);
    return result;
  }

 private:
  bool stopped() const { return options_.interrupted && options_.interrupted(); }

  base::Status run_form(std::size_t number, FormRuns& runs) {
    unsigned lost = 0;
    while (runs.runs() < options_.runs && lost < kMostLostProcesses && RunClock::now() < form_end_ && !stopped()) {
      const std::uint64_t before = runs.runs();
      if (base::Status done = run_process(number, runs); !done) return done;
      if (!runs.refusal.empty()) return base::ok_status();
      if (runs.runs() < options_.runs) ++lost;
      if (runs.runs() == before) break;  // no time for a single one
    }
    return base::ok_status();
  }

  // One process, until it has made all runs or cannot go on.
  base::Status run_process(std::size_t number, FormRuns& runs) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(form_end_ - RunClock::now());
    base::ProcessOptions options;
    options.deadline = std::max(left, std::chrono::milliseconds(1)) + (device_.empty() ? kStart : kStart / 4);
    const base::Result<base::ProcessResult> process = base::run_process(
        {program_, "confirm-worker", fs::absolute(folder_).string(), fmt::format("--form={}", number),
         fmt::format("--runs={}", options_.runs - runs.runs()),
         fmt::format("--launch-limit={}ms", options_.launch_limit.count()),
         fmt::format("--seconds={}ms", std::max<std::int64_t>(left.count(), 1)),
         fmt::format("--device={}", options_.device), fmt::format("--results={}", results_.path().string())},
        options);
    if (!process) return base::of_kind(base::ErrorKind::environment, process.errors());
    std::string no_device;
    std::uint64_t told = 0;
    std::string_view rest = process->output;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const std::string_view word = line.substr(0, line.find(' '));
      const std::string text(line.substr(std::min(word.size() + 1, line.size())));
      if (word == kDeviceLine) device_ = text;
      if (word == kNoDeviceLine) no_device = text;
      if (word == kRefusedLine) runs.refusal = text;
      const bool ended = word == kMemoryLine || word == kFailedLine || word == kNotEndedLine;
      if (!ended) continue;
      ++told;
      ++runs.outcomes[{word == kMemoryLine   ? OutcomeKind::memory
                       : word == kFailedLine ? OutcomeKind::failed
                                             : OutcomeKind::not_ended,
                       text}];
    }
    if (!no_device.empty()) return base::error(no_device, base::ErrorKind::device);
    if (process->timed_out) {
      ++runs.outcomes[{OutcomeKind::not_ended, {}}];
    } else if (process->signal != 0) {
      ++runs.outcomes[{OutcomeKind::failed, fmt::format("signal {}", process->signal)}];
    } else if (told == 0 && runs.refusal.empty() && process->exit_code != 0) {
      return base::error(
          fmt::format("the process that runs kernels ended with code {}: {}", process->exit_code, process->errors),
          base::ErrorKind::environment);
    }
    return base::ok_status();
  }

  std::string memory_after(const Outcome& outcome) const {
    if (outcome.kind != OutcomeKind::memory) return {};
    // The name is a hash that this program's worker gave.
    const bool is_hash =
        std::all_of(outcome.name.begin(), outcome.name.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
    if (!is_hash || outcome.name.empty()) return {};
    base::Result<std::string> memory = base::read_file((results_.path() / outcome.name).string());
    return memory ? *std::move(memory) : std::string();
  }

  // The words in which the most common of the other results differs.
  void compare(Confirmation& result) const {
    if (!result.expected) return;
    const Outcome* other = nullptr;
    std::uint64_t most = 0;
    for (const FormRuns& form : result.forms) {
      for (const auto& [outcome, count] : form.outcomes) {
        if (outcome.kind != OutcomeKind::memory || !differs(result, outcome) || count <= most) continue;
        most = count;
        other = &outcome;
      }
    }
    if (other == nullptr) return;
    const std::string expected = memory_after(*result.expected), found = memory_after(*other);
    if (expected.empty() || expected.size() != found.size()) return;
    std::size_t begin = 0;
    const auto& buffers = prepared_.capture.buffers;
    for (std::size_t i = 0; begin < expected.size(); ++i) {
      const std::size_t size = i < buffers.size() ? buffers[i].size : expected.size() - begin;
      std::string name = i >= buffers.size()       ? "variables"
                         : buffers[i].name.empty() ? fmt::format("buffer {}", i)
                                                   : buffers[i].name;
      for (std::size_t at = 0; at < size; at += 4) {
        Difference one{name, at / 4, 0, 0};
        const std::size_t bytes = std::min<std::size_t>(4, size - at);
        std::memcpy(&one.expected, expected.data() + begin + at, bytes);
        std::memcpy(&one.found, found.data() + begin + at, bytes);
        if (one.expected == one.found) continue;
        ++result.different_words;
        if (result.differences.size() < kShownDifferences) result.differences.push_back(std::move(one));
      }
      begin += size;
    }
  }

  const Prepared& prepared_;
  const std::string& folder_;
  const RunOptions& options_;
  RunClock::time_point end_, form_end_;
  base::TemporaryFolder results_;
  std::string program_, device_;
};

}  // namespace

std::uint64_t FormRuns::runs() const {
  std::uint64_t count = 0;
  for (const auto& [outcome, times] : outcomes) count += times;
  return count;
}

base::Result<Confirmation> run(const Prepared& prepared, const std::string& folder, const RunOptions& options) {
  return Runner(prepared, folder, options).run();
}

}  // namespace weakspot::confirm
