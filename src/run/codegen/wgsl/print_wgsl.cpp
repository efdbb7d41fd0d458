// SPDX-License-Identifier: MIT
#include "codegen/wgsl/print_wgsl.h"

#include <fmt/format.h>

#include <string>

#include "base/check.h"
#include "codegen/kernel/buffer_use.h"
#include "codegen/kernel/c_printer.h"
#include "codegen/kernel/single_level.h"

namespace weakspot::codegen {
namespace {

using litmus::RmwOp;

class WgslPrinter : private CPrinter<WgslPrinter> {
 public:
  WgslPrinter(const KernelModule& module, const Kernel& kernel, const std::vector<MemoryUse>& buffers,
              const MemoryUse& shared)
      : CPrinter(kernel, "offset"), module_(module), map_(kernel), buffers_(buffers), shared_(shared) {}

  std::string run() {
    std::string text;
    if (kernel_.shared_bytes != 0) {
      text += fmt::format("var<workgroup> {}_memory: array<{}, {}>;\n\n", kernel_.name, element(shared_),
                          (kernel_.shared_bytes + 3) / 4);
    }
    text += fmt::format(
        "@compute @workgroup_size({})\n"
        "fn {}(@builtin(local_invocation_id) local_id: vec3<u32>, @builtin(workgroup_id) workgroup_id: vec3<u32>) {{\n",
        kernel_.workgroup_size, kernel_.name);
    for (std::uint32_t i = 0; i < kernel_.variables.size(); ++i) text += fmt::format("  var {}: u32;\n", name(i));
    print_body(kernel_.body);
    return text + out_ + "}\n";
  }

  static const char* element(const MemoryUse& memory) { return memory.atomic ? "atomic<u32>" : "u32"; }

 private:
  friend class CPrinter<WgslPrinter>;
  using CPrinter::print;

  // ---- expressions ----

  std::string value(const Expr& expr) const {
    const ExprNode& node = expr.node();
    switch (node.kind) {
      case ExprNode::Kind::constant:
        return fmt::format("{}u", static_cast<std::uint32_t>(node.value));
      case ExprNode::Kind::variable:
        return name(static_cast<std::uint32_t>(node.value));
      case ExprNode::Kind::builtin:
        return node.builtin == Builtin::local_id ? "local_id.x" : "workgroup_id.x";
      case ExprNode::Kind::buffer:
        return "0u";
      case ExprNode::Kind::op:
        return operation(node);
    }
    return {};
  }

  // A truth value.
  std::string condition(const Expr& expr) const {
    const ExprNode& node = expr.node();
    if (!is_comparison(node)) return fmt::format("({} != 0u)", value(expr));
    const bool is_signed = node.op == Op::lt_signed || node.op == Op::le_signed;
    auto side = [&](std::size_t i) {
      return is_signed ? fmt::format("bitcast<i32>({})", value(node.args[i])) : value(node.args[i]);
    };
    return fmt::format("({} {} {})", side(0), infix(node.op), side(1));
  }

  std::string operation(const ExprNode& node) const {
    const std::vector<Expr>& args = node.args;
    if (is_comparison(node)) return fmt::format("select(0u, 1u, {})", condition(Expr(node)));
    if (node.op == Op::select) {
      return fmt::format("select({}, {}, {})", value(args[2]), value(args[1]), condition(args[0]));
    }
    const std::string a = value(args[0]);
    const std::string b = args.size() > 1 ? value(args[1]) : "";
    switch (node.op) {
      case Op::shl:
      case Op::shr:
      case Op::sar:
        return shift(node, a, b);
      case Op::min:
        return fmt::format("min({}, {})", a, b);
      case Op::not_:
        return fmt::format("(~{})", a);
      case Op::neg:
        return fmt::format("(0u - {})", a);
      case Op::widen:
      case Op::widen_signed:
      case Op::narrow:
        return a;
      default:
        // An offset does not include the address of its buffer.
        if (node.op == Op::add && (a == "0u" || b == "0u")) return a == "0u" ? b : a;
        return fmt::format("({} {} {})", a, infix(node.op), b);
    }
  }

  // WGSL takes the amount modulo the width, and rejects constants that are too large.
  static std::string shift(const ExprNode& node, const std::string& a, const std::string& b) {
    const std::optional<std::uint64_t> known = node.args[1].constant();
    const bool within = known && *known < 32;
    if (node.op == Op::sar) {
      return fmt::format("bitcast<u32>(bitcast<i32>({}) >> {})", a, within ? b : fmt::format("min({}, 31u)", b));
    }
    const char* arrow = node.op == Op::shl ? "<<" : ">>";
    if (known) return within ? fmt::format("({} {} {})", a, arrow, b) : "0u";
    return fmt::format("select(0u, {} {} ({} & 31u), {} < 32u)", a, arrow, b, b);
  }

  // ---- memory ----

  struct Place {
    std::string array;
    std::string index;
    bool atomic = false;

    std::string word(std::uint32_t further = 0) const {
      return further == 0 ? fmt::format("{}[{}]", array, index) : fmt::format("{}[{} + {}u]", array, index, further);
    }
  };

