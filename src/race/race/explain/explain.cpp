// SPDX-License-Identifier: MIT
#include "race/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/packed_texts.h"

namespace weakspot::race {
namespace {

constexpr unsigned char kPackedClasses[] = {
#include "race/embedded_classes.inc"
};

// Markdown as plain text: blocks are indented instead of fenced, and comments, which mark what a test runs, are left
// out.
std::string plain_text(std::string_view page) {
  std::string text;
  bool in_block = false;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    std::string_view line = page.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("```")) {
      in_block = !in_block;
    } else if (in_block) {
      text += fmt::format("    {}\n", line);
    } else if (!line.starts_with("<!--")) {
      line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
      text += fmt::format("{}\n", line);
    }
  }
  return text;
}

}  // namespace

std::optional<std::string> explanation(const FindingClass& explained) {
  static const base::PackedTexts kPages(kPackedClasses);
  const std::optional<std::string_view> page = kPages.named(explained.id);
  if (!page) return std::nullopt;
  return fmt::format(
      "{}\nSuppress\n\nIn weakspot.toml, for a file, a kernel or a line, with a reason:\n\n"
      "    [[race.suppress]]\n    class = \"{}\"\n    file = \"src/sum.cu\"\n    kernel = \"sum\"\n"
      "    reason = \"why it is acceptable\"\n\n"
      "Such findings are counted, and stay in the JSON and the SARIF file with the reason.\n",
      plain_text(*page), explained.id);
}

}  // namespace weakspot::race
