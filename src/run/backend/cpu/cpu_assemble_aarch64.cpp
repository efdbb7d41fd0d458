// SPDX-License-Identifier: MIT
#include <asmjit/arm/a64assembler.h>

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
using codegen::CpuWord;
using Id = a64::Inst::Id;

const std::map<std::string_view, Id>& instructions() {
  static const std::map<std::string_view, Id> kIds = {
      {"add", Id::kIdAdd},         {"sub", Id::kIdSub},
      {"mul", Id::kIdMul},         {"and", Id::kIdAnd},
      {"orr", Id::kIdOrr},         {"eor", Id::kIdEor},
      {"lsl", Id::kIdLsl},         {"lsr", Id::kIdLsr},
      {"asr", Id::kIdAsr},         {"mvn", Id::kIdMvn},
      {"neg", Id::kIdNeg},         {"mov", Id::kIdMov},
      {"madd", Id::kIdMadd},       {"cmp", Id::kIdCmp},
      {"cset", Id::kIdCset},       {"csel", Id::kIdCsel},
      {"sxtb", Id::kIdSxtb},       {"sxth", Id::kIdSxth},
      {"sxtw", Id::kIdSxtw},       {"uxtb", Id::kIdUxtb},
      {"uxth", Id::kIdUxth},       {"b", Id::kIdB},
      {"cbz", Id::kIdCbz},         {"cbnz", Id::kIdCbnz},
      {"ret", Id::kIdRet},         {"dmb", Id::kIdDmb},
      {"dsb", Id::kIdDsb},         {"isb", Id::kIdIsb},
      {"yield", Id::kIdYield},     {"ldr", Id::kIdLdr},
      {"ldrb", Id::kIdLdrb},       {"ldrh", Id::kIdLdrh},
      {"ldrsb", Id::kIdLdrsb},     {"ldrsh", Id::kIdLdrsh},
      {"ldar", Id::kIdLdar},       {"ldarb", Id::kIdLdarb},
      {"ldarh", Id::kIdLdarh},     {"ldxr", Id::kIdLdxr},
      {"ldxrb", Id::kIdLdxrb},     {"ldxrh", Id::kIdLdxrh},
      {"ldaxr", Id::kIdLdaxr},     {"ldaxrb", Id::kIdLdaxrb},
      {"ldaxrh", Id::kIdLdaxrh},   {"str", Id::kIdStr},
      {"strb", Id::kIdStrb},       {"strh", Id::kIdStrh},
      {"stlr", Id::kIdStlr},       {"stlrb", Id::kIdStlrb},
      {"stlrh", Id::kIdStlrh},     {"stxr", Id::kIdStxr},
      {"stxrb", Id::kIdStxrb},     {"stxrh", Id::kIdStxrh},
      {"swp", Id::kIdSwp},         {"swpa", Id::kIdSwpa},
      {"swpl", Id::kIdSwpl},       {"swpal", Id::kIdSwpal},
      {"cas", Id::kIdCas},         {"casa", Id::kIdCasa},
      {"casl", Id::kIdCasl},       {"casal", Id::kIdCasal},
      {"ldadd", Id::kIdLdadd},     {"ldadda", Id::kIdLdadda},
      {"ldaddl", Id::kIdLdaddl},   {"ldaddal", Id::kIdLdaddal},
      {"ldclr", Id::kIdLdclr},     {"ldclra", Id::kIdLdclra},
      {"ldclrl", Id::kIdLdclrl},   {"ldclral", Id::kIdLdclral},
      {"ldset", Id::kIdLdset},     {"ldseta", Id::kIdLdseta},
      {"ldsetl", Id::kIdLdsetl},   {"ldsetal", Id::kIdLdsetal},
      {"ldeor", Id::kIdLdeor},     {"ldeora", Id::kIdLdeora},
      {"ldeorl", Id::kIdLdeorl},   {"ldeoral", Id::kIdLdeoral},
      {"ldsmin", Id::kIdLdsmin},   {"ldsmina", Id::kIdLdsmina},
      {"ldsminl", Id::kIdLdsminl}, {"ldsminal", Id::kIdLdsminal},
      {"ldsmax", Id::kIdLdsmax},   {"ldsmaxa", Id::kIdLdsmaxa},
      {"ldsmaxl", Id::kIdLdsmaxl}, {"ldsmaxal", Id::kIdLdsmaxal},
      {"ldumin", Id::kIdLdumin},   {"ldumina", Id::kIdLdumina},
      {"lduminl", Id::kIdLduminl}, {"lduminal", Id::kIdLduminal},
      {"ldumax", Id::kIdLdumax},   {"ldumaxa", Id::kIdLdumaxa},
      {"ldumaxl", Id::kIdLdumaxl}, {"ldumaxal", Id::kIdLdumaxal},
  };
  return kIds;
}

