// SPDX-License-Identifier: MIT
// PTX inside OpenCL C, which NVIDIA's compiler accepts: the same instructions as in PTX itself.
#include <fmt/format.h>

#include "codegen/opencl/print_opencl_memory.h"
#include "codegen/ptx/ptx_instructions.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

class InlinePtxMemory final : public OpenclMemory {
 public:
  std::string load(const OpenclAccess& access) const override {
    return statement(access, ptx_load(access.how) + " %0, [%1];", output(access.target, access.target_width),
                     address(access));
  }

  std::string store(const OpenclAccess& access) const override {
    return statement(access, ptx_store(access.how) + " [%0], %1;", "",
                     fmt::format("{}, {}", address(access), input(access, access.value)));
  }

  std::string atomic(RmwOp op, const OpenclAccess& access) const override {
    const std::string value = op == RmwOp::sub ? fmt::format("0 - {}", access.value) : access.value;
    std::string inputs = address(access);
    if (op == RmwOp::cas) inputs += ", " + input(access, access.expected);
    inputs += ", " + input(access, value);
    const std::string text = ptx_atomic(op, access.how) + (op == RmwOp::cas ? " %0, [%1], %2, %3;" : " %0, [%1], %2;");
    if (!access.target.empty()) return statement(access, text, output(access.target, access.target_width), inputs);
    return fmt::format("{{ {} old; {} }}", wide(access) ? "ulong" : "uint",
                       statement(access, text, output("old", width(access)), inputs));
  }

  std::string fence(const Fence& fence) const override {
    const std::string text = ptx_fence(fence);
    return text.empty() ? "// fence.relaxed" : fmt::format("asm volatile(\"{};\" ::: \"memory\");", text);
  }

  std::string barrier(const BarrierOf& barrier) const override {
    if (barrier.kind != BarrierOf::Kind::subgroup) return OpenclMemory::barrier(barrier);
    return "asm volatile(\"bar.warp.sync 0xffffffff;\" ::: \"memory\");";
  }

  std::string head() const override { return {}; }

 protected:
  std::string atomic_load(const OpenclAccess& access) const override { return load(access); }
  std::string atomic_store(const OpenclAccess& access) const override { return store(access); }

 private:
  static bool wide(const OpenclAccess& access) { return size_in_bytes(access.how.type) == 8; }
  static Width width(const OpenclAccess& access) { return wide(access) ? Width::w64 : Width::w32; }

  static std::string output(std::string_view name, Width width) {
    return fmt::format("\"={}\"({})", width == Width::w64 ? "l" : "r", name);
  }
  // Values of fewer than 32 bits are in 32-bit registers.
  static std::string input(const OpenclAccess& access, const std::string& value) {
    return fmt::format("\"{}\"({})", wide(access) ? "l" : "r", value);
  }
  static std::string address(const OpenclAccess& access) {
    if (!access.how.shared) return fmt::format("\"l\"({})", access.address);
    return fmt::format("\"l\"((ulong)((local uchar*)workgroup_memory + {}))", access.address);
  }

  static std::string statement(const OpenclAccess& access, const std::string& text, const std::string& outputs,
                               const std::string& inputs) {
    const std::string fence = ptx_fence_before(access.how);
    return fmt::format("asm volatile(\"{}{}\" :{}{} : {} : \"memory\");", fence.empty() ? "" : fence + "; ", text,
                       outputs.empty() ? "" : " ", outputs, inputs);
  }
};

}  // namespace

std::unique_ptr<OpenclMemory> make_inline_ptx_memory() { return std::make_unique<InlinePtxMemory>(); }

}  // namespace weakspot::codegen
