// SPDX-License-Identifier: MIT
#include "codegen/spirv_text.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/names.h"
#include "codegen/spirv/spirv_words.h"

namespace weakspot::codegen {
namespace {

using namespace spirv;

// The operands of an instruction, a letter each:
//   t type of the result, r result, i an id, * ids, l a number, + numbers, s a string, n the number of a constant,
//   k capability, a addressing model, y memory model, x execution model, e execution mode, g storage class,
//   d decoration with its operands, z function control, c selection or loop control, m memory operands,
//   S scope id, M memory semantics id.
struct Form {
  spv::Op op;
  const char* name;
  const char* operands;
};

#define WEAKSPOT_FORM(name, operands) {spv::Op::Op##name, #name, operands}
constexpr Form kForms[] = {
    WEAKSPOT_FORM(Name, "is"),
    WEAKSPOT_FORM(MemoryModel, "ay"),
    WEAKSPOT_FORM(EntryPoint, "xis*"),
    WEAKSPOT_FORM(ExecutionMode, "ie+"),
    WEAKSPOT_FORM(Capability, "k"),
    WEAKSPOT_FORM(TypeVoid, "r"),
    WEAKSPOT_FORM(TypeBool, "r"),
    WEAKSPOT_FORM(TypeInt, "rll"),
    WEAKSPOT_FORM(TypeVector, "ril"),
    WEAKSPOT_FORM(TypeArray, "rii"),
    WEAKSPOT_FORM(TypeRuntimeArray, "ri"),
    WEAKSPOT_FORM(TypeStruct, "r*"),
    WEAKSPOT_FORM(TypePointer, "rgi"),
    WEAKSPOT_FORM(TypeFunction, "r*"),
    WEAKSPOT_FORM(Constant, "trn"),
    WEAKSPOT_FORM(Function, "trzi"),
    WEAKSPOT_FORM(FunctionEnd, ""),
    WEAKSPOT_FORM(Variable, "trg"),
    WEAKSPOT_FORM(Load, "trim"),
    WEAKSPOT_FORM(Store, "iim"),
    WEAKSPOT_FORM(AccessChain, "tr*"),
    WEAKSPOT_FORM(Decorate, "id"),
    WEAKSPOT_FORM(MemberDecorate, "ild"),
    WEAKSPOT_FORM(CompositeExtract, "tri+"),
    WEAKSPOT_FORM(UConvert, "tri"),
    WEAKSPOT_FORM(SConvert, "tri"),
    WEAKSPOT_FORM(ConvertUToPtr, "tri"),
    WEAKSPOT_FORM(SNegate, "tri"),
    WEAKSPOT_FORM(IAdd, "trii"),
    WEAKSPOT_FORM(ISub, "trii"),
    WEAKSPOT_FORM(IMul, "trii"),
    WEAKSPOT_FORM(UDiv, "trii"),
    WEAKSPOT_FORM(UMod, "trii"),
    WEAKSPOT_FORM(Select, "triii"),
    WEAKSPOT_FORM(IEqual, "trii"),
    WEAKSPOT_FORM(INotEqual, "trii"),
    WEAKSPOT_FORM(ULessThan, "trii"),
    WEAKSPOT_FORM(SLessThan, "trii"),
    WEAKSPOT_FORM(ULessThanEqual, "trii"),
    WEAKSPOT_FORM(SLessThanEqual, "trii"),
    WEAKSPOT_FORM(ShiftRightLogical, "trii"),
    WEAKSPOT_FORM(ShiftRightArithmetic, "trii"),
    WEAKSPOT_FORM(ShiftLeftLogical, "trii"),
    WEAKSPOT_FORM(BitwiseOr, "trii"),
    WEAKSPOT_FORM(BitwiseXor, "trii"),
    WEAKSPOT_FORM(BitwiseAnd, "trii"),
    WEAKSPOT_FORM(Not, "tri"),
    WEAKSPOT_FORM(ControlBarrier, "SSM"),
    WEAKSPOT_FORM(MemoryBarrier, "SM"),
    WEAKSPOT_FORM(AtomicLoad, "triSM"),
    WEAKSPOT_FORM(AtomicStore, "iSMi"),
    WEAKSPOT_FORM(AtomicExchange, "triSMi"),
    WEAKSPOT_FORM(AtomicCompareExchange, "triSMMii"),
    WEAKSPOT_FORM(AtomicIAdd, "triSMi"),
    WEAKSPOT_FORM(AtomicISub, "triSMi"),
    WEAKSPOT_FORM(AtomicSMin, "triSMi"),
    WEAKSPOT_FORM(AtomicUMin, "triSMi"),
    WEAKSPOT_FORM(AtomicSMax, "triSMi"),
    WEAKSPOT_FORM(AtomicUMax, "triSMi"),
    WEAKSPOT_FORM(AtomicAnd, "triSMi"),
    WEAKSPOT_FORM(AtomicOr, "triSMi"),
    WEAKSPOT_FORM(AtomicXor, "triSMi"),
    WEAKSPOT_FORM(LoopMerge, "iic"),
    WEAKSPOT_FORM(SelectionMerge, "ic"),
    WEAKSPOT_FORM(Label, "r"),
    WEAKSPOT_FORM(Branch, "i"),
    WEAKSPOT_FORM(BranchConditional, "iii"),
    WEAKSPOT_FORM(Return, ""),
    WEAKSPOT_FORM(Unreachable, ""),
};

using Names = base::Named<std::uint32_t>;

#define WEAKSPOT_NAME(type, name) {#name, word_of(spv::type::name)}
constexpr Names kCapabilities[] = {
    WEAKSPOT_NAME(Capability, Shader),
    WEAKSPOT_NAME(Capability, Int64),
    WEAKSPOT_NAME(Capability, Int64Atomics),
    WEAKSPOT_NAME(Capability, Int16),
    WEAKSPOT_NAME(Capability, Int8),
    WEAKSPOT_NAME(Capability, GroupNonUniform),
    WEAKSPOT_NAME(Capability, StorageBuffer16BitAccess),
    WEAKSPOT_NAME(Capability, StorageBuffer8BitAccess),
    WEAKSPOT_NAME(Capability, VulkanMemoryModel),
    WEAKSPOT_NAME(Capability, VulkanMemoryModelDeviceScope),
    WEAKSPOT_NAME(Capability, PhysicalStorageBufferAddresses),
};
constexpr Names kStorageClasses[] = {
    WEAKSPOT_NAME(StorageClass, Input),         WEAKSPOT_NAME(StorageClass, Workgroup),
    WEAKSPOT_NAME(StorageClass, Function),      WEAKSPOT_NAME(StorageClass, PushConstant),
    WEAKSPOT_NAME(StorageClass, StorageBuffer), WEAKSPOT_NAME(StorageClass, PhysicalStorageBuffer),
};
constexpr Names kDecorations[] = {
    WEAKSPOT_NAME(Decoration, Block),   WEAKSPOT_NAME(Decoration, BuiltIn),
    WEAKSPOT_NAME(Decoration, Offset),  WEAKSPOT_NAME(Decoration, ArrayStride),
    WEAKSPOT_NAME(Decoration, Binding), WEAKSPOT_NAME(Decoration, DescriptorSet),
};
constexpr Names kBuiltIns[] = {
    WEAKSPOT_NAME(BuiltIn, WorkgroupId),
    WEAKSPOT_NAME(BuiltIn, LocalInvocationIndex),
    WEAKSPOT_NAME(BuiltIn, SubgroupSize),
    WEAKSPOT_NAME(BuiltIn, SubgroupId),
    WEAKSPOT_NAME(BuiltIn, SubgroupLocalInvocationId),
};
constexpr Names kScopes[] = {
    WEAKSPOT_NAME(Scope, Device),
    WEAKSPOT_NAME(Scope, Workgroup),
    WEAKSPOT_NAME(Scope, Subgroup),
    WEAKSPOT_NAME(Scope, QueueFamily),
};
constexpr Names kSemantics[] = {
    WEAKSPOT_NAME(MemorySemanticsMask, Acquire),         WEAKSPOT_NAME(MemorySemanticsMask, Release),
    WEAKSPOT_NAME(MemorySemanticsMask, AcquireRelease),  WEAKSPOT_NAME(MemorySemanticsMask, UniformMemory),
    WEAKSPOT_NAME(MemorySemanticsMask, WorkgroupMemory), WEAKSPOT_NAME(MemorySemanticsMask, MakeAvailable),
    WEAKSPOT_NAME(MemorySemanticsMask, MakeVisible),     WEAKSPOT_NAME(MemorySemanticsMask, Volatile),
};
constexpr Names kMemoryOperands[] = {
    WEAKSPOT_NAME(MemoryAccessMask, Volatile),
    WEAKSPOT_NAME(MemoryAccessMask, Aligned),
    WEAKSPOT_NAME(MemoryAccessMask, MakePointerAvailable),
    WEAKSPOT_NAME(MemoryAccessMask, MakePointerVisible),
    WEAKSPOT_NAME(MemoryAccessMask, NonPrivatePointer),
};
constexpr Names kAddressing[] = {
    WEAKSPOT_NAME(AddressingModel, Logical),
    WEAKSPOT_NAME(AddressingModel, PhysicalStorageBuffer64),
};
constexpr Names kMemoryModels[] = {WEAKSPOT_NAME(MemoryModel, Vulkan)};
constexpr Names kExecutionModels[] = {WEAKSPOT_NAME(ExecutionModel, GLCompute)};
constexpr Names kExecutionModes[] = {WEAKSPOT_NAME(ExecutionMode, LocalSize)};
constexpr Names kNothing[] = {{"None", 0}};
#undef WEAKSPOT_FORM
#undef WEAKSPOT_NAME

template <std::size_t N>
std::string mask_text(const Names (&table)[N], std::uint32_t mask) {
  std::string text;
  for (const Names& bit : table) {
    if ((mask & bit.value) != 0) text += fmt::format("{}{}", text.empty() ? "" : "|", bit.name);
  }
  return text.empty() ? "None" : text;
}

class Writer {
 public:
  explicit Writer(std::span<const std::uint32_t> words) : words_(words) {}

