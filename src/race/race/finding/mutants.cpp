// SPDX-License-Identifier: MIT
#include "race/mutants.h"

#include <fmt/format.h>

#include <functional>
#include <limits>

#include "base/names.h"
#include "race/classes.h"

namespace weakspot::race {
namespace {

using base::JsonFields;
using base::JsonValue;

constexpr base::Named<MutantKind> kMutantKinds[] = {
    {"no-barrier", MutantKind::no_barrier}, {"no-warp-barrier", MutantKind::no_warp_barrier},
    {"no-fence", MutantKind::no_fence},     {"narrow-fence", MutantKind::narrow_fence},
    {"narrow-atomic", MutantKind::narrow},  {"relax-atomic", MutantKind::relax},
    {"plain-atomic", MutantKind::plain},
};

constexpr base::Named<MutantEnd> kMutantEnds[] = {
    {"noticed", MutantEnd::noticed},         {"changed", MutantEnd::changed},     {"survived", MutantEnd::survived},
    {"not-reached", MutantEnd::not_reached}, {"not-tried", MutantEnd::not_tried},
};

const char* what_happened(MutantKind kind) {
  static constexpr const char* kTexts[] = {
      "the barrier is removed",
      "the barrier of the warp is removed",
      "the fence is removed",
      "the fence has the scope of the block",
      "the atomic has the scope of the block",
      "the atomic is relaxed",
      "the atomic is a plain access",
  };
  return kTexts[static_cast<std::size_t>(kind)];
}

bool is_removal(const Mutant& mutant) { return mutant.kind <= MutantKind::no_fence; }

MutantScore score_where(const std::vector<Mutant>& mutants, const std::function<bool(const Mutant&)>& counts) {
  MutantScore score;
  for (const Mutant& mutant : mutants) {
    if (!counts(mutant)) continue;
    ++score.mutants;
    if (mutant.end == MutantEnd::noticed) ++score.noticed;
  }
  return score;
}

// Describes the end of the mutant.
std::string end_text(const Mutant& mutant) {
  switch (mutant.end) {
    case MutantEnd::noticed:
      return fmt::format("{} at line {}: {}", class_of(mutant.by_class).id, mutant.by_place.line, mutant.by_message);
    case MutantEnd::changed:
      return "nothing is found, but memory ends with other contents";
    case MutantEnd::survived:
      return "nothing that the runs exercise depends on it";
    case MutantEnd::not_reached:
      return "no run executes it";
    default:
      return "there was no time";
  }
}

Mutant read_mutant(const JsonValue& json, base::Mistakes& mistakes) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  JsonFields fields(json, mistakes, "a mutant");
  Mutant mutant;
  mutant.number = fields.whole("number", kMost);
  mutant.kind = fields.one_of("kind", kMutantKinds).value_or(MutantKind::no_barrier);
  mutant.place.file = fields.text("file");
  mutant.place.line = static_cast<unsigned>(fields.whole("line", kMost));
  mutant.place.column = static_cast<unsigned>(fields.whole("column", kMost));
  mutant.function = fields.text("function");
  mutant.end = fields.one_of("end", kMutantEnds).value_or(MutantEnd::not_tried);
  if (mutant.end != MutantEnd::noticed) return mutant;
  if (const FindingClass* known = find_class(fields.text("by_class"))) {
    mutant.by_class = known->number;
  } else if (fields.has("by_class")) {
    fields.unexpected("by_class", "a class of findings, as in E1");
  }
  mutant.by_message = fields.text("by_message");
  mutant.by_place.file = fields.text("by_file");
  mutant.by_place.line = static_cast<unsigned>(fields.whole("by_line", kMost));
  return mutant;
}

}  // namespace

const char* mutant_kind_word(MutantKind kind) { return base::name_of(kMutantKinds, kind).data(); }
const char* mutant_end_word(MutantEnd end) { return base::name_of(kMutantEnds, end).data(); }

double MutantScore::percent() const {
  return mutants == 0 ? 100 : 100.0 * static_cast<double>(noticed) / static_cast<double>(mutants);
}

MutantScore score_of(const std::vector<Mutant>& mutants) {
  return score_where(mutants, [](const Mutant&) { return true; });
}

MutantScore score_of_removals(const std::vector<Mutant>& mutants) { return score_where(mutants, is_removal); }

MutantScore score_of_weakened(const std::vector<Mutant>& mutants) {
  return score_where(mutants, [](const Mutant& mutant) { return !is_removal(mutant); });
}

std::string score_text(const std::vector<Mutant>& mutants) {
  auto share = [](const MutantScore& score) {
    return score.mutants == 0 ? "none"
                              : fmt::format("{} of {} ({:.1f} %)", score.noticed, score.mutants, score.percent());
  };
  return fmt::format("mutants noticed: {}; removed barriers and fences: {}; weakened atomics and fences: {}",
                     share(score_of(mutants)), share(score_of_removals(mutants)), share(score_of_weakened(mutants)));
}

std::string mutant_line(const Mutant& mutant) {
  return fmt::format("{} {}:{}:{}: mutant {}: {}; {}", mutant_end_word(mutant.end), mutant.place.file,
                     mutant.place.line, mutant.place.column, mutant.number, what_happened(mutant.kind),
                     end_text(mutant));
}

std::string to_text(const std::vector<Mutant>& mutants) {
  std::string text;
  for (const Mutant& mutant : mutants) text += mutant_line(mutant) + "\n";
  return text + score_text(mutants) + "\n";
}

JsonValue to_json(const std::vector<Mutant>& mutants) {
  JsonValue array = base::json_array();
  for (const Mutant& mutant : mutants) {
    JsonValue json;
    json["number"] = mutant.number;
    json["kind"] = mutant_kind_word(mutant.kind);
    json["file"] = mutant.place.file;
    json["line"] = mutant.place.line;
    json["column"] = mutant.place.column;
    json["function"] = mutant.function;
    json["end"] = mutant_end_word(mutant.end);
    if (mutant.end == MutantEnd::noticed) {
      json["by_class"] = class_of(mutant.by_class).id;
      json["by_message"] = mutant.by_message;
      json["by_file"] = mutant.by_place.file;
      json["by_line"] = mutant.by_place.line;
    }
    array.push_back(std::move(json));
  }
  const MutantScore all = score_of(mutants), removals = score_of_removals(mutants);
  JsonValue json = base::json_object({{"mutants", all.mutants},
                                      {"noticed", all.noticed},
                                      {"removals", removals.mutants},
                                      {"removals_noticed", removals.noticed}});
  json["list"] = std::move(array);
  return json;
}

std::vector<Mutant> read_mutants(const JsonValue& json, base::Mistakes& mistakes) {
  std::vector<Mutant> mutants;
  JsonFields fields(json, mistakes, "the mutants");
  for (const JsonValue& one : fields.list("list")) mutants.push_back(read_mutant(one, mistakes));
  return mutants;
}

}  // namespace weakspot::race