  Place place(const MemoryAccess& access) const {
    const Expr& address = access.address;
    const std::string offset = value(address);
    const bool literal = offset.find_first_not_of("0123456789u") == std::string::npos;
    const std::string index = literal ? fmt::format("{}u", std::stoul(offset) / 4) : fmt::format("({} >> 2u)", offset);
    if (access.shared) return {kernel_.name + "_memory", index, shared_.atomic};
    const std::uint32_t buffer = *map_.buffer_of(address);
    return {module_.buffers[buffer], index, buffers_[buffer].atomic};
  }

  static bool wide(const MemoryAccess& access) { return litmus::size_in_bytes(access.type) == 8; }

  void print(const LoadFrom& load) {
    WEAKSPOT_CHECK(!wide(load.access));
    const Place from = place(load.access);
    const std::string loaded = from.atomic ? fmt::format("atomicLoad(&{})", from.word()) : from.word();
    line(fmt::format("{} = {};", name(load.target), loaded));
  }

  void store(const Place& to, std::uint32_t further, const std::string& text) {
    line(to.atomic ? fmt::format("atomicStore(&{}, {});", to.word(further), text)
                   : fmt::format("{} = {};", to.word(further), text));
  }

  void print(const StoreTo& statement) {
    const Place to = place(statement.access);
    store(to, 0, value(statement.value));
    if (wide(statement.access)) store(to, 1, "0u");
  }

  void print(const AtomicOn& atomic) {
    const Place where = place(atomic.access);
    const std::string amount = value(atomic.operand);
    if (wide(atomic.access)) return add_wide(atomic, where, amount);
    const std::string to = atomic.target ? name(*atomic.target) + " = " : "";
    if (atomic.op == RmwOp::cas) {
      // WGSL has only the weak exchange, which may fail without a reason.
      line("loop {");
      line(fmt::format("  let exchange = atomicCompareExchangeWeak(&{}, {}, {});", where.word(),
                       value(*atomic.expected), amount));
      if (!to.empty()) line(fmt::format("  {}exchange.old_value;", to));
      line(fmt::format("  if (exchange.exchanged || exchange.old_value != {}) {{ break; }}", value(*atomic.expected)));
      return line("}");
    }
    line(fmt::format("{}{}(&{}, {});", to, function(atomic.op), where.word(), amount));
  }

  // Counters of the harness are read only at the end, so their two words can be updated one after the other.
  void add_wide(const AtomicOn& atomic, const Place& where, const std::string& amount) {
    WEAKSPOT_CHECK(atomic.op == RmwOp::add && !atomic.target);
    line("{");
    line(fmt::format("  let amount = {};", amount));
    line(fmt::format("  let before = atomicAdd(&{}, amount);", where.word()));
    line(fmt::format("  if (before + amount < before) {{ atomicAdd(&{}, 1u); }}", where.word(1)));
    line("}");
  }

  static std::string function(RmwOp op) {
    WEAKSPOT_CHECK(op != RmwOp::cas && op != RmwOp::inc && op != RmwOp::dec);
    std::string word(op == RmwOp::exch ? "exchange" : litmus::to_string(op));
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
    return "atomic" + word;
  }

  void print(const FenceOf&) { line("// a fence without order"); }

  void print(const AsyncOf&) { WEAKSPOT_CHECK(false); }
  void print(const BarrierOf& barrier) {
    WEAKSPOT_CHECK(barrier.kind == BarrierOf::Kind::workgroup);
    const bool all = barrier.semantics.empty();
    const bool global = barrier.semantics.has(litmus::Space::global);
    const bool shared = barrier.semantics.has(litmus::Space::shared);
    if (all || global || !shared) line("storageBarrier();");
    if (all || shared || !global) line("workgroupBarrier();");
  }

  // ---- control ----

  void print(const Loop& loop) {
    line("loop {");
    print_inside(loop.body);
    if (!leaves(loop.body)) line("  break;");
    line("}");
  }

  void print(const Block&) { WEAKSPOT_CHECK(false); }
  void print(const Break&) { line("break;"); }
  void print(const Continue&) { line("continue;"); }

  const KernelModule& module_;
  BufferMap map_;
  const std::vector<MemoryUse>& buffers_;
  const MemoryUse& shared_;
};

}  // namespace

std::string print_wgsl(const KernelModule& module, std::vector<CodeLine>* lines) {
  std::vector<MemoryUse> all(module.buffers.size());
  std::vector<KernelUse> uses;
  for (const Kernel& kernel : module.kernels) {
    uses.push_back(memory_use(kernel, module.buffers.size()));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const MemoryUse& use = uses.back().buffers[i];
      all[i] = {all[i].used || use.used, all[i].written || use.written, all[i].atomic || use.atomic};
    }
  }
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].used) continue;
    text += fmt::format("@group(0) @binding({}) var<storage, {}> {}: array<{}>;\n", i,
                        all[i].written || all[i].atomic ? "read_write" : "read", module.buffers[i],
                        WgslPrinter::element(all[i]));
  }
  for (std::size_t i = 0; i < module.kernels.size(); ++i) {
    const Kernel kernel = single_level(module.kernels[i]);
    text += '\n' + WgslPrinter(module, kernel, all, uses[i].shared).run();
  }
  return without_marks(text, lines);
}

}  // namespace weakspot::codegen
