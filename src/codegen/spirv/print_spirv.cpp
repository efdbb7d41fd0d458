#include "codegen/spirv/print_spirv.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/check.h"
#include "codegen/kernel/single_level.h"
#include "codegen/spirv/print_spirv_memory.h"
#include "codegen/spirv/spirv_builder.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;
using namespace spirv;

bool is_comparison(const ExprNode& node) {
  return node.kind == ExprNode::Kind::op && node.op >= Op::eq && node.op <= Op::le_signed;
}

// What the functions of a module share.
class Module {
 public:
  explicit Module(const KernelModule& from) : from_(from) {
    builder.capability(Capability::Shader);
    builder.capability(Capability::VulkanMemoryModel);
    builder.capability(Capability::PhysicalStorageBufferAddresses);
  }

  Id u32() { return builder.type_int(32); }
  Id u64() { return builder.type_int(64); }
  Id type(Width width) { return width == Width::w32 ? u32() : u64(); }

  // The block of addresses.
  Id addresses() {
    if (!addresses_) {
      const Words members(from_.buffers.size(), u64());
      const Id block = builder.type_struct(members);
      builder.decorate(block, Decoration::Block);
      for (std::uint32_t i = 0; i < members.size(); ++i) {
        builder.decorate_member(block, i, Decoration::Offset, {i * 8});
      }
      addresses_ = builder.global_variable(StorageClass::PushConstant, block);
      builder.name(*addresses_, "buffers");
    }
    return *addresses_;
  }

  Id input(BuiltIn which, Id type, const char* name) {
    const auto [entry, made] = inputs_.try_emplace(which, 0);
    if (made) {
      entry->second = builder.global_variable(StorageClass::Input, type);
      builder.decorate(entry->second, Decoration::BuiltIn, {static_cast<std::uint32_t>(which)});
      builder.name(entry->second, name);
    }
    return entry->second;
  }

  Builder builder;

 private:
  const KernelModule& from_;
  std::optional<Id> addresses_;
  std::map<BuiltIn, Id> inputs_;
};

class FunctionWriter {
 public:
  FunctionWriter(Module& module, const Kernel& kernel)
      : m_(module), b_(module.builder), kernel_(single_level(kernel)), variables_(kernel_.variables.size(), 0) {}

  void run() {
    find_reads(kernel_.body);
    write_body(kernel_.body);
    if (!ended_) code_.add(OpCode::Return, {});

    const Id function = b_.id();
    b_.name(function, kernel_.name);
    Instructions whole;
    whole.add(OpCode::Function, {b_.type_void(), function, 0, b_.type_function()});
    whole.add(OpCode::Label, {b_.id()});
    whole.append(declarations_);
    whole.append(prologue_);
    whole.append(code_);
    whole.add(OpCode::FunctionEnd, {});
    b_.add_function(whole);
    b_.entry_point(function, kernel_.name, interface_, kernel_.workgroup_size);
  }

 private:
  // ---- where values are ----

  struct Computation {
    OpCode op;
    Id type;
    Words operands;
  };

