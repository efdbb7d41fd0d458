// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "litmus/text/printers.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

using PropositionKind = Proposition::Kind;

// The binding strength of a connective. A child that binds less tightly needs parentheses.
int strength(PropositionKind kind) {
  switch (kind) {
    case PropositionKind::implication:
      return 0;
    case PropositionKind::disjunction:
      return 1;
    case PropositionKind::conjunction:
      return 2;
    case PropositionKind::negation:
      return 3;
    default:
      return 4;
  }
}

std::string term_text(const LitmusTest& test, const Term& term, bool left) {
  if (const auto* value = std::get_if<Value>(&term)) return value_text(test, *value);
  const Observable& item = std::get<Observable>(term);
  // On the right a bare name is an address, so a location's value stands in brackets there.
  if (!left && std::holds_alternative<LocationId>(item)) return fmt::format("[{}]", test.name_of(item));
  return test.name_of(item);
}

std::string child_text(const LitmusTest& test, const Proposition& child, int needed) {
  std::string text = proposition_text(test, child);
  return strength(child.kind) < needed ? fmt::format("({})", text) : text;
}

std::string join_children(const LitmusTest& test, const Proposition& proposition, std::string_view sign) {
  std::string text;
  for (const Proposition& child : proposition.children) {
    if (!text.empty()) text += sign;
    text += child_text(test, child, strength(proposition.kind) + 1);
  }
  return text;
}

// One node of the canonical scope tree: its threads and the nodes inside it.
std::string node_text(const ScopeTree& tree, const std::vector<std::uint32_t>& threads, std::size_t level);

std::string group_text(const ScopeTree& tree, const std::vector<std::uint32_t>& threads, std::size_t level) {
  const Scope scope = kTreeLevels[level];
  std::vector<std::uint32_t> order;
  for (std::uint32_t thread : threads) {
    std::uint32_t node = tree.placements[thread].at(scope);
    if (std::find(order.begin(), order.end(), node) == order.end()) order.push_back(node);
  }
  std::string text;
  for (std::uint32_t node : order) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t thread : threads) {
      if (tree.placements[thread].at(scope) == node) members.push_back(thread);
    }
    if (!text.empty()) text += ' ';
    const bool cpu = scope == Scope::device && tree.placements[members.front()].cpu;
    text += fmt::format("({} {})", cpu ? "cpu" : to_string(scope), node_text(tree, members, level + 1));
  }
  return text;
}

std::string node_text(const ScopeTree& tree, const std::vector<std::uint32_t>& threads, std::size_t level) {
  while (level < kTreeLevels.size() && is_implied_level(tree, kTreeLevels[level])) ++level;
  if (level < kTreeLevels.size()) return group_text(tree, threads, level);
  std::string text;
  for (std::uint32_t thread : threads) text += fmt::format("{}P{}", text.empty() ? "" : " ", thread);
  return text;
}

}  // namespace

base::Diagnostic cannot_express(const LitmusTest& test, std::string_view dialect, std::string_view reason) {
  return base::error({base::Refusal::Of::writing, test.name, std::string(dialect), std::string(reason)});
}

std::string header_text(const LitmusTest& test, std::string_view arch_word, bool arch_line) {
  std::string text = fmt::format("{} {}\n", arch_word, test.name);
  for (std::size_t begin = 0; begin < test.description.size();) {
    std::size_t end = std::min(test.description.find('\n', begin), test.description.size());
    text += fmt::format("\"{}\"\n", test.description.substr(begin, end - begin));
    begin = end + 1;
  }
  if (arch_line && test.arch != Arch::generic) text += fmt::format("Arch={}\n", to_string(test.arch));
  std::string expectations;
  for (const auto& [model, expectation] : test.expectations) {
    expectations += fmt::format("{}{} {}", expectations.empty() ? "" : ", ", model,
                                expectation == Expectation::allowed ? "allowed" : "forbidden");
  }
  if (!expectations.empty()) text += fmt::format("Expect={}\n", expectations);
  for (const auto& [key, value] : test.info) text += fmt::format("{}={}\n", key, value);
  return text;
}

