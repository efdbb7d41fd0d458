// SPDX-License-Identifier: MIT
// The encoders for the two instruction sets, and the parts that they share.
#pragma once

#include <asmjit/core.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "codegen/cpu_code.h"

namespace weakspot::backend {

// Each writes `code` into the holder. The error is empty, or names the instruction that the library rejected.
std::string encode_aarch64(asmjit::CodeHolder& holder, const codegen::CpuCode& code);
std::string encode_x86_64(asmjit::CodeHolder& holder, const codegen::CpuCode& code);

// Calls `encode` for each instruction until one fails.
template <typename Encode>
std::string encode_all(const codegen::CpuCode& code, Encode&& encode) {
  for (const codegen::CpuInstruction& instruction : code) {
    if (const asmjit::Error error = encode(instruction); error != asmjit::kErrorOk) {
      return fmt::format("cpu: cannot encode '{}': {}", instruction.mnemonic, asmjit::DebugUtils::errorAsString(error));
    }
  }
  return {};
}

// Labels by number, created on first use.
class LabelMap {
 public:
  asmjit::Label get(asmjit::BaseEmitter& emitter, std::uint32_t number) {
    if (number >= labels_.size()) labels_.resize(number + 1);
    if (!labels_[number].isValid()) labels_[number] = emitter.newLabel();
    return labels_[number];
  }

 private:
  std::vector<asmjit::Label> labels_;
};

}  // namespace weakspot::backend
