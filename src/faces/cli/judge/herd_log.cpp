// SPDX-License-Identifier: MIT
#include "cli/judge/herd_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/file.h"
#include "litmus/dialect.h"
#include "litmus/herd_hash.h"
#include "litmus/text.h"

namespace weakspot::cli {
namespace {

using litmus::LitmusTest;
using litmus::LocationId;
using litmus::Observable;
using litmus::ObservedRegister;
using litmus::Proposition;
using litmus::Value;
using model::Verdict;

litmus::HerdIdentity identity_of(const questions::TestVerdict& judged) {
  const base::Result<std::string> text = judged.file == "-" ? base::error("") : base::read_file(judged.file);
  if (text) {
    if (std::optional<litmus::HerdIdentity> found = litmus::herd_identity(*text, judged.test.span.begin)) return *found;
  }
  return {"", litmus::hash_of(judged.test).hex(), ""};
}

// Names and values in the spelling of one architecture of herd7.
class HerdWords {
 public:
  HerdWords(const LitmusTest& test, const litmus::HerdIdentity& identity) : test_(test), arch_(identity.arch) {
    const std::string& items = identity.observed;
    for (std::size_t begin = 0; begin < items.size();) {
      const std::size_t end = std::min(items.find("; ", begin), items.size());
      listed_.insert(items.substr(begin, end - begin));
      begin = end + 2;
    }
  }

  // Whether the text asks for the array as a whole, or for this element by itself.
  bool is_whole(LocationId first) const { return test_[first].is_array() && listed_.contains(test_[first].name); }
  bool is_listed(LocationId element) const { return listed_.contains(test_.name_of(element)); }

  std::string name(const Observable& item, bool brackets) const {
    if (const auto* reg = std::get_if<ObservedRegister>(&item)) {
      return fmt::format("{}:{}", reg->thread.index, register_name(test_[*reg].name));
    }
    const std::string location = test_.name_of(item);
    if (test_[std::get<LocationId>(item)].is_array()) return location;
    return brackets ? fmt::format("[{}]", location) : location;
  }

  std::string value(const Value& value) const {
    if (!value.base) return std::to_string(value.number);
    const std::string& location = test_[*value.base].name;
    return value.number == 0 ? location : fmt::format("{}+{}", location, value.number);
  }

  std::string proposition(const Proposition& part) const {
    switch (part.kind) {
      case Proposition::Kind::truth:
        return "true";
      case Proposition::Kind::falsity:
        return "false";
      case Proposition::Kind::comparison:
        if (part.op == litmus::CompareOp::ne) return fmt::format("not ({})", comparison(part, "="));
        return comparison(part, part.op == litmus::CompareOp::eq ? "=" : symbol(part.op));
      case Proposition::Kind::negation:
        return fmt::format("not ({})", proposition(part.children[0]));
      case Proposition::Kind::conjunction:
        return joined(part, " /\\ ");
      case Proposition::Kind::disjunction:
        return joined(part, " \\/ ");
      case Proposition::Kind::implication:
        return joined(part, " => ");
    }
    return "";
  }

  // Registers by thread, in the order of the architecture; then locations by name; then elements of arrays.
  bool before(const Observable& a, const Observable& b) const {
    if (a.index() != b.index()) return a.index() < b.index();
    if (const auto* one = std::get_if<LocationId>(&a)) return before(*one, std::get<LocationId>(b));
    const auto& x = std::get<ObservedRegister>(a);
    const auto& y = std::get<ObservedRegister>(b);
    if (x.thread != y.thread) return x.thread < y.thread;
    const std::string& first = test_[x].name;
    const std::string& second = test_[y].name;
    const std::size_t ranks[] = {rank(first), rank(second)};
    return ranks[0] != ranks[1] ? ranks[0] < ranks[1] : first < second;
  }

 private:
  bool before(LocationId a, LocationId b) const {
    if (test_[a].is_array() != test_[b].is_array()) return !test_[a].is_array();
    if (!test_[a].is_array()) return test_[a].name < test_[b].name;
    const LocationId arrays[] = {physical_location(test_, a), physical_location(test_, b)};
    if (arrays[0] != arrays[1]) return test_[arrays[0]].name < test_[arrays[1]].name;
    return a < b;
  }

