// SPDX-License-Identifier: MIT
#include "race/ptx_text/scopes.h"

#include <fmt/format.h>

#include <ranges>

#include "race/ptx_text/numbers.h"

namespace weakspot::race::ptx {
namespace {

bool names_labels(const Instruction& instruction) { return instruction.name() == "bra" || instruction.name() == "brx"; }

}  // namespace

void Scopes::open() {
  scopes_.emplace_back();
  scopes_.back().first = function_.body.size();
}

void Scopes::close() {
  const Scope& scope = scopes_.back();
  const bool whole = scopes_.size() == 1;
  for (std::size_t i = scope.first; i < function_.body.size() && !(scope.labels.empty() || whole); ++i) {
    Instruction& instruction = function_.body[i];
    if (!names_labels(instruction)) continue;
    for (Operand& operand : instruction.operands) {
      auto found = scope.labels.find(operand.name);
      if (operand.kind == Operand::Kind::name && found != scope.labels.end()) operand.name = found->second;
      auto table = function_.branch_targets.find(operand.name);
      if (table == function_.branch_targets.end()) continue;
      for (std::string& target : table->second) {
        if (auto label = scope.labels.find(target); label != scope.labels.end()) target = label->second;
      }
    }
  }
  scopes_.pop_back();
}

bool Scopes::declare_register(const std::string& name, const std::string& type, std::optional<std::uint64_t> count,
                              unsigned lanes) {
  Scope& scope = scopes_.back();
  if (count) return scope.ranges.try_emplace(name, Declared{type, lanes, *count}).second;
  return !scope.registers.contains(name) && scope.declared.try_emplace(name, Declared{type, lanes, 0}).second;
}

bool Scopes::declare_variable(Variable& variable) {
  const unsigned times = times_[variable.name]++;
  const std::string unique = times == 0 ? variable.name : fmt::format("{}.{}", variable.name, times);
  if (!scopes_.back().variables.try_emplace(variable.name, unique).second) return false;
  variable.name = unique;
  return true;
}

bool Scopes::declare_label(const std::string& name, std::string& unique) {
  unique = scopes_.size() == 1 ? name : fmt::format("{}.{}", name, ++times_[name]);
  return scopes_.back().labels.try_emplace(name, unique).second;
}

std::size_t Scopes::add_register(Scope& scope, const std::string& name, const std::string& type) {
  const auto [found, added] = scope.registers.try_emplace(name, function_.registers.size());
  if (added) function_.registers.push_back({name, type});
  return found->second;
}

std::pair<Scopes::Scope*, const Scopes::Declared*> Scopes::find_declared(const std::string& name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string prefix = name.substr(0, digits), suffix = name.substr(digits);
  const bool plain = !suffix.empty() && suffix.size() < 10 && (suffix == "0" || suffix.front() != '0');
  for (Scope& scope : std::ranges::reverse_view(scopes_)) {
    if (auto found = scope.declared.find(name); found != scope.declared.end()) return {&scope, &found->second};
    auto range = scope.ranges.find(prefix);
    if (plain && range != scope.ranges.end() && std::stoull(suffix) < range->second.count) {
      return {&scope, &range->second};
    }
  }
  return {nullptr, nullptr};
}

std::size_t Scopes::find_register(const std::string& name) {
  const auto [scope, declared] = find_declared(name);
  if (declared == nullptr || declared->lanes > 1) return kNone;
  return add_register(*scope, name, declared->type);
}

std::vector<std::size_t> Scopes::find_vector(const std::string& name) {
  const auto [scope, declared] = find_declared(name);
  std::vector<std::size_t> lanes;
  for (unsigned i = 0; declared != nullptr && declared->lanes > 1 && i < declared->lanes; ++i) {
    lanes.push_back(add_register(*scope, fmt::format("{}.{}", name, "xyzw"[i]), declared->type));
  }
  return lanes;
}

std::string Scopes::find_variable(const std::string& name) const {
  for (const Scope& scope : std::ranges::reverse_view(scopes_)) {
    if (auto found = scope.variables.find(name); found != scope.variables.end()) return found->second;
  }
  return {};
}

}  // namespace weakspot::race::ptx
