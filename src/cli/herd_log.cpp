// SPDX-License-Identifier: MIT
#include "cli/herd_log.h"

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

litmus::HerdIdentity identity_of(const desk::Judged& judged) {
  const base::Result<std::string> text = judged.file == "-" ? base::error("") : base::read_file(judged.file);
  if (text) {
    if (std::optional<litmus::HerdIdentity> found = litmus::herd_identity(*text, judged.test.span.begin)) return *found;
  }
  return {"", litmus::hash_of(judged.test).hex()};
}

// Names and values in the spelling of one architecture of herd7.
class HerdWords {
 public:
  HerdWords(const LitmusTest& test, std::string arch) : test_(test), arch_(std::move(arch)) {}

  std::string name(const Observable& item, bool brackets) const {
    if (const auto* reg = std::get_if<ObservedRegister>(&item)) {
      return fmt::format("{}:{}", reg->thread.index, register_name(test_[*reg].name));
    }
    const std::string location = test_.name_of(item);
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

  // Registers by thread, in the order of the architecture; then locations by name.
  bool before(const Observable& a, const Observable& b) const {
    if (a.index() != b.index()) return a.index() < b.index();
    if (std::holds_alternative<LocationId>(a)) return test_.name_of(a) < test_.name_of(b);
    const auto& x = std::get<ObservedRegister>(a);
    const auto& y = std::get<ObservedRegister>(b);
    if (x.thread != y.thread) return x.thread < y.thread;
    const std::string& first = test_[x].name;
    const std::string& second = test_[y].name;
    const std::size_t ranks[] = {rank(first), rank(second)};
    return ranks[0] != ranks[1] ? ranks[0] < ranks[1] : first < second;
  }

 private:
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
    for (const Proposition& child : whole.children) {
      const bool atom = child.children.empty() || child.kind == Proposition::Kind::negation ||
                        (whole.kind == Proposition::Kind::disjunction && child.kind == Proposition::Kind::conjunction);
      text += fmt::format("{}{}", text.empty() ? "" : sign, atom ? proposition(child) : '(' + proposition(child) + ')');
    }
    return text;
  }

  const LitmusTest& test_;
  std::string arch_;
};

// What only a filter asks for is not shown.
bool is_shown(const LitmusTest& test, const Observable& item) {
  bool asked = std::find(test.also_observed.begin(), test.also_observed.end(), item) != test.also_observed.end();
  litmus::for_each_observable(test.condition.proposition, [&](const Observable& one) { asked = asked || one == item; });
  return asked;
}

std::string states_text(const LitmusTest& test, const Verdict& verdict, const HerdWords& words) {
  const std::vector<Observable> observed = test.observed();
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    if (is_shown(test, observed[i])) columns.push_back(i);
  }
  std::sort(columns.begin(), columns.end(),
            [&](std::size_t a, std::size_t b) { return words.before(observed[a], observed[b]); });
  std::vector<litmus::Outcome> states;
  for (const litmus::Outcome& outcome : verdict.outcomes) {
    litmus::Outcome& state = states.emplace_back();
    for (const std::size_t column : columns) state.push_back(outcome[column]);
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
    for (std::size_t i = 0; i < state.size(); ++i) {
      line += fmt::format("{}{}={};", i == 0 ? "" : " ", words.name(observed[columns[i]], true), words.value(state[i]));
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

std::set<std::string, std::less<>> flags_of(const desk::Judged& judged) {
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

std::string herd_log(const desk::Judged& judged) {
  static constexpr std::string_view kKinds[] = {"Allowed", "Forbidden", "Required"};
  static constexpr std::string_view kQuantifiers[] = {"exists", "~exists", "forall"};
  static constexpr std::string_view kObservations[] = {"Always", "Sometimes", "Never"};
  const LitmusTest& test = judged.test;
  const Verdict& verdict = judged.verdict;
  if (!verdict.reason.empty() && !verdict.cut_loops) return "";
  const litmus::HerdIdentity identity = identity_of(judged);
  const HerdWords words(test, identity.arch);
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
