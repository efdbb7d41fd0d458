// SPDX-License-Identifier: MIT
// Writes a kernel from top to bottom: statements go to the innermost open body.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/kernel/kernel.h"

namespace weakspot::codegen {

class KernelBuilder {
 public:
  explicit KernelBuilder(std::string name) {
    kernel_.name = std::move(name);
    bodies_.push_back(&kernel_.body);
  }
  KernelBuilder(const KernelBuilder&) = delete;
  KernelBuilder& operator=(const KernelBuilder&) = delete;

  Kernel finish() && { return std::move(kernel_); }
  Kernel& kernel() { return kernel_; }

  Var var(Width width = Width::w32) {
    kernel_.variables.push_back(width);
    return {static_cast<std::uint32_t>(kernel_.variables.size() - 1), width};
  }
  // A new variable with that value.
  Var let(const Expr& value) {
    const Var made = var(value.width());
    set(made, value);
    return made;
  }
  void set(Var target, const Expr& value) { add(Assign{target, value}); }
  void comment(std::string text) { add(Comment{std::move(text)}); }
  void barrier() { add(BarrierOf{}); }

  template <typename Node>
  void add(Node node) {
    bodies_.back()->push_back(Stmt{std::move(node)});
  }

  using Write = std::function<void()>;
  using WriteLabelled = std::function<void(std::uint32_t label)>;

  void if_(const Expr& condition, const Write& yes, const Write& no = {}) {
    if (const auto known = condition.constant()) {
      if (*known != 0) yes();
      if (*known == 0 && no) no();
      return;
    }
    If node{condition, {}, {}};
    into(node.yes, yes);
    if (no) into(node.no, no);
    add(std::move(node));
  }
  void loop(const WriteLabelled& body) {
    Loop node{labels_++, {}};
    into(node.body, [&] { body(node.label); });
    add(std::move(node));
  }
  void block(const WriteLabelled& body) {
    Block node{labels_++, {}};
    into(node.body, [&] { body(node.label); });
    add(std::move(node));
  }
  void break_if(const Expr& condition, std::uint32_t label) {
    if_(condition, [&] { add(Break{label}); });
  }
  // for (counter = from; counter < to; counter += step)
  void count(const Expr& from, const Expr& to, const Expr& step, const std::function<void(Var)>& body) {
    const Var counter = let(from);
    loop([&](std::uint32_t label) {
      break_if(at_least(counter, to), label);
      body(counter);
      set(counter, Expr(counter) + step);
      add(Continue{label});
    });
  }

  // Plain accesses to words of buffers, for the harness's own data.
  Var load_word(const Expr& address) {
    const Var target = var();
    MemoryAccess access;
    access.address = address;
    add(LoadFrom{target, access});
    return target;
  }

 private:
  void into(Body& body, const Write& write) {
    bodies_.push_back(&body);
    write();
    bodies_.pop_back();
  }

  Kernel kernel_;
  std::vector<Body*> bodies_;
  std::uint32_t labels_ = 0;
};

}  // namespace weakspot::codegen
