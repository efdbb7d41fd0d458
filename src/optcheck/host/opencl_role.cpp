// SPDX-License-Identifier: MIT
#include "optcheck/host/opencl_role.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace weakspot::optcheck {
namespace {

std::string_view stripped(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// Parts between separators that are not inside parentheses.
std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth != 0 || !text.substr(i).starts_with(separator)) continue;
    parts.push_back(stripped(text.substr(begin, i - begin)));
    begin = i + separator.size();
    i = begin - 1;
  }
  parts.push_back(stripped(text.substr(begin)));
  return parts;
}

// The position of the parenthesis that closes the one at `open`.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string_view without_parentheses(std::string_view text) {
  while (text.starts_with('(') && closing(text, 0) == text.size() - 1) text = stripped(text.substr(1, text.size() - 2));
  return text;
}

class OpenclRoleReader {
 public:
  OpenclRoleReader(std::string_view text, std::string_view kernel, const litmus::LitmusTest& test, std::size_t thread)
      : text_(text), kernel_(kernel), test_(test), thread_(thread) {}

  base::Result<OpenclRole> run() {
    const std::string begin = fmt::format("// role {}", thread_);
    const std::string end = fmt::format("// end of role {}", thread_);
    const std::string head = fmt::format("kernel void {}(", kernel_);
    bool ours = false, inside = false, seen = false;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text_.size() && problem_.empty();) {
      const std::size_t line_end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = stripped(text_.substr(at, line_end - at));
      at = line_end + 1;
      ++number;
      if (line.starts_with("kernel void ")) ours = line.starts_with(head);
      if (!ours) continue;
      if (line.starts_with("// places:")) note_places(line.substr(10));
      if (line == begin) {
        if (seen) return base::error(fmt::format("the program has several copies of P{}", thread_));
        inside = seen = true;
      } else if (line == end) {
        inside = false;
      } else if (inside) {
        statement(line, number);
      }
    }
    if (!problem_.empty()) return base::error(problem_);
    if (!seen || inside) return base::error(fmt::format("the program does not say where P{} is", thread_));
    return std::move(role_);
  }

 private:
  // "x w31 y w32"
  void note_places(std::string_view words) {
    places_.clear();
    std::string_view name;
    for (const std::string_view word : parts_of(stripped(words), " ")) {
      if (name.empty()) {
        name = word;
        continue;
      }
      if (const auto location = test_.find_location(name)) places_[std::string(word)] = location->index;
      name = {};
    }
  }

  void statement(std::string_view line, std::size_t number) {
    if (line.empty() || line.starts_with("//") || line == "do {" || line == "} while (0);" || line == "}") return;
    static constexpr std::string_view kControl[] = {"if ", "} else", "for ", "break;", "continue;", "goto "};
    if (std::any_of(std::begin(kControl), std::end(kControl),
                    [&](std::string_view word) { return line.starts_with(word); }) ||
        line.ends_with(':') || line.ends_with(":;")) {
      role_.branches = true;
      return;
    }
    number_ = number;
    line_ = line;
    if (line.starts_with("{ ")) return compare_and_swap(line);
    if (!line.ends_with(';')) return fail();
    line.remove_suffix(1);
    if (line.starts_with("work_group_barrier(") || line.starts_with("sub_group_barrier(")) return barrier();
    if (line.starts_with("atomic_")) return call(line);
    if (line.starts_with('*')) return plain_store(line);
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) return fail();
    const std::string_view value = line.substr(equals + 3);
    if (value.starts_with("atomic_")) return call(value);
    plain_load(value);
  }

  void fail() { problem_ = fmt::format("the statement '{}' of the program is not known", line_); }

  Event& add(EventKind kind) {
    MachineEvent made;
    made.event.kind = kind;
    made.at = number_;
    made.text = line_;
    role_.thread.events.push_back(std::move(made));
    return role_.thread.events.back().event;
  }

  void barrier() { add(EventKind::barrier).fence = "barrier"; }

  // "{ uint old = 0u; atomic_compare_exchange_strong_explicit(...); v1 = old; }"
  void compare_and_swap(std::string_view line) {
    const std::size_t begin = line.find("atomic_compare_exchange_strong_explicit(");
    if (begin == std::string_view::npos) return fail();
    const std::size_t end = closing(line, line.find('(', begin));
    if (end == std::string_view::npos) return fail();
    call(line.substr(begin, end + 1 - begin));
  }

  void call(std::string_view text) {
    const std::size_t open = text.find('(');
    if (closing(text, open) != text.size() - 1) return fail();
    const std::string_view name = text.substr(0, open);
    const std::vector<std::string_view> arguments = parts_of(text.substr(open + 1, text.size() - open - 2), ",");
    if (name == "atomic_work_item_fence" && arguments.size() == 3) {
      add(EventKind::fence).fence = fmt::format("{} {}", arguments[1], arguments[2]);
      return;
    }
    static const std::map<std::string_view, litmus::RmwOp> kOps = {
        {"atomic_exchange_explicit", litmus::RmwOp::exch},
        {"atomic_fetch_add_explicit", litmus::RmwOp::add},
        {"atomic_fetch_sub_explicit", litmus::RmwOp::sub},
        {"atomic_fetch_and_explicit", litmus::RmwOp::and_},
        {"atomic_fetch_or_explicit", litmus::RmwOp::or_},
        {"atomic_fetch_xor_explicit", litmus::RmwOp::xor_},
        {"atomic_fetch_min_explicit", litmus::RmwOp::min},
        {"atomic_fetch_max_explicit", litmus::RmwOp::max},
        {"atomic_compare_exchange_strong_explicit", litmus::RmwOp::cas}};
    const auto op = kOps.find(name);
    const bool load = name == "atomic_load_explicit";
    const bool store = name == "atomic_store_explicit";
    if ((!load && !store && op == kOps.end()) || arguments.size() < 3) return fail();
    Event& event = add(load ? EventKind::load : store ? EventKind::store : EventKind::rmw);
    if (op != kOps.end()) event.op = op->second;
    const bool swap = op != kOps.end() && op->second == litmus::RmwOp::cas;
    const std::size_t order = arguments.size() - (swap ? 3 : 2);
    event.qualifiers = fmt::format("{} {}", arguments[order], arguments.back());
    pointer(arguments[0], event);
  }

  void plain_store(std::string_view line) {
    const std::vector<std::string_view> sides = parts_of(line, " = ");
    if (sides.size() != 2) return fail();
    dereferenced(sides[0], add(EventKind::store));
  }

  // Perhaps with casts: "(uint)*(global uchar*)(w3)". Without a star it is a computation.
  void plain_load(std::string_view value) {
    const std::size_t star = value.find("*(");
    std::string_view casts = value.substr(0, std::min(star, value.size()));
    while (casts.starts_with('(') && closing(casts, 0) != std::string_view::npos) {
      casts = casts.substr(closing(casts, 0) + 1);
    }
    const bool loads = value.find("(global ") != std::string_view::npos ||
                       value.find("(local ") != std::string_view::npos ||
                       value.find("volatile ") != std::string_view::npos;
    if (!loads) return;
    if (star == std::string_view::npos || !casts.empty()) return fail();
    dereferenced(value.substr(star), add(EventKind::load));
  }

  void dereferenced(std::string_view text, Event& event) {
    event.qualifiers = text.find("volatile ") != std::string_view::npos ? "plain volatile" : "plain";
    pointer(text.substr(1), event);
  }

  // "(volatile global atomic_uint*)(ADDRESS)"
  void pointer(std::string_view text, Event& event) {
    const std::size_t end = closing(text, 0);
    if (!text.starts_with('(') || end == std::string_view::npos) return fail();
    const std::string_view type = text.substr(1, end - 1);
    event.bytes = type.find("long") != std::string_view::npos    ? 8
                  : type.find("short") != std::string_view::npos ? 2
                  : type.find("char") != std::string_view::npos  ? 1
                                                                 : 4;
    Where where;
    bool found = false;
    sum(text.substr(end + 1), where, found);
    if (!found) {
      problem_ = fmt::format("the place that '{}' accesses cannot be told", line_);
      return;
    }
    event.where = where;
  }

  // The place in a sum of a place, numbers and what depends on values of the test.
  void sum(std::string_view text, Where& where, bool& found) {
    text = without_parentheses(stripped(text));
    const std::vector<std::string_view> terms = parts_of(text, " + ");
    if (terms.size() > 1) {
      for (const std::string_view term : terms) sum(term, where, found);
      return;
    }
    if (const auto place = places_.find(std::string(text)); place != places_.end()) {
      where.location = place->second;
      found = true;
      return;
    }
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view suffix = text.substr(static_cast<std::size_t>(rest - text.data()));
    if (error == std::errc() && (suffix == "ul" || suffix == "u")) where.offset += static_cast<std::int64_t>(value);
  }

  std::string_view text_, kernel_;
  const litmus::LitmusTest& test_;
  std::size_t thread_;
  std::size_t number_ = 0;
  std::string_view line_;
  std::string problem_;
  std::map<std::string, std::uint32_t> places_;
  OpenclRole role_;
};

}  // namespace

base::Result<OpenclRole> read_opencl_role(std::string_view text, std::string_view kernel,
                                          const litmus::LitmusTest& test, std::size_t thread) {
  return OpenclRoleReader(text, kernel, test, thread).run();
}

}  // namespace weakspot::optcheck