  base::Result<std::string> run() {
    if (words_.size() < kHeaderWords || words_[0] != spv::MagicNumber) return base::error("spirv: not a SPIR-V module");
    out_ = fmt::format("; SPIR-V {}.{}\n", words_[1] >> 16 & 0xff, words_[1] >> 8 & 0xff);
    for (std::size_t at = kHeaderWords; at < words_.size();) {
      const std::size_t count = words_[at] >> spv::WordCountShift;
      if (count == 0 || count > words_.size() - at || !instruction(words_.subspan(at, count))) {
        return base::error(fmt::format("spirv: unknown instruction at word {}", at));
      }
      at += count;
    }
    return out_;
  }

 private:
  // False if the instruction is unknown.
  bool instruction(std::span<const std::uint32_t> words) {
    const Form* form = nullptr;
    for (const Form& known : kForms) {
      if (word_of(known.op) == (words[0] & spv::OpCodeMask)) form = &known;
    }
    if (form == nullptr) return false;
    rest_ = words.subspan(1);
    operands_.clear();
    comment_.clear();
    result_ = 0;
    type_ = 0;
    for (const char* kind = form->operands; *kind != '\0'; ++kind) {
      if (!operand(*kind)) return false;
    }
    if (!rest_.empty()) return false;
    if (form->op == spv::Op::OpTypeInt) widths_[result_] = words[2];
    if (form->op == spv::Op::OpConstant) constants_[result_] = words[3];
    out_ +=
        result_ == 0 ? fmt::format("{:>10}Op{}", "", form->name) : fmt::format("{:>7} = Op{}", id(result_), form->name);
    if (type_ != 0) out_ += " " + id(type_);
    out_ += operands_;
    if (!comment_.empty()) out_ += "  ; " + comment_;
    out_ += '\n';
    return true;
  }

