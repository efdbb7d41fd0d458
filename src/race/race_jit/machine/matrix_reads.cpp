// SPDX-License-Identifier: MIT
#include "race_jit/machine/matrix_reads.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "race/not_modelled.h"
#include "race_jit/machine/core.h"
#include "race_jit/machine/signals.h"
#include "race_jit/math/small_floats.h"

namespace weakspot::race_jit {
namespace {

// Addresses in descriptors have 18 bits.
constexpr std::uint32_t kDescribed = 0x3ffff;
constexpr BulkEnd kEnd{.how = "wait for it with wgmma.wait_group 0 before the block ends"};

unsigned size_of(MatrixElement element) {
  return element == MatrixElement::tf32 ? 4 : element <= MatrixElement::bfloat ? 2 : 1;
}

// The element at a place of the sum.
float element_at(const MatrixRow& row, MatrixElement element, unsigned place) {
  const std::uint8_t* bytes = row.data() + std::size_t{place} * size_of(element);
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, size_of(element));
  switch (element) {
    case MatrixElement::half:
      return half_to_float(static_cast<std::uint16_t>(word));
    case MatrixElement::bfloat:
      return weakspot_bfloat_to_float(static_cast<std::uint16_t>(word));
    case MatrixElement::tf32: {
      const std::uint32_t cut = word & 0xffffe000u;
      float value = 0;
      std::memcpy(&value, &cut, sizeof value);
      return value;
    }
    case MatrixElement::e4m3:
      return tiny_to_float(static_cast<std::uint8_t>(word), 3);
    case MatrixElement::e5m2:
      return tiny_to_float(static_cast<std::uint8_t>(word), 2);
    case MatrixElement::s8:
      return static_cast<float>(static_cast<std::int8_t>(word));
    case MatrixElement::u8:
      return static_cast<float>(word);
  }
  return 0;
}

// A sum of a lane, by its number: of a word, or half of one.
double sum_before(MatrixSum kind, const MatrixRegisters& sums, unsigned number) {
  if (kind == MatrixSum::f16) return half_to_float(static_cast<std::uint16_t>(sums[number / 2] >> number % 2 * 16));
  if (kind == MatrixSum::s32) return static_cast<std::int32_t>(sums[number]);
  float value = 0;
  std::memcpy(&value, &sums[number], sizeof value);
  return value;
}
void set_sum(MatrixSum kind, MatrixRegisters& sums, unsigned number, double value) {
  if (kind == MatrixSum::f16) {
    const unsigned shift = number % 2 * 16;
    const std::uint32_t bits = float_to_half(static_cast<float>(value));
    sums[number / 2] = (sums[number / 2] & ~(0xffffu << shift)) | bits << shift;
  } else if (kind == MatrixSum::s32) {
    // Wraps around; whole numbers of this size are exact.
    sums[number] = static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
  } else {
    const auto rounded = static_cast<float>(value);
    std::memcpy(&sums[number], &rounded, sizeof rounded);
  }
}

}  // namespace

// 16 bytes change their place within a row by the number of the row among eight.
std::uint32_t MatrixDescriptor::shuffled(std::uint32_t place) const {
  return (place ^ ((place >> 3) & (width() - 16))) & kDescribed;
}

std::uint32_t MatrixDescriptor::offset(std::uint32_t row, std::uint32_t half) const {
  const std::uint32_t between_halves = width() == 16 ? field(16) : 16;
  return shuffled(field(0) + row / 8 * field(32) + row % 8 * width() + half * between_halves);
}

std::uint32_t MatrixDescriptor::offset_across(std::uint32_t eight, std::uint32_t place) const {
  if (width() == 16) return (field(0) + eight * field(32) + place % 8 * 16 + place / 8 * field(16)) & kDescribed;
  const std::uint32_t in_row = width() / 16;
  return shuffled(field(0) + eight / in_row * field(16) + eight % in_row * 16 + place % 8 * width() +
                  place / 8 * field(32));
}

std::uint32_t MatrixKind::packed() const {
  return static_cast<std::uint32_t>(left) | static_cast<std::uint32_t>(right) << 4 |
         static_cast<std::uint32_t>(sum) << 8 | (left_in_registers ? 1u << 12 : 0) | (left_across ? 1u << 13 : 0) |
         (right_across ? 1u << 14 : 0) | (minus_left ? 1u << 15 : 0) | (minus_right ? 1u << 16 : 0);
}

