// SPDX-License-Identifier: MIT
#include "litmus/assembly/assembly_printer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.h"
#include "litmus/assembly/assembly.h"
#include "litmus/text/builder.h"
#include "litmus/text/columns.h"
#include "litmus/text/printers.h"

namespace weakspot::litmus {
namespace {

constexpr base::Named<Type> kTypeSpellings[] = {
    {"int8_t", Type::s8}, {"uint8_t", Type::u8},   {"int16_t", Type::s16}, {"uint16_t", Type::u16},
    {"int", Type::s32},   {"uint32_t", Type::u32}, {"int64_t", Type::s64}, {"uint64_t", Type::u64},
};

std::string item(std::string_view type, const std::string& name, const std::string& value) {
  return fmt::format("{}{}{}{}{}", type, type.empty() ? "" : " ", name, value.empty() ? "" : "=", value);
}

}  // namespace

std::string AssemblyPrinter::print(std::string_view arch_word) {
  constants_.assign(test_.threads.size(), {});
  wide_.assign(test_.threads.size(), {});
  std::vector<std::vector<std::string>> columns;
  for (thread_ = 0; thread_ < test_.threads.size(); ++thread_) {
    std::vector<std::string>& column = columns.emplace_back();
    column.push_back(fmt::format("P{}", thread_));
    column_ = &column;
    const std::vector<Instruction>& code = test_.threads[thread_].instructions;
    for (std::size_t i = 0; i < code.size(); ++i) {
      next_ = i + 1 < code.size() ? &code[i + 1] : nullptr;
      cells(code[i]);
    }
  }
  // herd7 has addresses without '&', on the right of a comparison, and what is observed before the filter.
  std::string condition = condition_text(test_);
  for (std::size_t at = 1; at < condition.size(); ++at) {
    if (condition[at] == '&' && (condition[at - 1] == '=' || condition[at - 1] == '<' || condition[at - 1] == '>')) {
      condition.erase(at, 1);
    }
  }
  if (test_.filter && !test_.also_observed.empty()) {
    const auto locations = condition.begin() + static_cast<std::ptrdiff_t>(condition.find('\n') + 1);
    std::rotate(condition.begin(), locations, std::find(locations, condition.end(), '\n') + 1);
  }
  return header_text(test_, arch_word) + initial_state() + table_text(columns) + condition;
}

std::string AssemblyPrinter::name(RegisterId id, int bits) {
  if (bits == 64) wide_[thread_].insert(id);
  return spell(reg(id).name, bits);
}

std::string AssemblyPrinter::constant(const Value& value, int bits) {
  Constants& known = constants_[thread_];
  auto [entry, is_new] = known.try_emplace({value, bits});
  if (is_new) {
    for (const std::string& candidate : register_names_) {
      const std::vector<Register>& registers = test_.threads[thread_].registers;
      const bool taken =
          std::any_of(registers.begin(), registers.end(), [&](const Register& one) { return one.name == candidate; }) ||
          std::any_of(known.begin(), known.end(), [&](const auto& other) { return other.second == candidate; });
      if (taken) continue;
      entry->second = candidate;
      break;
    }
    if (entry->second.empty()) {
      complete_ = false;
      entry->second = register_names_.front();
    }
  }
  return spell(entry->second, bits);
}

// ---- the initial state: everything that differs from what the reader assumes ----

std::string AssemblyPrinter::initial_state() const {
  std::vector<std::string> items;
  location_items(items);
  for (std::uint32_t t = 0; t < test_.threads.size(); ++t) register_items(items, t);
  std::string text = "{";
  for (const std::string& one : items) text += fmt::format(" {};", one);
  return text + " }\n";
}

void AssemblyPrinter::location_items(std::vector<std::string>& items) const {
  TestBuilder reread;
  reread.test = test_;
  for (Location& location : reread.test.locations) location.type = Type::s32;
  infer_location_types(reread);
  const std::set<LocationId> mentioned = mentioned_locations(test_);
  for (std::uint32_t i = 0; i < test_.locations.size(); ++i) {
    const Location& location = test_.locations[i];
    if (location.element > 0) continue;
    if (location.is_array()) {
      items.push_back(
          fmt::format("{} {}", base::name_of(kTypeSpellings, location.type), array_text(test_, LocationId{i})));
      continue;
    }
    const Type assumed = location.initial.base ? Type::s64 : reread.test.locations[i].type;
    const std::string_view type = location.type == assumed ? "" : base::name_of(kTypeSpellings, location.type);
    const bool said = mentioned.contains(LocationId{i});
    if (type.empty() && location.initial == Value{} && said) continue;
    const bool bare = location.initial == Value{} && !type.empty();
    items.push_back(item(type, location.name, bare ? "" : initial_text(location.initial)));
  }
}

void AssemblyPrinter::register_items(std::vector<std::string>& items, std::uint32_t thread) const {
  const std::set<RegisterId> used = used_registers(test_.threads[thread]);
  const std::vector<Register>& registers = test_.threads[thread].registers;
  for (std::uint32_t r = 0; r < registers.size(); ++r) {
    const Register& one = registers[r];
    const RegisterId id{r};
    const bool wide = wide_[thread].contains(id) || one.initial.base || !fits(one.initial.number, Type::s32);
    const bool declared = !wide || asks_for_all(ObservedRegister{ThreadId{thread}, id});
    const std::string_view type = one.type == Type::s64 && declared ? "int64_t" : "";
    if (type.empty() && one.initial == Value{} && used.contains(id)) continue;
    items.push_back(item(type, fmt::format("{}:{}", thread, one.name), initial_text(one.initial)));
  }
  for (const auto& [key, name] : constants_[thread]) {
    items.push_back(item("", fmt::format("{}:{}", thread, name), initial_text(key.first)));
  }
}

// Whether the condition needs more of the register than an int.
bool AssemblyPrinter::asks_for_all(ObservedRegister id) const {
  const std::vector<Observable> observed = test_.observed();
  if (std::find(observed.begin(), observed.end(), Observable(id)) == observed.end()) return false;
  if (!ends_as_int(test_[id.thread], id.reg)) return true;
  bool changes = false;
  for (const Proposition* proposition : {&test_.condition.proposition, test_.filter ? &*test_.filter : nullptr}) {
    if (proposition == nullptr) continue;
    Proposition wrapped = *proposition;
    wrap_numbers(wrapped, [&](const Observable& item) {
      return item == Observable(id) ? std::optional(Type::s32) : std::nullopt;
    });
    changes = changes || wrapped != *proposition;
  }
  return changes;
}

std::string AssemblyPrinter::initial_text(const Value& value) const {
  const std::string text = value_text(test_, value);
  return value.base ? text.substr(1) : text;
}

}  // namespace weakspot::litmus
