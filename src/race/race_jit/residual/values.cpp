// SPDX-License-Identifier: MIT
#include "race_jit/residual/values.h"

#include <algorithm>

namespace weakspot::race_jit {
namespace {

void add_number(std::string& text, std::uint64_t number) {
  do {
    text += static_cast<char>('0' + (number & 63));
    number >>= 6;
  } while (number != 0);
  text += ',';
}

}  // namespace

bool PartialValue::is_known() const {
  if (kind == Kind::parts) return std::all_of(parts.begin(), parts.end(), [](const auto& p) { return p.is_known(); });
  return kind == Kind::known;
}

bool PartialValue::has_unknown() const {
  return kind == Kind::unknown ||
         std::any_of(parts.begin(), parts.end(), [](const auto& p) { return p.has_unknown(); });
}

bool PartialValue::has_undefined() const {
  return kind == Kind::undefined ||
         std::any_of(parts.begin(), parts.end(), [](const auto& p) { return p.has_undefined(); });
}

void PartialValue::describe(std::string& text) const {
  text += "kurp"[static_cast<std::size_t>(kind)];
  if (kind == Kind::known || kind == Kind::unknown) add_number(text, bits);
  for (const PartialValue& part : parts) part.describe(text);
  if (kind == Kind::parts) text += ')';
}

void PartialMemory::forget(std::uint64_t address, std::uint64_t size) {
  bytes_.erase(bytes_.lower_bound(address), bytes_.lower_bound(address + size));
  auto at = cells_.lower_bound(address);
  if (at != cells_.begin()) --at;
  while (at != cells_.end() && at->first < address + size) {
    at = at->first + at->second.size > address ? cells_.erase(at) : std::next(at);
  }
}

void PartialMemory::store_known(std::uint64_t address, std::uint64_t size, std::uint64_t bits) {
  forget(address, size);
  for (std::uint64_t i = 0; i < size; ++i) bytes_[address + i] = static_cast<std::uint8_t>(bits >> (8 * i));
}

void PartialMemory::store_unknown(std::uint64_t address, std::uint64_t size, std::uint32_t reg) {
  forget(address, size);
  cells_[address] = {address, size, reg};
}

std::optional<std::uint8_t> PartialMemory::byte(std::uint64_t address) const {
  const auto found = bytes_.find(address);
  return found == bytes_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> PartialMemory::cell(std::uint64_t address, std::uint64_t size) const {
  const auto found = cells_.find(address);
  return found == cells_.end() || found->second.size != size ? std::nullopt : std::optional(found->second.reg);
}

bool PartialMemory::touches_cell(std::uint64_t address, std::uint64_t size) const {
  auto at = cells_.lower_bound(address);
  if (at != cells_.end() && at->first < address + size) return true;
  return at != cells_.begin() && std::prev(at)->first + std::prev(at)->second.size > address;
}

std::vector<PartialMemory::Cell> PartialMemory::cells_in(std::uint64_t address, std::uint64_t size) const {
  std::vector<Cell> found;
  auto at = cells_.lower_bound(address);
  if (at != cells_.begin() && std::prev(at)->first + std::prev(at)->second.size > address) --at;
  for (; at != cells_.end() && at->first < address + size; ++at) found.push_back(at->second);
  return found;
}

void PartialMemory::describe(std::string& text) const {
  for (const auto& [address, byte] : bytes_) {
    add_number(text, address);
    text += static_cast<char>(byte);
  }
  text += '|';
  for (const auto& [address, cell] : cells_) {
    add_number(text, address);
    add_number(text, cell.size);
    add_number(text, cell.reg);
  }
}

}  // namespace weakspot::race_jit