MatrixKind MatrixKind::unpacked(std::uint32_t bits) {
  auto flag = [&](unsigned at) { return (bits >> at & 1) != 0; };
  return {.left = static_cast<MatrixElement>(bits & 15),
          .right = static_cast<MatrixElement>(bits >> 4 & 15),
          .sum = static_cast<MatrixSum>(bits >> 8 & 15),
          .left_in_registers = flag(12),
          .left_across = flag(13),
          .right_across = flag(14),
          .minus_left = flag(15),
          .minus_right = flag(16)};
}

std::vector<float> matrix_values(MatrixElement element, std::span<const MatrixRow> rows) {
  std::vector<float> values;
  for (const MatrixRow& row : rows) {
    for (unsigned place = 0; place < 32 / size_of(element); ++place) values.push_back(element_at(row, element, place));
  }
  return values;
}

// A lane has two of each eight columns, in row lane / 4 and in the one eight further down.
void multiply(const MatrixKind& kind, const std::vector<float>& left, const std::vector<float>& right, unsigned lane,
              bool keep, MatrixRegisters& sums) {
  const std::size_t depth = left.size() / 16;
  const double sign = kind.minus_left != kind.minus_right ? -1 : 1;
  for (unsigned number = 0; number < right.size() / depth / 2; ++number) {
    const float* row = &left[(lane / 4 + number / 2 % 2 * 8) * depth];
    const float* column = &right[(number / 4 * 8 + lane % 4 * 2 + number % 2) * depth];
    double sum = 0;
    for (std::size_t place = 0; place < depth; ++place) sum += static_cast<double>(row[place]) * column[place];
    set_sum(kind.sum, sums, number, sign * sum + (keep ? sum_before(kind.sum, sums, number) : 0));
  }
}

void MatrixReads::commit(Warp& warp) { warp.closed.push_back(std::exchange(warp.open, nullptr)); }

void MatrixReads::finish(Warp& warp, std::uint32_t left) {
  while (warp.closed.size() > left) {
    warp.finished = race::joined(warp.finished, warp.closed.front());
    warp.closed.pop_front();
  }
}

namespace {

MatrixReads::Warp& current_warp() {
  const ThreadContext& thread = *weakspot_current;
  return core->matrices().warp(thread.state->block->index, thread.number / race::kWarp);
}

// Reads rows of a matrix for an agent, 16 bytes at a time.
class MatrixReader {
 public:
  MatrixReader(const BulkCopies::Agent& agent, std::uint32_t site, const BulkEnd& end)
      : agent_(agent), site_(site), end_(end) {}

  // `count` rows from row `from` on, which are multiples of eight.
  void read(std::uint64_t bits, bool across, std::uint32_t from, MatrixRow* rows, std::uint32_t count,
            std::uint32_t halves = 2) const {
    const MatrixDescriptor matrix{bits};
    std::array<std::uint8_t, 16> piece{};
    for (std::uint32_t i = 0; i < halves * count && !across; ++i) {
      piece = at(matrix.offset(from + i / halves, i % halves));
      std::copy(piece.begin(), piece.end(), rows[i / halves].begin() + i % halves * 16);
    }
    // Elements of two bytes.
    for (std::uint32_t i = 0; i < 2 * count && across; ++i) {
      const std::uint32_t eight = i / 16, place = i % 16;
      piece = at(matrix.offset_across(from / 8 + eight, place));
      for (std::uint32_t j = 0; j < 8; ++j) std::memcpy(&rows[eight * 8 + j][place * 2], &piece[std::size_t{j} * 2], 2);
    }
  }

 private:
  std::array<std::uint8_t, 16> at(std::uint32_t offset) const {
    char* shared = weakspot_current->shared;
    const auto base = static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(shared)) & kDescribed;
    std::array<std::uint8_t, 16> piece;
    const void* from = checked_for_bulk(agent_, shared + ((offset - base) & kDescribed), 16, false, site_, end_);
    std::memcpy(piece.data(), from, piece.size());
    return piece;
  }

  const BulkCopies::Agent& agent_;
  std::uint32_t site_;
  const BulkEnd& end_;
};

