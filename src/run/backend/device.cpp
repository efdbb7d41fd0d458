// SPDX-License-Identifier: MIT
#include "backend/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/names.h"

namespace weakspot::backend {
namespace {

constexpr base::Named<RunStatus> kStatuses[] = {
    {"finished", RunStatus::finished},
    {"stopped", RunStatus::stopped},
    {"lost", RunStatus::lost},
};

}  // namespace

std::string_view to_string(RunStatus status) { return base::name_of(kStatuses, status); }

base::Result<std::size_t> device_number(std::string_view id) {
  const std::size_t colon = std::min(id.find(':'), id.size());
  const std::string_view number = colon + 1 < id.size() ? id.substr(colon + 1) : "0";
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size()) {
    return base::error(fmt::format("unknown device '{}'; expected {}:NUMBER", id, id.substr(0, colon)));
  }
  return value;
}

}  // namespace weakspot::backend
