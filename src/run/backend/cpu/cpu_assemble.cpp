// SPDX-License-Identifier: MIT
#include "backend/cpu/cpu_assemble.h"

#include <asmjit/core.h>
#include <fmt/format.h>

#include <cstring>

#include "backend/cpu/cpu_assemblers.h"
#include "base/check.h"

namespace weakspot::backend {
namespace {

std::string encode(codegen::CpuIsa isa, asmjit::CodeHolder& holder, const codegen::CpuCode& code) {
  return isa == codegen::CpuIsa::aarch64 ? encode_aarch64(holder, code) : encode_x86_64(holder, code);
}

class JitFunctions final : public CpuFunctions {
 public:
  ~JitFunctions() override {
    for (const codegen::CpuFunction function : functions_) runtime_.release(function);
  }
  base::Status add(const codegen::CpuCode& code) {
    asmjit::CodeHolder holder;
    holder.init(runtime_.environment());
    if (const std::string problem = encode(codegen::kNativeIsa, holder, code); !problem.empty()) {
      return base::error(problem);
    }
    codegen::CpuFunction function = nullptr;
    if (const asmjit::Error error = runtime_.add(&function, &holder); error != asmjit::kErrorOk) {
      return base::error(fmt::format("cpu: no executable memory: {}", asmjit::DebugUtils::errorAsString(error)));
    }
    functions_.push_back(function);
    sizes_.push_back(holder.codeSize());
    return base::ok_status();
  }
  codegen::CpuFunction at(std::size_t i) const override { return functions_.at(i); }
  std::vector<std::uint8_t> bytes(std::size_t i) const override {
    std::vector<std::uint8_t> copy(sizes_.at(i));
    std::memcpy(copy.data(), reinterpret_cast<const void*>(functions_.at(i)), copy.size());
    return copy;
  }

 private:
  asmjit::JitRuntime runtime_;
  std::vector<codegen::CpuFunction> functions_;
  std::vector<std::size_t> sizes_;
};

}  // namespace

base::Result<std::vector<std::uint8_t>> assemble(codegen::CpuIsa isa, const codegen::CpuCode& code) {
  asmjit::CodeHolder holder;
  const auto arch = isa == codegen::CpuIsa::aarch64 ? asmjit::Arch::kAArch64 : asmjit::Arch::kX64;
  if (holder.init(asmjit::Environment(arch)) != asmjit::kErrorOk) {
    return base::error(fmt::format("the assembler does not know {}", to_string(isa)));
  }
  if (const std::string problem = encode(isa, holder, code); !problem.empty()) return base::error(problem);
  holder.flatten();
  holder.resolveUnresolvedLinks();
  const asmjit::CodeBuffer& buffer = holder.textSection()->buffer();
  return std::vector<std::uint8_t>(buffer.begin(), buffer.end());
}

base::Result<std::unique_ptr<CpuFunctions>> CpuFunctions::make(const std::vector<const codegen::CpuCode*>& codes) {
  auto made = std::make_unique<JitFunctions>();
  for (const codegen::CpuCode* code : codes) {
    if (base::Status status = made->add(*code); !status) return status.errors();
  }
  return std::unique_ptr<CpuFunctions>(std::move(made));
}

}  // namespace weakspot::backend
