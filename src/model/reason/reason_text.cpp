// SPDX-License-Identifier: MIT
#include "model/reason/reason_text.h"

#include <fmt/format.h>

namespace weakspot::model {
namespace {

constexpr std::string_view kKinds[] = {"acyclic", "irreflexive", "empty"};
constexpr std::size_t kStepWidth = 22;

}  // namespace

void ReasonText::line(std::size_t indent, const std::string& left, const std::string& right) {
  const std::string start = std::string(indent, ' ') + left;
  text_ += right.empty() ? start + "\n" : fmt::format("{:<{}}  {}\n", start, indent + kStepWidth, right);
}

void ReasonText::append(const ReasonStep& step, std::size_t indent) {
  const bool single = step.inside.size() == 1 && step.inside.front().inside.empty();
  const std::string arrow = step.from == step.to
                                ? step.relation
                                : fmt::format("{} -{}-> {}", letter(step.from), step.relation, letter(step.to));
  // Words that were said before are not said again.
  const std::string words = step.inside.empty() || said_.insert(step.words).second ? step.words : std::string();
  line(indent, arrow, words);
  if (single && step.inside.front().from == step.from && step.inside.front().to == step.to) {
    const ReasonStep& only = step.inside.front();
    const bool mark = only.from == only.to;
    line(indent + 4, mark ? only.words : fmt::format("by {}: {}", only.relation, only.words), {});
    for (const std::string& remark : only.remarks) line(indent + 4, remark, {});
  } else {
    for (const ReasonStep& part : step.inside) append(part, indent + 4);
  }
  for (const std::string& remark : step.remarks) line(indent + 4, remark, {});
}

std::string ReasonText::head() const {
  const bool circle = reason_.kind != cat::Check::Kind::empty && !reason_.steps.empty();
  return fmt::format("  check '{}' ({}{}) fails{}\n", reason_.check, reason_.negated ? "not " : "",
                     kKinds[static_cast<std::size_t>(reason_.kind)],
                     circle                  ? ": these lead in a circle"
                     : reason_.steps.empty() ? ""
                                             : ", because of");
}

std::string ReasonText::ending() const {
  std::string text;
  if (!reason_.missing.empty() && !reason_.steps.empty()) {
    const EventId from = reason_.steps.front().from;
    const EventId to = reason_.steps.back().to;
    text += fmt::format("    so {} must be {}-before {}, ", letter(from), reason_.missing, letter(to));
    text += reason_.missing == "co" && witness_.co.has(to, from) ? fmt::format("but it overwrites {}\n", letter(to))
                                                                 : "and is not\n";
  }
  if (reason_.choices > 1) {
    text += fmt::format("    (one of the {} orders the model may choose; all fail)\n", reason_.choices);
  }
  return text;
}

std::string ReasonText::text() {
  text_ = head();
  if (!reason_.words.empty()) line(4, reason_.words, {});
  for (const ReasonStep& step : reason_.steps) append(step, 4);
  return text_ + ending();
}

}  // namespace weakspot::model
