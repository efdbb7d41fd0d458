// SPDX-License-Identifier: MIT
// Reads the log of an OpenCL compiler.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "backend/opencl/opencl_program.h"
#include "base/source.h"

namespace weakspot::backend::opencl {
namespace {

std::optional<std::uint32_t> number_at(std::string_view text, std::size_t at) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

template <typename Visit>
void for_each_line(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::size_t message = 0;  // its first character
};

// The first ":LINE:COLUMN: " of a line.
std::optional<Place> place_in(std::string_view text) {
  for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
    const auto line = number_at(text, at + 1);
    const std::size_t second = text.find(':', at + 1);
    if (!line || second == std::string_view::npos) continue;
    const auto column = number_at(text, second + 1);
    const std::size_t third = text.find(": ", second + 1);
    if (!column || third == std::string_view::npos || *line == 0 || *column == 0) continue;
    return Place{*line, *column, third + 2};
  }
  return std::nullopt;
}

std::size_t start_of_line(const std::string& text, std::uint32_t line) {
  std::size_t offset = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    offset = text.find('\n', offset);
    if (offset == std::string::npos) return offset;
    ++offset;
  }
  return offset;
}

}  // namespace

base::Diagnostics compile_errors(const std::string& text, std::string_view log, const std::string& reason) {
  const base::Source source("program.cl", text);
  base::Diagnostics errors;
  for_each_line(log, [&](std::string_view line) {
    static constexpr std::string_view kMark = "error: ";
    // "NAME:2:3: error: MESSAGE", or "error: NAME:2:3: MESSAGE".
    const std::optional<Place> place = place_in(line);
    if (!place || line.find(kMark) == std::string_view::npos) return;
    std::string_view message = line.substr(place->message);
    if (message.starts_with("warning: ") || message.starts_with("note: ")) return;
    if (message.starts_with(kMark)) message.remove_prefix(kMark.size());
    const std::size_t start = start_of_line(text, place->line);
    if (start == std::string::npos) return;
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::size_t at = std::min(start + place->column - 1, end);
    const auto begin = static_cast<std::uint32_t>(at);
    errors.push_back(base::error_at(source, {begin, begin + 1}, std::string(message)));
  });
  if (errors.empty()) {
    errors.push_back(base::error(fmt::format("opencl: the driver cannot compile the program: {}{}{}", reason,
                                             log.empty() ? "" : "; it says: ", log)));
  }
  return errors;
}

std::uint32_t registers_in_log(std::string_view log, std::string_view entry) {
  bool inside = false;
  std::uint32_t registers = 0;
  for_each_line(log, [&](std::string_view line) {
    if (line.find("entry function") != std::string_view::npos) {
      inside = line.find(fmt::format("'{}'", entry)) != std::string_view::npos;
    }
    const std::size_t used = line.find("Used ");
    if (!inside || used == std::string_view::npos) return;
    if (line.find("registers") == std::string_view::npos) return;
    registers = number_at(line, used + 5).value_or(0);
  });
  return registers;
}

std::uint32_t nvidia_occupancy(std::uint32_t workgroup_size, std::uint32_t registers, std::uint64_t shared_bytes) {
  // Every multiprocessor since compute capability 7.0 has this, except 7.5 and some 8.x, which hold fewer threads.
  constexpr std::uint32_t kThreads = 2048;
  constexpr std::uint32_t kWorkgroups = 32;
  constexpr std::uint32_t kRegisters = 65536;
  constexpr std::uint32_t kSharedBytes = 64 * 1024;
  constexpr std::uint32_t kSystemSharedBytes = 1024;  // per workgroup, for the system
  const std::uint32_t warps = (workgroup_size + 31) / 32;
  std::uint32_t fit = std::min(kWorkgroups, kThreads / (warps * 32));
  // Warps get registers in units of 256. If the number is unknown, it is the largest that allows the largest workgroup.
  const std::uint32_t per_thread = registers == 0 ? 64 : (registers + 7) / 8 * 8;
  fit = std::min(fit, kRegisters / (per_thread * warps * 32));
  fit = std::min(fit, static_cast<std::uint32_t>(kSharedBytes / (shared_bytes + kSystemSharedBytes)));
  return std::max(fit, 1u);
}

}  // namespace weakspot::backend::opencl
