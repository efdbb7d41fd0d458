// SPDX-License-Identifier: MIT
#include "model/reason/reason_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::model {
namespace {

constexpr std::string_view kKinds[] = {"acyclic", "irreflexive", "empty"};
constexpr std::size_t kStepWidth = 20;

// A step whose inside is one edge between the same events: the edge is shown, with the step's name behind it.
const ReasonStep* only_edge(const ReasonStep& step) {
  if (step.inside.size() != 1 || step.from == step.to) return nullptr;
  const ReasonStep& only = step.inside.front();
  return only.inside.empty() && only.from == step.from && only.to == step.to ? &only : nullptr;
}

}  // namespace

void ReasonText::line(std::size_t indent, const std::string& left, const std::string& right) {
  const std::string start = std::string(indent, ' ') + left;
  text_ += right.empty() ? start + "\n" : fmt::format("{:<{}}  {}\n", start, indent + kStepWidth, right);
}

void ReasonText::note(const std::string& name, const std::string& words) {
  const bool known =
      std::any_of(glossary_.begin(), glossary_.end(), [&](const auto& entry) { return entry.first == name; });
  if (!words.empty() && !known) glossary_.emplace_back(name, words);
}

std::string ReasonText::remarks(const ReasonStep& step) {
  std::string text;
  for (const ReasonRemark& remark : step.remarks) {
    note(remark.name, remark.words);
    if (said_.insert(remark.text).second) text += fmt::format("{}{}", text.empty() ? "" : "; ", remark.text);
  }
  return text;
}

std::string ReasonText::arrow(const ReasonStep& step) const {
  if (step.from == step.to) return step.relation;
  return fmt::format("{} -{}-> {}", letter(step.from), step.relation, letter(step.to));
}

void ReasonText::append(const ReasonStep& step, std::size_t indent) {
  auto join = [](std::string a, const std::string& b) {
    return a.empty() ? b : b.empty() ? a : fmt::format("{}; {}", a, b);
  };
  if (step.inside.empty()) return line(indent, arrow(step), join(step.words, remarks(step)));
  note(step.relation, step.words);
  if (const ReasonStep* only = only_edge(step)) {
    const std::string words = join(join(only->words, remarks(*only)), remarks(step));
    return line(indent, arrow(*only), fmt::format("{}{}({})", words, words.empty() ? "" : " ", step.relation));
  }
  // A pattern that is one event.
  if (step.from == step.to && step.inside.size() == 1 && step.inside.front().from == step.from) {
    const ReasonStep& only = step.inside.front();
    return line(indent, step.relation, join(only.words, remarks(only)));
  }
  line(indent, arrow(step), {});
  for (const ReasonStep& part : step.inside) append(part, indent + 4);
  if (const std::string more = remarks(step); !more.empty()) line(indent + 4, more, {});
}

std::string ReasonText::head() {
  const bool circle = reason_.kind != cat::Check::Kind::empty && !reason_.steps.empty();
  note(reason_.check, reason_.words);
  return fmt::format("  check '{}' ({}{}) fails{}\n", reason_.check, reason_.negated ? "not " : "",
                     kKinds[static_cast<std::size_t>(reason_.kind)],
                     circle                  ? ": these lead in a circle"
                     : reason_.steps.empty() ? ""
                                             : ": this must not happen");
}

std::string ReasonText::glossary() const {
  if (glossary_.empty()) return {};
  std::string text = fmt::format("  in the words of {}:\n", model_.name());
  for (const auto& [name, words] : glossary_) text += fmt::format("    {}: {}\n", name, words);
  return text;
}

std::string ReasonText::ending() const {
  std::string text;
  if (!reason_.missing.empty() && !reason_.steps.empty()) {
    const std::string from = letter(reason_.steps.front().from);
    const std::string to = letter(reason_.steps.back().to);
    const bool reversed = witness_.co.has(reason_.steps.back().to, reason_.steps.front().from);
    if (reason_.missing == "co") {
      text +=
          fmt::format("    so {} must overwrite {}, {}\n", to, from,
                      reversed ? fmt::format("but {} overwrites {}", from, to) : "but nothing says which came first");
    } else {
      text += fmt::format("    so {} -{}-> {} must hold, and does not\n", from, reason_.missing, to);
    }
  }
  if (reason_.choices > 1) {
    text += fmt::format("    The model may choose among {} orders; each fails a check, this one as above.\n",
                        reason_.choices);
  }
  return text;
}

std::string ReasonText::text() {
  text_ = head();
  for (const ReasonStep& step : reason_.steps) append(step, 4);
  return text_ + ending() + glossary();
}

}  // namespace weakspot::model
