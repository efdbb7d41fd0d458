// SPDX-License-Identifier: MIT
// Tests of cuda-litmus, a published study of PTX: a CUDA file holds one test in many variants, which macros choose, and
// a name such as wrc_TB_0_12_SCOPE_DEVICE_FENCE_SCOPE_BLOCK_BOTH_FENCE says which macros are set:
//
//   wrc                 the file: wrc.cu; "three_2w" is 3.2w.cu, "wrw_2w" is wrw+2w.cu
//   TB_0_12             thread 0 in a block of its own, threads 1 and 2 in another
//   SCOPE_DEVICE        the scope of the atomic accesses
//   FENCE_SCOPE_BLOCK   the scope of the fences, or NO_FENCE
//   BOTH_FENCE          the variant: which accesses and fences have which order
//
// Names from logs have '-' between these parts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "litmus/test.h"

namespace weakspot::analysis {

struct CudaLitmusName {
  std::string kernel;               // as kernel_key() writes it
  std::vector<std::string> blocks;  // the threads of each block, a digit each: {"0", "12"}
  litmus::Scope scope = litmus::Scope::device;
  std::optional<litmus::Scope> fence_scope;  // none: NO_FENCE
  std::string variant;

  friend bool operator==(const CudaLitmusName&, const CudaLitmusName&) = default;
};

std::optional<CudaLitmusName> parse_cuda_litmus_name(std::string_view name);

// What names call the kernel in a file of this stem: "three_2w" for "3.2w".
std::string kernel_key(std::string_view stem);

// The variant of the kernel as a test for PTX. A seq_cst access is a fence.sc before a relaxed store or an acquire
// load, as CUDA's atomics are compiled. The question is the outcome that the kernel counts as weak. Fails where the
// kernel does something else than loads, stores and fences of numbered threads.
base::Result<litmus::LitmusTest> cuda_litmus_test(const base::Source& kernel, const CudaLitmusName& name,
                                                  const std::string& test_name);

}  // namespace weakspot::analysis
