// SPDX-License-Identifier: MIT
#include "compile/spirv/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/names.h"
#include "compile/spirv/order.h"
#include "compile/thread_source.h"

namespace weakspot::compile::spirv {
namespace {

using spv::Op;

constexpr base::Named<Op> kUpdates[] = {
    {"exch", Op::OpAtomicExchange}, {"add", Op::OpAtomicIAdd}, {"sub", Op::OpAtomicISub}, {"and", Op::OpAtomicAnd},
    {"or", Op::OpAtomicOr},         {"xor", Op::OpAtomicXor},  {"min", Op::OpAtomicSMin}, {"max", Op::OpAtomicSMax},
};
constexpr base::Named<Op> kComputations[] = {
    {"add", Op::OpIAdd},
    {"sub", Op::OpISub},
    {"mul", Op::OpIMul},
    {"and", Op::OpBitwiseAnd},
    {"or", Op::OpBitwiseOr},
    {"xor", Op::OpBitwiseXor},
    {"shl", Op::OpShiftLeftLogical},
    {"shr", Op::OpShiftRightArithmetic},
    {"eq", Op::OpIEqual},
    {"ne", Op::OpINotEqual},
    {"lt", Op::OpSLessThan},
    {"le", Op::OpSLessThanEqual},
    {"gt", Op::OpSGreaterThan},
    {"ge", Op::OpSGreaterThanEqual},
    {"eq", Op::OpLogicalEqual},
    {"ne", Op::OpLogicalNotEqual},
    {"and", Op::OpLogicalAnd},
    {"or", Op::OpLogicalOr},
    {"not", Op::OpNot},
    {"neg", Op::OpSNegate},
};

// The target of a pointer: a symbol, or a variable of the function.
struct Place {
  std::string symbol;
  std::uint32_t variable = 0;
  std::string index;  // a register that is added to the address, in bytes; empty if there is none
};

class FunctionReader {
 public:
  FunctionReader(const Module& module, const std::vector<Instruction>& code,
                 const std::map<std::uint32_t, std::string>& symbols)
      : module_(module), code_(code), symbols_(symbols), dialect_(dialect_of(module.memory_model)) {}

  MachineFunction run() {
    find_jumps();
    for (at_ = 0; at_ < code_.size() && misread_.empty(); ++at_) read(code_[at_]);
    if (end_used_) lines_.emplace_back("WS_END:");
    MachineFunction function;
    function.machine = dialect_.vulkan ? Machine::spirv_vulkan : Machine::spirv_opencl;
    function.lines = std::move(lines_);
    function.misread = std::move(misread_);
    return function;
  }

 private:
  void misread(std::string what) {
    if (misread_.empty()) misread_ = std::move(what);
  }
  void misread(const Instruction& instruction) {
    misread(fmt::format("instruction {} of SPIR-V", word_of(instruction.op)));
  }
  template <typename... Parts>
  void put(fmt::format_string<Parts...> format, Parts&&... parts) {
    lines_.push_back(fmt::format(format, std::forward<Parts>(parts)...));
  }

  static std::uint32_t operand(const Instruction& instruction, std::size_t index) {
    return index < instruction.operands.size() ? instruction.operands[index] : 0;
  }

  // ---- blocks ----

  // Finds the blocks that are jumped to, and the moves that each block must make for values of the next one.
  void find_jumps() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Instruction& one = code_[i];
      if (one.op == Op::OpBranch && !is_next(i, operand(one, 0))) targets_.insert(operand(one, 0));
      if (one.op == Op::OpBranchConditional) {
        targets_.insert(operand(one, 1));
        if (!is_next(i, operand(one, 2))) targets_.insert(operand(one, 2));
        conditional_ = true;
      }
      if (one.op != Op::OpPhi) continue;
      for (std::size_t part = 0; part + 1 < one.operands.size(); part += 2) {
        moves_[one.operands[part + 1]].emplace_back(one.result, one.operands[part]);
      }
    }
  }