  static std::string id(std::uint32_t number) { return fmt::format("%{}", number); }

  std::optional<std::uint32_t> next() {
    if (rest_.empty()) return std::nullopt;
    const std::uint32_t word = rest_[0];
    rest_ = rest_.subspan(1);
    return word;
  }

  bool add(std::string_view text) {
    if (text.empty()) return false;
    operands_ += fmt::format(" {}", text);
    return true;
  }

  template <std::size_t N>
  bool named(const Names (&table)[N]) {
    const std::optional<std::uint32_t> word = next();
    return word && add(base::name_of(table, *word));
  }

  bool operand(char kind) {
    switch (kind) {
      case '*':
        while (!rest_.empty()) add(id(*next()));
        return true;
      case '+':
        while (!rest_.empty()) add(fmt::format("{}", *next()));
        return true;
      case 's':
        return string();
      case 'k':
        return named(kCapabilities);
      case 'a':
        return named(kAddressing);
      case 'y':
        return named(kMemoryModels);
      case 'x':
        return named(kExecutionModels);
      case 'e':
        return named(kExecutionModes);
      case 'g':
        return named(kStorageClasses);
      case 'z':
      case 'c':
        return named(kNothing);
      case 'd':
        return decoration();
      case 'm':
        return memory_operands();
      case 'n':
        return constant();
      default:
        break;
    }
    const std::optional<std::uint32_t> word = next();
    if (!word) return false;
    if (kind == 't') type_ = *word;
    if (kind == 'r') result_ = *word;
    if (kind == 'S') remark(base::name_of(kScopes, constants_[*word]));
    if (kind == 'M') remark(mask_text(kSemantics, constants_[*word]));
    if (kind == 't' || kind == 'r') return true;
    return add(kind == 'l' ? fmt::format("{}", *word) : id(*word));
  }

