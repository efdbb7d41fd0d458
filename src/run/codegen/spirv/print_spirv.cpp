// SPDX-License-Identifier: MIT
#include "codegen/spirv/print_spirv.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/check.h"
#include "codegen/kernel/buffer_use.h"
#include "codegen/kernel/single_level.h"
#include "codegen/spirv/print_spirv_memory.h"
#include "codegen/spirv/spirv_builder.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;
using namespace spirv;

// The parts of a module that its functions share.
class Module {
 public:
  Module(const KernelModule& from, bool bind) : bound(bind), from_(from) {
    builder.capability(spv::Capability::Shader);
    builder.capability(spv::Capability::VulkanMemoryModel);
    if (bind) builder.addressing(spv::AddressingModel::Logical);
    if (!bind) builder.capability(spv::Capability::PhysicalStorageBufferAddresses);
  }

  Id u32() { return builder.type_int(32); }
  Id u64() { return builder.type_int(64); }
  Id type(Width width) { return width == Width::w32 ? u32() : u64(); }

  // The block of addresses.
  Id addresses() {
    if (!addresses_) {
      const Words members(from_.buffers.size(), u64());
      const Id block = builder.type_struct(members);
      builder.decorate(block, spv::Decoration::Block);
      for (std::uint32_t i = 0; i < members.size(); ++i) {
        builder.decorate_member(block, i, spv::Decoration::Offset, {i * 8});
      }
      addresses_ = builder.global_variable(spv::StorageClass::PushConstant, block);
      builder.name(*addresses_, "buffers");
    }
    return *addresses_;
  }

  Id input(spv::BuiltIn which, Id type, const char* name) {
    const auto [entry, made] = inputs_.try_emplace(which, 0);
    if (made) {
      entry->second = builder.global_variable(spv::StorageClass::Input, type);
      builder.decorate(entry->second, spv::Decoration::BuiltIn, {word_of(which)});
      builder.name(entry->second, name);
    }
    return entry->second;
  }

  // A buffer of words, for modules whose buffers are bound.
  Id bound_buffer(std::uint32_t number) {
    const auto [entry, made] = bound_buffers_.try_emplace(number, 0);
    if (made) {
      if (block_ == 0) {
        const Id words = builder.type_runtime_array(u32());
        builder.decorate(words, spv::Decoration::ArrayStride, {4});
        block_ = builder.type_struct({words});
        builder.decorate(block_, spv::Decoration::Block);
        builder.decorate_member(block_, 0, spv::Decoration::Offset, {0});
      }
      entry->second = builder.global_variable(spv::StorageClass::StorageBuffer, block_);
      builder.decorate(entry->second, spv::Decoration::DescriptorSet, {0});
      builder.decorate(entry->second, spv::Decoration::Binding, {number});
      builder.name(entry->second, from_.buffers[number]);
    }
    return entry->second;
  }

  Builder builder;
  const bool bound;  // buffers are bound, not addressed

 private:
  const KernelModule& from_;
  Id block_ = 0;
  std::map<std::uint32_t, Id> bound_buffers_;
  std::optional<Id> addresses_;
  std::map<spv::BuiltIn, Id> inputs_;
};

class FunctionWriter {
 public:
  FunctionWriter(Module& module, const Kernel& kernel)
      : m_(module),
        b_(module.builder),
        kernel_(single_level(kernel)),
        map_(kernel_),
        variables_(kernel_.variables.size(), 0),
        reads_(read_variables(kernel_)) {}

  void run() {
    write_body(kernel_.body);
    if (!ended_) code_.add(spv::Op::OpReturn, {});

    const Id function = b_.id();
    b_.name(function, kernel_.name);
    Instructions whole;
    whole.add(spv::Op::OpFunction, {b_.type_void(), function, 0, b_.type_function()});
    whole.add(spv::Op::OpLabel, {b_.id()});
    whole.append(declarations_);
    whole.append(prologue_);
    whole.append(code_);
    whole.add(spv::Op::OpFunctionEnd, {});
    b_.add_function(whole);
    b_.entry_point(function, kernel_.name, interface_, kernel_.workgroup_size);
  }

