// SPDX-License-Identifier: MIT
// The places of a test's locations and of its threads' results in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/buffer_words.h"
#include "codegen/environment.h"
#include "codegen/harness/assignment.h"
#include "codegen/harness/structure.h"
#include "codegen/kernel/kernel.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// The places of an instance's locations: within a slice in words, in the workgroup's memory in bytes.
struct MemoryLayout {
  Layout kind = Layout::interleaved;
  std::uint32_t cell_words = 1;        // 2 if any location has 64 bits
  std::vector<bool> shared;            // by location
  std::vector<std::uint32_t> number;   // by location: its number among those of its kind
  std::vector<std::uint32_t> strides;  // by global location, in words
  std::uint32_t shared_count = 0;

  std::uint32_t global_count() const { return static_cast<std::uint32_t>(strides.size()); }

  // The word of the `global`-th global location, for an instance out of `instances`.
  template <typename N>
  N word(std::uint32_t global, N instance, N instances, N factor) const {
    N place = instance;
    for (std::uint32_t i = 0; i < global; ++i) place = permuted(place, factor, instances);
    if (kind == Layout::interleaved) {
      return place * N(strides[0] * global_count()) + N(global * strides[0]);
    }
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < global; ++i) before += strides[i];
    return instances * N(before) + place * N(strides[global]);
  }
  // Words of one slice.
  std::uint64_t slice_words(std::uint64_t instances) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t stride : strides) sum += stride;
    return sum * instances;
  }
};

MemoryLayout lay_out(const litmus::LitmusTest& test, const TestEnvironment& environment);

// Words of the memory buffer that loads through a texture or through constant memory can see; 0: the test has none.
std::uint64_t most_memory_words(const litmus::LitmusTest& test);

// A value that a thread leaves in the result buffer for each instance. Each item has an array of kResultStride entries.
struct ResultItem {
  enum class Kind : std::uint8_t { reg, shared_location, unfinished };
  Kind kind = Kind::reg;
  std::size_t role = 0;        // the role that stores it
  std::uint32_t reg = 0;       // kind reg
  std::uint32_t location = 0;  // kind shared_location
  Width width = Width::w32;
  std::uint32_t words_before = 0;  // words of the earlier items, per instance
};

std::vector<ResultItem> result_items(const litmus::LitmusTest& test, const RolePlan& roles,
                                     const std::vector<std::vector<Region>>& regions);
std::uint32_t words_per_instance(const std::vector<ResultItem>& items);

}  // namespace weakspot::codegen
