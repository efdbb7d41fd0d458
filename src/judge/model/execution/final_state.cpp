// SPDX-License-Identifier: MIT
#include "model/execution/final_state.h"

namespace weakspot::model {
namespace {

using litmus::Value;

// `value` put in place of the cell's bytes of `whole`, which lies at `bytes`.
Value insert(const Value& whole, const Value& value, const Bytes& cell, const Bytes& bytes, litmus::Type type) {
  if (cell.size == bytes.size) return wrap(value, type);
  const auto shift = static_cast<unsigned>(8 * (cell.offset - bytes.offset));
  const std::uint64_t mask = ((std::uint64_t{1} << (8 * cell.size)) - 1) << shift;
  const std::uint64_t kept = static_cast<std::uint64_t>(whole.number) & ~mask;
  const std::uint64_t added = (static_cast<std::uint64_t>(value.number) << shift) & mask;
  return wrap(litmus::integer(static_cast<std::int64_t>(kept | added)), type);
}

}  // namespace

FinalState::FinalState(const Layout& layout) : layout_(layout) {
  const litmus::LitmusTest& test = *layout.frame.test;
  const std::vector<litmus::Observable> observed = test.observed();
  registers_.reserve(observed.size());
  for (std::size_t i = 0; i < observed.size(); ++i) {
    if (const auto* reg = std::get_if<litmus::ObservedRegister>(&observed[i])) {
      registers_.push_back(*reg);
      continue;
    }
    litmus::LocationId location = std::get<litmus::LocationId>(observed[i]);
    if (test[location].alias_of) location = physical_location(test, location);
    locations_.push_back({i, location, bytes_of(test, location)});
  }
  for (EventId cell = 0; cell < layout.cells.size(); ++cell) {
    Part part{cell, {}};
    for (std::size_t i = 0; i < locations_.size(); ++i) {
      if (layout.bytes[cell].overlaps(locations_[i].bytes)) part.items.push_back(i);
    }
    if (!part.items.empty()) parts_.push_back(std::move(part));
  }
  last_writes_.resize(parts_.size());
  chosen_.resize(parts_.size());
  base_.resize(observed.size());
  so_far_.resize(observed.size());
  outcomes_.resize(1);
}

std::span<const std::optional<Value>> FinalState::so_far(FrameValues& values) {
  for (std::size_t i = 0; i < registers_.size(); ++i) so_far_[i] = values.final_register(i);
  return so_far_;
}

bool FinalState::take_registers(FrameValues& values) {
  for (std::size_t i = 0; i < registers_.size(); ++i) {
    const std::optional<Value> value = values.final_register(i);
    if (!value) return false;
    base_[i] = *value;
  }
  return true;
}

std::span<const litmus::Outcome> FinalState::outcomes(const FrameValues& values, const Coherence& coherence,
                                                      Allowance& allowance) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    coherence.last_writes(parts_[i].cell, last_writes_[i]);
    chosen_[i] = 0;
  }
  std::size_t count = 0;
  while (true) {
    if (count == outcomes_.size()) outcomes_.emplace_back();
    fill(outcomes_[count++], values.values());
    std::size_t part = 0;
    while (part < parts_.size() && ++chosen_[part] == last_writes_[part].size()) chosen_[part++] = 0;
    if (part == parts_.size()) break;
    // Only tests that leave many writes unordered get here.
    if (allowance.spend() || !allowance.holds(count * (sizeof(litmus::Outcome) + base_.size() * sizeof(Value)))) break;
  }
  return std::span(outcomes_).first(count);
}

void FinalState::fill(litmus::Outcome& outcome, const std::vector<Value>& values) const {
  const litmus::LitmusTest& test = *layout_.frame.test;
  outcome = base_;
  for (const Observed& item : locations_) {
    outcome[item.index] = wrap(test[item.location].initial, test[item.location].type);
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Value& value = values[last_writes_[i][chosen_[i]]];
    for (std::size_t index : parts_[i].items) {
      const Observed& item = locations_[index];
      Value& whole = outcome[item.index];
      whole = insert(whole, value, layout_.bytes[parts_[i].cell], item.bytes, test[item.location].type);
    }
  }
}

}  // namespace weakspot::model
