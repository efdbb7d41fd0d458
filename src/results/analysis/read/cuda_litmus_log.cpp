// SPDX-License-Identifier: MIT
#include "analysis/read/cuda_litmus_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/source.h"

namespace weakspot::analysis {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool take(std::string_view& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// Test NAME weak: 12, total: 20882000, rate: 48 per second
std::optional<NamedCell> read_run(std::string_view line) {
  if (!take(line, "Test ")) return std::nullopt;
  const std::size_t blank = line.find(' ');
  if (blank == 0 || blank == std::string_view::npos) return std::nullopt;
  NamedCell run{std::string(line.substr(0, blank)), {}};
  line.remove_prefix(blank);
  std::uint64_t weak = 0, total = 0, rate = 0;
  const bool whole = take(line, " weak: ") && take(line, weak) && take(line, ", total: ") && take(line, total) &&
                     take(line, ", rate: ") && take(line, rate) && line == " per second";
  if (!whole || weak > total) return std::nullopt;
  run.cell.weak = weak;
  run.cell.sightings = weak;
  run.cell.unknown = total - weak;
  run.cell.instances = total;
  if (rate > 0) run.cell.seconds = static_cast<double>(weak) / static_cast<double>(rate);
  return run;
}

class LogReader {
 public:
  explicit LogReader(const base::Source& log) : log_(log) {}

  base::Result<DeviceResults> read(const std::string& device) {
    results_.file = log_.name();
    results_.device = device;
    results_.style = NameStyle::cuda_litmus;
    const std::string_view text = log_.text();
    for (std::size_t begin = 0; begin < text.size() && errors_.size() < kMostErrors;) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      line({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
      begin = end + 1;
    }
    if (errors_.empty() && results_.entries.empty()) return base::error_in(log_.name(), "the log has no iterations");
    if (!errors_.empty()) return std::move(errors_);
    return std::move(results_);
  }

 private:
  static constexpr std::size_t kMostErrors = 20;

  void line(base::Span span) {
    std::string_view text = trimmed(log_.slice(span));
    if (take(text, "Iteration: ")) {
      std::uint64_t number = 0;
      if (!take(text, number) || !text.empty()) return mistake(span, "expected a number after 'Iteration:'");
      if (!results_.entries.empty() && number <= last_) ++run_;
      last_ = number;
      Entry entry;
      entry.key = run_ == 1 ? fmt::format("{}", number) : fmt::format("{}.{}", run_, number);
      results_.entries.push_back(std::move(entry));
    } else if (text.starts_with("Test ")) {
      std::optional<NamedCell> run = read_run(text);
      if (!run) return mistake(span, "expected 'Test NAME weak: N, total: N, rate: N per second'");
      if (results_.entries.empty()) return mistake(span, "expected 'Iteration: N' before the first test");
      std::vector<NamedCell>& cells = results_.entries.back().cells;
      const auto same = [&](const NamedCell& other) { return other.test == run->test; };
      if (std::any_of(cells.begin(), cells.end(), same)) {
        return mistake(span, fmt::format("test '{}' ran twice in this iteration", run->test));
      }
      cells.push_back(*std::move(run));
    }
  }

  void mistake(base::Span span, std::string message) {
    errors_.push_back(base::error_at(log_, span, std::move(message)));
  }

  const base::Source& log_;
  DeviceResults results_;
  std::uint64_t last_ = 0;
  std::uint64_t run_ = 1;
  base::Diagnostics errors_;
};

}  // namespace

bool looks_like_cuda_litmus_log(std::string_view text) {
  return text.starts_with("Iteration: ") || text.find("\nIteration: ") != std::string_view::npos;
}

base::Result<DeviceResults> read_cuda_litmus_log(const base::Source& log, const std::string& device) {
  return LogReader(log).read(device);
}

}  // namespace weakspot::analysis
