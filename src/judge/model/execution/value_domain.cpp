// SPDX-License-Identifier: MIT
#include "model/execution/value_domain.h"

#include <algorithm>

#include "base/sort.h"
#include "model/execution/mbarrier_states.h"

namespace weakspot::model {
namespace {

using litmus::LocationId;
using litmus::Value;

// Beyond this many evaluations the sets are taken to be too large.
constexpr std::uint64_t kMostWork = 20'000'000;
constexpr std::size_t kMostStored = 100'000;

std::size_t most_writes(const std::vector<std::vector<Path>>& paths) {
  std::size_t total = 0;
  for (const std::vector<Path>& thread : paths) {
    std::ptrdiff_t most = 0;
    for (const Path& path : thread) {
      most = std::max(most, std::count_if(path.events.begin(), path.events.end(),
                                          [](const PathEvent& event) { return event.kind == EventKind::write; }));
    }
    total += static_cast<std::size_t>(most);
  }
  return total;
}

const litmus::Access& access_of(const litmus::LitmusTest& test, litmus::ThreadId thread, const PathEvent& event) {
  return *litmus::access_of(test[thread].instructions[event.instruction]);
}

template <typename Item>
void sort_unique(std::vector<Item>& items) {
  base::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

// Lists that are collected with repetitions are sorted now and then, so that they stay small.
template <typename Item>
void keep_small(std::vector<Item>& items) {
  if (items.size() >= 4 * kMostStored) sort_unique(items);
}

bool meets(const Constraint& constraint, const Value& value) { return (value == constraint.value) == constraint.equal; }

}  // namespace

bool Bytes::contains(const Bytes& other) const {
  return physical == other.physical && offset <= other.offset && other.offset + other.size <= offset + size;
}

bool Bytes::overlaps(const Bytes& other) const {
  return physical == other.physical && offset < other.offset + other.size && other.offset < offset + size;
}

Value bits(const Value& value, int size) {
  if (value.base || size >= 8) return value;
  return litmus::integer(value.number & ((std::int64_t{1} << (8 * size)) - 1));
}

std::optional<Value> part_of(const Value& value, const Bytes& outer, const Bytes& inner) {
  if (outer == inner) return value;
  if (value.base) return std::nullopt;
  return bits(litmus::integer(value.number >> (8 * (inner.offset - outer.offset))), inner.size);
}

std::optional<Bytes> bytes_at(const litmus::LitmusTest& test, const Value& address, litmus::Type type) {
  if (!address.base) return std::nullopt;
  const LocationId physical = physical_location(test, *address.base);
  const int size = litmus::size_in_bytes(type);
  if (address.number < 0 || address.number > litmus::extent_in_bytes(test[physical]) - size) return std::nullopt;
  return Bytes{physical, address.number, size};
}

Bytes bytes_of(const litmus::LitmusTest& test, LocationId element) {
  const litmus::Location& location = test[element];
  const int size = litmus::size_in_bytes(location.type);
  return {LocationId{element.index - location.element}, std::int64_t{size} * location.element, size};
}

LocationId element_at(const litmus::LitmusTest& test, const Bytes& bytes) {
  const int size = litmus::size_in_bytes(test[bytes.physical].type);
  return LocationId{bytes.physical.index + static_cast<std::uint32_t>(bytes.offset / size)};
}

ValueDomain::ValueDomain(const litmus::LitmusTest& test, const std::vector<std::vector<Path>>& paths,
                         Allowance& allowance)
    : test_(test), allowance_(allowance) {
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    const litmus::Location& location = test.locations[i];
    if (location.alias_of) continue;
    const Bytes whole = bytes_of(test, LocationId{i});
    stored_.push_back({whole, wrap(location.initial, location.type)});
    // An access of several elements finds their initial values one by one.
    if (location.is_array()) add_cut(whole);
  }
  add_mbarriers(paths);
  sort_unique(stored_);
  for (std::size_t rounds = most_writes(paths) + 1; rounds > 0 && !overflowed_; --rounds) {
    if (!round(paths)) break;
  }
}

// Mbarriers are changed by constants, and start with others. Leaves them to the rounds if they have too many states.
void ValueDomain::add_mbarriers(const std::vector<std::vector<Path>>& paths) {
  std::vector<Stored> states;
  for (const auto& [barrier, changes] : mbarrier_changes(test_, paths)) {
    std::vector<std::int64_t> from = {test_[barrier].initial.number};
    for (const litmus::Thread& thread : test_.threads) {
      for (const litmus::Instruction& instruction : thread.instructions) {
        const auto* init = std::get_if<litmus::Store>(&instruction.operation);
        if (init == nullptr || init->access.address.location != barrier) continue;
        from.push_back(std::get<Value>(init->value).number);
      }
    }
    const std::optional<std::vector<std::int64_t>> all = changes.states(from);
    if (!all) return;
    for (std::int64_t state : *all) states.push_back({bytes_of(test_, barrier), litmus::integer(state)});
  }
  stored_.insert(stored_.end(), states.begin(), states.end());
  mbarriers_known_ = true;
}

// Adds what every write can store with the values known so far; false if one more round cannot find anything new.
bool ValueDomain::round(const std::vector<std::vector<Path>>& paths) {
  std::vector<Stored> found;
  const std::size_t cuts_before = cuts_.size();
  bool any_depends = false;  // on what is read
  for (std::uint32_t t = 0; t < paths.size(); ++t) {
    const litmus::ThreadId thread{t};
    for (const Path& path : paths[t]) {
      Choices values;  // found when the first access depends on one
      any_depends = add_cuts(thread, path, values) || any_depends;
      for (const PathEvent& event : path.events) {
        if (event.kind != EventKind::write) continue;
        if (mbarriers_known_ && changes_mbarrier(test_[thread].instructions[event.instruction])) continue;
        const litmus::Type type = access_of(test_, thread, event).type;
        std::vector<std::uint32_t> leaves = path.expressions.leaves(*event.address);
        const std::vector<std::uint32_t> more = path.expressions.leaves(*event.value);
        leaves.insert(leaves.end(), more.begin(), more.end());
        any_depends = any_depends || !leaves.empty();
        if (!leaves.empty() && values.empty()) values = choices(thread, path, false);
        for_each_assignment(path, values, std::move(leaves), [&](const auto& value_of) {
          const std::optional<Value> address = path.expressions.evaluate(*event.address, value_of);
          const std::optional<Value> value = path.expressions.evaluate(*event.value, value_of);
          if (!address || !value) return;
          if (const std::optional<Bytes> bytes = bytes_at(test_, *address, type)) found.push_back({*bytes, *value});
          keep_small(found);
          overflowed_ = overflowed_ || found.size() >= 4 * kMostStored;
        });
        if (overflowed_) return false;
      }
    }
  }
  const std::size_t before = stored_.size();
  stored_.insert(stored_.end(), found.begin(), found.end());
  sort_unique(stored_);
  if (stored_.size() > kMostStored) overflowed_ = true;
  return any_depends && (stored_.size() > before || cuts_.size() > cuts_before);
}

// Notes which bytes the path can access; true if that depends on what is read.
bool ValueDomain::add_cuts(litmus::ThreadId thread, const Path& path, Choices& values) {
  bool depends = false;
  for (const PathEvent& event : path.events) {
    if (!event.address) continue;
    const litmus::Type type = access_of(test_, thread, event).type;
    auto add = [&](const Value& address) {
      if (const std::optional<Bytes> bytes = bytes_at(test_, address, type)) add_cut(*bytes);
    };
    if (const Value* known = path.expressions.as_constant(*event.address)) {
      add(*known);
      continue;
    }
    depends = true;
    if (values.empty()) values = choices(thread, path, false);
    for_each_assignment(path, values, path.expressions.leaves(*event.address), [&](const auto& value_of) {
      if (const std::optional<Value> address = path.expressions.evaluate(*event.address, value_of)) add(*address);
    });
  }
  return depends;
}

void ValueDomain::add_cut(const Bytes& bytes) {
  const std::int64_t size = litmus::extent_in_bytes(test_[bytes.physical]);
  for (std::int64_t offset : {bytes.offset, bytes.offset + bytes.size}) {
    if (offset == 0 || offset == size) continue;
    const std::pair cut(bytes.physical, offset);
    const auto at = std::lower_bound(cuts_.begin(), cuts_.end(), cut);
    if (at == cuts_.end() || *at != cut) cuts_.insert(at, cut);
  }
}

std::vector<Bytes> ValueDomain::parts_of(const Bytes& bytes) const {
  std::vector<Bytes> parts;
  std::int64_t begin = bytes.offset;
  const std::int64_t end = bytes.offset + bytes.size;
  auto add = [&](std::int64_t to) {
    parts.push_back({bytes.physical, begin, static_cast<int>(to - begin)});
    begin = to;
  };
  for (auto at = std::upper_bound(cuts_.begin(), cuts_.end(), std::pair(bytes.physical, begin));
       at != cuts_.end() && at->first == bytes.physical && at->second < end; ++at) {
    add(at->second);
  }
  add(end);
  return parts;
}

// For each read of the path, in program order: what it can return, given what the reads before it can.
ValueDomain::Choices ValueDomain::choices(litmus::ThreadId thread, const Path& path, bool meeting_constraints) const {
  Choices values(path.events.size());
  for (std::uint32_t i = 0; i < path.events.size(); ++i) {
    const PathEvent& event = path.events[i];
    if (event.kind != EventKind::read) continue;
    const litmus::Type type = access_of(test_, thread, event).type;
    for_each_assignment(path, values, path.expressions.leaves(*event.address), [&](const auto& value_of) {
      const std::optional<Value> address = path.expressions.evaluate(*event.address, value_of);
      const std::optional<Bytes> bytes = address ? bytes_at(test_, *address, type) : std::nullopt;
      if (!bytes) return;
      add_readable(*bytes, type, values[i]);
      keep_small(values[i]);
    });
    sort_unique(values[i]);
    if (meeting_constraints) refine(path, values, i);
  }
  return values;
}

// Drops the values that a constraint on this read alone excludes.
void ValueDomain::refine(const Path& path, Choices& values, std::uint32_t read) const {
  for (const Constraint& constraint : path.constraints) {
    const std::vector<std::uint32_t> leaves = path.expressions.leaves(constraint.expression);
    if (leaves.size() != 1 || leaves[0] != read) continue;
    std::erase_if(values[read], [&](const Value& value) {
      const std::optional<Value> result =
          path.expressions.evaluate(constraint.expression, [&](std::uint32_t) { return value; });
      return result && !meets(constraint, *result);
    });
  }
}

template <typename Visit>
void ValueDomain::for_each_assignment(const Path&, const Choices& values, std::vector<std::uint32_t> leaves,
                                      const Visit& visit) const {
  if (leaves.size() > 1) {
    base::sort(leaves);
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  }
  for (std::uint32_t leaf : leaves) {
    if (values[leaf].empty()) return;
  }
  std::vector<std::size_t> digits(leaves.size());
  auto value_of = [&](std::uint32_t event) {
    const auto leaf = std::lower_bound(leaves.begin(), leaves.end(), event) - leaves.begin();
    return values[event][digits[static_cast<std::size_t>(leaf)]];
  };
  while (true) {
    if (++work_ > kMostWork || overflowed_ || allowance_.spend(1 + stored_.size() / 256)) {
      overflowed_ = true;
      return;
    }
    visit(value_of);
    std::size_t digit = 0;
    while (digit < leaves.size() && ++digits[digit] == values[leaves[digit]].size()) digits[digit++] = 0;
    if (digit == leaves.size()) return;
  }
}

void ValueDomain::add_readable(const Bytes& bytes, litmus::Type type, std::vector<Value>& values) const {
  if (!cuts_.empty()) {
    const std::vector<Bytes> parts = parts_of(bytes);
    if (parts.size() > 1) return add_assembled(parts, type, values);
  }
  for (const Stored& stored : stored_) {
    if (!stored.bytes.contains(bytes)) continue;
    if (const std::optional<Value> part = part_of(stored.value, stored.bytes, bytes)) {
      values.push_back(wrap(*part, type));
    }
  }
}

// Each part may come from another write.
void ValueDomain::add_assembled(const std::vector<Bytes>& parts, litmus::Type type, std::vector<Value>& values) const {
  std::vector<std::uint64_t> numbers{0};
  for (const Bytes& part : parts) {
    std::vector<std::uint64_t> longer;
    for (const Stored& stored : stored_) {
      if (!stored.bytes.contains(part)) continue;
      const std::optional<Value> value = part_of(stored.value, stored.bytes, part);
      if (!value || value->base) {
        overflowed_ = true;  // a part of an address: no value stands for it
        return;
      }
      const auto shift = static_cast<unsigned>(8 * (part.offset - parts.front().offset));
      const auto number = static_cast<std::uint64_t>(bits(*value, part.size).number) << shift;
      for (std::uint64_t shorter : numbers) longer.push_back(shorter | number);
      if (longer.size() >= kMostStored) sort_unique(longer);
      work_ += numbers.size();
      if (longer.size() >= kMostStored || work_ > kMostWork) {
        overflowed_ = true;
        return;
      }
    }
    sort_unique(longer);
    numbers = std::move(longer);
  }
  for (std::uint64_t number : numbers) {
    values.push_back(wrap(litmus::integer(static_cast<std::int64_t>(number)), type));
  }
}

std::vector<Value> ValueDomain::readable(const Bytes& bytes, litmus::Type type) const {
  std::vector<Value> values;
  add_readable(bytes, type, values);
  sort_unique(values);
  return values;
}

bool ValueDomain::is_feasible(litmus::ThreadId thread, const Path& path) const {
  const Choices values = choices(thread, path, true);
  return std::all_of(path.constraints.begin(), path.constraints.end(), [&](const Constraint& constraint) {
    bool met = false;
    for_each_assignment(path, values, path.expressions.leaves(constraint.expression), [&](const auto& value_of) {
      const std::optional<Value> value = path.expressions.evaluate(constraint.expression, value_of);
      met = met || !value || meets(constraint, *value);
    });
    return met || overflowed_;
  });
}

std::vector<Value> ValueDomain::possible(litmus::ThreadId thread, const Path& path, ExprId expression) const {
  std::vector<Value> results;
  const Choices values = choices(thread, path, true);
  for_each_assignment(path, values, path.expressions.leaves(expression), [&](const auto& value_of) {
    if (const std::optional<Value> value = path.expressions.evaluate(expression, value_of)) results.push_back(*value);
    keep_small(results);
  });
  sort_unique(results);
  return results;
}

}  // namespace weakspot::model