 private:
  // ---- where values are ----

  struct Computation {
    spv::Op op;
    Id type;
    Words operands;
  };

  // The argument is written in braces, whose parts are evaluated from left to right, so that every compiler gives out
  // ids in the same order.
  Id emit(const Computation& made) { return emit_to(code_, made); }

  Id emit_to(Instructions& out, const Computation& made) {
    const Id result = b_.id();
    Words all = {made.type, result};
    all.insert(all.end(), made.operands.begin(), made.operands.end());
    out.add(made.op, all);
    return result;
  }

  Id variable(std::uint32_t index) {
    Id& id = variables_[index];
    if (id == 0) {
      const Id pointer = b_.type_pointer(spv::StorageClass::Function, m_.type(kernel_.variables[index]));
      id = emit_to(declarations_, {spv::Op::OpVariable, pointer, {word_of(spv::StorageClass::Function)}});
    }
    return id;
  }

  Id buffer(std::uint32_t number) {
    const auto [entry, made] = buffers_.try_emplace(number, 0);
    if (made) {
      const Id block = m_.addresses();
      interface_.insert(block);
      const Id member = emit_to(prologue_, {spv::Op::OpAccessChain,
                                            b_.type_pointer(spv::StorageClass::PushConstant, m_.u64()),
                                            {block, b_.constant32(number)}});
      entry->second = emit_to(prologue_, {spv::Op::OpLoad, m_.u64(), {member}});
    }
    return entry->second;
  }

  Id input(spv::BuiltIn which, const char* name) {
    const Id variable = m_.input(which, m_.u32(), name);
    interface_.insert(variable);
    return emit_to(prologue_, {spv::Op::OpLoad, m_.u32(), {variable}});
  }

  Id builtin_value(Builtin which) {
    const auto [entry, made] = builtins_.try_emplace(which, 0);
    if (!made) return entry->second;
    if (which == Builtin::local_id && kernel_.subgroups) {
      // The specification does not say which local ids a subgroup has, so local ids are computed from subgroups.
      b_.capability(spv::Capability::GroupNonUniform);
      const Id number = input(spv::BuiltIn::SubgroupId, "subgroup_id");
      const Id size = input(spv::BuiltIn::SubgroupSize, "subgroup_size");
      const Id lane = input(spv::BuiltIn::SubgroupLocalInvocationId, "lane");
      const Id first = emit_to(prologue_, {spv::Op::OpIMul, m_.u32(), {number, size}});
      entry->second = emit_to(prologue_, {spv::Op::OpIAdd, m_.u32(), {first, lane}});
    } else if (which == Builtin::local_id) {
      entry->second = input(spv::BuiltIn::LocalInvocationIndex, "local_id");
    } else {
      const Id vector = b_.type_vector(m_.u32(), 3);
      const Id variable = m_.input(spv::BuiltIn::WorkgroupId, vector, "workgroup_id");
      interface_.insert(variable);
      const Id all = emit_to(prologue_, {spv::Op::OpLoad, vector, {variable}});
      entry->second = emit_to(prologue_, {spv::Op::OpCompositeExtract, m_.u32(), {all, 0}});
    }
    return entry->second;
  }

  void assign(Var target, Id value) { code_.add(spv::Op::OpStore, {variable(target.index), value}); }

  // ---- expressions ----

  Id constant(std::uint64_t value, Width width) {
    return width == Width::w32 ? b_.constant32(static_cast<std::uint32_t>(value)) : b_.constant64(value);
  }

  Id value(const Expr& expr) {
    const ExprNode& node = expr.node();
    switch (node.kind) {
      case ExprNode::Kind::constant:
        return constant(node.value, node.width);
      case ExprNode::Kind::variable:
        return emit({spv::Op::OpLoad, m_.type(node.width), {variable(static_cast<std::uint32_t>(node.value))}});
      case ExprNode::Kind::builtin:
        return builtin_value(node.builtin);
      case ExprNode::Kind::buffer:
        return buffer(static_cast<std::uint32_t>(node.value));
      case ExprNode::Kind::op:
        break;
    }
    if (is_comparison(node)) {
      return emit({spv::Op::OpSelect, m_.u32(), {comparison(node), b_.constant32(1), b_.constant32(0)}});
    }
    return operation(node);
  }

