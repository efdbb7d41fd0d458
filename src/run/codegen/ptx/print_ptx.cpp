// SPDX-License-Identifier: MIT
#include "codegen/ptx/print_ptx.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "codegen/device_program.h"
#include "codegen/kernel/buffer_use.h"
#include "codegen/kernel/code_lines.h"
#include "codegen/ptx/ptx_async.h"
#include "codegen/ptx/ptx_instructions.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

const char* bits(Width width) { return width == Width::w32 ? "32" : "64"; }

class PtxPrinter {
 public:
  PtxPrinter(const KernelModule& module, const Kernel& kernel, const PtxOptions& options)
      : module_(module),
        kernel_(kernel),
        options_(options),
        texture_(loads_through(kernel, Proxy::texture)),
        constant_(loads_through(kernel, Proxy::constant)) {}

  std::string run() {
    print_body(kernel_.body);
    std::string text = fmt::format(".visible .entry {}{}(\n", options_.prefix, kernel_.name);
    for (std::size_t i = 0; i < module_.buffers.size(); ++i) {
      text += fmt::format("  .param .u64 {}{}\n", module_.buffers[i],
                          i + 1 == module_.buffers.size() && !texture_ ? "" : ",");
    }
    if (texture_) text += "  .param .u64 texture\n";
    text += ")\n";
    text += fmt::format(".reqntid {}, 1, 1\n", kernel_.workgroup_size);
    if (kernel_.cluster_size > 1) {
      text += fmt::format(".explicitcluster\n.reqnctapercluster {}, 1, 1\n", kernel_.cluster_size);
    }
    text += "{\n";
    if (kernel_.shared_bytes != 0) {
      text += fmt::format("  .shared .align {} .b8 workgroup_memory[{}];\n", kernel_.shared_alignment,
                          kernel_.shared_bytes);
    }
    text += declarations();
    text += out_;
    text += "  ret;\n}\n";
    return text;
  }

 private:
  std::string declarations() const {
    std::string text;
    for (std::size_t i = 0; i < kernel_.variables.size(); ++i) {
      text += fmt::format("  .reg .b{} {};\n", bits(kernel_.variables[i]), name(static_cast<std::uint32_t>(i)));
    }
    if (temporaries_[0] != 0) text += fmt::format("  .reg .b32 %t<{}>;\n", temporaries_[0]);
    if (temporaries_[1] != 0) text += fmt::format("  .reg .b64 %td<{}>;\n", temporaries_[1]);
    if (predicates_ != 0) text += fmt::format("  .reg .pred %p<{}>;\n", predicates_);
    if (masks_ != 0) text += fmt::format("  .reg .b16 %mask<{}>;\n", masks_);
    text += fmt::format("  .reg .b64 %base<{}>;\n", module_.buffers.size());
    if (kernel_.shared_bytes != 0) text += "  .reg .b64 %shared;\n";
    for (std::size_t i = 0; i < module_.buffers.size(); ++i) {
      text += fmt::format("  ld.param.u64 %base{}, [{}];\n  cvta.to.global.u64 %base{}, %base{};\n", i,
                          module_.buffers[i], i, i);
    }
    if (kernel_.shared_bytes != 0) text += "  mov.u64 %shared, workgroup_memory;\n";
    if (texture_) text += "  .reg .b64 %texture;\n  ld.param.u64 %texture, [texture];\n";
    if (constant_) {
      text += fmt::format("  .reg .b64 %constant;\n  mov.u64 %constant, {};\n", kConstantMemory);
    }
    return text;
  }

