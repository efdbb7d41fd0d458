#include "codegen/spirv_text.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "base/names.h"
#include "codegen/spirv/spirv_words.h"

namespace weakspot::codegen {
namespace {

using namespace spirv;

// How an instruction's operands read, a letter each:
//   t type of the result, r result, i an id, * ids, l a number, + numbers, s a string, n the number of a constant,
//   k capability, a addressing model, y memory model, x execution model, e execution mode, g storage class,
//   d decoration and what belongs to it, z function control, c selection or loop control, m memory operands,
//   S scope id, M memory semantics id.
struct Form {
  OpCode op;
  const char* name;
  const char* operands;
};

constexpr Form kForms[] = {
    {OpCode::Name, "Name", "is"},
    {OpCode::MemoryModel, "MemoryModel", "ay"},
    {OpCode::EntryPoint, "EntryPoint", "xis*"},
    {OpCode::ExecutionMode, "ExecutionMode", "ie+"},
    {OpCode::Capability, "Capability", "k"},
    {OpCode::TypeVoid, "TypeVoid", "r"},
    {OpCode::TypeBool, "TypeBool", "r"},
    {OpCode::TypeInt, "TypeInt", "rll"},
    {OpCode::TypeVector, "TypeVector", "ril"},
    {OpCode::TypeArray, "TypeArray", "rii"},
    {OpCode::TypeStruct, "TypeStruct", "r*"},
    {OpCode::TypePointer, "TypePointer", "rgi"},
    {OpCode::TypeFunction, "TypeFunction", "r*"},
    {OpCode::Constant, "Constant", "trn"},
    {OpCode::Function, "Function", "trzi"},
    {OpCode::FunctionEnd, "FunctionEnd", ""},
    {OpCode::Variable, "Variable", "trg"},
    {OpCode::Load, "Load", "trim"},
    {OpCode::Store, "Store", "iim"},
    {OpCode::AccessChain, "AccessChain", "tr*"},
    {OpCode::Decorate, "Decorate", "id"},
    {OpCode::MemberDecorate, "MemberDecorate", "ild"},
    {OpCode::CompositeExtract, "CompositeExtract", "tri+"},
    {OpCode::UConvert, "UConvert", "tri"},
    {OpCode::SConvert, "SConvert", "tri"},
    {OpCode::ConvertUToPtr, "ConvertUToPtr", "tri"},
    {OpCode::SNegate, "SNegate", "tri"},
    {OpCode::IAdd, "IAdd", "trii"},
    {OpCode::ISub, "ISub", "trii"},
    {OpCode::IMul, "IMul", "trii"},
    {OpCode::UDiv, "UDiv", "trii"},
    {OpCode::UMod, "UMod", "trii"},
    {OpCode::Select, "Select", "triii"},
    {OpCode::IEqual, "IEqual", "trii"},
    {OpCode::INotEqual, "INotEqual", "trii"},
    {OpCode::ULessThan, "ULessThan", "trii"},
    {OpCode::SLessThan, "SLessThan", "trii"},
    {OpCode::ULessThanEqual, "ULessThanEqual", "trii"},
    {OpCode::SLessThanEqual, "SLessThanEqual", "trii"},
    {OpCode::ShiftRightLogical, "ShiftRightLogical", "trii"},
    {OpCode::ShiftRightArithmetic, "ShiftRightArithmetic", "trii"},
    {OpCode::ShiftLeftLogical, "ShiftLeftLogical", "trii"},
    {OpCode::BitwiseOr, "BitwiseOr", "trii"},
    {OpCode::BitwiseXor, "BitwiseXor", "trii"},
    {OpCode::BitwiseAnd, "BitwiseAnd", "trii"},
    {OpCode::Not, "Not", "tri"},
    {OpCode::ControlBarrier, "ControlBarrier", "SSM"},
    {OpCode::MemoryBarrier, "MemoryBarrier", "SM"},
    {OpCode::AtomicLoad, "AtomicLoad", "triSM"},
    {OpCode::AtomicStore, "AtomicStore", "iSMi"},
    {OpCode::AtomicExchange, "AtomicExchange", "triSMi"},
    {OpCode::AtomicCompareExchange, "AtomicCompareExchange", "triSMMii"},
    {OpCode::AtomicIAdd, "AtomicIAdd", "triSMi"},
    {OpCode::AtomicISub, "AtomicISub", "triSMi"},
    {OpCode::AtomicSMin, "AtomicSMin", "triSMi"},
    {OpCode::AtomicUMin, "AtomicUMin", "triSMi"},
    {OpCode::AtomicSMax, "AtomicSMax", "triSMi"},
    {OpCode::AtomicUMax, "AtomicUMax", "triSMi"},
    {OpCode::AtomicAnd, "AtomicAnd", "triSMi"},
    {OpCode::AtomicOr, "AtomicOr", "triSMi"},
    {OpCode::AtomicXor, "AtomicXor", "triSMi"},
    {OpCode::LoopMerge, "LoopMerge", "iic"},
    {OpCode::SelectionMerge, "SelectionMerge", "ic"},
    {OpCode::Label, "Label", "r"},
    {OpCode::Branch, "Branch", "i"},
    {OpCode::BranchConditional, "BranchConditional", "iii"},
    {OpCode::Return, "Return", ""},
    {OpCode::Unreachable, "Unreachable", ""},
};

using Names = base::Named<std::uint32_t>;

template <typename Enum>
constexpr std::uint32_t number(Enum value) {
  return static_cast<std::uint32_t>(value);
}

constexpr Names kCapabilities[] = {
    {"Shader", number(Capability::Shader)},
    {"Int64", number(Capability::Int64)},
    {"Int64Atomics", number(Capability::Int64Atomics)},
    {"Int16", number(Capability::Int16)},
    {"Int8", number(Capability::Int8)},
    {"GroupNonUniform", number(Capability::GroupNonUniform)},
    {"StorageBuffer16BitAccess", number(Capability::StorageBuffer16BitAccess)},
    {"StorageBuffer8BitAccess", number(Capability::StorageBuffer8BitAccess)},
    {"VulkanMemoryModel", number(Capability::VulkanMemoryModel)},
    {"VulkanMemoryModelDeviceScope", number(Capability::VulkanMemoryModelDeviceScope)},
    {"PhysicalStorageBufferAddresses", number(Capability::PhysicalStorageBufferAddresses)},
};
constexpr Names kStorageClasses[] = {
    {"Input", number(StorageClass::Input)},
    {"Workgroup", number(StorageClass::Workgroup)},
    {"Function", number(StorageClass::Function)},
    {"PushConstant", number(StorageClass::PushConstant)},
    {"PhysicalStorageBuffer", number(StorageClass::PhysicalStorageBuffer)},
};
constexpr Names kDecorations[] = {
    {"Block", number(Decoration::Block)},
    {"BuiltIn", number(Decoration::BuiltIn)},
    {"Offset", number(Decoration::Offset)},
};
constexpr Names kBuiltIns[] = {
    {"WorkgroupId", number(BuiltIn::WorkgroupId)},
    {"LocalInvocationIndex", number(BuiltIn::LocalInvocationIndex)},
    {"SubgroupSize", number(BuiltIn::SubgroupSize)},
    {"SubgroupId", number(BuiltIn::SubgroupId)},
    {"SubgroupLocalInvocationId", number(BuiltIn::SubgroupLocalInvocationId)},
};
constexpr Names kScopes[] = {
    {"Device", number(MemoryScope::Device)},
    {"Workgroup", number(MemoryScope::Workgroup)},
    {"Subgroup", number(MemoryScope::Subgroup)},
    {"QueueFamily", number(MemoryScope::QueueFamily)},
};
constexpr Names kSemantics[] = {
    {"Acquire", kAcquire},
    {"Release", kRelease},
    {"AcquireRelease", kAcquireRelease},
    {"UniformMemory", kUniformMemory},
    {"WorkgroupMemory", kWorkgroupMemory},
    {"MakeAvailable", kMakeAvailable},
    {"MakeVisible", kMakeVisible},
    {"Volatile", kVolatileSemantics},
};
constexpr Names kMemoryOperands[] = {
    {"Volatile", kVolatileAccess},
    {"Aligned", kAligned},
    {"MakePointerAvailable", kMakePointerAvailable},
    {"MakePointerVisible", kMakePointerVisible},
    {"NonPrivatePointer", kNonPrivatePointer},
};
constexpr Names kAddressing[] = {{"PhysicalStorageBuffer64", kAddressingPhysicalStorageBuffer64}};
constexpr Names kMemoryModels[] = {{"Vulkan", kMemoryModelVulkan}};
constexpr Names kExecutionModels[] = {{"GLCompute", kExecutionModelGLCompute}};
constexpr Names kExecutionModes[] = {{"LocalSize", kExecutionModeLocalSize}};
constexpr Names kNothing[] = {{"None", 0}};

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
    if (words_.size() < kHeaderWords || words_[0] != kMagic) return base::error("spirv: not a SPIR-V module");
    out_ = fmt::format("; SPIR-V {}.{}\n", words_[1] >> 16 & 0xff, words_[1] >> 8 & 0xff);
    for (std::size_t at = kHeaderWords; at < words_.size();) {
      const std::size_t count = words_[at] >> 16;
      if (count == 0 || count > words_.size() - at || !instruction(words_.subspan(at, count))) {
        return base::error(fmt::format("spirv: word {} begins no instruction that is known here", at));
      }
      at += count;
    }
    return out_;
  }