  // Whether the block with this label follows the instruction.
  bool is_next(std::size_t index, std::uint32_t label) const {
    return index + 1 < code_.size() && code_[index + 1].op == Op::OpLabel && code_[index + 1].result == label;
  }

  void leave_block() {
    for (const auto& [target, source] : moves_[block_]) put("mov phi{}, {}", target, value(source));
  }

  void jump(std::uint32_t label) {
    if (!is_next(at_, label)) put("b L{}", label);
  }

  void leave_function() {
    if (at_ + 1 == code_.size()) return;
    put("b WS_END");
    end_used_ = true;
  }

  // ---- values ----

  std::string value(std::uint32_t id) {
    if (const auto found = module_.constants.find(id); found != module_.constants.end()) {
      return fmt::format("{}", found->second);
    }
    if (const auto found = same_.find(id); found != same_.end()) return found->second;
    if (places_.contains(id) || symbols_.contains(id)) misread("an address is used as a value");
    return fmt::format("r{}", id);
  }

  std::optional<std::int64_t> constant(std::uint32_t id) const {
    const auto found = module_.constants.find(id);
    return found != module_.constants.end() ? std::optional(found->second) : std::nullopt;
  }

  std::optional<Place> place(std::uint32_t id) {
    if (const auto found = places_.find(id); found != places_.end()) return found->second;
    if (const auto found = symbols_.find(id); found != symbols_.end()) return Place{found->second, 0, {}};
    misread("an address that does not come from a variable");
    return std::nullopt;
  }

  // Locations have 32 bits.
  bool is_word(std::uint32_t type) {
    const Type* one = module_.type(type);
    const bool fits = one != nullptr && one->op == Op::OpTypeInt && one->width == 32;
    if (!fits) misread("an access that is not of 32 bits");
    return fits;
  }

  // ---- addresses ----

  void follow(const Instruction& instruction, bool by_elements) {
    std::optional<Place> leads = place(operand(instruction, 0));
    const Type* pointer = type_of_pointer(operand(instruction, 0));
    if (!leads || pointer == nullptr) return misread("an address of unknown type");
    std::uint32_t type = pointer->element;
    std::size_t next = 1;
    if (by_elements) step(*leads, module_.size_of(type), operand(instruction, next++));
    for (; next < instruction.operands.size(); ++next) {
      const Type* whole = module_.type(type);
      if (whole == nullptr) return misread("an address of unknown type");
      const bool array = whole->op == Op::OpTypeArray || whole->op == Op::OpTypeRuntimeArray;
      if (!array && (whole->members.empty() || constant(instruction.operands[next]) != 0)) {
        return misread("an access to a part of a structure");
      }
      if (array) step(*leads, module_.size_of(whole->element), instruction.operands[next]);
      type = array ? whole->element : whole->members[0];
    }
    places_[instruction.result] = *leads;
    pointers_[instruction.result] = instruction.type;
  }

  // Adds an index, of elements that have so many bytes.
  void step(Place& place, std::int64_t bytes, std::uint32_t index) {
    if (const std::optional<std::int64_t> number = constant(index)) {
      if (*number != 0) misread("an access beside a location");
      return;
    }
    if (!place.index.empty() || bytes == 0) return misread("a computed address");
    place.index = value(index);
    if (bytes == 1) return;
    const std::string scaled = fmt::format("scaled{}", ++scaled_);
    put("mul {}, {}, {}", scaled, place.index, bytes);
    place.index = scaled;
  }

  const Type* type_of_pointer(std::uint32_t id) const {
    if (const auto found = pointers_.find(id); found != pointers_.end()) return module_.type(found->second);
    const auto found = module_.variables.find(id);
    return found != module_.variables.end() ? module_.type(found->second.type) : nullptr;
  }

  // Casts of pointers lead to the same place; those of integers keep the value.
  void cast(const Instruction& instruction) {
    const Type* type = module_.type(instruction.type);
    if (type == nullptr) return misread(instruction);
    if (type->op == Op::OpTypePointer) {
      if (const std::optional<Place> leads = place(operand(instruction, 0))) places_[instruction.result] = *leads;
      pointers_[instruction.result] = instruction.type;
    } else if (type->op == Op::OpTypeInt && type->width >= 32) {
      same_[instruction.result] = value(operand(instruction, 0));
    } else {
      misread(instruction);
    }
  }

