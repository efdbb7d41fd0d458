// SPDX-License-Identifier: MIT
#include <asmjit/x86.h>

#include <map>
#include <string_view>

#include "backend/cpu/cpu_assemblers.h"

namespace weakspot::backend {
namespace {

using namespace asmjit;
using codegen::CpuImmediate;
using codegen::CpuInstruction;
using codegen::CpuLabel;
using codegen::CpuMemory;
using codegen::CpuOperand;
using codegen::CpuRegister;
using Id = x86::Inst::Id;

const std::map<std::string_view, Id>& instructions() {
  static const std::map<std::string_view, Id> kIds = {
      {"mov", Id::kIdMov},       {"movsx", Id::kIdMovsx},   {"movsxd", Id::kIdMovsxd},   {"movzx", Id::kIdMovzx},
      {"lea", Id::kIdLea},       {"add", Id::kIdAdd},       {"sub", Id::kIdSub},         {"imul", Id::kIdImul},
      {"and", Id::kIdAnd},       {"or", Id::kIdOr},         {"xor", Id::kIdXor},         {"shl", Id::kIdShl},
      {"shr", Id::kIdShr},       {"sar", Id::kIdSar},       {"not", Id::kIdNot},         {"neg", Id::kIdNeg},
      {"cmp", Id::kIdCmp},       {"sete", Id::kIdSete},     {"setne", Id::kIdSetne},     {"setl", Id::kIdSetl},
      {"setle", Id::kIdSetle},   {"setg", Id::kIdSetg},     {"setge", Id::kIdSetge},     {"je", Id::kIdJe},
      {"jne", Id::kIdJne},       {"jl", Id::kIdJl},         {"jle", Id::kIdJle},         {"jg", Id::kIdJg},
      {"jge", Id::kIdJge},       {"jmp", Id::kIdJmp},       {"jae", Id::kIdJae},         {"ja", Id::kIdJa},
      {"cmovl", Id::kIdCmovl},   {"cmovg", Id::kIdCmovg},   {"cmovb", Id::kIdCmovb},     {"cmova", Id::kIdCmova},
      {"cmovne", Id::kIdCmovne}, {"cmovle", Id::kIdCmovle}, {"cmovge", Id::kIdCmovge},   {"cmovae", Id::kIdCmovae},
      {"cmove", Id::kIdCmove},   {"push", Id::kIdPush},     {"pop", Id::kIdPop},         {"ret", Id::kIdRet},
      {"xchg", Id::kIdXchg},     {"xadd", Id::kIdXadd},     {"cmpxchg", Id::kIdCmpxchg}, {"mfence", Id::kIdMfence},
      {"lfence", Id::kIdLfence}, {"sfence", Id::kIdSfence}, {"pause", Id::kIdPause},
  };
  return kIds;
}

x86::Gp gp(CpuRegister reg) {
  switch (reg.bytes) {
    case 8:
      return x86::gpq(reg.number);
    case 4:
      return x86::gpd(reg.number);
    case 2:
      return x86::gpw(reg.number);
    default:
      return x86::gpb_lo(reg.number);
  }
}

class Encoder {
 public:
  explicit Encoder(CodeHolder& holder) : assembler_(&holder) {}

  Error operator()(const CpuInstruction& instruction) {
    if (instruction.mnemonic == "label") {
      return assembler_.bind(labels_.get(assembler_, std::get<CpuLabel>(instruction.operands[0]).number));
    }
    std::string_view name = instruction.mnemonic;
    const bool locked = name.starts_with("lock ");
    if (locked) name.remove_prefix(5);
    const auto found = instructions().find(name);
    if (found == instructions().end()) return kErrorInvalidInstruction;
    std::vector<Operand> operands;
    for (const CpuOperand& from : instruction.operands) operands.push_back(operand(from));
    if (locked) assembler_.lock();
    return assembler_.emitOpArray(found->second, operands.data(), operands.size());
  }

 private:
  Operand operand(const CpuOperand& from) {
    if (const auto* reg = std::get_if<CpuRegister>(&from)) return gp(*reg);
    if (const auto* label = std::get_if<CpuLabel>(&from)) return labels_.get(assembler_, label->number);
    if (const auto* immediate = std::get_if<CpuImmediate>(&from)) return Imm(immediate->value);
    const auto* memory = std::get_if<CpuMemory>(&from);
    if (memory == nullptr) return Operand();
    const x86::Gp base = x86::gpq(memory->base);
    if (memory->index != CpuMemory::kNoIndex) {
      return x86::ptr(base, x86::gpq(memory->index), 0, memory->displacement, memory->bytes);
    }
    return x86::ptr(base, memory->displacement, memory->bytes);
  }

  x86::Assembler assembler_;
  LabelMap labels_;
};

}  // namespace

std::string encode_x86_64(CodeHolder& holder, const codegen::CpuCode& code) {
  return encode_all(code, Encoder(holder));
}

}  // namespace weakspot::backend