  void remark(std::string_view text) { comment_ += fmt::format("{}{}", comment_.empty() ? "" : ", ", text); }

  bool string() {
    std::string text;
    while (!rest_.empty()) {
      const std::uint32_t word = *next();
      for (int shift = 0; shift < 32; shift += 8) {
        const char letter = static_cast<char>(word >> shift & 0xff);
        if (letter == '\0') return add(fmt::format("\"{}\"", text));
        if (letter == '"' || letter == '\\') text += '\\';
        text += letter;
      }
    }
    return false;
  }

  bool decoration() {
    const bool built_in = !rest_.empty() && rest_[0] == word_of(spv::Decoration::BuiltIn);
    if (!named(kDecorations)) return false;
    return built_in ? named(kBuiltIns) : operand('+');
  }

  bool memory_operands() {
    const std::optional<std::uint32_t> mask = next();
    if (!mask) return true;  // none at all
    if (!add(mask_text(kMemoryOperands, *mask))) return false;
    if ((*mask & word_of(spv::MemoryAccessMask::Aligned)) != 0 && !operand('l')) return false;
    if ((*mask & word_of(spv::MemoryAccessMask::MakePointerAvailable)) != 0 && !operand('S')) return false;
    return (*mask & word_of(spv::MemoryAccessMask::MakePointerVisible)) == 0 || operand('S');
  }

  bool constant() {
    const std::optional<std::uint32_t> low = next();
    if (!low) return false;
    if (widths_[type_] <= 32) return add(fmt::format("{}", *low));
    const std::optional<std::uint32_t> high = next();
    return high && add(fmt::format("{}", *low | std::uint64_t{*high} << 32));
  }

  std::span<const std::uint32_t> words_;
  std::string out_;
  std::span<const std::uint32_t> rest_;  // the words left of the instruction
  std::string operands_;
  std::string comment_;
  std::uint32_t result_ = 0;
  std::uint32_t type_ = 0;
  std::map<std::uint32_t, std::uint32_t> widths_;     // by integer type
  std::map<std::uint32_t, std::uint32_t> constants_;  // their low words
};

}  // namespace

base::Result<std::string> spirv_text(std::span<const std::uint32_t> words) { return Writer(words).run(); }

}  // namespace weakspot::codegen