  std::string name(std::uint32_t variable) const {
    return fmt::format("%{}{}", kernel_.variables[variable] == Width::w32 ? "v" : "w", variable);
  }
  std::string name(Var variable) const { return name(variable.index); }

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_ += "  ";
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += ";\n";
  }

  std::string temporary(Width width) {
    if (width == Width::w32) return fmt::format("%t{}", temporaries_[0]++);
    return fmt::format("%td{}", temporaries_[1]++);
  }
  std::string predicate() { return fmt::format("%p{}", predicates_++); }

  // ---- expressions ----

  // An operand: a register or a number. The code that computes it is written first, so at most one argument of a call
  // may ask for an operand.
  std::string operand(const Expr& expr) {
    const ExprNode& node = expr.node();
    switch (node.kind) {
      case ExprNode::Kind::constant:
        return node.width == Width::w32 ? fmt::format("{}", node.value) : fmt::format("0x{:x}", node.value);
      case ExprNode::Kind::variable:
        return name(static_cast<std::uint32_t>(node.value));
      case ExprNode::Kind::buffer:
        return fmt::format("%base{}", node.value);
      default: {
        const std::string result = temporary(node.width);
        compute_into(result, expr);
        return result;
      }
    }
  }

  void compute_into(const std::string& target, const Expr& expr) {
    const ExprNode& node = expr.node();
    if (node.kind == ExprNode::Kind::builtin) {
      line("mov.u32 {}, {}", target, node.builtin == Builtin::local_id ? "%tid.x" : "%ctaid.x");
      return;
    }
    if (node.kind != ExprNode::Kind::op) {
      line("mov.b{} {}, {}", bits(node.width), target, operand(expr));
      return;
    }
    if (node.op >= Op::eq && node.op <= Op::le_signed) {
      line("selp.b32 {}, 1, 0, {}", target, comparison(node));
      return;
    }
    const std::vector<Expr>& args = node.args;
    const std::string width = bits(node.width);
    switch (node.op) {
      case Op::select: {
        const std::string yes = operand(args[1]);
        const std::string no = operand(args[2]);
        line("selp.b{} {}, {}, {}, {}", width, target, yes, no, condition(args[0]));
        return;
      }
      case Op::widen:
        line("cvt.u64.u32 {}, {}", target, operand(args[0]));
        return;
      case Op::widen_signed:
        line("cvt.s64.s32 {}, {}", target, operand(args[0]));
        return;
      case Op::narrow:
        line("cvt.u32.u64 {}, {}", target, operand(args[0]));
        return;
      case Op::mul_wide: {
        const std::string left = operand(args[0]);
        line("mul.wide.u32 {}, {}, {}", target, left, operand(args[1]));
        return;
      }
      case Op::not_:
        line("not.b{} {}, {}", width, target, operand(args[0]));
        return;
      case Op::neg:
        line("neg.s{} {}, {}", width, target, operand(args[0]));
        return;
      default: {
        const std::string left = operand(args[0]);
        line("{}{} {}, {}, {}", binary_name(node.op), width, target, left, operand(args[1]));
      }
    }
  }

  // The instruction without its width.
  static std::string_view binary_name(Op op) {
    switch (op) {
      case Op::add:
        return "add.u";
      case Op::sub:
        return "sub.u";
      case Op::mul:
        return "mul.lo.u";
      case Op::div:
        return "div.u";
      case Op::rem:
        return "rem.u";
      case Op::and_:
        return "and.b";
      case Op::or_:
        return "or.b";
      case Op::xor_:
        return "xor.b";
      case Op::shl:
        return "shl.b";
      case Op::shr:
        return "shr.u";
      case Op::sar:
        return "shr.s";
      case Op::min:
        return "min.u";
      default:
        WEAKSPOT_CHECK(false);
        return {};
    }
  }

  std::string comparison(const ExprNode& node) {
    const char* name = "eq.u";
    switch (node.op) {
      case Op::ne:
        name = "ne.u";
        break;
      case Op::lt:
        name = "lt.u";
        break;
      case Op::le:
        name = "le.u";
        break;
      case Op::lt_signed:
        name = "lt.s";
        break;
      case Op::le_signed:
        name = "le.s";
        break;
      default:
        break;
    }
    const std::string left = operand(node.args[0]);
    const std::string right = operand(node.args[1]);
    const std::string result = predicate();
    line("setp.{}{} {}, {}, {}", name, bits(node.args[0].width()), result, left, right);
    return result;
  }

  // A predicate register that holds whether the expression is not 0.
  std::string condition(const Expr& expr) {
    const ExprNode& node = expr.node();
    if (node.kind == ExprNode::Kind::op && node.op >= Op::eq && node.op <= Op::le_signed) return comparison(node);
    const std::string value = operand(expr);
    const std::string result = predicate();
    line("setp.ne.u{} {}, {}, 0", bits(expr.width()), result, value);
    return result;
  }

  // ---- memory ----

  std::string address(const MemoryAccess& access) {
    return address(Place{access.address, access.shared, access.cluster});
  }

  std::string address(const Place& place) {
    if (!place.shared || place.cluster) return operand(place.address);
    const std::string result = temporary(Width::w64);
    line("add.u64 {}, %shared, {}", result, operand(place.address));
    return result;
  }

  void fence_before(const MemoryAccess& access) {
    const std::string fence = ptx_fence_before(access);
    if (!fence.empty()) line("{}", fence);
  }

  void print(const LoadFrom& load) {
    if (load.access.proxy == Proxy::texture) return print_texture_load(load);
    if (load.access.proxy == Proxy::constant) return print_constant_load(load);
    fence_before(load.access);
    const std::string from = address(load.access);
    line("{} {}, [{}]", ptx_load(load.access), name(load.target), from);
  }

  // The offset of the address in the viewed buffer.
  std::string view_offset(const MemoryAccess& access) {
    const std::string from = address(access);
    std::string offset = temporary(Width::w64);
    line("sub.u64 {}, {}, %base{}", offset, from, module_.viewed);
    return offset;
  }

  void print_texture_load(const LoadFrom& load) {
    const std::string offset = view_offset(load.access);
    const std::string element = temporary(Width::w64);
    const std::string index = temporary(Width::w32);
    line("shr.u64 {}, {}, 2", element, offset);
    line("cvt.u32.u64 {}, {}", index, element);
    // A texture has four channels, of which memory has the first.
    const std::string second = temporary(Width::w32);
    const std::string third = temporary(Width::w32);
    const std::string fourth = temporary(Width::w32);
    line("tex.1d.v4.u32.s32 {{{}, {}, {}, {}}}, [%texture, {{{}}}]", name(load.target), second, third, fourth, index);
  }

  void print_constant_load(const LoadFrom& load) {
    const std::string offset = view_offset(load.access);
    const std::string from = temporary(Width::w64);
    line("add.u64 {}, {}, %constant", from, offset);
    line("{} {}, [{}]", ptx_constant_load(load.access), name(load.target), from);
  }

  void print(const StoreTo& store) {
    const std::string to = address(store.access);
    const Width width = size_in_bytes(store.access.type) == 8 ? Width::w64 : Width::w32;
    std::string value = operand(store.value);
    WEAKSPOT_CHECK(store.value.width() == width);
    // A literal does not have the width of a small type: keep it in a register.
    if (store.value.constant()) {
      const std::string in_register = temporary(width);
      line("mov.b{} {}, {}", bits(width), in_register, value);
      value = in_register;
    }
    fence_before(store.access);
    line("{} [{}], {}", ptx_store(store.access), to, value);
  }

  void print(const AtomicOn& atomic) {
    const MemoryAccess& access = atomic.access;
    const Width width = size_in_bytes(access.type) == 8 ? Width::w64 : Width::w32;
    const std::string where = address(access);
    std::string value = operand(atomic.operand);
    if (atomic.op == RmwOp::sub) {
      const std::string negated = temporary(width);
      line("neg.s{} {}, {}", bits(width), negated, value);
      value = negated;
    }
    std::string expected;
    if (atomic.expected) expected = fmt::format("{}, ", operand(*atomic.expected));
    fence_before(access);
    const std::string target = atomic.target ? name(*atomic.target) : temporary(width);
    line("{} {}, [{}], {}{}", ptx_atomic(atomic.op, access), target, where, expected, value);
  }

  void print(const FenceOf& statement) {
    const std::string fence = ptx_fence(statement.fence);
    if (fence.empty()) {
      out_ += "  // fence.relaxed\n";
    } else {
      line("{}", fence);
    }
  }

  void print(const BarrierOf& barrier) {
    switch (barrier.kind) {
      case BarrierOf::Kind::workgroup:
        line("bar.sync 0");
        return;
      case BarrierOf::Kind::named:
        line("barrier.sync {}, {}", operand(barrier.id), barrier.threads);
        return;
      case BarrierOf::Kind::subgroup:
        line("bar.warp.sync 0xffffffff");
        return;
      case BarrierOf::Kind::cluster_arrive:
        line("barrier.cluster.arrive{}", barrier.order == Order::relaxed ? ".relaxed" : "");
        return;
      case BarrierOf::Kind::cluster_wait:
        line("barrier.cluster.wait");
        return;
    }
  }

  // ---- asynchronous operations ----

  void print(const AsyncOf& operation) {
    std::visit([&](const auto& step) { print_step(step); }, operation.step);
  }

  void print_step(const CopyStep& copy) {
    const std::string to = address(copy.to);
    const bool remote = copy.engine == AsyncEngine::remote;
    const std::string from = remote ? in_register(copy.value) : fmt::format("[{}]", address(copy.from));
    const std::string mbarrier = copy.mbarrier ? fmt::format(", [{}]", address(*copy.mbarrier)) : "";
    std::string mask;
    if (copy.multicast != 0) {
      const std::string wide = in_register(Expr(copy.multicast));
      mask = fmt::format(", %mask{}", masks_);
      line("cvt.u16.u32 %mask{}, {}", masks_++, wide);
    }
    const std::string bytes = remote ? "" : fmt::format(", {}", copy.bytes);
    line("{} [{}], {}{}{}{}", ptx_copy(copy), to, from, bytes, mbarrier, mask);
  }

  void print_step(const MbarrierStep& step) {
    using Step = MbarrierStep::Op;
    const std::string where = address(step.mbarrier);
    const std::string head = ptx_mbarrier(step);
    switch (step.op) {
      case Step::init:
        return line("{} [{}], {}", head, where, step.count);
      case Step::invalidate:
      case Step::follow:
        return line("{} [{}]", head, where);
      case Step::arrive:
      case Step::drop:
        return line("{} _, [{}], {}", head, where, step.bytes != 0 ? step.bytes : step.count);
      case Step::expect:
      case Step::complete:
        return line("{} [{}], {}", head, where, step.bytes);
      case Step::test:
      case Step::attempt:
        break;
    }
    const std::string phase = in_register(step.phase);
    const std::string over = predicate();
    // An attempt may sleep. The time, in nanoseconds, is short, so that one that is in vain ends soon.
    const std::string hint = step.op == Step::attempt ? fmt::format(", {}", in_register(500u)) : "";
    line("{} {}, [{}], {}{}", head, over, where, phase, hint);
    line("selp.b32 {}, 1, 0, {}", name(step.target), over);
  }

  void print_step(const AsyncControl& control) { line("{}", ptx_control(control)); }

  void print_step(const MapStep& map) {
    const std::string from = address(Place{map.address, true, false});
    line("mapa.shared::cluster.u64 {}, {}, {}", name(map.target), from, in_register(map.workgroup));
  }

  std::string in_register(const Expr& expr) {
    const std::string value = operand(expr);
    if (!expr.constant()) return value;
    const std::string result = temporary(expr.width());
    line("mov.b{} {}, {}", bits(expr.width()), result, value);
    return result;
  }

  // ---- control ----

  void print(const Assign& assign) {
    const ExprNode& node = assign.value.node();
    WEAKSPOT_CHECK(assign.target.width == node.width);
    compute_into(name(assign.target), assign.value);
  }

  void print(const If& statement) {
    const std::string holds = condition(statement.condition);
    const std::uint32_t label = ifs_++;
    line("@!{} bra $else_{}", holds, label);
    print_body(statement.yes);
    if (!statement.no.empty()) {
      line("bra $endif_{}", label);
      out_ += fmt::format("$else_{}:\n", label);
      print_body(statement.no);
      out_ += fmt::format("$endif_{}:\n", label);
    } else {
      out_ += fmt::format("$else_{}:\n", label);
    }
  }

  void print(const Block& block) {
    print_body(block.body);
    out_ += fmt::format("$end_{}:\n", block.label);
  }

  void print(const Loop& loop) {
    out_ += fmt::format("$begin_{}:\n", loop.label);
    print_body(loop.body);
    out_ += fmt::format("$end_{}:\n", loop.label);
  }

  void print(const Break& statement) { line("bra $end_{}", statement.label); }
  void print(const Continue& statement) { line("bra $begin_{}", statement.label); }
  void print(const Comment& comment) {
    out_ += "  // " + comment.text;
    for (const auto& [text, variable] : comment.variables) out_ += fmt::format(" {} {}", text, name(variable));
    out_ += '\n';
  }

  void print(const Origin& origin) { out_ += origin_mark(origin); }

  void print_body(const Body& body) {
    for (const Stmt& statement : body) {
      std::visit([&](const auto& node) { print(node); }, statement.node);
    }
  }

  const KernelModule& module_;
  const Kernel& kernel_;
  const PtxOptions& options_;
  std::string out_;
  std::uint32_t temporaries_[2] = {0, 0};
  std::uint32_t predicates_ = 0;
  std::uint32_t masks_ = 0;
  std::uint32_t ifs_ = 0;
  bool texture_;
  bool constant_;
};

