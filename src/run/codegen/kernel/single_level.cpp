// SPDX-License-Identifier: MIT
#include "codegen/kernel/single_level.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/check.h"

namespace weakspot::codegen {
namespace {

// The ways in which control reaches the end of a rewritten body.
struct Flow {
  bool falls = true;             // control may reach the end because the original did
  std::set<std::uint32_t> left;  // blocks that may have been left when control reaches the end; their flags say so
};

class Rewriter {
 public:
  explicit Rewriter(const Kernel& kernel) : from_(kernel) {}

  Kernel run() {
    to_ = from_;
    to_.body.clear();
    rewrite(from_.body, 0, to_.body);
    strip(to_.body);
    return std::move(to_);
  }

 private:
  enum class Jump : std::uint8_t { leave, repeat };
  using Escape = std::pair<std::uint32_t, Jump>;

  struct Construct {
    bool loop = false;
    std::size_t depth = 0;  // loops around it
    std::map<Jump, Var> flags;
  };
  struct OpenLoop {
    std::uint32_t label = 0;
    std::set<Escape> escapes;  // jumps that go on after this loop was left
  };

  Var flag(std::uint32_t label, Jump jump) {
    std::map<Jump, Var>& flags = constructs_.at(label).flags;
    const auto known = flags.find(jump);
    if (known != flags.end()) return known->second;
    to_.variables.push_back(Width::w32);
    const Var made{static_cast<std::uint32_t>(to_.variables.size() - 1), Width::w32};
    flags_.insert(made.index);
    flags.emplace(jump, made);
    return made;
  }

  Expr is_set(Var flag) {
    tested_.insert(flag.index);
    return not_equal(flag, 0u);
  }

  template <typename Node>
  static void add(Body& out, Node node) {
    out.push_back(Stmt{std::move(node)});
  }

  void leave_innermost(Escape escape, Body& out) {
    OpenLoop& loop = loops_.back();
    loop.escapes.insert(escape);
    add(out, Break{loop.label});
  }

  Flow jump(Escape escape, Body& out) {
    const Construct& target = constructs_.at(escape.first);
    if (target.loop && loops_.back().label == escape.first) {
      if (escape.second == Jump::leave) {
        add(out, Break{escape.first});
      } else {
        add(out, Continue{escape.first});
      }
      return {false, {}};
    }
    add(out, Assign{flag(escape.first, escape.second), 1u});
    if (!target.loop && target.depth == loops_.size()) return {false, {escape.first}};
    leave_innermost(escape, out);
    return {false, {}};
  }

  // Rewrites statements from number `begin` on, and adds them to `out`.
  Flow rewrite(const Body& body, std::size_t begin, Body& out) {
    for (std::size_t i = begin; i < body.size(); ++i) {
      Flow flow;
      if (const auto* leave = std::get_if<Break>(&body[i].node)) return jump({leave->label, Jump::leave}, out);
      if (const auto* repeat = std::get_if<Continue>(&body[i].node)) return jump({repeat->label, Jump::repeat}, out);
      if (const auto* choice = std::get_if<If>(&body[i].node)) {
        if (const std::optional<Flow> done = rewrite_if(*choice, body, i + 1, out, flow)) return *done;
      } else if (const auto* block = std::get_if<Block>(&body[i].node)) {
        flow = rewrite_block(*block, out);
      } else if (const auto* loop = std::get_if<Loop>(&body[i].node)) {
        flow = rewrite_loop(*loop, out);
      } else {
        out.push_back(body[i]);
      }
      if (!flow.falls) return flow;
      if (!flow.left.empty()) return guard_rest(std::move(flow), body, i + 1, out);
    }
    return {};
  }

