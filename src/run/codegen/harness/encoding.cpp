// SPDX-License-Identifier: MIT
#include "codegen/harness/encoding.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/harness/support.h"
#include "codegen/harness/values.h"

namespace weakspot::codegen {
namespace {

litmus::Type type_of(const litmus::LitmusTest& test, const litmus::Observable& item) {
  if (const auto* reg = std::get_if<litmus::ObservedRegister>(&item)) return test[*reg].type;
  return test[std::get<litmus::LocationId>(item)].type;
}

// The radix of a digit; nothing for 2^64.
std::optional<std::uint64_t> radix(const ItemCode& item) {
  if (!item.raw()) return item.values.size();
  if (item.wide()) return std::nullopt;
  return std::uint64_t{1} << 32;
}

}  // namespace

base::Result<OutcomeEncoding> OutcomeEncoding::make(const litmus::LitmusTest& test) {
  OutcomeEncoding encoding;
  const std::vector<litmus::Observable> observed = test.observed();
  const std::vector<PossibleValues> possible = possible_values(test);
  for (std::size_t i = 0; i < observed.size(); ++i) {
    ItemCode item;
    item.type = type_of(test, observed[i]);
    if (!possible[i].any) item.values = possible[i].values;
    encoding.factors_.push_back(encoding.size_);
    const std::optional<std::uint64_t> digits = radix(item);
    if (!digits || encoding.size_ > (std::uint64_t{1} << 63) / *digits) {
      return cannot_run(test,
                        fmt::format("the {} observed values have too many combinations to count", observed.size()));
    }
    encoding.size_ *= *digits;
    encoding.items_.push_back(std::move(item));
  }
  return encoding;
}

litmus::Value OutcomeEncoding::raw_value(std::size_t item, std::uint64_t bits) const {
  return litmus::integer(litmus::wrap(static_cast<std::int64_t>(bits), items_[item].type));
}

litmus::Outcome OutcomeEncoding::decode(std::uint64_t number) const {
  litmus::Outcome outcome;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const std::uint64_t digits = *radix(items_[i]);
    const std::uint64_t digit = number / factors_[i] % digits;
    outcome.push_back(items_[i].raw() ? raw_value(i, digit) : items_[i].values[digit]);
  }
  return outcome;
}

std::optional<std::uint64_t> OutcomeEncoding::encode(const litmus::Outcome& outcome) const {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    std::uint64_t digit = 0;
    if (items_[i].raw()) {
      digit = static_cast<std::uint32_t>(outcome[i].number);
    } else {
      const auto found = std::find(items_[i].values.begin(), items_[i].values.end(), outcome[i]);
      if (found == items_[i].values.end()) return std::nullopt;
      digit = static_cast<std::uint64_t>(found - items_[i].values.begin());
    }
    number += digit * factors_[i];
  }
  return number;
}

}  // namespace weakspot::codegen
