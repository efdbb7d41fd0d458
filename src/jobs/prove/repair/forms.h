// SPDX-License-Identifier: MIT
// The words of CUDA and PTX for orders, scopes and fences, from the weakest to the strongest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::prove {

// Orders are sets of what they keep, so that one is at most as strong as another if it is a part of it.
enum OrderBits : std::uint8_t {
  kNothingKept = 0,
  kStrong = 8,
  kAcquires = kStrong | 1,
  kReleases = kStrong | 2,
  kAcquiresAndReleases = kAcquires | kReleases,
  kSequential = kAcquiresAndReleases | 4,
};
enum class WordScope : std::uint8_t { none, block, device, system };

// One way to write something. An empty text: it is left out.
struct Form {
  std::string text;
  std::uint8_t order = kNothingKept;
  WordScope scope = WordScope::none;

  std::size_t cost() const;
};
bool at_most_as_strong(const Form& a, const Form& b);

struct Forms {
  std::vector<Form> all;    // weakest first, the last at least as strong as all others
  std::size_t written = 0;  // the one that the source has
};

enum class AccessRole : std::uint8_t { load, store, update, fence };

// `acquire` of "memory_order_acquire", "__NV_ATOMIC_ACQUIRE" or "memory_order::acquire", with all words that the role
// takes. The prefix is kept. None: the word is no order.
std::optional<Forms> order_forms(std::string_view word, bool behind_enum_name, AccessRole role);
// "thread_scope_block", "__NV_THREAD_SCOPE_BLOCK"; "atomicAdd_block", if a bracket follows.
std::optional<Forms> scope_forms(std::string_view word);
// "__threadfence_block" and its like: the statement with its semicolon, or without it nothing.
std::optional<Forms> fence_function_forms(std::string_view word);
// An instruction of PTX by its opcode, "ld.acquire.gpu.global.u32"; of a fence, the empty form leaves out all of the
// instruction. None: it has no orders.
std::optional<Forms> ptx_forms(std::string_view opcode);
bool is_ptx_fence(std::string_view opcode);

// Fences to insert, in the words that a source uses: CUDA's functions, or those of <cuda/atomic>, or PTX.
enum class FenceWords : std::uint8_t { functions, library, ptx };
Forms inserted_fences(FenceWords words, const std::vector<WordScope>& scopes);

}  // namespace weakspot::prove
