// SPDX-License-Identifier: MIT
#include "optcheck/gpu/ptx_role.h"

#include <fmt/format.h>

#include <charconv>
#include <map>

namespace weakspot::optcheck {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

class RoleReader {
 public:
  RoleReader(std::string_view text, const litmus::LitmusTest& test, std::size_t thread)
      : lines_(split_lines(text)), test_(test), thread_(thread) {}

  base::Result<PtxRole> run() {
    const std::string begin = fmt::format("// role {}", thread_);
    const std::string end = fmt::format("// end of role {}", thread_);
    bool inside = false;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view line = trimmed(lines_[i]);
      if (line.starts_with("// places:")) note_places(line.substr(10));
      if (line == begin) {
        if (role_.first_line != 0 && role_.last_line == 0) break;
        if (role_.first_line == 0) role_.first_line = i + 1;
        inside = true;
        places_ = noted_;
      } else if (line == end) {
        inside = false;
        role_.last_line = i + 1;
      } else if (inside) {
        read(line, i + 1);
      }
    }
    if (role_.last_line == 0) return base::error(fmt::format("the PTX has no role {}", thread_));
    return finish();
  }

 private:
  static std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  }

  // "x %w31 y %w32"
  void note_places(std::string_view text) {
    noted_.clear();
    std::string_view name;
    for (const std::string_view word : split(text, ' ')) {
      if (word.starts_with('%')) {
        if (const auto location = test_.find_location(name)) noted_[std::string(word)] = Where{location->index, 0};
      } else if (!word.empty()) {
        name = word;
      }
    }
  }

  Register number(std::string_view name) {
    return static_cast<Register>(numbers_.try_emplace(std::string(name), numbers_.size()).first->second);
  }

  void read(std::string_view line, std::size_t at) {
    if (line.empty() || line.starts_with("//")) return;
    if (line.ends_with(':')) {
      labels_[std::string(line.substr(0, line.size() - 1))] = steps_.size();
      return;
    }
    if (line.ends_with(';')) line.remove_suffix(1);
    Step step;
    std::string_view rest = line;
    if (rest.starts_with('@')) {
      const std::size_t space = rest.find(' ');
      const std::string_view predicate =
          rest.substr(rest.starts_with("@!") ? 2 : 1, space - (rest.starts_with("@!") ? 2 : 1));
      step.condition.push_back(number(predicate));
      step.keeps = true;
      rest = trimmed(rest.substr(space));
    }
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const std::string_view opcode = rest.substr(0, space);
    const std::vector<std::string_view> operands = split(trimmed(rest.substr(space)), ',');
    instruction(opcode, operands, std::move(step), line, at);
  }

  void instruction(std::string_view opcode, const std::vector<std::string_view>& operands, Step step,
                   std::string_view line, std::size_t at) {
    const std::string_view verb = opcode.substr(0, opcode.find('.'));
    if (verb == "bra") {
      step.falls_through = !step.condition.empty();
      role_.branches = true;
      jumps_.emplace_back(steps_.size(), std::string(operands[0]));
      steps_.push_back(std::move(step));
      return;
    }
    if (verb == "ld" || verb == "st" || verb == "atom") {
      access(verb, opcode, operands, step);
      note(std::move(step), line, at);
      return;
    }
    if (verb == "fence" || verb == "membar" || verb == "bar" || verb == "barrier") {
      Event event;
      const bool fence = verb == "fence" || verb == "membar";
      event.kind = fence ? EventKind::fence : EventKind::barrier;
      event.fence = fence ? std::string(opcode) : opcode.find("warp") != std::string_view::npos ? "bar.warp" : "bar";
      pending_ = std::move(event);
      note(std::move(step), line, at);
      return;
    }
    for (std::size_t i = 1; i < operands.size(); ++i) {
      if (operands[i].starts_with('%')) step.data.push_back(number(operands[i]));
    }
    step.writes.push_back(number(operands[0]));
    places_of_result(opcode, operands);
    steps_.push_back(std::move(step));
  }

  void access(std::string_view verb, std::string_view opcode, const std::vector<std::string_view>& operands,
              Step& step) {
    Event event;
    event.kind = verb == "ld" ? EventKind::load : verb == "st" ? EventKind::store : EventKind::rmw;
    event.qualifiers = opcode;
    const std::string_view type = opcode.substr(opcode.rfind('.') + 1);
    event.bytes = type.ends_with("64") ? 8 : type.ends_with("32") ? 4 : type.ends_with("16") ? 2 : 1;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      std::string_view operand = operands[i];
      if (operand.starts_with('[')) {
        operand = operand.substr(1, operand.size() - 2);
        step.address.push_back(number(operand));
        if (const auto found = places_.find(std::string(operand)); found != places_.end()) event.where = found->second;
      } else if (i == 0 && event.kind != EventKind::store) {
        step.writes.push_back(number(operand));
        step.reads = true;
        places_.erase(std::string(operand));
      } else if (operand.starts_with('%')) {
        step.data.push_back(number(operand));
      }
    }
    pending_ = std::move(event);
  }

  // Addresses are followed through additions.
  void places_of_result(std::string_view opcode, const std::vector<std::string_view>& operands) {
    const std::string target(operands[0]);
    std::optional<Where> made;
    if (opcode == "add.u64" && operands.size() == 3) {
      for (const std::size_t side : {std::size_t{1}, std::size_t{2}}) {
        const auto found = places_.find(std::string(operands[side]));
        if (found == places_.end()) continue;
        made = found->second;
        if (const auto offset = number_in(operands[3 - side])) made->offset += *offset;
      }
    } else if (opcode == "mov.b64" && operands.size() == 2) {
      if (const auto found = places_.find(std::string(operands[1])); found != places_.end()) made = found->second;
    }
    places_.erase(target);
    if (made) places_[target] = *made;
  }

  void note(Step step, std::string_view line, std::size_t at) {
    step.event = role_.thread.events.size();
    role_.thread.events.push_back({*std::move(pending_), at, std::string(line), false});
    steps_.push_back(std::move(step));
  }

  base::Result<PtxRole> finish() {
    if (role_.thread.events.size() > kMostEvents) {
      return base::error(fmt::format("P{} has more than {} accesses", thread_, kMostEvents));
    }
    role_.in_loop.assign(role_.thread.events.size(), false);
    for (const auto& [step, label] : jumps_) {
      const auto found = labels_.find(label);
      // A loop left for good leaves the role.
      steps_[step].target = found == labels_.end() ? steps_.size() : found->second;
      for (std::size_t i = *steps_[step].target; i <= step; ++i) {
        if (steps_[i].event) role_.in_loop[*steps_[i].event] = true;
      }
    }
    role_.thread.dependences = dependences(steps_, role_.thread.events.size());
    return std::move(role_);
  }

  std::vector<std::string_view> lines_;
  const litmus::LitmusTest& test_;
  std::size_t thread_;
  PtxRole role_;
  std::map<std::string, std::size_t> numbers_;
  std::map<std::string, Where> noted_, places_;
  std::map<std::string, std::size_t> labels_;
  std::vector<std::pair<std::size_t, std::string>> jumps_;
  std::vector<Step> steps_;
  std::optional<Event> pending_;
};

}  // namespace

base::Result<PtxRole> read_ptx_role(std::string_view text, const litmus::LitmusTest& test, std::size_t thread) {
  return RoleReader(text, test, thread).run();
}

}  // namespace weakspot::optcheck
