// SPDX-License-Identifier: MIT
// The words of AArch64, x86-64 and RISC-V. Many instructions are put together of a stem, an order and a size.
#include "litmus/assembly/aarch64.h"
#include "litmus/assembly/x86_64.h"
#include "litmus/riscv/riscv.h"
#include "litmus/words/meanings.h"
#include "litmus/words/word_list.h"

namespace weakspot::litmus::words {
namespace {

using Kind = Word::Kind;

constexpr Entry kAarch64Instructions[] = {
    {"LDP", "LDP W0,W1,[X2]: two loads"},
    {"LDPSW", "LDPSW X0,X1,[X2]: two loads that extend the sign"},
    {"STP", "STP W0,W1,[X2]: two stores"},
    {"DMB", "DMB SY, DMB LD, DMB ST, DMB ISH ...: data memory barrier"},
    {"DSB", "DSB SY ...: data synchronisation barrier"},
    {"ISB", "instruction synchronisation barrier"},
    {"NOP", "does nothing"},
    {"MOV", "MOV W0,#1"},
    {"MOVZ", "MOVZ W0,#1: a constant"},
    {"MOVN", "MOVN W0,#1: the complement of a constant"},
    {"MOVK", "MOVK W0,#1,LSL #16: 16 bits of a constant"},
    {"MVN", "MVN W0,W1: the bitwise complement"},
    {"NEG", "NEG W0,W1: the negative"},
    {"ABS", "ABS W0,W1: without the sign"},
    {"ADD", "ADD W0,W1,W2"},
    {"ADDS", "ADDS W0,W1,W2: sets the flags"},
    {"SUB", "SUB W0,W1,W2"},
    {"SUBS", "SUBS W0,W1,W2: sets the flags"},
    {"MUL", "MUL W0,W1,W2"},
    {"EOR", "EOR W0,W1,W1: 0, and a dependency"},
    {"EON", "EON W0,W1,W2: exclusive or with the complement"},
    {"ORR", "ORR W0,W1,W2"},
    {"ORN", "ORN W0,W1,W2: or with the complement"},
    {"AND", "AND W0,W1,W2"},
    {"ANDS", "ANDS W0,W1,W2: sets the flags"},
    {"BIC", "BIC W0,W1,W2: and with the complement"},
    {"BICS", "BICS W0,W1,W2: sets the flags"},
    {"MADD", "MADD W0,W1,W2,W3: W3+W1*W2"},
    {"MSUB", "MSUB W0,W1,W2,W3: W3-W1*W2"},
    {"MNEG", "MNEG W0,W1,W2: -W1*W2"},
    {"SMULL", "a product of 64 bits"},
    {"UMULL", "an unsigned product of 64 bits"},
    {"SMADDL", "adds a product of 64 bits"},
    {"UMADDL", "adds an unsigned product of 64 bits"},
    {"SMSUBL", "subtracts a product of 64 bits"},
    {"UMSUBL", "subtracts an unsigned product of 64 bits"},
    {"SMNEGL", "the negative of a product of 64 bits"},
    {"UMNEGL", "the negative of an unsigned product of 64 bits"},
    {"LSL", "LSL W0,W1,#1: shifts left"},
    {"LSR", "LSR W0,W1,#1: shifts right, zeros come in"},
    {"ASR", "ASR W0,W1,#1: shifts right, the sign comes in"},
    {"UBFM", "moves a field of bits"},
    {"SBFM", "moves a field of bits and extends its sign"},
    {"UBFX", "UBFX W0,W1,#LSB,#WIDTH: a field of bits"},
    {"SBFX", "SBFX W0,W1,#LSB,#WIDTH: a field of bits with its sign"},
    {"UXTB", "extends 8 bits by zeros"},
    {"SXTB", "extends the sign of 8 bits"},
    {"UXTH", "extends 16 bits by zeros"},
    {"SXTH", "extends the sign of 16 bits"},
    {"UXTW", "extends 32 bits by zeros"},
    {"SXTW", "extends the sign of 32 bits"},
    {"CMP", "CMP W0,W1: compares"},
    {"CMN", "CMN W0,W1: compares with the negative"},
    {"TST", "TST W0,W1: compares the bitwise and with 0"},
    {"CSEL", "CSEL W0,W1,W2,EQ: selects"},
    {"CSINC", "CSINC W0,W1,W2,EQ: selects, else W2+1"},
    {"CSINV", "CSINV W0,W1,W2,EQ: selects, else the complement of W2"},
    {"CSNEG", "CSNEG W0,W1,W2,EQ: selects, else -W2"},
    {"CINC", "CINC W0,W1,EQ: adds 1 if"},
    {"CINV", "CINV W0,W1,EQ: the complement if"},
    {"CNEG", "CNEG W0,W1,EQ: the negative if"},
    {"CSET", "CSET W0,EQ: 1 if, else 0"},
    {"CSETM", "CSETM W0,EQ: -1 if, else 0"},
    {"B", "B LABEL: jumps"},
    {"CBZ", "CBZ W0,LABEL: jumps if zero"},
    {"CBNZ", "CBNZ W0,LABEL: jumps if not zero"},
    {"TBZ", "TBZ W0,#BIT,LABEL: jumps if the bit is 0"},
    {"TBNZ", "TBNZ W0,#BIT,LABEL: jumps if the bit is 1"},
};

constexpr Entry kAarch64Conditions[] = {
    {"EQ", "equal"},
    {"NE", "not equal"},
    {"LT", "less"},
    {"LE", "less or equal"},
    {"GT", "greater"},
    {"GE", "greater or equal"},
    {"MI", "negative"},
    {"PL", "positive or zero"},
    {"VS", "overflow"},
    {"VC", "no overflow"},
    {"CS", "unsigned: not less"},
    {"HS", "unsigned: not less"},
    {"CC", "unsigned: less"},
    {"LO", "unsigned: less"},
    {"HI", "unsigned: greater"},
    {"LS", "unsigned: not greater"},
};

constexpr Entry kAarch64Shifts[] = {
    {"LSL", "shifted left"},
    {"LSR", "shifted right, zeros come in"},
    {"ASR", "shifted right, the sign comes in"},
    {"ROR", "rotated right"},
    {"UXTB", "8 bits, extended by zeros"},
    {"UXTH", "16 bits, extended by zeros"},
    {"UXTW", "32 bits, extended by zeros"},
    {"SXTB", "8 bits with their sign"},
    {"SXTH", "16 bits with their sign"},
    {"SXTW", "32 bits with their sign"},
    {"SXTX", "64 bits"},
};

constexpr Entry kX86Instructions[] = {
    {"MFENCE", "a full fence"},
    {"SFENCE", "a store fence"},
    {"LFENCE", "a load fence"},
    {"NOP", "does nothing"},
    {"LOCK", "makes the instruction behind it atomic"},
    {"JMP", "JMP LABEL: jumps"},
    {"MOVZX", "MOVZX EAX,AL: extends by zeros"},
    {"MOVSX", "MOVSX EAX,AL: extends the sign"},
    {"MOVSXD", "MOVSXD RAX,EBX: extends the sign"},
    {"MOVZBL", "extends 8 bits to 32 by zeros"},
    {"MOVZWL", "extends 16 bits to 32 by zeros"},
    {"MOVZBQ", "extends 8 bits to 64 by zeros"},
    {"MOVZWQ", "extends 16 bits to 64 by zeros"},
    {"MOVSBL", "extends the sign of 8 bits to 32"},
    {"MOVSWL", "extends the sign of 16 bits to 32"},
    {"MOVSBQ", "extends the sign of 8 bits to 64"},
    {"MOVSWQ", "extends the sign of 16 bits to 64"},
    {"MOVSLQ", "extends the sign of 32 bits to 64"},
};

// Instructions that may also end in the letter of their size.
constexpr Entry kX86Sized[] = {
    {"MOV", "MOV [x],1 or MOV EAX,[x]"},
    {"LEA", "LEA RAX,[x]: the address"},
    {"XCHG", "XCHG [x],EAX: exchanges, locked"},
    {"XADD", "LOCK XADD [x],EAX: adds; EAX is the old value"},
    {"CMPXCHG", "LOCK CMPXCHG [x],EBX: compares with EAX and swaps"},
    {"INC", "LOCK INC [x]: adds 1"},
    {"DEC", "LOCK DEC [x]: subtracts 1"},
    {"NEG", "NEG EAX: the negative"},
    {"NOT", "NOT EAX: the bitwise complement"},
    {"CMP", "CMP EAX,1: compares"},
    {"TEST", "TEST EAX,EAX: compares the bitwise and with 0"},
};

constexpr Entry kX86Sizes[] = {
    {"BYTE", "8 bits"}, {"WORD", "16 bits"}, {"DWORD", "32 bits"}, {"QWORD", "64 bits"}, {"PTR", "DWORD PTR [x]"}};

constexpr Entry kRiscvInstructions[] = {
    {"fence", "fence rw,rw: what before it with what after it"},
    {"fence.tso", "orders all but stores with later loads"},
    {"fence.i", "instruction fetches"},
    {"nop", "does nothing"},
    {"NOP", "does nothing"},
    {"li", "li x5,1: a constant"},
    {"lui", "lui x5,1: the upper bits of a constant"},
    {"la", "la x5,x: the address of a location"},
    {"mv", "mv x5,x6: moves"},
    {"MV", "MV x5,x6: moves"},
    {"not", "not x5,x6: the bitwise complement"},
    {"neg", "neg x5,x6: the negative"},
    {"sext.w", "sext.w x5,x6: extends the sign of 32 bits"},
    {"addw", "adds the lower halves"},
    {"addiw", "adds a number to the lower half"},
    {"subw", "subtracts the lower halves"},
    {"slliw", "shifts the lower half left"},
    {"srli", "srli x5,x6,1: shifts right, zeros come in"},
    {"beqz", "beqz x5,LABEL: jumps if zero"},
    {"bnez", "bnez x5,LABEL: jumps if not zero"},
    {"j", "j LABEL: jumps"},
};

constexpr Entry kRiscvSets[] = {{"r", "loads"}, {"w", "stores"}, {"rw", "loads and stores"}};

constexpr std::string_view kRiscvOrders[] = {"", ".aq", ".rl", ".aqrl", ".aq.rl"};

void add_joined(WordList& list, std::string_view stem, std::string_view order, std::string_view size,
                std::string_view meaning) {
  list.add(std::string(stem).append(order).append(size), Kind::instruction, meaning);
}

std::string_view meaning_of(RmwOp op) { return kRmwOpMeanings[static_cast<std::size_t>(op)]; }

}  // namespace

WordList aarch64() {
  using namespace litmus::aarch64;
  WordList list;
  list.add(kAarch64Instructions, Kind::instruction);
  for (std::string_view size : {"", "B", "H"}) {
    for (const auto& load : kLoads) add_joined(list, load.name, "", size, "a load: LDR W0,[X1]");
    for (const auto& store : kStores) add_joined(list, store.name, "", size, "a store: STR W0,[X1]");
    for (const auto& order : kRmwOrders) {
      add_joined(list, "SWP", order.name, size, "SWP W0,W1,[X2]: exchanges");
      add_joined(list, "CAS", order.name, size, "CAS W0,W1,[X2]: compares and swaps");
      for (const auto& op : kAtomicOps) {
        const bool is_signed = op.name.starts_with("SM");
        if (is_signed && !size.empty()) continue;
        add_joined(list, std::string("LD").append(op.name), order.name, size, meaning_of(op.value.op));
        if (is_acquire(order.value)) continue;
        add_joined(list, std::string("ST").append(op.name), order.name, size, meaning_of(op.value.op));
      }
    }
  }
  for (const auto& load : kLoads) {
    if (load.value != AccessWord{}) continue;
    for (std::string_view size : {"SB", "SH", "SW"}) add_joined(list, load.name, "", size, "a load with its sign");
  }
  for (const Entry& condition : kAarch64Conditions) {
    for (std::string_view branch : {"B", "B."}) add_joined(list, branch, condition.text, "", "jumps if");
  }
  list.add(kAarch64Conditions, Kind::suffix);
  list.add(kAarch64Shifts, Kind::suffix);
  for (const auto& domain : kDomains) list.add(std::string(domain.name), Kind::suffix, "what DMB and DSB order");
  return list;
}

WordList x86_64() {
  using namespace litmus::x86_64;
  WordList list;
  list.add(kX86Instructions, Kind::instruction);
  for (std::string_view size : {"", "B", "W", "L", "Q"}) {
    for (const Entry& entry : kX86Sized) add_joined(list, entry.text, "", size, entry.meaning);
    list.add(kArithmetic, kComputeOpMeanings, Kind::instruction, "", size);
  }
  for (const auto& [before, meaning] :
       {Entry{"J", "jumps if"}, Entry{"SET", "1 if, else 0"}, Entry{"CMOV", "moves if"}}) {
    for (const auto& condition : kConditions) add_joined(list, before, condition.name, "", meaning);
  }
  list.add(kX86Sizes, Kind::suffix);
  return list;
}

WordList riscv() {
  using namespace litmus::riscv;
  WordList list;
  list.add(kRiscvInstructions, Kind::instruction);
  for (std::string_view order : kRiscvOrders) {
    for (const auto& access : kAccesses) {
      if (order == (access.value.store ? ".aq" : ".rl")) continue;
      add_joined(list, access.name, "", order, access.value.store ? "sw x5,0(x6): stores" : "lw x5,0(x6): loads");
    }
    for (std::string_view size : {".w", ".d"}) {
      add_joined(list, "lr", size, order, "lr.w x5,(x6): load-reserved");
      add_joined(list, "sc", size, order, "sc.w x7,x5,(x6): store-conditional");
      for (const auto& op : kAtomicOps) {
        if (!op.value.is_unsigned || size == ".d") add_joined(list, op.name, size, order, meaning_of(op.value.op));
      }
    }
  }
  list.add(kComputations, kComputeOpMeanings, Kind::instruction);
  for (const auto& op : kComputations) {
    if (op.value == ComputeOp::sub || op.value == ComputeOp::mul) continue;
    add_joined(list, op.name, "i", "", kComputeOpMeanings[static_cast<std::size_t>(op.value)]);
  }
  list.add(kBranches, kBranchMeanings, Kind::instruction);
  list.add(kRiscvSets, Kind::suffix);
  return list;
}

}  // namespace weakspot::litmus::words