// Reads for the whole warp; the first lane does so when all have come.
void read_for_warp(const MatrixKind& kind, std::uint64_t first, std::uint64_t second, std::uint32_t columns,
                   std::uint32_t site) {
  ThreadContext& thread = *weakspot_current;
  const std::uint32_t number = thread.number / race::kWarp;
  MatrixReads::Warp& warp = current_warp();
  const BulkCopies::Agent agent =
      core->bulk().start_in_order(*thread.state, std::exchange(warp.brought, nullptr), number);
  const MatrixReader reader(agent, site, kEnd);
  const bool is_modelled =
      (kind.left_in_registers || MatrixDescriptor{first}.is_modelled()) && MatrixDescriptor{second}.is_modelled();
  if (!is_modelled) {
    weakspot_not_modelled("wgmma with the base offset of a descriptor",
                          static_cast<std::uint32_t>(race::Effect::memory), site);
  }
  std::array<MatrixRow, 16> left = warp.brought_left;
  if (!kind.left_in_registers) reader.read(first, kind.left_across, number % 4 * 16, left.data(), 16);
  std::vector<MatrixRow> right(columns);
  reader.read(second, kind.right_across, 0, right.data(), columns);
  warp.left = matrix_values(kind.left, left);
  warp.right = matrix_values(kind.right, right);
  warp.open = race::joined(warp.open, agent.done_reading());
}

}  // namespace

void read_matrix(const BulkCopies::Agent& agent, std::uint64_t descriptor, bool across, std::span<MatrixRow> rows,
                 const BulkEnd& end, std::uint32_t site, std::uint32_t halves) {
  MatrixReader(agent, site, end)
      .read(descriptor, across, 0, rows.data(), static_cast<std::uint32_t>(rows.size()), halves);
}

extern "C" {

// Sums come first, then the words of the first factor.
void weakspot_matrix_set(std::uint32_t number, std::uint32_t value, std::uint32_t) {
  MatrixReads& matrices = core->matrices();
  (number < kMatrixRegisters ? matrices.registers[number] : matrices.left_registers[number % 4]) = value;
}
std::uint32_t weakspot_matrix_get(std::uint32_t number, std::uint32_t) { return core->matrices().registers[number]; }

// The warp reads 16 rows of the first factor, if that is in memory, and all rows of the second; each lane computes its
// sums.
void weakspot_matrix_product(std::uint64_t first, std::uint64_t second, std::uint32_t kind_bits, std::uint32_t columns,
                             std::uint32_t keep, std::uint32_t site) {
  const ThreadContext& thread = *weakspot_current;
  const MatrixKind kind = MatrixKind::unpacked(kind_bits);
  const unsigned lane = thread.number % race::kWarp;
  MatrixRegisters sums;
  {
    InRuntime inside;
    MatrixReads& matrices = core->matrices();
    sums = matrices.registers;
    MatrixReads::Warp& warp = current_warp();
    warp.brought = race::joined(warp.brought, core->detector().publish(*thread.state));
    for (unsigned i = 0; i < 4 && kind.left_in_registers; ++i) {
      MatrixRow& row = warp.brought_left[lane / 4 + i % 2 * 8];
      std::memcpy(&row[std::size_t{i} / 2 * 16 + std::size_t{lane} % 4 * 4], &matrices.left_registers[i], 4);
    }
  }
  weakspot_vote(kAllLanes, kVoteAny, 1, site);
  if (lane == 0) {
    InRuntime inside;
    read_for_warp(kind, first, second, columns, site);
  }
  weakspot_vote(kAllLanes, kVoteAny, 1, site);
  const MatrixReads::Warp& warp = current_warp();
  multiply(kind, warp.left, warp.right, lane, keep != 0, sums);
  core->matrices().registers = sums;
}

void weakspot_matrix_commit(std::uint32_t) {
  InRuntime inside;
  if (weakspot_current->number % race::kWarp == 0) MatrixReads::commit(current_warp());
}

void weakspot_matrix_wait(std::uint32_t left, std::uint32_t site) {
  ThreadContext& thread = *weakspot_current;
  if (thread.number % race::kWarp == 0) {
    InRuntime inside;
    MatrixReads::finish(current_warp(), left);
  }
  weakspot_vote(kAllLanes, kVoteAny, 1, site);
  InRuntime inside;
  core->detector().learn(*thread.state, current_warp().finished);
}

}  // extern "C"

std::vector<HookSymbol> matrix_hook_symbols() {
  return {
#define HOOK(name) {#name, reinterpret_cast<void*>(&(name))}
      HOOK(weakspot_matrix_set),    HOOK(weakspot_matrix_get),  HOOK(weakspot_matrix_product),
      HOOK(weakspot_matrix_commit), HOOK(weakspot_matrix_wait),
#undef HOOK
  };
}

}  // namespace weakspot::race_jit