  // x, or x+r1
  std::string address(const Place& place) {
    const std::string_view symbol = place.symbol;
    if (!symbol.starts_with(kLocationPrefix)) {
      misread("a result is accessed in an unknown way");
      return {};
    }
    const std::string name(symbol.substr(kLocationPrefix.size()));
    return place.index.empty() ? name : fmt::format("{}+{}", name, place.index);
  }

  // ---- plain accesses ----

  void load(const Instruction& instruction) {
    const std::optional<Place> from = place(operand(instruction, 0));
    if (!from) return;
    if (from->variable != 0) return put("mov r{}, v{}", instruction.result, from->variable);
    if (!is_word(instruction.type)) return;
    put("ld.na{} r{}, {}", plain_suffixes(instruction, 1, spv::MemoryAccessMask::MakePointerVisible, "vis"),
        instruction.result, address(*from));
  }

  void store(const Instruction& instruction) {
    const std::optional<Place> to = place(operand(instruction, 0));
    if (!to) return;
    const std::string stored = value(operand(instruction, 1));
    if (to->variable != 0) return put("mov v{}, {}", to->variable, stored);
    if (to->symbol.starts_with(kResultPrefix) && to->index.empty()) {
      return put("mov result_{}, {}", to->symbol.substr(kResultPrefix.size()), stored);
    }
    const Type* pointer = type_of_pointer(operand(instruction, 0));
    if (pointer == nullptr || !is_word(pointer->element)) return misread("an access that is not of 32 bits");
    put("st.na{} {}, {}", plain_suffixes(instruction, 2, spv::MemoryAccessMask::MakePointerAvailable, "av"),
        address(*to), stored);
  }

  // The memory operands begin at `first`; each of its bits may have an operand of its own, in the order of the bits.
  std::string plain_suffixes(const Instruction& instruction, std::size_t first, spv::MemoryAccessMask own,
                             std::string_view word) {
    const std::uint32_t mask = operand(instruction, first);
    if (!dialect_.vulkan) return has(mask, spv::MemoryAccessMask::Volatile) ? ".vol" : "";
    std::string text = ".sc0";
    const bool shown = dialect_.implicit_availability || has(mask, spv::MemoryAccessMask::NonPrivatePointer);
    if (shown) text += ".nonpriv";
    if (!has(mask, own)) return text;
    std::size_t at = first + 1 + (has(mask, spv::MemoryAccessMask::Aligned) ? 1 : 0);
    if (own == spv::MemoryAccessMask::MakePointerVisible && has(mask, spv::MemoryAccessMask::MakePointerAvailable)) {
      ++at;
    }
    return fmt::format("{}.{}{}", text, word, scope(operand(instruction, at)));
  }

  // ---- atomics, fences, barriers ----

  // ".dev"
  std::string scope(std::uint32_t id) {
    const std::optional<std::int64_t> number = constant(id);
    const std::optional<litmus::Scope> named = number ? scope_of(*number, dialect_) : std::nullopt;
    if (!named) misread("a scope that the memory model does not have");
    return fmt::format(".{}", litmus::to_string(named.value_or(litmus::Scope::device)));
  }

  Ordering ordering(std::uint32_t id, Role role) {
    const std::optional<std::int64_t> number = constant(id);
    const std::optional<Ordering> found =
        number ? ordering_of(static_cast<std::uint32_t>(*number), role, dialect_) : std::nullopt;
    if (!found) misread("memory semantics that the memory model does not have");
    return found.value_or(Ordering{});
  }

  // ".acq.dev.sc0.semsc0.vis"
  std::string suffixes(std::uint32_t scope_id, std::uint32_t semantics, Role role) {
    const Ordering order = ordering(semantics, role);
    return fmt::format(".{}{}{}{}", litmus::to_string(order.order), scope(scope_id), dialect_.vulkan ? ".sc0" : "",
                       order.suffixes);
  }