 private:
  // False for what is not understood.
  bool instruction(std::span<const std::uint32_t> words) {
    const Form* form = nullptr;
    for (const Form& known : kForms) {
      if (static_cast<std::uint32_t>(known.op) == (words[0] & 0xffff)) form = &known;
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
    if (form->op == OpCode::TypeInt) widths_[result_] = words[2];
    if (form->op == OpCode::Constant) constants_[result_] = words[3];
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
    const bool built_in = !rest_.empty() && rest_[0] == number(Decoration::BuiltIn);
    if (!named(kDecorations)) return false;
    return built_in ? named(kBuiltIns) : operand('+');
  }

  bool memory_operands() {
    const std::optional<std::uint32_t> mask = next();
    if (!mask) return true;  // none at all
    if (!add(mask_text(kMemoryOperands, *mask))) return false;
    if ((*mask & kAligned) != 0 && !operand('l')) return false;
    if ((*mask & kMakePointerAvailable) != 0 && !operand('S')) return false;
    return (*mask & kMakePointerVisible) == 0 || operand('S');
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
  std::span<const std::uint32_t> rest_;  // of the instruction
  std::string operands_;
  std::string comment_;
  std::uint32_t result_ = 0;
  std::uint32_t type_ = 0;
  std::map<std::uint32_t, std::uint32_t> widths_;     // of integer types
  std::map<std::uint32_t, std::uint32_t> constants_;  // their low words
};

}  // namespace

base::Result<std::string> spirv_text(std::span<const std::uint32_t> words) { return Writer(words).run(); }

}  // namespace weakspot::codegen
