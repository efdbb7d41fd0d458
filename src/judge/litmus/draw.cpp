// SPDX-License-Identifier: MIT
#include "litmus/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

// Lines of one width. The width is kept apart because line-drawing characters take several bytes.
struct Block {
  std::vector<std::string> lines;
  std::size_t width = 0;
};

struct Lines {
  std::string_view horizontal, vertical, top_left, top_right, bottom_left, bottom_right, separator;
};
constexpr Lines kUnicode = {"─", "│", "┌", "┐", "└", "┘", " │ "};
constexpr Lines kAscii = {"-", "|", "+", "+", "+", "+", " | "};

std::string repeat(std::string_view text, std::size_t count) {
  std::string repeated;
  for (std::size_t i = 0; i < count; ++i) repeated += text;
  return repeated;
}

Block column(const std::vector<std::string>& cells) {
  Block block;
  for (const std::string& cell : cells) block.width = std::max(block.width, cell.size());
  for (const std::string& cell : cells) block.lines.push_back(fmt::format("{:<{}}", cell, block.width));
  return block;
}

// Puts blocks side by side; `separator_width` is the separator's width on the screen.
Block beside(const std::vector<Block>& blocks, std::string_view separator, std::size_t separator_width) {
  Block joined;
  std::size_t height = 0;
  for (const Block& block : blocks) height = std::max(height, block.lines.size());
  for (std::size_t row = 0; row < height; ++row) {
    std::string line;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (i > 0) line += separator;
      line += row < blocks[i].lines.size() ? blocks[i].lines[row] : std::string(blocks[i].width, ' ');
    }
    joined.lines.push_back(std::move(line));
  }
  for (const Block& block : blocks) joined.width += block.width;
  joined.width += separator_width * (blocks.size() - 1);
  return joined;
}

Block boxed(Block inside, const std::string& title, const Lines& lines) {
  const std::size_t missing = title.size() + 2 > inside.width ? title.size() + 2 - inside.width : 0;
  inside.width += missing;
  Block box;
  box.width = inside.width + 4;
  box.lines.push_back(fmt::format("{}{} {} {}{}", lines.top_left, lines.horizontal, title,
                                  repeat(lines.horizontal, inside.width - title.size() - 1), lines.top_right));
  for (const std::string& line : inside.lines) {
    box.lines.push_back(fmt::format("{} {}{} {}", lines.vertical, line, std::string(missing, ' '), lines.vertical));
  }
  box.lines.push_back(
      fmt::format("{}{}{}", lines.bottom_left, repeat(lines.horizontal, inside.width + 2), lines.bottom_right));
  return box;
}

class Drawing {
 public:
  Drawing(const LitmusTest& test, const Lines& lines) : test_(test), lines_(lines), columns_(canonical_columns(test)) {}

  std::string text() {
    std::string text = test_.name;
    if (test_.arch != Arch::generic) text += fmt::format("  ({})", to_string(test_.arch));
    text += '\n';
    if (!test_.description.empty()) text += fmt::format("{}\n", test_.description);
    text += '\n';
    if (const std::string initial = initial_state_text(test_); !initial.empty())
      text += fmt::format("  initially {}\n", initial);
    for (const std::string& line : program().lines) {
      std::size_t end = line.find_last_not_of(' ');
      text += fmt::format("  {}\n", line.substr(0, end == std::string::npos ? 0 : end + 1));
    }
    text += '\n';
    text += condition_text(test_);
    text += expectations();
    return text;
  }

 private:
  Block program() {
    std::vector<std::uint32_t> threads(test_.threads.size());
    std::iota(threads.begin(), threads.end(), 0u);
    if (!test_.scopes) return threads_beside(threads);
    return group(threads, 0);
  }

  Block threads_beside(const std::vector<std::uint32_t>& threads) const {
    std::vector<Block> blocks;
    for (std::uint32_t thread : threads) blocks.push_back(column(columns_[thread]));
    return beside(blocks, lines_.separator, 3);
  }

  // The nodes of `level` that the threads are in, each drawn as a box around its contents. Implied levels are skipped.
  Block group(const std::vector<std::uint32_t>& threads, std::size_t level) {
    while (level < kTreeLevels.size() && is_implied_level(*test_.scopes, kTreeLevels[level])) ++level;
    if (level == kTreeLevels.size()) return threads_beside(threads);
    const Scope scope = kTreeLevels[level];
    std::set<std::uint32_t> done;
    std::vector<Block> boxes;
    for (std::uint32_t thread : threads) {
      const std::uint32_t node = test_.scopes->placements[thread].at(scope);
      if (!done.insert(node).second) continue;
      std::vector<std::uint32_t> members;
      std::copy_if(threads.begin(), threads.end(), std::back_inserter(members),
                   [&](std::uint32_t other) { return test_.scopes->placements[other].at(scope) == node; });
      boxes.push_back(boxed(group(members, level + 1), fmt::format("{} {}", to_string(scope), node), lines_));
    }
    return beside(boxes, "  ", 2);
  }

  std::string expectations() const {
    std::string text;
    for (Expectation expectation : {Expectation::forbidden, Expectation::allowed}) {
      std::string models;
      for (const auto& [model, expected] : test_.expectations) {
        if (expected == expectation) models += fmt::format("{}{}", models.empty() ? "" : ", ", model);
      }
      if (models.empty()) continue;
      text += fmt::format("{} by {}\n", expectation == Expectation::forbidden ? "forbidden" : "allowed", models);
    }
    return text;
  }

  const LitmusTest& test_;
  const Lines& lines_;
  std::vector<std::vector<std::string>> columns_;
};

}  // namespace

std::string placement_text(const LitmusTest& test) {
  std::string text = scope_tree_text(test);
  if (!text.empty()) text.pop_back();
  return text;
}

std::string initial_state_text(const LitmusTest& test) {
  std::vector<std::string> items;
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    const Location& location = test.locations[i];
    if (location.element > 0) continue;
    std::string item;
    if (location.space != Space::none) item += fmt::format("{} ", to_string(location.space));
    if (location.is_array()) {
      items.push_back(item + array_text(test, LocationId{i}));
      continue;
    }
    item += location.name;
    if (location.alias_of) item += fmt::format(" is {}", test[*location.alias_of].name);
    if (location.proxy != Proxy::generic) item += fmt::format(" through {}", to_string(location.proxy));
    if (!location.alias_of) item += fmt::format(" = {}", value_text(test, location.initial));
    items.push_back(std::move(item));
  }
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const Register& reg : test.threads[t].registers) {
      if (reg.initial == Value{}) continue;
      items.push_back(fmt::format("{}:{} = {}", t, reg.name, value_text(test, reg.initial)));
    }
  }
  return fmt::format("{}", fmt::join(items, ", "));
}

std::string draw(const LitmusTest& test, const DrawOptions& options) {
  return Drawing(test, options.ascii ? kAscii : kUnicode).text();
}

}  // namespace weakspot::litmus