  void atomic_load(const Instruction& one) {
    const std::optional<Place> from = place(operand(one, 0));
    if (!from || !is_word(one.type)) return;
    put("ld{} r{}, {}", suffixes(operand(one, 1), operand(one, 2), Role::load), one.result, address(*from));
  }

  void atomic_store(const Instruction& one) {
    const std::optional<Place> to = place(operand(one, 0));
    const Type* pointer = type_of_pointer(operand(one, 0));
    if (!to || pointer == nullptr || !is_word(pointer->element)) return misread("an access that is not of 32 bits");
    put("st{} {}, {}", suffixes(operand(one, 1), operand(one, 2), Role::store), address(*to), value(operand(one, 3)));
  }

  void update(const Instruction& one, std::string_view op, const std::string& operand_text) {
    const std::optional<Place> at = place(operand(one, 0));
    if (!at || !is_word(one.type)) return;
    put("atom.{}{} r{}, {}, {}", op, suffixes(operand(one, 1), operand(one, 2), Role::update), one.result, address(*at),
        operand_text);
  }

  // Pointer, scope, two semantics, the new value, the expected one.
  void compare_exchange(const Instruction& one) {
    const std::optional<Place> at = place(operand(one, 0));
    if (!at || !is_word(one.type)) return;
    const Ordering failure = ordering(operand(one, 3), Role::load);
    const std::string fails =
        failure.order == litmus::Order::relaxed ? "" : fmt::format(".fail{}", litmus::to_string(failure.order));
    put("atom.cas{}{} r{}, {}, {}, {}", suffixes(operand(one, 1), operand(one, 2), Role::update), fails, one.result,
        address(*at), value(operand(one, 5)), value(operand(one, 4)));
  }

  void memory_barrier(const Instruction& one) {
    const Ordering order = ordering(operand(one, 1), Role::fence);
    if (order.order == litmus::Order::relaxed) return;
    put("fence.{}{}{}", litmus::to_string(order.order), scope(operand(one, 0)), order.suffixes);
  }

  // Barriers of one scope that all threads reach meet in their order.
  void control_barrier(const Instruction& one) {
    if (conditional_) return misread("a barrier beside a branch");
    const Ordering order = ordering(operand(one, 2), Role::fence);
    const bool relaxed = order.order == litmus::Order::relaxed;
    if (!dialect_.vulkan && (relaxed || !litmus::is_acquire(order.order) || !litmus::is_release(order.order))) {
      return misread("a barrier that does not order memory");
    }
    const std::string memory = relaxed ? "" : fmt::format(".mem{}", scope(operand(one, 1)).substr(1));
    const std::string how = dialect_.vulkan && !relaxed ? fmt::format(".{}", litmus::to_string(order.order)) : "";
    put("bar{}{}{}{}", scope(operand(one, 0)), how, memory, order.suffixes);
  }

  // ---- computing ----

  void compute(const Instruction& one) {
    const std::string_view word = base::name_of(kComputations, one.op);
    if (word.empty()) return misread(one);
    const std::string left = value(operand(one, 0));
    if (one.operands.size() == 1) return put("{} r{}, {}", word, one.result, left);
    put("{} r{}, {}, {}", word, one.result, left, value(operand(one, 1)));
  }

  void extract(const Instruction& one) {
    const auto found = composites_.find(operand(one, 0));
    if (found == composites_.end() || one.operands.size() != 2 || operand(one, 1) >= found->second.size()) {
      return misread(one);
    }
    same_[one.result] = found->second[operand(one, 1)];
  }

  void construct(const Instruction& one) {
    for (const std::uint32_t part : one.operands) composites_[one.result].push_back(value(part));
  }

  void variable(const Instruction& one) {
    places_[one.result] = Place{{}, one.result, {}};
    pointers_[one.result] = one.type;
    if (one.operands.size() > 1) put("mov v{}, {}", one.result, value(operand(one, 1)));
  }