  Id operation(const ExprNode& node) {
    const std::vector<Expr>& args = node.args;
    const Id type = m_.type(node.width);
    switch (node.op) {
      case Op::select: {
        const Id holds = condition(args[0]);
        const Id yes = value(args[1]);
        return emit({spv::Op::OpSelect, type, {holds, yes, value(args[2])}});
      }
      case Op::widen:
      case Op::narrow:
        return emit({spv::Op::OpUConvert, type, {value(args[0])}});
      case Op::widen_signed:
        return emit({spv::Op::OpSConvert, type, {value(args[0])}});
      case Op::mul_wide: {
        const Id left = widened(args[0]);
        return emit({spv::Op::OpIMul, type, {left, widened(args[1])}});
      }
      case Op::not_:
        return emit({spv::Op::OpNot, type, {value(args[0])}});
      case Op::neg:
        return emit({spv::Op::OpSNegate, type, {value(args[0])}});
      case Op::min: {
        const Id left = value(args[0]);
        const Id right = value(args[1]);
        return emit(
            {spv::Op::OpSelect, type, {emit({spv::Op::OpULessThan, b_.type_bool(), {left, right}}), left, right}});
      }
      case Op::div:
      case Op::rem:
        return division(node);
      case Op::shl:
      case Op::shr:
      case Op::sar:
        return shift(node);
      default:
        break;
    }
    const Id left = value(args[0]);
    return emit({binary_opcode(node.op), type, {left, value(args[1])}});
  }

  Id widened(const Expr& expr) {
    if (const auto known = expr.constant()) return b_.constant64(*known);
    return emit({spv::Op::OpUConvert, m_.u64(), {value(expr)}});
  }

  static spv::Op binary_opcode(Op op) {
    switch (op) {
      case Op::add:
        return spv::Op::OpIAdd;
      case Op::sub:
        return spv::Op::OpISub;
      case Op::mul:
        return spv::Op::OpIMul;
      case Op::and_:
        return spv::Op::OpBitwiseAnd;
      case Op::or_:
        return spv::Op::OpBitwiseOr;
      case Op::xor_:
        return spv::Op::OpBitwiseXor;
      default:
        WEAKSPOT_CHECK(false);
        return spv::Op::OpIAdd;
    }
  }

  // Division by zero is undefined: a divisor of 0 becomes 1.
  Id division(const ExprNode& node) {
    const Id type = m_.type(node.width);
    const Id left = value(node.args[0]);
    Id right = value(node.args[1]);
    if (!node.args[1].constant()) {
      const Id is_zero = emit({spv::Op::OpIEqual, b_.type_bool(), {right, constant(0, node.width)}});
      right = emit({spv::Op::OpSelect, type, {is_zero, constant(1, node.width), right}});
    }
    return emit({node.op == Op::div ? spv::Op::OpUDiv : spv::Op::OpUMod, type, {left, right}});
  }

  // Shifting by the width or more is undefined and must be avoided.
  Id shift(const ExprNode& node) {
    const Id type = m_.type(node.width);
    const std::uint32_t bits = node.width == Width::w32 ? 32 : 64;
    const spv::Op op = node.op == Op::shl   ? spv::Op::OpShiftLeftLogical
                       : node.op == Op::shr ? spv::Op::OpShiftRightLogical
                                            : spv::Op::OpShiftRightArithmetic;
    const Id left = value(node.args[0]);
    if (const auto amount = node.args[1].constant()) {
      if (*amount >= bits && node.op != Op::sar) return constant(0, node.width);
      const auto in_range = static_cast<std::uint32_t>(std::min<std::uint64_t>(*amount, bits - 1));
      return emit({op, type, {left, b_.constant32(in_range)}});
    }
    const Id amount = value(node.args[1]);
    const Id most = constant(bits - 1, node.args[1].width());
    const Id fits = emit({spv::Op::OpULessThanEqual, b_.type_bool(), {amount, most}});
    const Id in_range = emit({spv::Op::OpSelect, m_.type(node.args[1].width()), {fits, amount, most}});
    const Id shifted = emit({op, type, {left, in_range}});
    if (node.op == Op::sar) return shifted;
    return emit({spv::Op::OpSelect, type, {fits, shifted, constant(0, node.width)}});
  }

