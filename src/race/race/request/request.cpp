// SPDX-License-Identifier: MIT
#include "race/request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "base/nearest.h"
#include "base/source.h"
#include "race/entry.h"

namespace weakspot::race {
namespace {

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\t' || text[at] == '\r') {
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \t\r", at), text.size());
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr std::string_view kFills[] = {"zero",   "one",         "iota",       "random", "equal",
                                       "sorted", "permutation", "duplicates", "special"};

// What is wrong with a part of the text of an option; the whole text where the part is empty.
base::Diagnostic wrong_part(const char* option, std::string_view text, std::string_view part, std::string message) {
  const bool inside = !part.empty() && part.data() >= text.data() && part.data() < text.data() + text.size();
  const auto begin = static_cast<std::uint32_t>(inside ? part.data() - text.data() : 0);
  const auto length = static_cast<std::uint32_t>(inside ? part.size() : text.size());
  return base::error_at(base::Source(option, std::string(text)), {begin, begin + length}, std::move(message));
}

bool known_fill(std::string_view fill) {
  for (const std::string_view name : kFills) {
    if (fill == name || (fill.starts_with(name) && fill.substr(name.size()).starts_with(":"))) return true;
  }
  return false;
}

}  // namespace

bool is_capture(const std::string& folder) { return base::is_file(std::filesystem::path(folder) / kCaptureFile); }

ArgumentSpec* find_argument(LaunchSpec& launch, const std::string& name) {
  auto found = std::find_if(launch.arguments.begin(), launch.arguments.end(),
                            [&](const ArgumentSpec& argument) { return argument.name == name; });
  return found == launch.arguments.end() ? nullptr : &*found;
}

const ArgumentSpec* find_argument(const LaunchSpec& launch, const std::string& name) {
  return find_argument(const_cast<LaunchSpec&>(launch), name);
}

base::Result<Extent> parse_extent(std::string_view text) {
  Extent extent;
  std::size_t at = 0;
  for (unsigned axis = 0;; ++axis) {
    const std::size_t end = std::min(text.find_first_of(",x", at), text.size());
    const std::optional<std::uint64_t> value = number(text.substr(at, end - at));
    if (axis > 2 || !value || *value == 0 || *value > 0x7fffffffu) {
      return base::error(fmt::format("'{}' is not an extent; expected one to three positive numbers as in 16,4", text));
    }
    extent[axis] = static_cast<std::uint32_t>(*value);
    if (end == text.size()) return extent;
    at = end + 1;
  }
}

base::Result<ArgumentSpec> parse_argument(std::string_view text) {
  ArgumentSpec argument;
  const std::string_view all = text;
  auto wrong = [&](std::string_view part, std::string message) {
    return wrong_part("--arg", all, part, std::move(message));
  };
  // Types may have spaces: "unsigned int[4]".
  const std::size_t fill = text.find(" fill=");
  if (fill != std::string_view::npos) {
    const std::vector<std::string_view> rest = words(text.substr(fill + 6));
    if (rest.size() != 1 || !known_fill(rest[0])) {
      return wrong(text.substr(fill + 6),
                   fmt::format("unknown fill '{}'; expected zero, one, iota, random, random:LOW:HIGH, "
                               "equal:VALUE, sorted, permutation, duplicates or special{}",
                               text.substr(fill + 6),
                               base::did_you_mean(text.substr(fill + 6),
                                                  std::vector<std::string>(std::begin(kFills), std::end(kFills)))));
    }
    argument.fill = std::string(rest[0]);
    text = text.substr(0, fill);
  }
  if (const std::size_t values = text.find(" values="); values != std::string_view::npos) {
    const std::string list(text.substr(values + 8));
    for (const char* at = list.c_str(); *at != 0;) {
      char* end = nullptr;
      argument.values.push_back(std::strtod(at, &end));
      if (end == at || (*end != ',' && *end != 0 && *end != '\r')) {
        return wrong(text.substr(values + 8),
                     fmt::format("'{}' is not a list of numbers; expected them as in 3,1,2", list));
      }
      at = *end == ',' ? end + 1 : list.c_str() + list.size();
    }
    text = text.substr(0, values);
  }
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return wrong(text,
                 fmt::format("'{}' is not an argument; expected NAME=VALUE, NAME=TYPE[COUNT] or NAME=@FILE", text));
  }
  argument.name = std::string(text.substr(0, equals));
  std::string_view value = text.substr(equals + 1);
  while (!value.empty() && (value.back() == ' ' || value.back() == '\r')) value.remove_suffix(1);
  if (value.starts_with("@")) {
    argument.file = std::string(value.substr(1));
    if (!argument.values.empty() || argument.fill != "zero") {
      return wrong(value,
                   fmt::format("the array '{}' has its contents from a file, and needs no others", argument.name));
    }
    return argument;
  }
  const std::size_t bracket = value.find('[');
  if (bracket == std::string_view::npos) {
    argument.value = std::string(value);
    return argument;
  }
  argument.type = std::string(value.substr(0, bracket));
  argument.count = value.ends_with("]") ? number(value.substr(bracket + 1, value.size() - bracket - 2)) : std::nullopt;
  if (!argument.count) return wrong(value, fmt::format("'{}' is not an array; expected TYPE[COUNT]", value));
  if (!argument.values.empty() && argument.values.size() != *argument.count) {
    return wrong(value, fmt::format("the array has {} elements, but {} values are listed", *argument.count,
                                    argument.values.size()));
  }
  return argument;
}

