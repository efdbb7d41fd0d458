// SPDX-License-Identifier: MIT
#include "compile/spirv/module.h"

#include <algorithm>

namespace weakspot::compile::spirv {
namespace {

constexpr std::size_t kHeaderWords = 5;
constexpr int kDeepestType = 8;
constexpr std::int64_t kLongestArray = 1 << 20;
constexpr std::string_view kDamaged = "the SPIR-V is cut off or damaged";

using Words = std::vector<std::uint32_t>;

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at]));
}

std::uint32_t word_at(std::string_view bytes, std::size_t at, bool little) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= byte_at(bytes, at + (little ? i : 3 - i)) << (8 * i);
  return word;
}

// A string of an instruction: four characters in a word, the first in its lowest byte. `at` is moved behind it.
std::string string_at(const Words& operands, std::size_t& at) {
  std::string text;
  while (at < operands.size()) {
    const std::uint32_t word = operands[at++];
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const auto c = static_cast<char>((word >> shift) & 0xff);
      if (c == '\0') return text;
      text += c;
    }
  }
  return text;
}

// One module, whose words are [begin, end).
class ModuleReader {
 public:
  ModuleReader(const Words& words, std::size_t begin, std::size_t end) : words_(words), at_(begin), end_(end) {}

  base::Result<Module> read() {
    if (end_ - at_ < kHeaderWords) return base::error(std::string(kDamaged));
    at_ += kHeaderWords;
    while (at_ < end_) {
      const std::size_t count = words_[at_] >> 16;
      if (count == 0 || count > end_ - at_) return base::error(std::string(kDamaged));
      std::optional<Instruction> instruction = take(count);
      if (!instruction) return base::error(std::string(kDamaged));
      look_at(*instruction);
      at_ += count;
    }
    for (auto& [id, code] : bodies_) {
      for (const std::string& name : names_of_function(id)) module_.functions[name] = code;
    }
    return std::move(module_);
  }

 private:
  std::optional<Instruction> take(std::size_t count) const {
    Instruction instruction;
    instruction.op = static_cast<spv::Op>(words_[at_] & 0xffff);
    bool has_result = false;
    bool has_type = false;
    spv::HasResultAndType(instruction.op, &has_result, &has_type);
    std::size_t next = at_ + 1;
    if (count < 1 + std::size_t{has_result} + std::size_t{has_type}) return std::nullopt;
    if (has_type) instruction.type = words_[next++];
    if (has_result) instruction.result = words_[next++];
    instruction.operands.assign(words_.begin() + static_cast<std::ptrdiff_t>(next),
                                words_.begin() + static_cast<std::ptrdiff_t>(at_ + count));
    return instruction;
  }

  static std::uint32_t operand(const Instruction& instruction, std::size_t index) {
    return index < instruction.operands.size() ? instruction.operands[index] : 0;
  }

  void look_at(const Instruction& instruction) {
    if (instruction.op == spv::Op::OpFunction) {
      function_ = instruction.result;
      bodies_[function_];
    } else if (instruction.op == spv::Op::OpFunctionEnd) {
      function_ = 0;
    } else if (function_ != 0) {
      bodies_[function_].push_back(instruction);
    } else {
      look_at_declaration(instruction);
    }
  }

  void look_at_declaration(const Instruction& instruction) {
    std::size_t at = 0;
    switch (instruction.op) {
      case spv::Op::OpMemoryModel:
        module_.memory_model = static_cast<spv::MemoryModel>(operand(instruction, 1));
        return;
      case spv::Op::OpName:
        at = 1;
        module_.names.emplace(operand(instruction, 0), string_at(instruction.operands, at));
        return;
      case spv::Op::OpEntryPoint:
        at = 2;
        entry_points_[operand(instruction, 1)].push_back(string_at(instruction.operands, at));
        return;
      case spv::Op::OpDecorate:
        return decoration(instruction);
      case spv::Op::OpVariable:
        module_.variables[instruction.result] = instruction;
        return;
      default:
        break;
    }
    if (!type(instruction)) constant(instruction);
  }

  void decoration(const Instruction& instruction) {
    const auto kind = static_cast<spv::Decoration>(operand(instruction, 1));
    std::size_t at = 2;
    if (kind == spv::Decoration::Binding) module_.bindings[operand(instruction, 0)] = operand(instruction, 2);
    if (kind == spv::Decoration::LinkageAttributes) {
      module_.names[operand(instruction, 0)] = string_at(instruction.operands, at);
    }
  }