std::string table_text(const std::vector<std::vector<std::string>>& columns) {
  std::size_t rows = 0;
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& column : columns) {
    rows = std::max(rows, column.size());
    std::size_t width = 0;
    for (const std::string& cell : column) width = std::max(width, cell.size());
    widths.push_back(width);
  }
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const std::string_view cell =
          row < columns[column].size() ? std::string_view(columns[column][row]) : std::string_view();
      text += fmt::format("{}{:<{}}", column == 0 ? " " : " | ", cell, widths[column]);
    }
    text += " ;\n";
  }
  return text;
}

OutcomeReader::OutcomeReader(const LitmusTest& test)
    : test_(test), observed_(test.observed()), proposition_(test.condition.proposition) {
  wrap_numbers(proposition_, [&](const Observable& item) -> std::optional<Type> {
    const auto* location = std::get_if<LocationId>(&item);
    return location != nullptr ? test[*location].type : test[std::get<ObservedRegister>(item)].type;
  });
  names_.reserve(observed_.size());
  for (const Observable& item : observed_) names_.push_back(test.name_of(item));
}

void OutcomeReader::append_text(std::string& text, const Outcome& outcome) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (i != 0) text += ' ';
    text += names_[i];
    text += '=';
    text += value_text(test_, outcome[i]);
    text += ';';
  }
}

bool OutcomeReader::satisfies(const Outcome& outcome) const {
  return holds(proposition_, [&](const Observable& item) {
    const auto at = std::find(observed_.begin(), observed_.end(), item);
    return outcome[static_cast<std::size_t>(at - observed_.begin())];
  });
}

std::string outcome_text(const LitmusTest& test, const Outcome& outcome) {
  std::string text;
  OutcomeReader(test).append_text(text, outcome);
  return text;
}

bool satisfies(const LitmusTest& test, const Outcome& outcome) { return OutcomeReader(test).satisfies(outcome); }

std::string value_text(const LitmusTest& test, const Value& value) {
  if (!value.base) return std::to_string(value.number);
  if (value.number == 0) return fmt::format("&{}", test[*value.base].name);
  return fmt::format("&{}+{}", test[*value.base].name, value.number);
}

std::string array_text(const LitmusTest& test, LocationId first) {
  const Location& array = test[first];
  std::string values;
  bool zero = true;
  for (std::uint32_t i = 0; i < array.elements; ++i) {
    const Value& value = test[LocationId{first.index + i}].initial;
    zero = zero && value == Value{};
    values += fmt::format("{}{}", i == 0 ? "" : ", ", value_text(test, value));
  }
  const std::string text = fmt::format("{}[{}]", array.name, array.elements);
  return zero ? text : fmt::format("{} = {{{}}}", text, values);
}

std::string proposition_text(const LitmusTest& test, const Proposition& proposition) {
  switch (proposition.kind) {
    case PropositionKind::truth:
      return "true";
    case PropositionKind::falsity:
      return "false";
    case PropositionKind::negation:
      return "~" + child_text(test, proposition.children[0], 4);
    case PropositionKind::conjunction:
      return join_children(test, proposition, " /\\ ");
    case PropositionKind::disjunction:
      return join_children(test, proposition, " \\/ ");
    case PropositionKind::implication:
      return fmt::format("{} => {}", child_text(test, proposition.children[0], 1),
                         child_text(test, proposition.children[1], 0));
    case PropositionKind::comparison:
      break;
  }
  return fmt::format("{}{}{}", term_text(test, proposition.left, true),
                     proposition.op == CompareOp::eq ? "=" : symbol(proposition.op),
                     term_text(test, proposition.right, false));
}

std::string condition_line(const LitmusTest& test) {
  static constexpr std::string_view kQuantifiers[] = {"exists", "~exists", "forall"};
  return fmt::format("{} ({})", kQuantifiers[static_cast<std::size_t>(test.condition.quantifier)],
                     proposition_text(test, test.condition.proposition));
}

std::string condition_text(const LitmusTest& test) {
  std::string text;
  if (test.filter) text += fmt::format("filter ({})\n", proposition_text(test, *test.filter));
  if (!test.also_observed.empty()) {
    text += "locations [";
    for (const Observable& item : test.also_observed) text += test.name_of(item) + ";";
    text += "]\n";
  }
  return text + condition_line(test) + "\n";
}