base::Status check_cluster(const LaunchShape& launch) {
  const std::uint64_t blocks = launch.cluster.count();
  if (blocks > kMaxClusterBlocks) {
    return base::error(fmt::format("a cluster of {} blocks is too large; the limit is {}", blocks, kMaxClusterBlocks));
  }
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.grid[i] % launch.cluster[i] == 0) continue;
    return base::error(fmt::format("{} blocks along {} do not make whole clusters of {}", launch.grid[i], "xyz"[i],
                                   launch.cluster[i]));
  }
  return base::ok_status();
}

base::Result<LaunchSpec> parse_launch(std::string_view text) {
  LaunchSpec launch;
  std::string_view block, cluster;
  auto wrong = [&](std::string_view part, std::string message) {
    return wrong_part("--launch", text, part, std::move(message));
  };
  for (std::string_view word : words(text)) {
    const std::size_t equals = word.find('=');
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
    if (key == "grid" || key == "block" || key == "cluster") {
      base::Result<Extent> extent = parse_extent(value);
      if (!extent) return wrong(word, extent.errors().front().message);
      if (key == "block") block = word;
      if (key == "cluster") cluster = word;
      (key == "grid" ? launch.grid : key == "block" ? launch.block : launch.cluster) = *extent;
    } else if (key == "shared" && number(value)) {
      launch.shared = *number(value);
    } else if (key == "kernel" && !value.empty()) {
      launch.kernel = std::string(value);
    } else if (word == "cooperative") {
      launch.cooperative = true;
    } else {
      return wrong(
          word, fmt::format(
                    "'{}' is not part of a launch; expected grid=, block=, cluster=, shared=, kernel= or cooperative{}",
                    word, base::did_you_mean(key, {"grid", "block", "cluster", "shared", "kernel", "cooperative"})));
    }
  }
  if (launch.block.count() > kMaxBlockThreads) {
    return wrong(block, fmt::format("a block of {} threads is too large; the limit is {}", launch.block.count(),
                                    kMaxBlockThreads));
  }
  if (base::Status fits = check_cluster(launch); !fits) return wrong(cluster, fits.errors().front().message);
  return launch;
}

