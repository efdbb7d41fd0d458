// SPDX-License-Identifier: MIT
#include "race_jit/hooks/tensor_copies.h"

#include <algorithm>

namespace weakspot::race_jit {
namespace {

// By the numbers of CUtensorMapDataType.
enum TensorType : std::uint8_t {
  kU8,
  kU16,
  kU32,
  kS32,
  kU64,
  kS64,
  kHalf,
  kFloat,
  kDouble,
  kBfloat,
  kFloatFtz,
  kTf32,
  kTf32Ftz,
  kTypes
};
constexpr unsigned kSizes[kTypes] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
constexpr std::uint32_t kShuffles[] = {0, 32, 64, 128};

}  // namespace

std::optional<TensorBox> TensorBox::make(const TensorMapBits& map, const std::array<std::int32_t, 5>& begin,
                                         const char** why) {
  auto refuse = [&](const char* text) {
    *why = text;
    return std::nullopt;
  };
  if (map.mark != kTensorMapMark) return refuse("a tensor map that cuTensorMapEncodeTiled has not made");
  if (map.rank < 1 || map.rank > 5 || map.type >= kTypes) return refuse("a tensor map with packed elements");
  if (map.interleave != 0) return refuse("an interleaved tensor map");
  if (map.swizzle >= std::size(kShuffles)) return refuse("a tensor map with this swizzle");
  if (map.fill != 0) return refuse("a tensor map that fills with what is not a number");
  TensorBox box;
  box.map_ = map;
  box.begin_ = begin;
  box.element_ = kSizes[map.type];
  box.row_bytes_ = map.box[0] * box.element_;
  box.shuffle_ = kShuffles[map.swizzle];
  for (unsigned i = 0; i < map.rank; ++i) {
    if (map.steps[i] != 1) return refuse("a tensor map that leaves elements out");
    if (i > 0) box.rows_ *= map.box[i];
  }
  if (box.shuffle_ != 0 && box.row_bytes_ != box.shuffle_)
    return refuse("a tensor map with rows shorter than the swizzle");
  if (box.bytes() > 256u * 1024) return refuse("a tensor map with a box larger than shared memory");
  return box;
}

std::vector<TensorBox::Piece> TensorBox::pieces() const {
  std::vector<Piece> found;
  const std::int64_t size = std::int64_t{map_.last[0]} + 1;
  const std::int64_t first = std::max<std::int64_t>(begin_[0], 0);
  const std::int64_t end = std::min<std::int64_t>(std::int64_t{begin_[0]} + map_.box[0], size);
  if (first >= end) return found;
  for (std::uint32_t row = 0; row < rows_; ++row) {
    std::uint64_t address = map_.address + static_cast<std::uint64_t>(first) * element_;
    std::uint32_t rest = row;
    bool inside = true;
    for (unsigned i = 1; i < map_.rank; ++i) {
      const std::int64_t at = std::int64_t{begin_[i]} + rest % map_.box[i];
      rest /= map_.box[i];
      inside = inside && at >= 0 && at <= std::int64_t{map_.last[i]};
      address += static_cast<std::uint64_t>(at) * map_.strides[i - 1];
    }
    if (!inside) continue;
    found.push_back({address, row * row_bytes_ + static_cast<std::uint32_t>(first - begin_[0]) * element_,
                     static_cast<std::uint32_t>(end - first) * element_});
  }
  return found;
}

// Pieces of 16 bytes change their place within a row by the number of the row among eight rows of 128 bytes.
std::uint64_t TensorBox::place(std::uint64_t begin, std::uint32_t offset) const {
  const std::uint64_t at = begin + offset;
  return shuffle_ == 0 ? at : at ^ ((at >> 3) & (shuffle_ - 16));
}

std::uint32_t TensorBox::together(std::uint32_t offset) const {
  return shuffle_ == 0 ? bytes() - offset : 16 - offset % 16;
}

int TensorBox::operation(int asked) const {
  const auto type = static_cast<TensorType>(map_.type);
  const bool is_signed = type == kS32 || type == kS64;
  const bool is_integer = is_signed || type == kU32 || type == kU64;
  switch (asked) {
    case kAdd:
      if (is_integer) return kAdd;
      return type == kHalf ? kAddHalf : type == kBfloat ? kAddBfloat : type == kFloat ? kAddFloat : -1;
    case kMinUnsigned:
      return is_signed ? kMinSigned : is_integer ? kMinUnsigned : -1;
    case kMaxUnsigned:
      return is_signed ? kMaxSigned : is_integer ? kMaxUnsigned : -1;
    default:
      return is_integer ? asked : -1;
  }
}

}  // namespace weakspot::race_jit