  // The elements of a whole array that begin at this part of a conjunction: x={1,2}.
  std::optional<std::string> array_comparison(const std::vector<Proposition>& parts, std::size_t at) const {
    auto element_of = [&](std::size_t i) -> std::optional<LocationId> {
      if (i >= parts.size() || parts[i].kind != Proposition::Kind::comparison) return std::nullopt;
      const auto* item = std::get_if<Observable>(&parts[i].left);
      const auto* location = item != nullptr ? std::get_if<LocationId>(item) : nullptr;
      const bool equals = parts[i].op == litmus::CompareOp::eq && std::holds_alternative<Value>(parts[i].right);
      return location != nullptr && equals ? std::optional(*location) : std::nullopt;
    };
    const std::optional<LocationId> first = element_of(at);
    if (!first || test_[*first].element != 0 || !is_whole(*first)) return std::nullopt;
    std::string values;
    for (std::uint32_t i = 0; i < test_[*first].elements; ++i) {
      if (element_of(at + i) != LocationId{first->index + i}) return std::nullopt;
      values += fmt::format("{}{}", i == 0 ? "" : ",", value(std::get<Value>(parts[at + i].right)));
    }
    return fmt::format("{}={{{}}}", test_[*first].name, values);
  }

  // X86 has EAX where X86_64 has rax; ours is RAX.
  std::string register_name(std::string name) const {
    if (arch_ == "X86" && name.starts_with('R')) name[0] = 'E';
    if (arch_ == "X86_64") {
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return name;
  }

  // By number for numbered registers, by a table for x86's, else by name alone.
  std::size_t rank(const std::string& name) const {
    static constexpr std::string_view kX86[] = {"RAX", "RBX", "RCX", "RDX", "RSI", "RDI", "RBP", "RSP"};
    if (arch_ == "C" || arch_.empty()) return 0;
    if (arch_.starts_with("X86")) {
      const auto* found = std::find(std::begin(kX86), std::end(kX86), name);
      if (found != std::end(kX86)) return static_cast<std::size_t>(found - std::begin(kX86));
    }
    std::size_t number = 0;
    for (const char c : name) {
      if (std::isdigit(static_cast<unsigned char>(c)) != 0) number = number * 10 + static_cast<std::size_t>(c - '0');
    }
    return 100 + number;
  }

  std::string comparison(const Proposition& part, std::string_view sign) const {
    return fmt::format("{}{}{}", term(part.left, true), sign, term(part.right, false));
  }

  std::string term(const litmus::Term& term, bool left) const {
    if (const auto* number = std::get_if<Value>(&term)) return value(*number);
    return name(std::get<Observable>(term), left || std::holds_alternative<LocationId>(std::get<Observable>(term)));
  }

  std::string joined(const Proposition& whole, std::string_view sign) const {
    std::string text;
    for (std::size_t i = 0; i < whole.children.size(); ++i) {
      const Proposition& child = whole.children[i];
      if (whole.kind == Proposition::Kind::conjunction) {
        if (const std::optional<std::string> array = array_comparison(whole.children, i)) {
          text += fmt::format("{}{}", text.empty() ? "" : sign, *array);
          i += test_[std::get<LocationId>(std::get<Observable>(child.left))].elements - 1;
          continue;
        }
      }
      const bool atom = child.children.empty() || child.kind == Proposition::Kind::negation ||
                        (whole.kind == Proposition::Kind::disjunction && child.kind == Proposition::Kind::conjunction);
      text += fmt::format("{}{}", text.empty() ? "" : sign, atom ? proposition(child) : '(' + proposition(child) + ')');
    }
    return text;
  }

  const LitmusTest& test_;
  std::string arch_;
  std::set<std::string, std::less<>> listed_;
};

// Whether the log shows the item: one that only a filter asks for is not shown.
bool is_shown(const LitmusTest& test, const Observable& item) {
  bool asked = std::find(test.also_observed.begin(), test.also_observed.end(), item) != test.also_observed.end();
  litmus::for_each_observable(test.condition.proposition, [&](const Observable& one) { asked = asked || one == item; });
  return asked;
}

// One item of a state: a register or location, or all elements of an array.
struct Shown {
  Observable item;  // for an array, its first element
  std::vector<std::size_t> columns;
  bool whole = false;
};

std::vector<Shown> shown_items(const LitmusTest& test, const HerdWords& words) {
  const std::vector<Observable> observed = test.observed();
  std::vector<Shown> items;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    if (!is_shown(test, observed[i])) continue;
    const auto* location = std::get_if<LocationId>(&observed[i]);
    const bool whole = location != nullptr && words.is_whole(physical_location(test, *location));
    if (!whole || words.is_listed(*location)) items.push_back({observed[i], {i}, false});
    if (!whole) continue;
    if (test[*location].element == 0) items.push_back({observed[i], {}, true});
    const LocationId first = physical_location(test, *location);
    for (Shown& item : items) {
      if (item.whole && item.item == Observable(first)) item.columns.push_back(i);
    }
  }
  std::sort(items.begin(), items.end(), [&](const Shown& a, const Shown& b) {
    const bool locations = a.item.index() == 1 && b.item.index() == 1;
    auto is_element = [&](const Shown& one) { return !one.whole && test[std::get<LocationId>(one.item)].is_array(); };
    if (locations && is_element(a) != is_element(b)) return is_element(b);
    // A whole array is listed as a location of its name.
    if (locations && !is_element(a))
      return test.locations[std::get<LocationId>(a.item).index].name <
             test.locations[std::get<LocationId>(b.item).index].name;
    return words.before(a.item, b.item);
  });
  return items;
}

std::string states_text(const LitmusTest& test, const Verdict& verdict, const HerdWords& words) {
  const std::vector<Shown> items = shown_items(test, words);
  std::vector<litmus::Outcome> states;
  for (const litmus::Outcome& outcome : verdict.outcomes) {
    litmus::Outcome& state = states.emplace_back();
    for (const Shown& item : items) {
      for (const std::size_t column : item.columns) state.push_back(outcome[column]);
    }
  }
  // Numbers come before addresses, addresses by name.
  std::sort(states.begin(), states.end(), [&](const litmus::Outcome& a, const litmus::Outcome& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [&](const Value& x, const Value& y) {
      if (!x.base || !y.base) return x.base.has_value() != y.base.has_value() ? !x.base : x.number < y.number;
      return x.base != y.base ? test[*x.base].name < test[*y.base].name : x.number < y.number;
    });
  });
  states.erase(std::unique(states.begin(), states.end()), states.end());
  std::string text = fmt::format("States {}\n", states.size());
  for (const litmus::Outcome& state : states) {
    std::string line;
    std::size_t at = 0;
    for (const Shown& item : items) {
      std::string values;
      for (std::size_t i = 0; i < item.columns.size(); ++i) {
        values += fmt::format("{}{}", i == 0 ? "" : ",", words.value(state[at++]));
      }
      line += line.empty() ? "" : " ";
      line += item.whole ? fmt::format("{}={{{}}};", test[std::get<LocationId>(item.item)].name, values)
                         : fmt::format("{}={};", words.name(item.item, true), values);
    }
    text += line + "\n";
  }
  return text;
}

bool condition_holds(litmus::Condition::Quantifier quantifier, Verdict::Condition condition) {
  switch (quantifier) {
    case litmus::Condition::Quantifier::exists:
      return condition != Verdict::Condition::never;
    case litmus::Condition::Quantifier::not_exists:
      return condition == Verdict::Condition::never;
    case litmus::Condition::Quantifier::forall:
      return condition == Verdict::Condition::always;
  }
  return false;
}

// herd7's name for all flags that leave a test without a meaning, and what it says instead of Ok or No.
constexpr std::string_view kUndefined = "*undef*";
constexpr std::string_view kUndefinedWord = "Undef";

std::set<std::string, std::less<>> flags_of(const questions::TestVerdict& judged) {
  std::set<std::string, std::less<>> flags;
  for (const std::string& flag : judged.verdict.flags) {
    const auto& checks = judged.model.checks();
    const bool undefined = std::any_of(checks.begin(), checks.end(),
                                       [&](const auto& check) { return check.undefined && check.name == flag; });
    flags.insert(undefined ? std::string(kUndefined) : flag);
  }
  return flags;
}

}  // namespace