base::Result<ScheduleChoice> parse_schedule(std::string_view text) {
  if (text == "forward") return ScheduleChoice{};
  if (text == "reversed") return ScheduleChoice{Schedule::reversed, 0};
  if (text == "random") return ScheduleChoice{Schedule::random, 0};
  if (text.starts_with("random:")) {
    if (const std::optional<std::uint64_t> value = number(text.substr(7)))
      return ScheduleChoice{Schedule::random, *value};
  }
  return base::error(fmt::format("'{}' is not a schedule; expected forward, reversed, random or random:NUMBER{}", text,
                                 base::did_you_mean(text, {"forward", "reversed", "random"})));
}

std::string schedule_text(const ScheduleChoice& schedule) {
  if (schedule.order == Schedule::random) return fmt::format("random:{}", schedule.number);
  return schedule.order == Schedule::forward ? "forward" : "reversed";
}

std::vector<ScheduleChoice> schedules_of(const Request& request) {
  if (request.schedule) return {*request.schedule};
  std::vector<ScheduleChoice> schedules{{Schedule::forward, 0}};
  if (request.schedules > 1) schedules.push_back({Schedule::reversed, 0});
  for (unsigned i = 2; i < request.schedules; ++i) schedules.push_back({Schedule::random, i - 2});
  return schedules;
}

base::Result<Annotations> read_annotations(const base::Source& source) {
  Annotations annotations;
  std::vector<ArgumentSpec> for_all;
  base::Diagnostics errors;
  const std::string_view text = source.text();
  static constexpr std::string_view kMark = "// weakspot:";
  for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at + 1)) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at + kMark.size(), end - at - kMark.size());
    const std::vector<std::string_view> parts = words(line);
    const base::Span span{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
    auto fail = [&](const base::Diagnostics& reasons) {
      for (const base::Diagnostic& reason : reasons) errors.push_back(base::error_at(source, span, reason.message));
    };
    const std::string_view rest =
        parts.empty() ? ""
                      : text.substr(static_cast<std::size_t>(parts[0].data() - text.data()) + parts[0].size(),
                                    end - static_cast<std::size_t>(parts[0].data() - text.data()) - parts[0].size());
    if (!parts.empty() && parts[0] == "launch") {
      base::Result<LaunchSpec> launch = parse_launch(rest);
      if (!launch) {
        fail(launch.errors());
        continue;
      }
      if (launch->kernel.empty()) launch->kernel = annotations.kernel;
      annotations.launches.push_back(std::move(*launch));
    } else if (!parts.empty() && parts[0] == "arg") {
      base::Result<ArgumentSpec> argument =
          parse_argument(rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size())));
      if (!argument) {
        fail(argument.errors());
        continue;
      }
      if (!argument->file.empty()) {
        fail({base::error("an array from a file is for the command line: --arg NAME=@FILE")});
        continue;
      }
      if (annotations.launches.empty()) {
        for_all.push_back(std::move(*argument));
      } else {
        annotations.launches.back().arguments.push_back(std::move(*argument));
      }
    } else if (parts.size() > 1 && parts[0] == "kernel") {
      annotations.kernel = std::string(rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size())));
      while (annotations.kernel.ends_with(' ') || annotations.kernel.ends_with('\r')) annotations.kernel.pop_back();
    } else if (parts.size() > 1 && parts[0] == "assert") {
      base::Span condition{static_cast<std::uint32_t>(parts[1].data() - text.data()), span.end};
      while (text[condition.end - 1] == '\r') --condition.end;
      annotations.assertions.push_back(condition);
    } else if (!parts.empty() && parts[0] == "program") {
      annotations.program = true;
    } else if (!parts.empty() && (parts[0] == "search" || parts[0] == "weak")) {
      // Nothing to do: the lines say that no launch is stated on purpose, and that what is expected needs --weak.
    } else {
      errors.push_back(base::error_at(
          source, span, "expected 'launch', 'arg', 'assert', 'kernel', 'program' or 'search' after 'weakspot:'"));
    }
  }
  if (!errors.empty()) return errors;
  for (LaunchSpec& launch : annotations.launches) {
    launch.arguments.insert(launch.arguments.begin(), for_all.begin(), for_all.end());
  }
  return annotations;
}

}  // namespace weakspot::race
