// SPDX-License-Identifier: MIT
// One machine instruction of a CPU, read back from its bytes. The readers know what the code generator writes and no
// more: anything else is not known, and the verdict says so.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "optcheck/compare/event.h"

namespace weakspot::optcheck {

// Beyond the general registers, which have their own numbers. Reading the zero register gives nothing.
inline constexpr Register kZeroRegister = 31;
inline constexpr Register kStackRegister = 32;
inline constexpr Register kFlagsRegister = 33;
inline constexpr std::size_t kCpuRegisters = 34;

struct CpuAddress {
  Register base = 0;
  std::optional<Register> index;
  std::int64_t displacement = 0;
};

// The arithmetic followed to know addresses: target = the sum of `added`, plus left * right or left * factor, plus
// constant.
struct CpuSum {
  Register target = 0;
  std::vector<Register> added;
  std::optional<Register> left, right;
  std::int64_t factor = 1;
  std::int64_t constant = 0;
  std::optional<int> insert;  // MOVK: `constant` replaces the 16 bits of the target from here on
};

struct CpuDecoded {
  std::uint64_t at = 0;
  std::uint32_t length = 4;
  std::string text;
  Step step;                          // without `event`, `target` and the registers of the address
  std::optional<std::uint64_t> jump;  // byte of the function
  std::optional<Event> event;         // an access or a fence, without its place
  std::optional<CpuAddress> address;
  std::optional<CpuSum> sum;
  std::optional<Register> status;  // the status register of a store-exclusive
};

base::Result<std::vector<CpuDecoded>> decode_aarch64(std::span<const std::uint8_t> bytes);
base::Result<std::vector<CpuDecoded>> decode_x86_64(std::span<const std::uint8_t> bytes);

}  // namespace weakspot::optcheck