// Raises the version to what a body needs.
void raise(PtxVersion& version, const Body& body) {
  auto at_least = [&](int isa, int arch) {
    version.isa = std::max(version.isa, isa);
    version.arch = std::max(version.arch, arch);
  };
  auto look_at = [&](const MemoryAccess& access) {
    if (access.cluster || (access.order != Order::plain && access.scope == Scope::cluster)) at_least(78, 90);
  };
  for (const Stmt& statement : body) {
    if (const auto* load = std::get_if<LoadFrom>(&statement.node)) {
      look_at(load->access);
    } else if (const auto* store = std::get_if<StoreTo>(&statement.node)) {
      look_at(store->access);
    } else if (const auto* atomic = std::get_if<AtomicOn>(&statement.node)) {
      look_at(atomic->access);
    } else if (const auto* fence = std::get_if<FenceOf>(&statement.node)) {
      if (fence->fence.scope == Scope::cluster) at_least(78, 90);
      if (fence->fence.kind == FenceKind::proxy) at_least(75, 70);
      if (fence->fence.kind == FenceKind::mbarrier_init || fence->fence.proxy == Proxy::async) at_least(80, 90);
      if (fence->fence.proxy == Proxy::async && fence->fence.order != Order::seq_cst) at_least(86, 90);
    } else if (const auto* barrier = std::get_if<BarrierOf>(&statement.node)) {
      if (barrier->kind >= BarrierOf::Kind::cluster_arrive) at_least(80, 90);
    } else if (const auto* operation = std::get_if<AsyncOf>(&statement.node)) {
      const PtxVersion needed = ptx_version_of(*operation);
      at_least(needed.isa, needed.arch);
    } else if (const auto* choice = std::get_if<If>(&statement.node)) {
      raise(version, choice->yes);
      raise(version, choice->no);
    } else if (const auto* block = std::get_if<Block>(&statement.node)) {
      raise(version, block->body);
    } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      raise(version, loop->body);
    }
  }
}

}  // namespace

