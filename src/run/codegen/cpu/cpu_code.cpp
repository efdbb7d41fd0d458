// SPDX-License-Identifier: MIT
#include "codegen/cpu_code.h"

#include <fmt/format.h>

namespace weakspot::codegen {
namespace {

constexpr std::string_view kX86Names[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};

std::string x86_name(CpuRegister reg) {
  if (reg.number >= 8) {
    const std::string_view suffix = reg.bytes == 8 ? "" : reg.bytes == 4 ? "d" : reg.bytes == 2 ? "w" : "b";
    return fmt::format("r{}{}", reg.number, suffix);
  }
  const std::string_view name = kX86Names[reg.number];
  switch (reg.bytes) {
    case 8:
      return fmt::format("r{}", name);
    case 4:
      return fmt::format("e{}", name);
    case 2:
      return std::string(name);
    default:
      // al, cl, dl, bl; spl, bpl, sil, dil
      return reg.number < 4 ? fmt::format("{}l", name[0]) : fmt::format("{}l", name);
  }
}

struct Printer {
  CpuIsa isa;

  std::string operator()(const CpuRegister& reg) const { return register_name(isa, reg); }
  std::string operator()(const CpuImmediate& immediate) const {
    return isa == CpuIsa::aarch64 ? fmt::format("#{}", immediate.value) : fmt::format("{}", immediate.value);
  }
  std::string operator()(const CpuLabel& label) const { return fmt::format("L{}", label.number); }
  std::string operator()(const CpuWord& word) const { return std::string(word.name); }
  std::string operator()(const CpuMemory& memory) const {
    const bool stack = isa == CpuIsa::aarch64 && memory.base == 31;
    const std::string base = stack ? "sp" : register_name(isa, {memory.base, 8});
    const bool indexed = memory.index != CpuMemory::kNoIndex;
    const std::string index = indexed ? register_name(isa, {memory.index, 8}) : "";
    if (isa == CpuIsa::aarch64) {
      if (indexed) return fmt::format("[{}, {}]", base, index);
      if (memory.displacement != 0) return fmt::format("[{}, #{}]", base, memory.displacement);
      return fmt::format("[{}]", base);
    }
    const std::string_view size = memory.bytes == 8   ? "qword"
                                  : memory.bytes == 4 ? "dword"
                                  : memory.bytes == 2 ? "word"
                                                      : "byte";
    std::string sum = base;
    if (indexed) sum += fmt::format(" + {}", index);
    if (memory.displacement != 0) {
      sum += fmt::format(" {} {}", memory.displacement < 0 ? '-' : '+', std::abs(std::int64_t{memory.displacement}));
    }
    return fmt::format("{} ptr [{}]", size, sum);
  }
};

}  // namespace

std::string_view to_string(CpuIsa isa) { return isa == CpuIsa::aarch64 ? "AArch64" : "x86-64"; }

std::string register_name(CpuIsa isa, CpuRegister reg) {
  if (isa == CpuIsa::x86_64) return x86_name(reg);
  if (reg.bytes == kStackPointerBytes) return "sp";
  const char letter = reg.bytes == 8 ? 'x' : 'w';
  return reg.number == 31 ? fmt::format("{}zr", letter) : fmt::format("{}{}", letter, reg.number);
}

std::string print_cpu(CpuIsa isa, const CpuCode& code) {
  const Printer printer{isa};
  std::string text;
  for (const CpuInstruction& instruction : code) {
    if (instruction.mnemonic == "label") {
      text += fmt::format("{}:\n", std::visit(printer, instruction.operands.front()));
      continue;
    }
    text += fmt::format("  {}", instruction.mnemonic);
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      text += fmt::format("{}{}", i == 0 ? " " : ", ", std::visit(printer, instruction.operands[i]));
    }
    text += '\n';
  }
  return text;
}

}  // namespace weakspot::codegen