arm::CondCode condition(std::string_view name) {
  static const std::map<std::string_view, arm::CondCode> kConditions = {
      {"eq", arm::CondCode::kEQ}, {"ne", arm::CondCode::kNE}, {"lt", arm::CondCode::kLT}, {"le", arm::CondCode::kLE},
      {"gt", arm::CondCode::kGT}, {"ge", arm::CondCode::kGE}, {"hs", arm::CondCode::kHS}, {"hi", arm::CondCode::kHI},
      {"lo", arm::CondCode::kLO}, {"ls", arm::CondCode::kLS},
  };
  const auto found = kConditions.find(name);
  return found == kConditions.end() ? arm::CondCode::kNA : found->second;
}

// CRm of DMB and DSB.
int domain(std::string_view name) {
  static const std::map<std::string_view, int> kDomains = {
      {"sy", 15}, {"st", 14},   {"ld", 13},   {"ish", 11}, {"ishst", 10}, {"ishld", 9},
      {"nsh", 7}, {"nshst", 6}, {"nshld", 5}, {"osh", 3},  {"oshst", 2},  {"oshld", 1},
  };
  const auto found = kDomains.find(name);
  return found == kDomains.end() ? -1 : found->second;
}

a64::Gp gp(CpuRegister reg) {
  if (reg.bytes == codegen::kStackPointerBytes) return a64::sp;
  const auto id = reg.number == 31 ? static_cast<std::uint32_t>(a64::Gp::kIdZr) : std::uint32_t{reg.number};
  if (reg.bytes == 8) return a64::GpX(id);
  return a64::GpW(id);
}

class Encoder {
 public:
  explicit Encoder(CodeHolder& holder) : assembler_(&holder) {}

  Error operator()(const CpuInstruction& instruction) {
    if (instruction.mnemonic == "label") {
      return assembler_.bind(labels_.get(assembler_, std::get<CpuLabel>(instruction.operands[0]).number));
    }
    if (encode_by_hand(instruction)) return kErrorOk;
    if (instruction.mnemonic == "isb") return assembler_.isb(Imm(15));
    InstId id = 0;
    if (instruction.mnemonic.starts_with("b.")) {
      id = BaseInst::composeARMInstId(Id::kIdB, condition(std::string_view(instruction.mnemonic).substr(2)));
    } else {
      const auto found = instructions().find(instruction.mnemonic);
      if (found == instructions().end()) return kErrorInvalidInstruction;
      id = found->second;
    }
    std::vector<Operand> operands;
    for (const CpuOperand& from : instruction.operands) operands.push_back(operand(instruction, from));
    return assembler_.emitOpArray(id, operands.data(), operands.size());
  }

 private:
  Operand operand(const CpuInstruction& instruction, const CpuOperand& from) {
    if (const auto* reg = std::get_if<CpuRegister>(&from)) return gp(*reg);
    if (const auto* label = std::get_if<CpuLabel>(&from)) return labels_.get(assembler_, label->number);
    if (const auto* word = std::get_if<CpuWord>(&from)) {
      if (const int number = domain(word->name); number >= 0) return Imm(number);
      return Imm(static_cast<int>(condition(word->name)));
    }
    if (const auto* immediate = std::get_if<CpuImmediate>(&from)) {
      const auto* target = std::get_if<CpuRegister>(&instruction.operands.front());
      // A 32-bit move takes an unsigned immediate.
      const bool narrow = instruction.mnemonic == "mov" && target != nullptr && target->bytes == 4;
      return narrow ? Imm(static_cast<std::uint32_t>(immediate->value)) : Imm(immediate->value);
    }
    const CpuMemory& memory = std::get<CpuMemory>(from);
    const a64::GpX base = memory.base == 31 ? a64::sp : a64::GpX(memory.base);
    if (memory.index != CpuMemory::kNoIndex) return a64::ptr(base, a64::GpX(memory.index));
    return a64::ptr(base, memory.displacement);
  }

  // The library lacks LDAPR and the 64-bit STLXR.
  bool encode_by_hand(const CpuInstruction& instruction) {
    const bool ldapr = instruction.mnemonic.starts_with("ldapr");
    if (!ldapr && !instruction.mnemonic.starts_with("stlxr")) return false;
    const std::size_t first = ldapr ? 0 : 1;
    const CpuRegister data = std::get<CpuRegister>(instruction.operands[first]);
    const CpuMemory memory = std::get<CpuMemory>(instruction.operands[first + 1]);
    const std::uint32_t size = instruction.mnemonic.ends_with('b')   ? 0
                               : instruction.mnemonic.ends_with('h') ? 1
                               : data.bytes == 4                     ? 2
                                                                     : 3;
    std::uint32_t word = size << 30 | std::uint32_t{memory.base} << 5 | data.number;
    word |=
        ldapr ? 0x38BFC000u : 0x0800FC00u | std::uint32_t{std::get<CpuRegister>(instruction.operands[0]).number} << 16;
    assembler_.embedUInt32(word);
    return true;
  }

  a64::Assembler assembler_;
  LabelMap labels_;
};

}  // namespace

std::string encode_aarch64(CodeHolder& holder, const codegen::CpuCode& code) {
  return encode_all(code, Encoder(holder));
}

}  // namespace weakspot::backend
