// SPDX-License-Identifier: MIT
// Runs all forms, each in processes that can be killed.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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
    for (const Form& form : prepared_.forms) forms_.push_back({form, {}, {}});
    std::vector<unsigned> lost(forms_.size());
    std::size_t next = 0;
    while (next < forms_.size() && RunClock::now() < end_ && !stopped()) {
      const base::Result<std::size_t> reached = run_process(next);
      if (!reached) return reached.errors();
      // A process that made all runs, or had no more time, ended with the last form.
      const bool whole = *reached + 1 == forms_.size() && last_ended_;
      if (whole) break;
      next = *reached + (!last_ended_ && ++lost[*reached] < kMostLostProcesses ? 0 : 1);
    }
    result.forms = std::move(forms_);
    result.device = device_;
    judge(result);
    compare(result);
    return result;
  }

 private:
  bool stopped() const { return options_.interrupted && options_.interrupted(); }

  // One process, until it has made all runs or cannot go on. The form that it came to.
  base::Result<std::size_t> run_process(std::size_t first) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - RunClock::now());
    base::ProcessOptions options;
    options.deadline = std::max(left, std::chrono::milliseconds(1)) + kStart;
    const base::Result<base::ProcessResult> process = base::run_process(
        {program_, "confirm-worker", fs::absolute(folder_).string(), fmt::format("--first={}", first),
         fmt::format("--done={}", forms_[first].runs()), fmt::format("--runs={}", options_.runs),
         fmt::format("--launch-limit={}ms", options_.launch_limit.count()),
         fmt::format("--seconds={}ms", std::max<std::int64_t>(left.count(), 1)),
         fmt::format("--device={}", options_.device), fmt::format("--results={}", results_.path().string())},
        options);
    if (!process) return base::of_kind(base::ErrorKind::environment, process.errors());
    std::string no_device;
    std::size_t at = first;
    last_ended_ = true;
    std::string_view rest = process->output;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const std::string_view word = line.substr(0, line.find(' '));
      const std::string text(line.substr(std::min(word.size() + 1, line.size())));
      if (word == kDeviceLine) device_ = text;
      if (word == kNoDeviceLine) no_device = text;
      if (word == kRefusedLine) forms_[at].refusal = text;
      if (word == kFormLine) {
        std::size_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        at = std::clamp(number, at, forms_.size() - 1);
      }
      if (word == kMemoryLine) ++forms_[at].outcomes[{OutcomeKind::memory, text}];
      if (word == kFailedLine) note_lost(at, {OutcomeKind::failed, text});
      if (word == kNotEndedLine) note_lost(at, {OutcomeKind::not_ended, {}});
    }
    if (!no_device.empty()) return base::error(no_device, base::ErrorKind::device);
    if (process->timed_out) {
      note_lost(at, {OutcomeKind::not_ended, {}});
    } else if (process->signal != 0) {
      note_lost(at, {OutcomeKind::failed, fmt::format("signal {}", process->signal)});
    } else if (process->exit_code != 0) {
      return base::error(fmt::format("the process that runs kernels ended with code {}: {}{}", process->exit_code,
                                     forms_[at].refusal, process->errors),
                         base::ErrorKind::environment);
    }
    return at;
  }

  void note_lost(std::size_t form, Outcome outcome) {
    ++forms_[form].outcomes[std::move(outcome)];
    last_ended_ = false;
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
      if (i < buffers.size() && !buffers[i].variable.empty()) continue;  // the last of all
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
  RunClock::time_point end_;
  std::vector<FormRuns> forms_;
  bool last_ended_ = true;  // the last process came to its end
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