  bool type(const Instruction& instruction) {
    Type type;
    type.op = instruction.op;
    switch (instruction.op) {
      case spv::Op::OpTypeVoid:
      case spv::Op::OpTypeBool:
        break;
      case spv::Op::OpTypeInt:
        type.width = operand(instruction, 0);
        break;
      case spv::Op::OpTypePointer:
        type.storage = static_cast<spv::StorageClass>(operand(instruction, 0));
        type.element = operand(instruction, 1);
        break;
      case spv::Op::OpTypeArray:
        type.element = operand(instruction, 0);
        type.length = operand(instruction, 1);
        break;
      case spv::Op::OpTypeRuntimeArray:
        type.element = operand(instruction, 0);
        break;
      case spv::Op::OpTypeStruct:
        type.members = instruction.operands;
        break;
      default:
        return false;
    }
    module_.types[instruction.result] = type;
    return true;
  }

  void constant(const Instruction& instruction) {
    switch (instruction.op) {
      case spv::Op::OpConstant:
        module_.constants[instruction.result] = number(instruction);
        break;
      case spv::Op::OpConstantTrue:
        module_.constants[instruction.result] = 1;
        break;
      case spv::Op::OpConstantFalse:
      case spv::Op::OpConstantNull:
      case spv::Op::OpUndef:
        module_.constants[instruction.result] = 0;
        break;
      default:
        break;
    }
  }

  // The constant as a signed number of its width: 0xffffffff is -1 in 32 bits, whatever the sign of its type.
  static std::int64_t number(const Instruction& instruction) {
    if (instruction.operands.size() < 2) return static_cast<std::int32_t>(operand(instruction, 0));
    const std::uint64_t low = instruction.operands[0];
    const std::uint64_t high = instruction.operands[1];
    return static_cast<std::int64_t>(high << 32 | low);
  }

  std::vector<std::string> names_of_function(std::uint32_t id) const {
    if (const auto found = entry_points_.find(id); found != entry_points_.end()) return found->second;
    const auto found = module_.names.find(id);
    return found != module_.names.end() ? std::vector<std::string>{found->second} : std::vector<std::string>{};
  }

  const Words& words_;
  std::size_t at_;
  std::size_t end_;
  Module module_;
  std::uint32_t function_ = 0;  // the one whose instructions are read; 0: none
  std::map<std::uint32_t, std::vector<Instruction>> bodies_;
  std::map<std::uint32_t, std::vector<std::string>> entry_points_;
};

}  // namespace

const Type* Module::type(std::uint32_t id) const {
  const auto found = types.find(id);
  return found != types.end() ? &found->second : nullptr;
}

// Bounded, because a damaged module may have an array of itself.
std::int64_t Module::size_of(std::uint32_t id) const {
  std::int64_t times = 1;
  const Type* one = type(id);
  for (int depth = 0; one != nullptr && one->op == spv::Op::OpTypeArray && depth < kDeepestType; ++depth) {
    const auto length = constants.find(one->length);
    if (length == constants.end() || length->second < 0 || length->second > kLongestArray) return 0;
    times = std::min(times * length->second, kLongestArray);
    one = type(one->element);
  }
  return one != nullptr && one->op == spv::Op::OpTypeInt ? times * (one->width / 8) : 0;
}

bool is_spirv(std::string_view bytes) {
  return bytes.size() >= 4 &&
         (word_at(bytes, 0, true) == spv::MagicNumber || word_at(bytes, 0, false) == spv::MagicNumber);
}

base::Result<std::vector<Module>> read_modules(std::string_view bytes) {
  if (!is_spirv(bytes) || bytes.size() % 4 != 0) return base::error(std::string(kDamaged));
  const bool little = word_at(bytes, 0, true) == spv::MagicNumber;
  Words words;
  for (std::size_t at = 0; at < bytes.size(); at += 4) words.push_back(word_at(bytes, at, little));
  std::vector<Module> modules;
  for (std::size_t begin = 0; begin < words.size();) {
    // The magic number marks the next module: no instruction has it as its first word.
    std::size_t end = begin + std::min(kHeaderWords, words.size() - begin);
    while (end < words.size() && words[end] != spv::MagicNumber) end += std::max<std::size_t>(1, words[end] >> 16);
    end = std::min(end, words.size());
    base::Result<Module> module = ModuleReader(words, begin, end).read();
    if (!module) return module.errors();
    modules.push_back(std::move(*module));
    begin = end;
  }
  return modules;
}

}  // namespace weakspot::compile::spirv
