// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/plural.h"
#include "prove/answer/witness_text.h"
#include "prove/proof_text.h"

namespace weakspot::prove {
namespace {

// A statement on one line, of which the beginning may be enough.
std::string quoted(const std::string& text, std::size_t most = std::string::npos) {
  std::string made;
  for (const char sign : text) {
    const bool space = sign == ' ' || sign == '\n' || sign == '\t' || sign == '\r';
    if (!space || (!made.empty() && made.back() != ' ')) made += space ? ' ' : sign;
  }
  if (made.size() > most) made = made.substr(0, most - 3) + "...";
  return "`" + made + "`";
}

std::string change_text(const SourceChange& change) {
  if (change.before.empty()) {
    constexpr std::size_t kBeside = 40;
    return fmt::format("{} {} {}, line {}", quoted(change.after), change.behind ? "behind" : "before",
                       quoted(change.beside, kBeside), change.line);
  }
  if (change.after.empty()) return fmt::format("line {} without {}", change.line, quoted(change.before));
  return fmt::format("line {}: {} instead of {}", change.line, quoted(change.after), quoted(change.before));
}

std::string word_text(const PresentWord& word, const std::string& file, const race::LineReader& lines) {
  std::string text = fmt::format("  {:<9} {}, line {}", to_string(word.answer), quoted(word.text), word.place.line);
  if (word.answer == PresentWord::Answer::weaker) text += fmt::format(": {} suffices", quoted(word.instead));
  if (!word.reason.empty()) text += fmt::format(": {}", word.reason);
  text += '\n';
  if (!word.failure) return text;
  const ProofProperty& failure = *word.failure;
  text += fmt::format("    {}, violated: {}",
                      word.without.empty() ? "without it" : fmt::format("with {}", quoted(word.without)), failure.what);
  if (failure.place && failure.place->line > 0) text += fmt::format(", line {}", line_name(*failure.place, file));
  if (!failure.reason.empty()) text += fmt::format("\n    {}", failure.reason);
  text += '\n';
  text += witness_text(failure, file, lines);
  for (const std::string& line : failure.story) text += fmt::format("    {}\n", line);
  return text;
}

base::JsonValue change_json(const SourceChange& change) {
  base::JsonValue json = base::json_object({{"line", change.line}});
  if (change.before.empty()) {
    json.add("insert", change.after);
    json.add(change.behind ? "behind" : "before", change.beside);
  } else {
    json.add("replace", change.before);
    json.add("by", change.after);
  }
  return json;
}

base::JsonValue word_json(const PresentWord& word) {
  base::JsonValue json =
      base::json_object({{"place", place_json(word.place)}, {"text", word.text}, {"answer", to_string(word.answer)}});
  if (word.answer == PresentWord::Answer::weaker) json.add("instead", word.instead);
  if (!word.reason.empty()) json.add("reason", word.reason);
  if (!word.failure) return json;
  const ProofProperty& failure = *word.failure;
  base::JsonValue allows =
      base::json_object({{"with", word.without}, {"kind", to_string(failure.kind)}, {"what", failure.what}});
  if (!failure.reason.empty()) allows.add("reason", failure.reason);
  if (!failure.witness.empty()) allows.add("witness", witness_json(failure.witness));
  if (!failure.story.empty()) allows.add("story", failure.story);
  json.add("refuted", std::move(allows));
  return json;
}

}  // namespace

std::string to_text(const ProofFences& fences, const std::string& file, const race::LineReader& lines) {
  std::string text = fmt::format("fences    {} judged", base::counted(fences.judged, "changed source"));
  if (!fences.complete) text += fmt::format(" (not all were tried: {})", fences.reason);
  text += '\n';
  for (const std::string& one : fences.elsewhere) text += fmt::format("  not tried {}\n", one);
  for (const PresentWord& word : fences.present) text += word_text(word, file, lines);
  const bool violated = fences.answer == ProofAnswer::violated;
  if (violated && fences.repairs.empty()) {
    text += fences.complete ? "  no fences, orders and scopes suffice\n" : "  nothing that was tried suffices\n";
  }
  if (fences.answer == ProofAnswer::proved && fences.complete && fences.repairs.empty() && !fences.present.empty()) {
    text += "  none is too many\n";
  }
  for (const SourceRepair& repair : fences.repairs) {
    text += fmt::format("  {} with\n", repair.weakest ? "proved, and by nothing weaker," : "proved, perhaps by less,");
    for (const SourceChange& change : repair.changes) text += fmt::format("    {}\n", change_text(change));
  }
  return text;
}

base::JsonValue fences_json(const ProofFences& fences) {
  std::vector<base::JsonValue> present, repairs;
  for (const PresentWord& word : fences.present) present.push_back(word_json(word));
  for (const SourceRepair& repair : fences.repairs) {
    std::vector<base::JsonValue> changes;
    for (const SourceChange& change : repair.changes) changes.push_back(change_json(change));
    repairs.push_back(base::json_object(
        {{"changes", base::json_array(std::move(changes))}, {"weakest", repair.weakest}, {"patch", repair.patch}}));
  }
  base::JsonValue json = base::json_object({{"judged", fences.judged}, {"complete", fences.complete}});
  if (!fences.reason.empty()) json.add("reason", fences.reason);
  json.add("present", base::json_array(std::move(present)));
  json.add("repairs", base::json_array(std::move(repairs)));
  json.add("not_tried", fences.elsewhere);
  return json;
}

}  // namespace weakspot::prove
