// SPDX-License-Identifier: MIT
// Values and memory of a thread that is evaluated partially.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weakspot::race_jit {

inline std::uint64_t low_bits(std::uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

struct PartialValue {
  enum class Kind : std::uint8_t { known, unknown, undefined, parts };
  Kind kind = Kind::undefined;
  std::uint64_t bits = 0;           // the value, or the number of a register
  std::vector<PartialValue> parts;  // of a structure, an array or a vector

  friend bool operator==(const PartialValue&, const PartialValue&) = default;

  static PartialValue known(std::uint64_t bits) { return {Kind::known, bits, {}}; }
  static PartialValue unknown(std::uint32_t reg) { return {Kind::unknown, reg, {}}; }
  bool is_known() const;
  bool has_unknown() const;
  bool has_undefined() const;
  void describe(std::string& text) const;
};

// Memory that only this thread uses: bytes with a known value, and cells whose value is in a register. Bytes that were
// never written are in neither.
class PartialMemory {
 public:
  void store_known(std::uint64_t address, std::uint64_t size, std::uint64_t bits);
  void store_unknown(std::uint64_t address, std::uint64_t size, std::uint32_t reg);
  void forget(std::uint64_t address, std::uint64_t size);

  std::optional<std::uint8_t> byte(std::uint64_t address) const;
  // The register of a cell that is exactly there.
  std::optional<std::uint32_t> cell(std::uint64_t address, std::uint64_t size) const;
  struct Cell {
    std::uint64_t begin = 0, size = 0;
    std::uint32_t reg = 0;
  };
  // The cells that have some of these bytes.
  std::vector<Cell> cells_in(std::uint64_t address, std::uint64_t size) const;
  bool touches_cell(std::uint64_t address, std::uint64_t size) const;
  void describe(std::string& text) const;

 private:
  std::map<std::uint64_t, std::uint8_t> bytes_;
  std::map<std::uint64_t, Cell> cells_;
};

}  // namespace weakspot::race_jit