std::set<LocationId> mentioned_locations(const LitmusTest& test) {
  std::set<LocationId> mentioned;
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      for_each_location(instruction, [&](const LocationId& location) { mentioned.insert(location); });
      for_each_operand(instruction, [&](const Operand& operand) {
        const auto* value = std::get_if<Value>(&operand);
        if (value != nullptr && value->base) mentioned.insert(*value->base);
      });
    }
  }
  return mentioned;
}

std::set<RegisterId> used_registers(const Thread& thread) {
  std::set<RegisterId> used;
  for (const Instruction& instruction : thread.instructions) {
    for_each_register(instruction, [&](const RegisterId& reg) { used.insert(reg); });
  }
  return used;
}

bool is_implied_level(const ScopeTree& tree, Scope level) {
  auto nodes = [&](Scope scope) {
    std::set<std::uint32_t> numbers;
    for (const Placement& placement : tree.placements) numbers.insert(placement.at(scope));
    return numbers.size();
  };
  switch (level) {
    case Scope::device:
      return nodes(Scope::device) == 1 && !tree.has_cpus();
    case Scope::queue_family:
      return nodes(Scope::queue_family) == nodes(Scope::device);
    case Scope::cluster:
      return nodes(Scope::cluster) == nodes(Scope::workgroup);
    case Scope::subgroup:
      return nodes(Scope::subgroup) == tree.placements.size();
    default:
      return false;
  }
}

std::string scope_tree_text(const LitmusTest& test) {
  if (!test.scopes) return {};
  std::vector<std::uint32_t> all(test.threads.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  std::string text = fmt::format("scopes {}\n", node_text(*test.scopes, all, 0));
  for (auto [first, second] : test.scopes->system_synchronizes) {
    text += fmt::format("ssw P{} P{}\n", first.index, second.index);
  }
  for (auto [first, second] : test.scopes->launches) {
    text += fmt::format("launch P{} P{}\n", first.index, second.index);
  }
  return text;
}

void guards_to_branches(LitmusTest& test) {
  for (Thread& thread : test.threads) {
    std::set<std::string> labels;
    for (const Instruction& instruction : thread.instructions) {
      if (const auto* label = std::get_if<Label>(&instruction.operation)) labels.insert(label->name);
    }
    std::vector<Instruction> code;
    for (Instruction& instruction : thread.instructions) {
      if (!instruction.guard) {
        code.push_back(std::move(instruction));
        continue;
      }
      const Guard guard = *instruction.guard;
      instruction.guard.reset();
      const CompareOp taken = guard.negated ? CompareOp::eq : CompareOp::ne;
      const Comparison holds{taken, guard.predicate, integer(0)};
      if (auto* branch = std::get_if<Branch>(&instruction.operation); branch != nullptr && !branch->condition) {
        branch->condition = holds;
        code.push_back(std::move(instruction));
        continue;
      }
      std::string skip;
      for (std::size_t n = 0; skip.empty() || labels.contains(skip); ++n) skip = fmt::format("L{}", n);
      labels.insert(skip);
      Instruction jump, label;
      jump.operation = Branch{skip, Comparison{negate(taken), guard.predicate, integer(0)}};
      label.operation = Label{skip};
      jump.span = label.span = instruction.span;
      code.push_back(std::move(jump));
      code.push_back(std::move(instruction));
      code.push_back(std::move(label));
    }
    thread.instructions = std::move(code);
  }
}

void rename_labels(LitmusTest& test) {
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    std::map<std::string, std::string> names;
    for (const Instruction& instruction : test.threads[t].instructions) {
      const auto* label = std::get_if<Label>(&instruction.operation);
      if (label != nullptr) names.emplace(label->name, fmt::format("LC{}{}", t, names.size()));
    }
    for (Instruction& instruction : test.threads[t].instructions) {
      if (auto* label = std::get_if<Label>(&instruction.operation)) label->name = names[label->name];
      if (auto* branch = std::get_if<Branch>(&instruction.operation)) branch->label = names[branch->label];
    }
  }
}

void rename_registers(LitmusTest& test, const std::function<std::string(ThreadId, RegisterId, const Register&)>& name) {
  for (std::uint32_t t = 0; t < test.threads.size(); ++t) {
    std::vector<Register>& registers = test.threads[t].registers;
    for (std::uint32_t r = 0; r < registers.size(); ++r) {
      registers[r].name = name(ThreadId{t}, RegisterId{r}, registers[r]);
    }
  }
}

}  // namespace weakspot::litmus