  void branch(const Instruction& one) {
    leave_block();
    if (one.op == Op::OpBranchConditional) {
      put("bne {}, 0, L{}", value(operand(one, 0)), operand(one, 1));
      return jump(operand(one, 2));
    }
    jump(operand(one, 0));
  }

  void label(const Instruction& one) {
    block_ = one.result;
    if (targets_.contains(one.result)) put("L{}:", one.result);
  }

  void read(const Instruction& one) {
    switch (one.op) {
      case Op::OpNop:
      case Op::OpLine:
      case Op::OpNoLine:
      case Op::OpSelectionMerge:
      case Op::OpLoopMerge:
      case Op::OpLifetimeStart:
      case Op::OpLifetimeStop:
        return;
      case Op::OpLabel:
        return label(one);
      case Op::OpBranch:
      case Op::OpBranchConditional:
        return branch(one);
      case Op::OpReturn:
        return leave_function();
      case Op::OpPhi:
        return put("mov r{}, phi{}", one.result, one.result);
      case Op::OpVariable:
        return variable(one);
      case Op::OpUndef:
        same_[one.result] = "0";
        return;
      case Op::OpLoad:
        return load(one);
      case Op::OpStore:
        return store(one);
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain:
        return follow(one, false);
      case Op::OpPtrAccessChain:
      case Op::OpInBoundsPtrAccessChain:
        return follow(one, true);
      case Op::OpBitcast:
      case Op::OpPtrCastToGeneric:
      case Op::OpGenericCastToPtr:
      case Op::OpCopyObject:
      case Op::OpSConvert:
      case Op::OpUConvert:
        return cast(one);
      case Op::OpSelect:
        return put("sel.ne r{}, {}, 0, {}, {}", one.result, value(operand(one, 0)), value(operand(one, 1)),
                   value(operand(one, 2)));
      case Op::OpLogicalNot:
        return put("eq r{}, {}, 0", one.result, value(operand(one, 0)));
      case Op::OpCompositeConstruct:
        return construct(one);
      case Op::OpCompositeExtract:
        return extract(one);
      default:
        return read_synchronisation(one);
    }
  }

  void read_synchronisation(const Instruction& one) {
    switch (one.op) {
      case Op::OpAtomicLoad:
        return atomic_load(one);
      case Op::OpAtomicStore:
        return atomic_store(one);
      case Op::OpAtomicCompareExchange:
      case Op::OpAtomicCompareExchangeWeak:
        return compare_exchange(one);
      case Op::OpAtomicIIncrement:
        return update(one, "add", "1");
      case Op::OpAtomicIDecrement:
        return update(one, "sub", "1");
      case Op::OpMemoryBarrier:
        return memory_barrier(one);
      case Op::OpControlBarrier:
        return control_barrier(one);
      default:
        break;
    }
    const std::string_view op = base::name_of(kUpdates, one.op);
    if (op.empty()) return compute(one);
    update(one, op, value(operand(one, 3)));
  }

  const Module& module_;
  const std::vector<Instruction>& code_;
  const std::map<std::uint32_t, std::string>& symbols_;
  Dialect dialect_;
  std::vector<std::string> lines_;
  std::string misread_;
  std::size_t at_ = 0;
  std::uint32_t block_ = 0;
  bool end_used_ = false;
  bool conditional_ = false;  // the function has a branch that may not be taken
  int scaled_ = 0;
  std::set<std::uint32_t> targets_;                                                      // labels that are jumped to
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> moves_;  // by block
  std::map<std::uint32_t, Place> places_;
  std::map<std::uint32_t, std::uint32_t> pointers_;  // their types
  std::map<std::uint32_t, std::string> same_;        // results that are another value
  std::map<std::uint32_t, std::vector<std::string>> composites_;
};

}  // namespace

MachineFunction read_function(const Module& module, const std::vector<Instruction>& code,
                              const std::map<std::uint32_t, std::string>& symbols) {
  return FunctionReader(module, code, symbols).run();
}

}  // namespace weakspot::compile::spirv
