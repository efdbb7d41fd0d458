// SPDX-License-Identifier: MIT
// wgmma.mma_async: it reads operands in shared memory that descriptors describe, through the async proxy, until its
// group is waited for. The product is computed at once, which is one of the possible orders.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "race/clock.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/machine/bulk_copies.h"

namespace weakspot::race_jit {

// A matrix in shared memory, 32 bytes deep in the direction that is summed over, by its descriptor: bits 0-13 the
// start, 16-29 the leading and 32-45 the stride byte offset, all in units of 16 bytes, and 62-63 how the bytes are
// shuffled.
struct MatrixDescriptor {
  std::uint64_t bits = 0;

  // The offset of 16 bytes from the beginning of shared memory. A row has its 32 bytes in two halves.
  std::uint32_t offset(std::uint32_t row, std::uint32_t half) const;
  // The same for a matrix that lies the other way: eight neighbouring rows at one of the 16 places of the sum.
  std::uint32_t offset_across(std::uint32_t eight, std::uint32_t place) const;
  // Shuffled patterns that begin elsewhere than at a multiple of their size are not modelled.
  bool is_modelled() const { return (bits >> 49 & 7) == 0; }

 private:
  std::uint32_t field(unsigned from) const { return static_cast<std::uint32_t>(bits >> from & 0x3fff) * 16; }
  std::uint32_t width() const { return (bits >> 62) == 0 ? 16 : 256u >> (bits >> 62); }  // bytes of a shuffled row
  std::uint32_t shuffled(std::uint32_t place) const;
};

// The types that an instruction multiplies and adds up.
enum class MatrixElement : std::uint8_t { half, bfloat, tf32, e4m3, e5m2, s8, u8 };
enum class MatrixSum : std::uint8_t { f32, f16, s32 };
struct MatrixKind {
  MatrixElement left = MatrixElement::half, right = MatrixElement::half;
  MatrixSum sum = MatrixSum::f32;
  bool left_in_registers = false;
  bool left_across = false, right_across = false;  // lie the other way
  bool minus_left = false, minus_right = false;

  // The kind as one number, for compiled code.
  std::uint32_t packed() const;
  static MatrixKind unpacked(std::uint32_t bits);
};

// Rows of 32 bytes.
using MatrixRow = std::array<std::uint8_t, 32>;
inline constexpr unsigned kMatrixRegisters = 128;  // registers for the sums of a lane, at most
using MatrixRegisters = std::array<std::uint32_t, kMatrixRegisters>;

// The elements of all rows.
std::vector<float> matrix_values(MatrixElement element, std::span<const MatrixRow> rows);
// The sums of a lane, which are in these registers: those of 16 rows with all columns; `keep` adds what was there.
void multiply(const MatrixKind& kind, const std::vector<float>& left, const std::vector<float>& right, unsigned lane,
              bool keep, MatrixRegisters& sums);

// Reads as many rows of a matrix as there is room for, in pieces of 16 bytes, for the agent; `across`: it lies the
// other way, and its elements have two bytes. A row has `halves` pieces.
void read_matrix(const BulkCopies::Agent& agent, std::uint64_t descriptor, bool across, std::span<MatrixRow> rows,
                 const BulkEnd& end, std::uint32_t site, std::uint32_t halves = 2);

// The operations of a warp: its lanes execute them together, and each knows as much as all.
class MatrixReads {
 public:
  struct Warp {
    race::ClockRef brought, open, finished;
    std::deque<race::ClockRef> closed;
    std::array<MatrixRow, 16> brought_left{};  // from registers
    std::vector<float> left, right;            // operands of the operation that all lanes have come to
  };

  void clear() { warps_.clear(); }
  Warp& warp(std::uint32_t block, std::uint32_t number) { return warps_[{block, number}]; }

  static void commit(Warp& warp);
  // Called by one lane before they meet; Warp::finished is what all of them learn then.
  static void finish(Warp& warp, std::uint32_t left);

  // Registers of the running lane, until it meets the others.
  MatrixRegisters registers{};
  std::array<std::uint32_t, 4> left_registers{};

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, Warp> warps_;  // by block and number
};

std::vector<HookSymbol> matrix_hook_symbols();

}  // namespace weakspot::race_jit
