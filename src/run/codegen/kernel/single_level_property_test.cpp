// SPDX-License-Identifier: MIT
// Random nests of blocks, loops and branches do the same before and after.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/rng.h"
#include "codegen/kernel/kernel_builder.h"
#include "codegen/kernel/single_level.h"
#include "support/kernel_interpreter.h"

namespace weakspot::codegen {
namespace {

class RandomKernel {
 public:
  explicit RandomKernel(std::uint64_t seed) : rng_(seed), b_("random") {}

  Kernel make() {
    b_.kernel().workgroup_size = 16;
    const Var local = b_.let(builtin(Builtin::local_id));
    trace_ = b_.let(Expr(local) * 2654435761u + 12345u);
    fuel_ = b_.let(40u);
    write_body(5);
    MemoryAccess access;
    access.address = buffer_address(0) + mul_wide(local, 4u);
    b_.add(StoreTo{access, trace_});
    return std::move(b_).finish();
  }

 private:
  struct Target {
    std::uint32_t label;
    bool loop;
  };

  Expr coin() { return (Expr(trace_) >> Expr(static_cast<std::uint32_t>(rng_.below(20)))) & 1u; }

  void write_body(int depth) {
    const std::uint64_t count = 1 + rng_.below(4);
    for (std::uint64_t i = 0; i < count; ++i) write_statement(depth);
  }

  void write_statement(int depth) {
    b_.set(trace_, Expr(trace_) * 1664525u + Expr(static_cast<std::uint32_t>(rng_.below(1000)) * 2 + 1));
    const std::uint64_t kind = rng_.below(depth > 0 ? 8 : 3);
    if (kind < 2) return;
    if (kind == 2) return write_jump();
    if (kind < 5) {
      b_.if_(
          coin(), [&] { write_body(depth - 1); },
          [&] {
            if (rng_.below(2) == 0) write_body(depth - 1);
          });
    } else if (kind < 7) {
      b_.block([&](std::uint32_t label) {
        targets_.push_back({label, false});
        write_body(depth - 1);
        targets_.pop_back();
      });
    } else {
      b_.loop([&](std::uint32_t label) {
        b_.break_if(equal(fuel_, 0u), label);
        b_.set(fuel_, Expr(fuel_) - 1u);
        targets_.push_back({label, true});
        write_body(depth - 1);
        targets_.pop_back();
        if (rng_.below(3) != 0) b_.add(Continue{label});
      });
    }
  }

  void write_jump() {
    if (targets_.empty()) return;
    const Target target = targets_[rng_.below(targets_.size())];
    auto jump = [&] {
      if (target.loop && rng_.below(2) == 0) {
        b_.add(Continue{target.label});
      } else {
        b_.add(Break{target.label});
      }
    };
    if (rng_.below(8) == 0) {
      jump();
    } else {
      b_.if_(coin(), jump);
    }
  }

  base::Rng rng_;
  KernelBuilder b_;
  Var trace_;
  Var fuel_;
  std::vector<Target> targets_;
};

std::vector<std::uint32_t> run(const Kernel& kernel) {
  const KernelModule module{{"out"}, {kernel}};
  Launch launch;
  launch.buffers = {{.words = 18, .zero_first = true, .read_back = true}};
  launch.passes = {{0, 1, false}};
  launch.round_word = 16;
  launch.stop_word = 17;
  return testing_support::Interpreter(module).run(launch, {.stride = 1000}).front();
}

// The labels of the loops around, innermost last.
void expect_single_level(const Body& body, std::vector<std::uint32_t>& loops) {
  for (const Stmt& statement : body) {
    RC_ASSERT(!std::holds_alternative<Block>(statement.node));
    if (const auto* leave = std::get_if<Break>(&statement.node)) {
      RC_ASSERT(!loops.empty() && loops.back() == leave->label);
    } else if (const auto* repeat = std::get_if<Continue>(&statement.node)) {
      RC_ASSERT(!loops.empty() && loops.back() == repeat->label);
    } else if (const auto* choice = std::get_if<If>(&statement.node)) {
      expect_single_level(choice->yes, loops);
      expect_single_level(choice->no, loops);
    } else if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      loops.push_back(loop->label);
      expect_single_level(loop->body, loops);
      loops.pop_back();
    }
  }
}

RC_GTEST_PROP(SingleLevel, DoesTheSame, (std::uint64_t seed)) {
  const Kernel kernel = RandomKernel(seed).make();
  const Kernel simple = single_level(kernel);
  std::vector<std::uint32_t> loops;
  expect_single_level(simple.body, loops);
  RC_ASSERT(run(kernel) == run(simple));
}

}  // namespace
}  // namespace weakspot::codegen