  // Either the rest of the body went into one of the branches, and the result is that of the whole body; or only the If
  // was written, and `flow` describes it.
  std::optional<Flow> rewrite_if(const If& choice, const Body& body, std::size_t rest, Body& out, Flow& flow) {
    If node{choice.condition, {}, {}};
    Flow yes = rewrite(choice.yes, 0, node.yes);
    Flow no = rewrite(choice.no, 0, node.no);
    const bool rest_in_no = !yes.falls && !yes.left.empty() && no.falls && no.left.empty();
    const bool rest_in_yes = !no.falls && !no.left.empty() && yes.falls && yes.left.empty();
    if (rest_in_no || rest_in_yes) {
      Flow after = rewrite(body, rest, rest_in_no ? node.no : node.yes);
      after.left.merge(rest_in_no ? yes.left : no.left);
      add(out, std::move(node));
      return after;
    }
    flow.falls = yes.falls || no.falls;
    flow.left = std::move(yes.left);
    flow.left.merge(no.left);
    add(out, std::move(node));
    return std::nullopt;
  }

  Flow guard_rest(Flow flow, const Body& body, std::size_t rest, Body& out) {
    if (rest == body.size()) return flow;
    Expr any = 0u;
    for (const std::uint32_t label : flow.left) any = any | is_set(flag(label, Jump::leave));
    If node{equal(any, 0u), {}, {}};
    Flow after = rewrite(body, rest, node.yes);
    add(out, std::move(node));
    after.left.merge(flow.left);
    return after;
  }

  Flow rewrite_block(const Block& block, Body& out) {
    constructs_[block.label] = {.loop = false, .depth = loops_.size()};
    Body inside;
    Flow flow = rewrite(block.body, 0, inside);
    const std::map<Jump, Var> flags = std::move(constructs_.at(block.label).flags);
    constructs_.erase(block.label);
    for (const auto& [kind, flag] : flags) add(out, Assign{flag, 0u});
    std::move(inside.begin(), inside.end(), std::back_inserter(out));
    // A jump out of a loop inside the block also ends here.
    if (!flags.empty()) flow.falls = true;
    flow.left.erase(block.label);
    return flow;
  }

  Flow rewrite_loop(const Loop& loop, Body& out) {
    constructs_[loop.label] = {.loop = true, .depth = loops_.size()};
    loops_.push_back({loop.label, {}});
    Loop node{loop.label, {}};
    rewrite(loop.body, 0, node.body);
    const std::map<Jump, Var> flags = std::move(constructs_.at(loop.label).flags);
    constructs_.erase(loop.label);
    const std::set<Escape> escapes = std::move(loops_.back().escapes);
    loops_.pop_back();
    for (const auto& [kind, flag] : flags) {
      const Stmt clear{Assign{flag, 0u}};
      if (kind == Jump::leave) {
        out.push_back(clear);
      } else {
        node.body.insert(node.body.begin(), clear);
      }
    }
    add(out, std::move(node));

    Flow flow;
    for (const Escape& escape : escapes) {
      const Construct& target = constructs_.at(escape.first);
      if (!target.loop && target.depth == loops_.size()) {
        flow.left.insert(escape.first);
        continue;
      }
      If onward{is_set(flag(escape.first, escape.second)), {}, {}};
      if (target.loop && loops_.back().label == escape.first) {
        jump(escape, onward.yes);
      } else {
        leave_innermost(escape, onward.yes);
      }
      add(out, std::move(onward));
    }
    return flow;
  }

  // Removes assignments to flags that are never read.
  void strip(Body& body) {
    std::erase_if(body, [&](const Stmt& statement) {
      const auto* assign = std::get_if<Assign>(&statement.node);
      return assign != nullptr && flags_.contains(assign->target.index) && !tested_.contains(assign->target.index);
    });
    for (Stmt& statement : body) {
      if (auto* choice = std::get_if<If>(&statement.node)) {
        strip(choice->yes);
        strip(choice->no);
      } else if (auto* loop = std::get_if<Loop>(&statement.node)) {
        strip(loop->body);
      }
    }
  }

  const Kernel& from_;
  Kernel to_;
  std::map<std::uint32_t, Construct> constructs_;  // around the current statement, by label
  std::vector<OpenLoop> loops_;
  std::set<std::uint32_t> flags_;
  std::set<std::uint32_t> tested_;
};

}  // namespace

Kernel single_level(const Kernel& kernel) { return Rewriter(kernel).run(); }

}  // namespace weakspot::codegen
