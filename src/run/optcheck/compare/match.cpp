// SPDX-License-Identifier: MIT
#include "optcheck/compare/match.h"

#include <fmt/format.h>

#include <algorithm>

namespace weakspot::optcheck {
namespace {

using litmus::Order;

std::string place_text(const litmus::LitmusTest& test, const Where& where) {
  const std::string& name = test.locations[where.location].name;
  return where.offset == 0 ? name : fmt::format("{}+{}", name, where.offset);
}

std::string orders_text(const std::vector<Order>& orders) {
  std::string text;
  for (const Order order : orders) text += fmt::format("{}{}", text.empty() ? "" : " or ", to_string(order));
  return text;
}

// Describes how the access differs from the wanted one; empty if it does not.
std::string difference(const litmus::LitmusTest& test, const ExpectedEvent& wanted, const MachineEvent& found) {
  const Event& a = wanted.event;
  const Event& b = found.event;
  if (a.kind != b.kind) return fmt::format("the code has a {}, expected a {}", to_string(b.kind), to_string(a.kind));
  if (a.kind == EventKind::fence || a.kind == EventKind::barrier) {
    if (a.fence == b.fence) return {};
    return fmt::format("the code has '{}', expected '{}'", b.fence, a.fence);
  }
  if (a.where && b.where && !(*a.where == *b.where)) {
    return fmt::format("the code accesses {}, expected {}", place_text(test, *b.where), place_text(test, *a.where));
  }
  if (a.where && !b.where)
    return fmt::format("the code accesses an unknown place, expected {}", place_text(test, *a.where));
  if (a.bytes != b.bytes) return fmt::format("the access is {} bytes wide, expected {}", b.bytes, a.bytes);
  if (std::find(wanted.orders.begin(), wanted.orders.end(), b.order) == wanted.orders.end()) {
    return fmt::format("the order is {}, expected {}", to_string(b.order), orders_text(wanted.orders));
  }
  if (a.qualifiers != b.qualifiers) {
    return fmt::format("the access has '{}', expected '{}'", b.qualifiers, a.qualifiers);
  }
  if (a.exclusive != b.exclusive) return b.exclusive ? "the access is exclusive" : "the access is not exclusive";
  if (!found.loop && a.op && b.op && *a.op != *b.op) {
    return fmt::format("the operation is {}, expected {}", to_string(*b.op), to_string(*a.op));
  }
  return {};
}

class Comparing {
 public:
  Comparing(const litmus::LitmusTest& test, const ExpectedThread& expected, const MachineThread& machine)
      : test_(test), expected_(expected), machine_(machine) {}

  std::optional<Difference> run() const {
    const std::size_t both = std::min(expected_.events.size(), machine_.events.size());
    for (std::size_t i = 0; i < both; ++i) {
      if (std::string what = differs(i, i); !what.empty()) return explained(i, std::move(what));
    }
    if (expected_.events.size() > both) return missing(both);
    if (machine_.events.size() > both) return extra(both);
    for (std::size_t i = 0; i < both; ++i) {
      if (std::optional<Difference> found = dependence(i)) return found;
    }
    return std::nullopt;
  }

 private:
  std::string differs(std::size_t wanted, std::size_t found) const {
    return difference(test_, expected_.events[wanted], machine_.events[found]);
  }
  bool equal(std::size_t wanted, std::size_t found) const {
    return wanted < expected_.events.size() && found < machine_.events.size() && differs(wanted, found).empty();
  }

  Difference at(std::string what, std::size_t wanted, std::size_t found) const {
    Difference made;
    made.what = std::move(what);
    if (wanted < expected_.events.size()) made.instruction = expected_.events[wanted].instruction;
    if (found < machine_.events.size()) {
      made.code = machine_.events[found].text;
      made.at = machine_.events[found].at;
    }
    return made;
  }

  // The difference at place i in the simplest words.
  Difference explained(std::size_t i, std::string what) const {
    if (equal(i, i + 1) && equal(i + 1, i)) return at("two accesses are swapped", i, i);
    if (equal(i, i + 1)) return extra(i);
    if (equal(i + 1, i)) return missing(i);
    for (std::size_t j = i + 1; j < machine_.events.size(); ++j) {
      if (equal(i, j) && machine_.events.size() == expected_.events.size()) return at("the access was moved", i, j);
    }
    return at(std::move(what), i, i);
  }
  Difference missing(std::size_t i) const {
    return at(fmt::format("the {} is missing from the code", to_string(expected_.events[i].event.kind)), i,
              machine_.events.size());
  }
  Difference extra(std::size_t i) const {
    return at(fmt::format("the code has a {} that the test does not have", to_string(machine_.events[i].event.kind)),
              expected_.events.size(), i);
  }

  std::optional<Difference> dependence(std::size_t i) const {
    const Dependence& wanted = expected_.dependences[i];
    const Dependence& found = machine_.dependences[i];
    const bool loop = machine_.events[i].loop;
    // A loop compares before it stores, which makes data of the comparison control.
    const EventSet data = loop ? found.data | found.control : found.data;
    if (const EventSet lost = wanted.address & ~found.address) return cut("address", lost, i);
    if (const EventSet lost = wanted.data & ~data) return cut("data", lost, i);
    if (const EventSet lost = wanted.control & ~found.control) return cut("control", lost, i);
    if (const EventSet added = found.address & ~wanted.address) return added_one("address", added, i);
    if (const EventSet added = found.data & ~wanted.data) return added_one("data", added, i);
    const EventSet harmless = loops() | expected_.guards;
    if (const EventSet added = found.control & ~wanted.control & ~harmless) return added_one("control", added, i);
    return std::nullopt;
  }

  EventSet loops() const {
    EventSet all = 0;
    for (std::size_t i = 0; i < machine_.events.size(); ++i) {
      if (machine_.events[i].loop) all |= event_bit(i);
    }
    return all;
  }

  static std::size_t first(EventSet set) {
    std::size_t i = 0;
    while ((set & event_bit(i)) == 0) ++i;
    return i;
  }
  Difference cut(std::string_view kind, EventSet from, std::size_t i) const {
    return at(fmt::format("the {} dependency on '{}' is cut", kind, machine_.events[first(from)].text), i, i);
  }
  Difference added_one(std::string_view kind, EventSet from, std::size_t i) const {
    return at(fmt::format("the code has an extra {} dependency on '{}'", kind, machine_.events[first(from)].text), i,
              i);
  }

  const litmus::LitmusTest& test_;
  const ExpectedThread& expected_;
  const MachineThread& machine_;
};

}  // namespace

std::optional<Difference> compare(const litmus::LitmusTest& test, const ExpectedThread& expected,
                                  const MachineThread& machine) {
  return Comparing(test, expected, machine).run();
}

}  // namespace weakspot::optcheck
