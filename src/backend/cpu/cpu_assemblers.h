// What the two encoders share.
#pragma once

#include <asmjit/core.h>

#include <string>
#include <vector>

#include "codegen/cpu_code.h"

namespace weakspot::backend {

// Each writes `code` into the holder; the error is empty, or says which instruction the library would not take.
std::string encode_aarch64(asmjit::CodeHolder& holder, const codegen::CpuCode& code);
std::string encode_x86_64(asmjit::CodeHolder& holder, const codegen::CpuCode& code);

// Labels by their number, made when they are first met.
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
