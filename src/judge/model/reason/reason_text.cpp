// SPDX-License-Identifier: MIT
#include "model/reason/reason_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::model {
namespace {

constexpr std::string_view kKinds[] = {"acyclic", "irreflexive", "empty"};
constexpr std::size_t kStepWidth = 20;
// So many orders are looked at; there may be more.
constexpr std::size_t kMany = 24;

// A step whose inside is one edge between the same events, by way of any number of names: the edge is shown, with the
// names behind it. Null for other steps.
const ReasonStep* only_edge(const ReasonStep& step) {
  if (step.from == step.to) return nullptr;
  const ReasonStep* at = &step;
  while (at->inside.size() == 1 && at->inside.front().from == step.from && at->inside.front().to == step.to) {
    at = &at->inside.front();
  }
  return at != &step && at->inside.empty() ? at : nullptr;
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
  if (const ReasonStep* only = only_edge(step)) {
    std::string words = only->words;
    std::string names;
    for (const ReasonStep* at = &step; at != only; at = &at->inside.front()) {
      note(at->relation, at->words);
      names += fmt::format("{}{}", names.empty() ? "" : ", ", at->relation);
      words = join(words, remarks(*at));
    }
    words = join(words, remarks(*only));
    return line(indent, arrow(*only), fmt::format("{}{}({})", words, words.empty() ? "" : " ", names));
  }
  note(step.relation, step.words);
  // Rules within rules: the innermost is shown, with the names of the others behind it.
  std::string names;
  const ReasonStep* rule = &step;
  while (rule->words.empty() && rule->inside.size() == 1 && rule->inside.front().from == step.from &&
         rule->inside.front().to == step.to && !rule->inside.front().inside.empty()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", rule->relation);
    rule = &rule->inside.front();
  }
  if (rule != &step) {
    line(indent, arrow(*rule), fmt::format("({})", names));
    for (const ReasonStep& part : rule->inside) append(part, indent + 4);
    if (const std::string more = remarks(*rule); !more.empty()) line(indent + 4, more, {});
    return;
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
  const bool circle = reason_.kind != Check::Kind::empty && !reason_.steps.empty();
  note(reason_.check, reason_.words);
  return fmt::format("  check '{}' ({}{}) fails{}\n", reason_.check, reason_.negated ? "not " : "",
                     kKinds[static_cast<std::size_t>(reason_.kind)],
                     circle                  ? ": these lead in a circle"
                     : reason_.steps.empty() ? ""
                                             : ": this must not happen");
}

std::string ReasonText::glossary() const {
  if (glossary_.empty()) return {};
  std::string text = "  in the model's words:\n";
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
    const std::string count = reason_.choices < kMany ? fmt::format("{}", reason_.choices) : "many";
    text += fmt::format("    The model may choose among {} orders; each fails a check, this one as above.\n", count);
  }
  return text;
}

std::string ReasonText::text() {
  text_ = head();
  for (const ReasonStep& step : reason_.steps) append(step, 4);
  return text_ + ending() + glossary();
}

}  // namespace weakspot::model