  // Takes one value in braces, whose parts are evaluated from left to right: the parts of a module get their ids in the
  // same order whatever the compiler does with arguments.
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
      const Id pointer = b_.type_pointer(StorageClass::Function, m_.type(kernel_.variables[index]));
      id = emit_to(declarations_, {OpCode::Variable, pointer, {static_cast<std::uint32_t>(StorageClass::Function)}});
    }
    return id;
  }

  Id buffer(std::uint32_t number) {
    const auto [entry, made] = buffers_.try_emplace(number, 0);
    if (made) {
      const Id block = m_.addresses();
      interface_.insert(block);
      const Id member = emit_to(
          prologue_,
          {OpCode::AccessChain, b_.type_pointer(StorageClass::PushConstant, m_.u64()), {block, b_.constant32(number)}});
      entry->second = emit_to(prologue_, {OpCode::Load, m_.u64(), {member}});
    }
    return entry->second;
  }

  Id input(BuiltIn which, const char* name) {
    const Id variable = m_.input(which, m_.u32(), name);
    interface_.insert(variable);
    return emit_to(prologue_, {OpCode::Load, m_.u32(), {variable}});
  }

  Id builtin_value(Builtin which) {
    const auto [entry, made] = builtins_.try_emplace(which, 0);
    if (!made) return entry->second;
    if (which == Builtin::local_id && kernel_.subgroups) {
      // The specification leaves open how local ids are dealt to subgroups, so they are numbered from them.
      b_.capability(Capability::GroupNonUniform);
      const Id number = input(BuiltIn::SubgroupId, "subgroup_id");
      const Id size = input(BuiltIn::SubgroupSize, "subgroup_size");
      const Id lane = input(BuiltIn::SubgroupLocalInvocationId, "lane");
      const Id first = emit_to(prologue_, {OpCode::IMul, m_.u32(), {number, size}});
      entry->second = emit_to(prologue_, {OpCode::IAdd, m_.u32(), {first, lane}});
    } else if (which == Builtin::local_id) {
      entry->second = input(BuiltIn::LocalInvocationIndex, "local_id");
    } else {
      const Id vector = b_.type_vector(m_.u32(), 3);
      const Id variable = m_.input(BuiltIn::WorkgroupId, vector, "workgroup_id");
      interface_.insert(variable);
      const Id all = emit_to(prologue_, {OpCode::Load, vector, {variable}});
      entry->second = emit_to(prologue_, {OpCode::CompositeExtract, m_.u32(), {all, 0}});
    }
    return entry->second;
  }

  void assign(Var target, Id value) { code_.add(OpCode::Store, {variable(target.index), value}); }

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
        return emit({OpCode::Load, m_.type(node.width), {variable(static_cast<std::uint32_t>(node.value))}});
      case ExprNode::Kind::builtin:
        return builtin_value(node.builtin);
      case ExprNode::Kind::buffer:
        return buffer(static_cast<std::uint32_t>(node.value));
      case ExprNode::Kind::op:
        break;
    }
    if (is_comparison(node)) {
      return emit({OpCode::Select, m_.u32(), {comparison(node), b_.constant32(1), b_.constant32(0)}});
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
        return emit({OpCode::Select, type, {holds, yes, value(args[2])}});
      }
      case Op::widen:
      case Op::narrow:
        return emit({OpCode::UConvert, type, {value(args[0])}});
      case Op::widen_signed:
        return emit({OpCode::SConvert, type, {value(args[0])}});
      case Op::mul_wide: {
        const Id left = widened(args[0]);
        return emit({OpCode::IMul, type, {left, widened(args[1])}});
      }
      case Op::not_:
        return emit({OpCode::Not, type, {value(args[0])}});
      case Op::neg:
        return emit({OpCode::SNegate, type, {value(args[0])}});
      case Op::min: {
        const Id left = value(args[0]);
        const Id right = value(args[1]);
        return emit({OpCode::Select, type, {emit({OpCode::ULessThan, b_.type_bool(), {left, right}}), left, right}});
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
    return emit({OpCode::UConvert, m_.u64(), {value(expr)}});
  }

  static OpCode binary_opcode(Op op) {
    switch (op) {
      case Op::add:
        return OpCode::IAdd;
      case Op::sub:
        return OpCode::ISub;
      case Op::mul:
        return OpCode::IMul;
      case Op::and_:
        return OpCode::BitwiseAnd;
      case Op::or_:
        return OpCode::BitwiseOr;
      case Op::xor_:
        return OpCode::BitwiseXor;
      default:
        WEAKSPOT_CHECK(false);
        return OpCode::IAdd;
    }
  }

  // A division by zero is undefined: a divisor that may be 0 is made 1.
  Id division(const ExprNode& node) {
    const Id type = m_.type(node.width);
    const Id left = value(node.args[0]);
    Id right = value(node.args[1]);
    if (!node.args[1].constant()) {
      const Id is_zero = emit({OpCode::IEqual, b_.type_bool(), {right, constant(0, node.width)}});
      right = emit({OpCode::Select, type, {is_zero, constant(1, node.width), right}});
    }
    return emit({node.op == Op::div ? OpCode::UDiv : OpCode::UMod, type, {left, right}});
  }

  // Amounts from the width on are undefined: they are kept from happening.
  Id shift(const ExprNode& node) {
    const Id type = m_.type(node.width);
    const std::uint32_t bits = node.width == Width::w32 ? 32 : 64;
    const OpCode op = node.op == Op::shl   ? OpCode::ShiftLeftLogical
                      : node.op == Op::shr ? OpCode::ShiftRightLogical
                                           : OpCode::ShiftRightArithmetic;
    const Id left = value(node.args[0]);
    if (const auto amount = node.args[1].constant()) {
      if (*amount >= bits && node.op != Op::sar) return constant(0, node.width);
      const auto in_range = static_cast<std::uint32_t>(std::min<std::uint64_t>(*amount, bits - 1));
      return emit({op, type, {left, b_.constant32(in_range)}});
    }
    const Id amount = value(node.args[1]);
    const Id most = constant(bits - 1, node.args[1].width());
    const Id fits = emit({OpCode::ULessThanEqual, b_.type_bool(), {amount, most}});
    const Id in_range = emit({OpCode::Select, m_.type(node.args[1].width()), {fits, amount, most}});
    const Id shifted = emit({op, type, {left, in_range}});
    if (node.op == Op::sar) return shifted;
    return emit({OpCode::Select, type, {fits, shifted, constant(0, node.width)}});
  }

  Id comparison(const ExprNode& node) {
    OpCode op = OpCode::IEqual;
    switch (node.op) {
      case Op::ne:
        op = OpCode::INotEqual;
        break;
      case Op::lt:
        op = OpCode::ULessThan;
        break;
      case Op::le:
        op = OpCode::ULessThanEqual;
        break;
      case Op::lt_signed:
        op = OpCode::SLessThan;
        break;
      case Op::le_signed:
        op = OpCode::SLessThanEqual;
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
    return emit({OpCode::INotEqual, b_.type_bool(), {number, constant(0, expr.width())}});
  }

  // ---- memory ----

  static std::uint32_t bytes(const MemoryAccess& access) {
    return static_cast<std::uint32_t>(size_in_bytes(access.type));
  }

  Id element_type(const MemoryAccess& access) { return b_.type_int(bytes(access) * 8); }

  Id pointer(const MemoryAccess& access) {
    const Id element = element_type(access);
    if (access.shared) return shared_pointer(access, element);
    if (bytes(access) == 1) b_.capability(Capability::StorageBuffer8BitAccess);
    if (bytes(access) == 2) b_.capability(Capability::StorageBuffer16BitAccess);
    return emit({OpCode::ConvertUToPtr,
                 b_.type_pointer(StorageClass::PhysicalStorageBuffer, element),
                 {value(access.address)}});
  }

  // The workgroup's memory has no addresses: it is an array of words, and one of double words for accesses to those. No
  // word is ever reached as part of both (support.cpp sees to it).
  Id shared_pointer(const MemoryAccess& access, Id element) {
    const std::uint32_t size = bytes(access);
    WEAKSPOT_CHECK(size == 4 || size == 8);
    Id& array = size == 4 ? words_ : double_words_;
    if (array == 0) {
      const std::uint32_t count = (kernel_.shared_bytes + size - 1) / size;
      array = b_.global_variable(StorageClass::Workgroup, b_.type_array(element, std::max(count, 1u)));
      b_.name(array, kernel_.name + (size == 4 ? "_words" : "_double_words"));
      interface_.insert(array);
    }
    const Id index = shared_index(access.address, size);
    return emit({OpCode::AccessChain, b_.type_pointer(StorageClass::Workgroup, element), {array, index}});
  }

  // address / size, in 32 bits where the address was made from 32 bits.
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
    const MemoryScope mapped = spirv_scope(scope);
    if (mapped == MemoryScope::Device) b_.capability(Capability::VulkanMemoryModelDeviceScope);
    return b_.constant32(static_cast<std::uint32_t>(mapped));
  }

  Words memory_operands(const MemoryAccess& access, std::uint32_t mask) {
    Words operands = {mask};
    if ((mask & kAligned) != 0) operands.push_back(bytes(access));
    if ((mask & (kMakePointerAvailable | kMakePointerVisible)) != 0) operands.push_back(scope(access.scope));
    return operands;
  }

  void note_atomic(const MemoryAccess& access) {
    if (bytes(access) == 8) b_.capability(Capability::Int64Atomics);
  }

  // A value as memory holds it, in the width of a variable and back.
  Id extended(Id loaded, const MemoryAccess& access, Width width) {
    const std::uint32_t bits = width == Width::w32 ? 32 : 64;
    if (bytes(access) * 8 == bits) return loaded;
    return emit({is_signed(access.type) ? OpCode::SConvert : OpCode::UConvert, m_.type(width), {loaded}});
  }

  void write(const LoadFrom& load) {
    MemoryAccess access = load.access;
    const bool atomic = is_atomic(access);
    // Nobody looks at the value: the access itself is what is wanted.
    if (!reads_.contains(load.target.index)) access.is_volatile = true;
    const Id from = pointer(access);
    Id loaded = 0;
    if (atomic) {
      note_atomic(access);
      loaded = emit({OpCode::AtomicLoad,
                     element_type(access),
                     {from, scope(access.scope), b_.constant32(load_semantics(access))}});
    } else {
      Words operands = {from};
      for (const Id word : memory_operands(access, load_operands(access))) operands.push_back(word);
      loaded = emit({OpCode::Load, element_type(access), operands});
    }
    assign(load.target, extended(loaded, access, load.target.width));
  }

  void write(const StoreTo& store) {
    const MemoryAccess& access = store.access;
    Id stored = value(store.value);
    if (bytes(access) < 4) stored = emit({OpCode::UConvert, element_type(access), {stored}});
    const Id to = pointer(access);
    if (is_atomic(access)) {
      note_atomic(access);
      code_.add(OpCode::AtomicStore, {to, scope(access.scope), b_.constant32(store_semantics(access)), stored});
    } else {
      Words operands = {to, stored};
      for (const Id word : memory_operands(access, store_operands(access))) operands.push_back(word);
      code_.add(OpCode::Store, operands);
    }
  }

  void write(const AtomicOn& atomic) {
    const MemoryAccess& access = atomic.access;
    note_atomic(access);
    const Id operand = value(atomic.operand);
    Words operands = {0, scope(access.scope), b_.constant32(rmw_semantics(access))};
    if (atomic.expected) operands.push_back(b_.constant32(failure_semantics(access)));
    operands.push_back(operand);
    if (atomic.expected) operands.push_back(value(*atomic.expected));
    operands[0] = pointer(access);
    const Id old = emit({atomic_opcode(atomic.op, access.type), element_type(access), operands});
    if (atomic.target) assign(*atomic.target, old);
  }

  void write(const FenceOf& statement) {
    const std::uint32_t mask = fence_semantics(statement);
    if (mask == kRelaxed) return;
    code_.add(OpCode::MemoryBarrier, {scope(statement.fence.scope), b_.constant32(mask)});
  }

  void write(const BarrierOf& barrier) {
    WEAKSPOT_CHECK(barrier.kind != BarrierOf::Kind::named);
    const Scope threads = barrier.kind == BarrierOf::Kind::workgroup ? Scope::workgroup : Scope::subgroup;
    const Id who = scope(threads);
    const Id memory = scope(barrier.vulkan ? barrier.memory_scope : threads);
    code_.add(OpCode::ControlBarrier, {who, memory, b_.constant32(barrier_semantics(barrier))});
  }

  // ---- control ----

  void write(const Assign& statement) {
    WEAKSPOT_CHECK(statement.target.width == statement.value.width());
    assign(statement.target, value(statement.value));
  }

  void begin(Id label) {
    code_.add(OpCode::Label, {label});
    ended_ = false;
  }
  void branch(Id label) {
    if (!ended_) code_.add(OpCode::Branch, {label});
    ended_ = true;
  }

  void write(const If& statement) {
    const Id holds = condition(statement.condition);
    const Id yes = b_.id();
    const Id merge = b_.id();
    const Id no = statement.no.empty() ? merge : b_.id();
    code_.add(OpCode::SelectionMerge, {merge, 0});
    code_.add(OpCode::BranchConditional, {holds, yes, no});
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
    code_.add(OpCode::Unreachable, {});
    ended_ = true;
  }

  void write(const Loop& loop) {
    const Id header = b_.id();
    const Id body = b_.id();
    const Id again = b_.id();
    const Id merge = b_.id();
    branch(header);
    begin(header);
    code_.add(OpCode::LoopMerge, {merge, again, 0});
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
  void write(const Comment&) {}

  void write_body(const Body& body) {
    for (const Stmt& statement : body) {
      if (ended_) return;
      std::visit([&](const auto& node) { write(node); }, statement.node);
    }
  }

  // ---- which variables are read ----

  void find_reads(const Expr& expr) {
    const ExprNode& node = expr.node();
    if (node.kind == ExprNode::Kind::variable) reads_.insert(static_cast<std::uint32_t>(node.value));
    for (const Expr& arg : node.args) find_reads(arg);
  }

  void find_reads(const Body& body) {
    for (const Stmt& statement : body) {
      if (const auto* assignment = std::get_if<Assign>(&statement.node)) {
        find_reads(assignment->value);
      } else if (const auto* load = std::get_if<LoadFrom>(&statement.node)) {
        find_reads(load->access.address);
      } else if (const auto* store = std::get_if<StoreTo>(&statement.node)) {
        find_reads(store->access.address);
        find_reads(store->value);
      } else if (const auto* atomic = std::get_if<AtomicOn>(&statement.node)) {
        find_reads(atomic->access.address);
        find_reads(atomic->operand);
        if (atomic->expected) find_reads(*atomic->expected);
      } else if (const auto* choice = std::get_if<If>(&statement.node)) {
        find_reads(choice->condition);
        find_reads(choice->yes);
        find_reads(choice->no);
      } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
        find_reads(loop->body);
      }
    }
  }

  Module& m_;
  Builder& b_;
  Kernel kernel_;
  std::vector<Id> variables_;
  std::map<std::uint32_t, Id> buffers_;
  std::map<Builtin, Id> builtins_;
  std::set<std::uint32_t> reads_;
  Id words_ = 0;
  Id double_words_ = 0;
  std::set<Id> interface_;
  Instructions declarations_;  // of variables, which stand first
  Instructions prologue_;      // what is loaded once
  Instructions code_;
  std::vector<std::pair<Id, Id>> loops_;  // where to go on and where to leave
  bool ended_ = false;                    // the current block
};

}  // namespace

std::vector<std::uint32_t> print_spirv(const KernelModule& kernels) {
  Module module(kernels);
  for (const Kernel& kernel : kernels.kernels) FunctionWriter(module, kernel).run();
  return module.builder.words();
}

}  // namespace weakspot::codegen
