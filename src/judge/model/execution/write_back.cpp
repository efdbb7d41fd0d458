// SPDX-License-Identifier: MIT
#include "model/execution/write_back.h"

#include <algorithm>

namespace weakspot::model {
namespace {

using litmus::LocationId;
using litmus::ThreadId;
using litmus::Value;

// Whether the path's constraints on this read alone let it return the value.
bool may_return(const Path& path, std::uint32_t read, const Value& value) {
  return std::all_of(path.constraints.begin(), path.constraints.end(), [&](const Constraint& constraint) {
    const std::vector<std::uint32_t> leaves = path.expressions.leaves(constraint.expression);
    if (leaves.size() != 1 || leaves[0] != read) return true;
    const std::optional<Value> result =
        path.expressions.evaluate(constraint.expression, [&](std::uint32_t) { return value; });
    return !result || (*result == constraint.value) == constraint.equal;
  });
}

litmus::Type type_of(const litmus::LitmusTest& test, ThreadId thread, const PathEvent& event) {
  return litmus::access_of(test[thread].instructions[event.instruction])->type;
}

}  // namespace

// Whether visit(path, write, bytes, type) is true for some write of a value that a round read.
template <typename Visit>
bool WriteBacks::some(const std::vector<std::vector<Path>>& spins, const Visit& visit) const {
  for (std::uint32_t t = 0; t < spins.size(); ++t) {
    for (const Path& path : spins[t]) {
      for (std::size_t i = path.spin->first; i < path.events.size(); ++i) {
        const PathEvent& write = path.events[i];
        if (write.kind != EventKind::write || !write.rmw_read) continue;
        const litmus::Type type = type_of(test_, ThreadId{t}, write);
        const std::optional<Bytes> bytes = bytes_at(test_, *path.expressions.as_constant(*write.address), type);
        if (bytes && shared_.is_private(ThreadId{t}, bytes->physical)) continue;
        if (!bytes || visit(path, write, *bytes, type)) return true;
      }
    }
  }
  return false;
}

bool WriteBacks::any(const std::vector<std::vector<Path>>& spins) const {
  return some(spins, [](const auto&...) { return true; });
}

bool WriteBacks::may_be_seen(const std::vector<std::vector<Path>>& spins, const ValueDomain& domain) const {
  if (domain.overflowed()) return true;
  return some(spins, [&](const Path& path, const PathEvent& write, const Bytes& bytes, litmus::Type type) {
    if (is_observed(bytes.physical)) return true;
    const std::vector<Value> values = domain.readable(bytes, type);
    return std::any_of(values.begin(), values.end(), [&](const Value& value) {
      return may_return(path, *write.rmw_read, value) && is_read(bytes, type, value);
    });
  });
}

bool WriteBacks::is_observed(LocationId physical) const {
  const std::vector<litmus::Observable> observed = test_.observed();
  return std::any_of(observed.begin(), observed.end(), [&](const litmus::Observable& item) {
    const auto* location = std::get_if<LocationId>(&item);
    return location != nullptr && litmus::physical_location(test_, *location) == physical;
  });
}

bool WriteBacks::is_read(const Bytes& bytes, litmus::Type type, const Value& value) const {
  for (std::uint32_t t = 0; t < kept_.size(); ++t) {
    for (const Path& path : kept_[t]) {
      if (reads(ThreadId{t}, path, bytes, type, value)) return true;
    }
  }
  return false;
}

bool WriteBacks::reads(ThreadId thread, const Path& path, const Bytes& bytes, litmus::Type type,
                       const Value& value) const {
  for (std::uint32_t i = 0; i < path.events.size(); ++i) {
    const PathEvent& event = path.events[i];
    if (event.kind != EventKind::read) continue;
    // A thread that stops after a read-modify-write does nothing with what it read.
    if (path.ending == Ending::stopped && path.events.back().rmw_read == i) continue;
    const litmus::Type read_type = type_of(test_, thread, event);
    const Value* address = path.expressions.as_constant(*event.address);
    if (address == nullptr) return true;
    const std::optional<Bytes> read = bytes_at(test_, *address, read_type);
    if (!read || !read->overlaps(bytes)) continue;
    if (*read != bytes || read_type != type || may_return(path, i, value)) return true;
  }
  return false;
}

}  // namespace weakspot::model