std::string herd_log(const questions::TestVerdict& judged) {
  static constexpr std::string_view kKinds[] = {"Allowed", "Forbidden", "Required"};
  static constexpr std::string_view kQuantifiers[] = {"exists", "~exists", "forall"};
  static constexpr std::string_view kObservations[] = {"Always", "Sometimes", "Never"};
  const LitmusTest& test = judged.test;
  const Verdict& verdict = judged.verdict;
  if (!verdict.reason.empty() && !verdict.cut_loops) return "";
  const litmus::HerdIdentity identity = identity_of(judged);
  const HerdWords words(test, identity);
  const auto quantifier = static_cast<std::size_t>(test.condition.quantifier);
  const bool negated = test.condition.quantifier == litmus::Condition::Quantifier::not_exists;
  const std::set<std::string, std::less<>> flags = flags_of(judged);
  const std::uint64_t rest = verdict.executions - verdict.positive;
  std::string text = fmt::format("Test {} {}\n", test.name, kKinds[quantifier]);
  text += states_text(test, verdict, words);
  text += fmt::format("{}{}\nWitnesses\nPositive: {} Negative: {}\n", verdict.cut_loops ? "Loop " : "",
                      flags.contains(kUndefined)                                      ? kUndefinedWord
                      : condition_holds(test.condition.quantifier, verdict.condition) ? "Ok"
                                                                                      : "No",
                      negated ? rest : verdict.positive, negated ? verdict.positive : rest);
  for (const std::string& flag : flags) text += fmt::format("Flag {}\n", flag);
  text += fmt::format("Condition {} ({})\nObservation {} {} {} {}\nTime {} {:.2f}\nHash={}\n", kQuantifiers[quantifier],
                      words.proposition(test.condition.proposition), test.name,
                      kObservations[static_cast<std::size_t>(verdict.condition)], verdict.positive, rest, test.name,
                      verdict.seconds, identity.hash);
  return text;
}

}  // namespace weakspot::cli
