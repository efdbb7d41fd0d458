// SPDX-License-Identifier: MIT
// Bulk copies by tensor maps (cp.async.bulk.tensor): boxes of one to five dimensions between global memory and shared
// memory, where the bytes of a row may be shuffled. What lies outside of the tensor is read as zeros and not written,
// and all bytes of a box count at the mbarrier.
#pragma once

#include <weakspot/tensor_map_bits.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

// A box of a tensor: where it begins in each dimension, the first of which is contiguous.
class TensorBox {
 public:
  // Nothing if copies by this map are not modelled; `why` then says what is not.
  static std::optional<TensorBox> make(const TensorMapBits& map, const std::array<std::int32_t, 5>& begin,
                                       const char** why);

  // Elements of the box that are neighbours in memory and inside of the tensor.
  struct Piece {
    std::uint64_t address = 0;  // in global memory
    std::uint32_t offset = 0;   // in the box, before bytes are shuffled
    std::uint32_t size = 0;     // in bytes
  };
  std::vector<Piece> pieces() const;
  std::uint32_t bytes() const { return row_bytes_ * rows_; }
  // The address of a byte of the box in shared memory, if the box begins at `begin`.
  std::uint64_t place(std::uint64_t begin, std::uint32_t offset) const;
  // The number of bytes from there on that lie together.
  std::uint32_t together(std::uint32_t offset) const;
  unsigned element() const { return element_; }
  // For a reduction, by the type of the elements: the atomic operation that does what this one asks for; -1: none.
  int operation(int asked) const;

 private:
  TensorMapBits map_{};
  std::array<std::int32_t, 5> begin_{};
  unsigned element_ = 0;
  std::uint32_t row_bytes_ = 0, rows_ = 1;
  std::uint32_t shuffle_ = 0;  // the bytes of a row that is shuffled; 0: none is
};

}  // namespace weakspot::race_jit
