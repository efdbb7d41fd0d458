// SPDX-License-Identifier: MIT
#include "codegen/kernel/buffer_use.h"

#include "base/check.h"

namespace weakspot::codegen {
namespace {

// Calls visit(statement) for all of them, nested ones included.
template <typename Visit>
void for_each_statement(const Body& body, Visit&& visit) {
  for (const Stmt& statement : body) {
    visit(statement);
    if (const auto* choice = std::get_if<If>(&statement.node)) {
      for_each_statement(choice->yes, visit);
      for_each_statement(choice->no, visit);
    } else if (const auto* block = std::get_if<Block>(&statement.node)) {
      for_each_statement(block->body, visit);
    } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      for_each_statement(loop->body, visit);
    }
  }
}

void note_variables(const Expr& expr, std::vector<bool>& read) {
  const ExprNode& node = expr.node();
  if (node.kind == ExprNode::Kind::variable) read[node.value] = true;
  for (const Expr& arg : node.args) note_variables(arg, read);
}

}  // namespace

BufferMap::BufferMap(const Kernel& kernel) : variables_(kernel.variables.size()) {
  // A variable can be assigned from another that is assigned later in the text.
  while (learn(kernel.body)) {
  }
}

bool BufferMap::learn(const Body& body) {
  bool learned = false;
  for_each_statement(body, [&](const Stmt& statement) {
    const auto* assign = std::get_if<Assign>(&statement.node);
    if (assign == nullptr || assign->target.width != Width::w64) return;
    const std::optional<std::uint32_t> buffer = buffer_of(assign->value);
    std::optional<std::uint32_t>& known = variables_[assign->target.index];
    if (!buffer || known == buffer) return;
    WEAKSPOT_CHECK(!known);
    known = buffer;
    learned = true;
  });
  return learned;
}

std::optional<std::uint32_t> BufferMap::buffer_of(const Expr& expr) const {
  const ExprNode& node = expr.node();
  if (node.kind == ExprNode::Kind::buffer) return static_cast<std::uint32_t>(node.value);
  if (node.kind == ExprNode::Kind::variable) return variables_[node.value];
  if (node.kind != ExprNode::Kind::op || node.width != Width::w64) return std::nullopt;
  for (const Expr& arg : node.args) {
    if (const std::optional<std::uint32_t> buffer = buffer_of(arg)) return buffer;
  }
  return std::nullopt;
}

Expr word_index(const Expr& address) {
  const ExprNode& node = address.node();
  if (node.kind == ExprNode::Kind::buffer) return 0u;
  if (const auto known = address.constant()) return {static_cast<std::uint32_t>(*known / 4)};
  WEAKSPOT_CHECK(node.kind == ExprNode::Kind::op);
  if (node.op == Op::add) return word_index(node.args[0]) + word_index(node.args[1]);
  WEAKSPOT_CHECK(node.op == Op::mul_wide);
  return node.args[0] * Expr(static_cast<std::uint32_t>(*node.args[1].constant() / 4));
}

KernelUse memory_use(const Kernel& kernel, std::size_t buffers) {
  const BufferMap map(kernel);
  KernelUse use;
  use.buffers.resize(buffers);
  auto note = [&](const MemoryAccess& access, bool writes, bool atomic) {
    const std::optional<std::uint32_t> buffer = map.buffer_of(access.address);
    // An address that a test keeps in a register points into its own memory, which it uses anyway.
    if (!access.shared && !buffer) return;
    MemoryUse& memory = access.shared ? use.shared : use.buffers.at(*buffer);
    memory.used = true;
    memory.written = memory.written || writes;
    memory.atomic = memory.atomic || atomic;
  };
  for_each_statement(kernel.body, [&](const Stmt& statement) {
    if (const auto* load = std::get_if<LoadFrom>(&statement.node)) {
      note(load->access, false, load->access.order != litmus::Order::plain);
    } else if (const auto* store = std::get_if<StoreTo>(&statement.node)) {
      note(store->access, true, store->access.order != litmus::Order::plain);
    } else if (const auto* atomic = std::get_if<AtomicOn>(&statement.node)) {
      note(atomic->access, true, true);
    }
  });
  return use;
}

std::vector<std::uint32_t> used_buffers(const Kernel& kernel, std::size_t buffers) {
  const KernelUse use = memory_use(kernel, buffers);
  std::vector<std::uint32_t> used;
  for (std::uint32_t i = 0; i < buffers; ++i) {
    if (use.buffers[i].used) used.push_back(i);
  }
  return used;
}

bool loads_through(const Kernel& kernel, litmus::Proxy proxy) {
  bool found = false;
  for_each_statement(kernel.body, [&](const Stmt& statement) {
    const auto* load = std::get_if<LoadFrom>(&statement.node);
    found = found || (load != nullptr && load->access.proxy == proxy);
  });
  return found;
}

std::vector<bool> read_variables(const Kernel& kernel) {
  std::vector<bool> read(kernel.variables.size());
  for_each_statement(kernel.body, [&](const Stmt& statement) {
    if (const auto* assign = std::get_if<Assign>(&statement.node)) {
      note_variables(assign->value, read);
    } else if (const auto* load = std::get_if<LoadFrom>(&statement.node)) {
      note_variables(load->access.address, read);
    } else if (const auto* store = std::get_if<StoreTo>(&statement.node)) {
      note_variables(store->access.address, read);
      note_variables(store->value, read);
    } else if (const auto* atomic = std::get_if<AtomicOn>(&statement.node)) {
      note_variables(atomic->access.address, read);
      note_variables(atomic->operand, read);
      if (atomic->expected) note_variables(*atomic->expected, read);
    } else if (const auto* choice = std::get_if<If>(&statement.node)) {
      note_variables(choice->condition, read);
    }
  });
  return read;
}

}  // namespace weakspot::codegen