  Id comparison(const ExprNode& node) {
    spv::Op op = spv::Op::OpIEqual;
    switch (node.op) {
      case Op::ne:
        op = spv::Op::OpINotEqual;
        break;
      case Op::lt:
        op = spv::Op::OpULessThan;
        break;
      case Op::le:
        op = spv::Op::OpULessThanEqual;
        break;
      case Op::lt_signed:
        op = spv::Op::OpSLessThan;
        break;
      case Op::le_signed:
        op = spv::Op::OpSLessThanEqual;
        break;
      default:
        break;
    }
    const Id left = value(node.args[0]);
    return emit({op, b_.type_bool(), {left, value(node.args[1])}});
  }

  // A truth value: whether the expression is not 0.
  Id condition(const Expr& expr) {
    if (is_comparison(expr.node())) return comparison(expr.node());
    const Id number = value(expr);
    return emit({spv::Op::OpINotEqual, b_.type_bool(), {number, constant(0, expr.width())}});
  }

  // ---- memory ----

  static std::uint32_t bytes(const MemoryAccess& access) {
    return static_cast<std::uint32_t>(size_in_bytes(access.type));
  }

  Id element_type(const MemoryAccess& access) { return b_.type_int(bytes(access) * 8); }

  Id pointer(const MemoryAccess& access) {
    const Id element = element_type(access);
    if (access.shared) return shared_pointer(access, element);
    if (m_.bound) return bound_pointer(access, element);
    if (bytes(access) == 1) b_.capability(spv::Capability::StorageBuffer8BitAccess);
    if (bytes(access) == 2) b_.capability(spv::Capability::StorageBuffer16BitAccess);
    return emit({spv::Op::OpConvertUToPtr,
                 b_.type_pointer(spv::StorageClass::PhysicalStorageBuffer, element),
                 {value(access.address)}});
  }

  Id bound_pointer(const MemoryAccess& access, Id element) {
    WEAKSPOT_CHECK(bytes(access) == 4);
    const Id variable = m_.bound_buffer(*map_.buffer_of(access.address));
    interface_.insert(variable);
    const Id index = value(word_index(access.address));
    return emit({spv::Op::OpAccessChain,
                 b_.type_pointer(spv::StorageClass::StorageBuffer, element),
                 {variable, b_.constant32(0), index}});
  }

  // The workgroup's memory has no addresses: it is an array of words, and another of double words for 64-bit accesses.
  // support_spirv.cpp ensures that no location is in both.
  Id shared_pointer(const MemoryAccess& access, Id element) {
    const std::uint32_t size = bytes(access);
    WEAKSPOT_CHECK(size == 4 || size == 8);
    Id& array = size == 4 ? words_ : double_words_;
    if (array == 0) {
      const std::uint32_t count = (kernel_.shared_bytes + size - 1) / size;
      array = b_.global_variable(spv::StorageClass::Workgroup, b_.type_array(element, std::max(count, 1u)));
      b_.name(array, kernel_.name + (size == 4 ? "_words" : "_double_words"));
      interface_.insert(array);
    }
    const Id index = shared_index(access.address, size);
    return emit({spv::Op::OpAccessChain, b_.type_pointer(spv::StorageClass::Workgroup, element), {array, index}});
  }