PtxVersion ptx_version(const KernelModule& module) {
  PtxVersion version;
  for (const Kernel& kernel : module.kernels) {
    if (kernel.cluster_size > 1) version = {std::max(version.isa, 78), std::max(version.arch, 90)};
    raise(version, kernel.body);
  }
  return version;
}

std::string ptx_header(const PtxVersion& version) {
  return fmt::format(".version {}.{}\n.target sm_{}\n.address_size 64\n\n", version.isa / 10, version.isa % 10,
                     version.arch);
}

std::string ptx_constant_memory() {
  return fmt::format(".const .align 16 .b8 {}[{}];\n\n", kConstantMemory, kConstantWords * 4);
}

std::string print_ptx(const KernelModule& module, const PtxOptions& options, std::vector<CodeLine>* lines) {
  std::string text;
  const bool constant = std::any_of(module.kernels.begin(), module.kernels.end(),
                                    [](const Kernel& kernel) { return loads_through(kernel, Proxy::constant); });
  if (options.header) text += ptx_header(ptx_version(module)) + (constant ? ptx_constant_memory() : "");
  for (const Kernel& kernel : module.kernels) text += PtxPrinter(module, kernel, options).run() + "\n";
  return without_marks(text, lines);
}

}  // namespace weakspot::codegen
