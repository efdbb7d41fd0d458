// SPDX-License-Identifier: MIT
#include "codegen/opencl/print_opencl.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "codegen/kernel/c_printer.h"
#include "codegen/opencl/print_opencl_memory.h"

namespace weakspot::codegen {
namespace {

const char* type_name(Width width) { return width == Width::w32 ? "uint" : "ulong"; }
const char* signed_name(Width width) { return width == Width::w32 ? "int" : "long"; }

class OpenclPrinter : private CPrinter<OpenclPrinter> {
 public:
  OpenclPrinter(const KernelModule& module, const Kernel& kernel, const OpenclMemory& memory)
      : CPrinter(kernel, "w"), module_(module), memory_(memory) {}

  std::string run() {
    std::string text = fmt::format("__attribute__((reqd_work_group_size({}, 1, 1)))\nkernel void {}(",
                                   kernel_.workgroup_size, kernel_.name);
    for (std::size_t i = 0; i < module_.buffers.size(); ++i) {
      text += fmt::format("{}global uint* {}", i == 0 ? "" : ", ", module_.buffers[i]);
    }
    text += ") {\n";
    if (kernel_.shared_bytes != 0) {
      text += fmt::format("  local ulong workgroup_memory[{}];\n", (kernel_.shared_bytes + 7) / 8);
    }
    for (std::uint32_t i = 0; i < kernel_.variables.size(); ++i) {
      text += fmt::format("  {} {} = 0;\n", type_name(kernel_.variables[i]), name(i));
    }
    print_body(kernel_.body);
    return text + out_ + "}\n";
  }

 private:
  friend class CPrinter<OpenclPrinter>;
  using CPrinter::print;

  // ---- expressions ----

  static std::string number(std::uint64_t value, Width width) {
    return width == Width::w32 ? fmt::format("{}u", value) : fmt::format("{}ul", value);
  }

  std::string value(const Expr& expr) const {
    const ExprNode& node = expr.node();
    switch (node.kind) {
      case ExprNode::Kind::constant:
        return number(node.value, node.width);
      case ExprNode::Kind::variable:
        return name(static_cast<std::uint32_t>(node.value));
      case ExprNode::Kind::builtin:
        return node.builtin == Builtin::local_id ? "(uint)get_local_id(0)" : "(uint)get_group_id(0)";
      case ExprNode::Kind::buffer:
        return fmt::format("(ulong){}", module_.buffers[node.value]);
      case ExprNode::Kind::op:
        return operation(node);
    }
    return {};
  }

  std::string comparison(const ExprNode& node) const {
    const bool is_signed = node.op == Op::lt_signed || node.op == Op::le_signed;
    const std::string cast = is_signed ? fmt::format("({})", signed_name(node.args[0].width())) : "";
    return fmt::format("({0}{1} {2} {0}{3})", cast, value(node.args[0]), infix(node.op), value(node.args[1]));
  }

  std::string operation(const ExprNode& node) const {
    if (is_comparison(node)) return "(uint)" + comparison(node);
    const std::vector<Expr>& args = node.args;
    const std::string a = value(args[0]);
    const std::string b = args.size() > 1 ? value(args[1]) : "";
    switch (node.op) {
      case Op::div:
      case Op::rem:
        return quotient(node.op == Op::div ? '/' : '%', a, b, args[1]);
      case Op::shl:
      case Op::shr:
      case Op::sar:
        return shift(node, a, b);
      case Op::min:
        return fmt::format("min({}, {})", a, b);
      case Op::not_:
        return fmt::format("(~{})", a);
      case Op::neg:
        return fmt::format("(0 - {})", a);
      case Op::widen:
        return fmt::format("(ulong){}", a);
      case Op::widen_signed:
        return fmt::format("(ulong)(long)(int){}", a);
      case Op::narrow:
        return fmt::format("(uint){}", a);
      case Op::mul_wide:
        return fmt::format("((ulong){} * {})", a, b);
      case Op::select:
        return fmt::format("({} != 0 ? {} : {})", a, b, value(args[2]));
      default:
        return fmt::format("({} {} {})", a, infix(node.op), b);
    }
  }

  // C leaves division by zero undefined, and some processors trap.
  static std::string quotient(char op, const std::string& a, const std::string& b, const Expr& divisor) {
    if (divisor.constant().value_or(0) != 0) return fmt::format("({} {} {})", a, op, b);
    return fmt::format("({1} != 0 ? {0} {2} {1} : 0)", a, b, op);
  }