  // address / size, in 32 bits if the address was computed from 32 bits.
  Id shared_index(const Expr& address, std::uint32_t size) {
    const ExprNode& node = address.node();
    if (const auto known = address.constant()) return b_.constant32(static_cast<std::uint32_t>(*known / size));
    if (node.kind == ExprNode::Kind::op && node.op == Op::mul_wide) {
      const auto factor = node.args[1].constant();
      if (factor && *factor % size == 0) {
        return value(node.args[0] * Expr(static_cast<std::uint32_t>(*factor / size)));
      }
    }
    return value(apply(Op::narrow, {address}) >> Expr(size == 4 ? 2u : 3u));
  }

  Id scope(Scope scope) {
    const spv::Scope mapped = spirv_scope(scope);
    if (mapped == spv::Scope::Device) b_.capability(spv::Capability::VulkanMemoryModelDeviceScope);
    return b_.constant32(word_of(mapped));
  }

  Id semantics(spv::MemorySemanticsMask mask) { return b_.constant32(word_of(mask)); }

  Words memory_operands(const MemoryAccess& access, spv::MemoryAccessMask mask) {
    Words operands = {word_of(mask)};
    if (has(mask, spv::MemoryAccessMask::Aligned)) operands.push_back(bytes(access));
    if (has(mask, spv::MemoryAccessMask::MakePointerAvailable | spv::MemoryAccessMask::MakePointerVisible))
      operands.push_back(scope(access.scope));
    return operands;
  }

  void note_atomic(const MemoryAccess& access) {
    if (bytes(access) == 8) b_.capability(spv::Capability::Int64Atomics);
  }

  // A value as memory holds it, in the width of a variable and back.
  Id extended(Id loaded, const MemoryAccess& access, Width width) {
    const std::uint32_t bits = width == Width::w32 ? 32 : 64;
    if (bytes(access) * 8 == bits) return loaded;
    return emit({is_signed(access.type) ? spv::Op::OpSConvert : spv::Op::OpUConvert, m_.type(width), {loaded}});
  }

  void write(const LoadFrom& load) {
    MemoryAccess access = load.access;
    const bool atomic = is_atomic(access);
    // The value is unused, but the access must happen.
    if (!reads_[load.target.index]) access.is_volatile = true;
    const Id from = pointer(access);
    Id loaded = 0;
    if (atomic) {
      note_atomic(access);
      loaded = emit({spv::Op::OpAtomicLoad,
                     element_type(access),
                     {from, scope(access.scope), semantics(load_semantics(access))}});
    } else {
      Words operands = {from};
      for (const Id word : memory_operands(access, load_operands(access))) operands.push_back(word);
      loaded = emit({spv::Op::OpLoad, element_type(access), operands});
    }
    assign(load.target, extended(loaded, access, load.target.width));
  }

  void write(const StoreTo& store) {
    const MemoryAccess& access = store.access;
    Id stored = value(store.value);
    if (bytes(access) < 4) stored = emit({spv::Op::OpUConvert, element_type(access), {stored}});
    const Id to = pointer(access);
    if (is_atomic(access)) {
      note_atomic(access);
      code_.add(spv::Op::OpAtomicStore, {to, scope(access.scope), semantics(store_semantics(access)), stored});
    } else {
      Words operands = {to, stored};
      for (const Id word : memory_operands(access, store_operands(access))) operands.push_back(word);
      code_.add(spv::Op::OpStore, operands);
    }
  }

  void write(const AtomicOn& atomic) {
    const MemoryAccess& access = atomic.access;
    note_atomic(access);
    const Id operand = value(atomic.operand);
    Words operands = {0, scope(access.scope), semantics(rmw_semantics(access))};
    if (atomic.expected) operands.push_back(semantics(failure_semantics(access)));
    operands.push_back(operand);
    if (atomic.expected) operands.push_back(value(*atomic.expected));
    operands[0] = pointer(access);
    const Id old = emit({atomic_opcode(atomic.op, access.type), element_type(access), operands});
    if (atomic.target) assign(*atomic.target, old);
  }

