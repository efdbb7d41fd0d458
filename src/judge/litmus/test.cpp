// SPDX-License-Identifier: MIT
#include "litmus/test.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sort.h"
#include "litmus/instruction.h"

namespace weakspot::litmus {
Thread::Thread() = default;
Thread::~Thread() = default;
Thread::Thread(const Thread&) = default;
Thread::Thread(Thread&&) noexcept = default;
Thread& Thread::operator=(const Thread&) = default;
Thread& Thread::operator=(Thread&&) noexcept = default;
bool operator==(const Thread& a, const Thread& b) {
  return a.registers == b.registers && a.instructions == b.instructions;
}

std::vector<Observable> LitmusTest::observed() const {
  std::vector<Observable> items;
  items.reserve(also_observed.size() + 8);
  items = also_observed;
  auto collect = [&](const Observable& observable) { items.push_back(observable); };
  for_each_observable(condition.proposition, collect);
  if (filter) for_each_observable(*filter, collect);
  base::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
  return items;
}

ScopeTree LitmusTest::scope_tree() const { return scopes ? *scopes : default_scope_tree(threads.size()); }

std::optional<LocationId> LitmusTest::find_location(std::string_view location) const {
  for (std::size_t i = 0; i < locations.size(); ++i) {
    if (locations[i].name == location) return LocationId{static_cast<std::uint32_t>(i)};
  }
  return std::nullopt;
}

std::optional<RegisterId> LitmusTest::find_register(ThreadId thread, std::string_view reg) const {
  const std::vector<Register>& registers = threads[thread.index].registers;
  for (std::size_t i = 0; i < registers.size(); ++i) {
    if (registers[i].name == reg) return RegisterId{static_cast<std::uint32_t>(i)};
  }
  return std::nullopt;
}

std::string LitmusTest::name_of(const Observable& observable) const {
  if (const auto* reg = std::get_if<ObservedRegister>(&observable)) {
    return fmt::format("{}:{}", reg->thread.index, (*this)[*reg].name);
  }
  const Location& location = (*this)[std::get<LocationId>(observable)];
  return location.is_array() && location.element == 0 ? location.name + "[0]" : location.name;
}

LocationId physical_location(const LitmusTest& test, LocationId location) {
  // No chain has more steps than there are locations; a circle of aliases ends there as well.
  for (std::size_t steps = 0; test[location].alias_of && steps < test.locations.size(); ++steps) {
    location = *test[location].alias_of;
  }
  return LocationId{location.index - test[location].element};
}

std::int64_t extent_in_bytes(const Location& location) {
  return std::int64_t{size_in_bytes(location.type)} * location.elements;
}

}  // namespace weakspot::litmus