  // OpenCL takes the amount modulo the width.
  static std::string shift(const ExprNode& node, const std::string& a, const std::string& b) {
    const unsigned bits = node.width == Width::w32 ? 32 : 64;
    const std::optional<std::uint64_t> known = node.args[1].constant();
    const bool within = known && *known < bits;
    if (node.op == Op::sar) {
      return fmt::format("({})(({}){} >> {})", type_name(node.width), signed_name(node.width), a,
                         within ? b : fmt::format("min({}, {}u)", b, bits - 1));
    }
    const std::string shifted = fmt::format("{} {} {}", a, node.op == Op::shl ? "<<" : ">>", b);
    return within ? fmt::format("({})", shifted) : fmt::format("({} < {} ? {} : 0)", b, bits, shifted);
  }

  std::string condition(const Expr& expr) const {
    return is_comparison(expr.node()) ? comparison(expr.node()) : fmt::format("({} != 0)", value(expr));
  }

  // ---- statements ----

  std::string address(const MemoryAccess& access) const { return value(access.address); }

  void print(const LoadFrom& load) {
    line(memory_.load({.how = load.access,
                       .address = address(load.access),
                       .target = name(load.target),
                       .target_width = load.target.width}));
  }

  void print(const StoreTo& store) {
    line(memory_.store({.how = store.access, .address = address(store.access), .value = value(store.value)}));
  }

  void print(const AtomicOn& atomic) {
    OpenclAccess access{.how = atomic.access, .address = address(atomic.access), .value = value(atomic.operand)};
    if (atomic.target) access.target = name(*atomic.target);
    if (atomic.target) access.target_width = atomic.target->width;
    if (atomic.expected) access.expected = value(*atomic.expected);
    line(memory_.atomic(atomic.op, access));
  }

  void print(const FenceOf& statement) { line(memory_.fence(statement.fence)); }

  void print(const AsyncOf&) { WEAKSPOT_CHECK(false); }
  void print(const BarrierOf& barrier) { line(memory_.barrier(barrier)); }

  void print(const Comment& comment) {
    std::string text = "// " + comment.text;
    for (const auto& [what, variable] : comment.variables) text += fmt::format(" {} {}", what, name(variable));
    line(text);
  }

  // An open block or loop. `break` and `continue` serve the innermost one; the others need a goto to a label after or
  // at their end.
  struct Open {
    std::uint32_t label;
    bool loop;
    bool end_used = false;
    bool next_used = false;
  };

  void print(const Block& block) { print_open(block.label, false, block.body); }
  void print(const Loop& loop) { print_open(loop.label, true, loop.body); }

  void print_open(std::uint32_t label, bool loop, const Body& body) {
    open_.push_back({label, loop});
    line(loop ? "for (;;) {" : "do {");
    print_inside(body);
    const Open open = open_.back();
    open_.pop_back();
    if (loop && !leaves(body)) line("  break;");
    if (open.next_used) line(fmt::format("  next_{}:;", label));
    line(loop ? "}" : "} while (0);");
    if (open.end_used) line(fmt::format("end_{}:;", label));
  }

  Open& find(std::uint32_t label) {
    const auto found = std::find_if(open_.begin(), open_.end(), [&](const Open& o) { return o.label == label; });
    WEAKSPOT_CHECK(found != open_.end());
    return *found;
  }

  void print(const Break& statement) {
    if (open_.back().label == statement.label) return line("break;");
    find(statement.label).end_used = true;
    line(fmt::format("goto end_{};", statement.label));
  }

  void print(const Continue& statement) {
    if (open_.back().label == statement.label) return line("continue;");
    find(statement.label).next_used = true;
    line(fmt::format("goto next_{};", statement.label));
  }

  const KernelModule& module_;
  const OpenclMemory& memory_;
  std::vector<Open> open_;
};

}  // namespace

std::string print_opencl(const KernelModule& module, const OpenclLimits& limits, std::vector<CodeLine>* lines) {
  const std::unique_ptr<OpenclMemory> memory = make_opencl_memory(limits);
  std::string text = memory->head();
  for (const Kernel& kernel : module.kernels) {
    if (&kernel != &module.kernels.front()) text += '\n';
    text += OpenclPrinter(module, kernel, *memory).run();
  }
  return without_marks(text, lines);
}

}  // namespace weakspot::codegen