  void write(const FenceOf& statement) {
    const spv::MemorySemanticsMask mask = fence_semantics(statement);
    if (mask == spv::MemorySemanticsMask::MaskNone) return;
    code_.add(spv::Op::OpMemoryBarrier, {scope(statement.fence.scope), semantics(mask)});
  }

  void write(const AsyncOf&) { WEAKSPOT_CHECK(false); }

  void write(const BarrierOf& barrier) {
    WEAKSPOT_CHECK(barrier.kind != BarrierOf::Kind::named);
    const Scope threads = barrier.kind == BarrierOf::Kind::workgroup ? Scope::workgroup : Scope::subgroup;
    const Id who = scope(threads);
    const Id memory = scope(barrier.vulkan ? barrier.memory_scope : threads);
    code_.add(spv::Op::OpControlBarrier, {who, memory, semantics(barrier_semantics(barrier))});
  }

  // ---- control ----

  void write(const Assign& statement) {
    WEAKSPOT_CHECK(statement.target.width == statement.value.width());
    assign(statement.target, value(statement.value));
  }

  void begin(Id label) {
    code_.add(spv::Op::OpLabel, {label});
    ended_ = false;
  }
  void branch(Id label) {
    if (!ended_) code_.add(spv::Op::OpBranch, {label});
    ended_ = true;
  }

  void write(const If& statement) {
    const Id holds = condition(statement.condition);
    const Id yes = b_.id();
    const Id merge = b_.id();
    const Id no = statement.no.empty() ? merge : b_.id();
    code_.add(spv::Op::OpSelectionMerge, {merge, 0});
    code_.add(spv::Op::OpBranchConditional, {holds, yes, no});
    begin(yes);
    write_body(statement.yes);
    bool reached = !ended_ || no == merge;
    branch(merge);
    if (no != merge) {
      begin(no);
      write_body(statement.no);
      reached = reached || !ended_;
      branch(merge);
    }
    begin(merge);
    if (reached) return;
    code_.add(spv::Op::OpUnreachable, {});
    ended_ = true;
  }

  void write(const Loop& loop) {
    const Id header = b_.id();
    const Id body = b_.id();
    const Id again = b_.id();
    const Id merge = b_.id();
    branch(header);
    begin(header);
    code_.add(spv::Op::OpLoopMerge, {merge, again, 0});
    branch(body);
    begin(body);
    loops_.push_back({again, merge});
    write_body(loop.body);
    loops_.pop_back();
    branch(merge);
    begin(again);
    branch(header);
    begin(merge);
  }

  void write(const Block&) { WEAKSPOT_CHECK(false); }
  void write(const Break&) { branch(loops_.back().second); }
  void write(const Continue&) { branch(loops_.back().first); }
  void write(const ForReaders auto&) {}

  void write_body(const Body& body) {
    for (const Stmt& statement : body) {
      if (ended_) return;
      std::visit([&](const auto& node) { write(node); }, statement.node);
    }
  }

  Module& m_;
  Builder& b_;
  Kernel kernel_;
  BufferMap map_;
  std::vector<Id> variables_;
  std::vector<bool> reads_;  // by variable
  std::map<std::uint32_t, Id> buffers_;
  std::map<Builtin, Id> builtins_;
  Id words_ = 0;
  Id double_words_ = 0;
  std::set<Id> interface_;
  Instructions declarations_;  // variables, which come first in a function
  Instructions prologue_;      // values that are loaded once
  Instructions code_;
  std::vector<std::pair<Id, Id>> loops_;  // labels to continue at and to leave to
  bool ended_ = false;                    // the current block has a terminator
};

std::vector<std::uint32_t> print(const KernelModule& kernels, bool bound) {
  Module module(kernels, bound);
  for (const Kernel& kernel : kernels.kernels) FunctionWriter(module, kernel).run();
  return module.builder.words();
}

}  // namespace

std::vector<std::uint32_t> print_spirv(const KernelModule& kernels) { return print(kernels, false); }

std::vector<std::uint32_t> print_bound_spirv(const KernelModule& kernels) { return print(kernels, true); }

}  // namespace weakspot::codegen
