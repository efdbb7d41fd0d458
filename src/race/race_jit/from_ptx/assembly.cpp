// SPDX-License-Identifier: MIT
// The other instructions of FunctionTranslator, each as a call of inline assembly.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/IR/InlineAsm.h>

#include <algorithm>
#include <bit>

#include "race_jit/from_ptx/addresses.h"
#include "race_jit/from_ptx/function_translator.h"

namespace weakspot::race_jit {
namespace {

namespace ptx = race::ptx;

// Instructions that have no result, whatever their first operand is.
constexpr std::string_view kWithoutResult[] = {
    "bar",     "barrier",    "fence",    "membar",   "red",     "st",        "cp",    "trap",          "nanosleep",
    "pmevent", "setmaxnreg", "stmatrix", "prefetch", "discard", "tensormap", "brkpt", "griddepcontrol"};

// The number of operands that the instruction writes.
std::size_t results_of(const ptx::Instruction& instruction) {
  const std::string& name = instruction.name();
  const std::size_t count = instruction.operands.size();
  if (count == 0 || instruction.operands[0].kind == ptx::Operand::Kind::address) return 0;
  if ((name == "bar" || name == "barrier") && instruction.has("red")) return 1;
  if (std::find(std::begin(kWithoutResult), std::end(kWithoutResult), name) != std::end(kWithoutResult)) return 0;
  if (name == "wgmma") return instruction.has("mma_async") ? 1 : 0;
  if (name == "tcgen05") return !instruction.has("ld") ? 0 : instruction.has("red") ? 2 : 1;
  if (name == "elect") return 2;
  if (name == "shfl") return count == 6 ? 2 : 1;
  if (name == "match") return count == 4 ? 2 : 1;
  if (name == "setp") {
    const bool combined = instruction.has("and") || instruction.has("or") || instruction.has("xor");
    return count > (combined ? 4u : 3u) ? 2 : 1;
  }
  return 1;
}

// Instructions that read the flag of the carry, and those that write it.
bool takes_carry(const ptx::Instruction& instruction) {
  const std::string& name = instruction.name();
  return name == "addc" || name == "subc" || name == "madc";
}
bool gives_carry(const ptx::Instruction& instruction) { return instruction.has("cc"); }

// The text of an instruction, and what its operands are tied to.
struct Assembly {
  std::vector<const ptx::Operand*> outputs;
  std::vector<llvm::Value*> inputs;
};

// The operand that is the address of a tensor map in shared memory, where registers of 64 bits hold the lower half.
const ptx::Operand* shared_map(const ptx::Instruction& instruction) {
  if (instruction.name() != "tensormap" || !instruction.has("shared::cta")) return nullptr;
  const std::size_t which = instruction.has("cp_fenceproxy") ? 1 : 0;
  return which < instruction.operands.size() ? &instruction.operands[which] : nullptr;
}

const char* constraint_of(const llvm::Type* type) {
  return type->isIntegerTy(64) ? "l" : type->isIntegerTy(16) ? "h" : type->isIntegerTy(128) ? "q" : "r";
}

}  // namespace

void FunctionTranslator::assembly(const Instruction& instruction) {
  Assembly made;
  const std::size_t results = results_of(instruction);
  const bool adds = instruction.name() == "wgmma";
  auto collect = [&](const Operand& operand, auto& again) -> void {
    if (operand.kind == Operand::Kind::reg) made.outputs.push_back(&operand);
    for (const Operand& element : operand.elements) again(element, again);
  };
  for (std::size_t i = 0; i < results; ++i) collect(instruction.operands[i], collect);
  // Results come first; those that are added to are given as well.
  std::vector<std::string> constraints;
  std::vector<Type*> types, given;
  auto word = [&](Type* type) { return type->isIntegerTy(1) ? builder_.getInt32Ty() : type; };
  for (const Operand* output : made.outputs) {
    types.push_back(word(register_type(output->reg)));
    constraints.push_back(fmt::format("={}", constraint_of(types.back())));
  }
  const std::size_t registers = made.outputs.size();
  if (gives_carry(instruction)) {
    types.push_back(builder_.getInt32Ty());
    constraints.emplace_back("=r");
  }
  auto pass = [&](Value* value, const std::string& constraint) {
    if (value->getType()->isIntegerTy(1)) value = builder_.CreateZExt(value, builder_.getInt32Ty());
    made.inputs.push_back(value);
    given.push_back(value->getType());
    constraints.push_back(constraint.empty() ? constraint_of(value->getType()) : constraint);
    return types.size() + made.inputs.size() - 1;
  };
  for (std::size_t i = 0; adds && i < made.outputs.size(); ++i) pass(reg(made.outputs[i]->reg), std::to_string(i));
  std::size_t next = 0;
  auto text = [&](const Operand& operand, bool result, auto& again) -> std::string {
    std::vector<std::string> elements;
    if (operand.kind == Operand::Kind::reg) {
      if (result) return fmt::format("${}", next++);
      Value* value = reg(operand.reg);
      return fmt::format("${}", pass(operand.negated ? builder_.CreateNot(value) : value, ""));
    }
    if (operand.kind == Operand::Kind::integer) return std::to_string(static_cast<std::int64_t>(operand.number));
    if (operand.kind == Operand::Kind::real) {
      if (operand.bits == 32) return fmt::format("0f{:08x}", operand.number);
      if (operand.bits == 64) return fmt::format("0d{:016x}", operand.number);
      return fmt::format("{:e}", std::bit_cast<double>(operand.number));
    }
    if (operand.kind == Operand::Kind::name) {
      const bool other = operand.name.starts_with("%") || operand.name == "_";
      Value* address = other ? nullptr : value(operand, builder_.getInt64Ty());
      return address == nullptr ? operand.name : fmt::format("${}", pass(address, ""));
    }
    elements.reserve(operand.elements.size());
    for (const Operand& element : operand.elements) elements.push_back(again(element, result, again));
    if (operand.kind == Operand::Kind::vector) return fmt::format("{{{}}}", fmt::join(elements, ", "));
    if (operand.kind == Operand::Kind::list) return fmt::format("({})", fmt::join(elements, ", "));
    Value* base = operand.reg != ptx::kNone ? reg(operand.reg)
                  : operand.name.empty()    ? builder_.getInt64(0)
                                            : variable_address(operand.name);
    if (base != nullptr && &operand == shared_map(instruction)) {
      base = builder_.CreatePtrToInt(shared_pointer(builder_, base), builder_.getInt64Ty());
    }
    std::string inner = base == nullptr ? operand.name : fmt::format("${}", pass(base, ""));
    if (operand.number != 0) inner += fmt::format("+{}", static_cast<std::int64_t>(operand.number));
    if (!elements.empty()) inner += fmt::format(", {}", fmt::join(elements, ", "));
    return fmt::format("[{}]", inner);
  };
  std::vector<std::string> operands;
  operands.reserve(instruction.operands.size());
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    operands.push_back(text(instruction.operands[i], i < results, text));
  }
  std::string line = fmt::format("{} {};", fmt::join(instruction.opcode, "."), fmt::join(operands, ", "));
  // The flag does not outlive the text: it is set before, by adding all ones, and read behind.
  if (takes_carry(instruction)) {
    Value* carry = builder_.CreateLoad(builder_.getInt32Ty(), carry_);
    line = fmt::format("add.cc.u32 %unused, ${}, -1; {}", pass(carry, ""), line);
  }
  if (gives_carry(instruction)) line += fmt::format(" addc.u32 ${}, 0, 0;", registers);
  Type* type = types.empty()       ? builder_.getVoidTy()
               : types.size() == 1 ? types.front()
                                   : llvm::StructType::get(function_.getContext(), types);
  auto* code = llvm::InlineAsm::get(llvm::FunctionType::get(type, given, false), line,
                                    fmt::format("{}", fmt::join(constraints, ",")), true);
  Value* all = builder_.CreateCall(code, made.inputs);
  auto result = [&](std::size_t i) {
    return types.size() == 1 ? all : builder_.CreateExtractValue(all, static_cast<unsigned>(i));
  };
  for (std::size_t i = 0; i < registers; ++i) assign(*made.outputs[i], result(i));
  if (gives_carry(instruction)) builder_.CreateStore(result(registers), carry_);
}

}  // namespace weakspot::race_jit
