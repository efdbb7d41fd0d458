// SPDX-License-Identifier: MIT
#include "codegen/lock/lock_kernels.h"

#include <algorithm>
#include <functional>

#include "codegen/kernel/kernel_builder.h"

namespace weakspot::codegen {
namespace {

using litmus::Order;
using litmus::RmwOp;

Expr word_at(LockBuffer buffer, const Expr& word) { return buffer_address(buffer) + mul_wide(word, 4u); }

MemoryAccess access(LockBuffer buffer, const Expr& word, Order order) {
  MemoryAccess made;
  made.address = word_at(buffer, word);
  made.order = order;
  return made;
}

// Writes kernel `contend`: what each workgroup does.
class Contender {
 public:
  Contender(LockKind kind, LockFences fences)
      : kind_(kind),
        acquires_(kind != LockKind::none && (fences == LockFences::full || fences == LockFences::acquire)),
        releases_(kind != LockKind::none && (fences == LockFences::full || fences == LockFences::release)),
        b_("contend"),
        me_(b_.let(builtin(Builtin::workgroup_id))),
        sections_(parameter(kLockSections)),
        bound_(parameter(kLockSpinBound)),
        done_(b_.let(0u)),
        stale_(b_.let(0u)),
        gave_up_(b_.let(0u)) {}

  Kernel run() && {
    b_.block([&](std::uint32_t out) {
      out_ = out;
      if (kind_ == LockKind::prefix_sum) return write_prefix_sum();
      if (kind_ == LockKind::deque) return write_deque();
      b_.count(0u, sections_, 1u, [&](Var section) { write_section(section); });
      give_up_unless(equal(done_, sections_));
    });
    add_to(kLockDone, done_);
    b_.if_(stale_, [&] { add_to(kLockStale, stale_); });
    b_.if_(gave_up_, [&] { add_to(kLockGaveUp, 1u); });
    return std::move(b_).finish();
  }

 private:
  // ---- memory ----

  Var parameter(LockControlWord word) { return b_.load_word(word_at(kLockControl, Expr(word))); }
  void add_to(LockProgressWord word, const Expr& amount) {
    b_.add(AtomicOn{RmwOp::add, std::nullopt, access(kLockProgress, Expr(word), Order::relaxed), amount, std::nullopt});
  }
  Var load(const Expr& word) {
    const Var target = b_.var();
    b_.add(LoadFrom{target, access(kLockWords, word, Order::relaxed)});
    return target;
  }
  void store(const Expr& word, const Expr& value) { b_.add(StoreTo{access(kLockWords, word, Order::relaxed), value}); }
  Var rmw(RmwOp op, const Expr& word, const Expr& operand, std::optional<Expr> expected = std::nullopt) {
    const Var old = b_.var();
    b_.add(AtomicOn{op, old, access(kLockWords, word, Order::relaxed), operand, std::move(expected)});
    return old;
  }
  Var load_data(const Expr& word) { return b_.load_word(word_at(kLockData, word)); }
  void store_data(const Expr& word, const Expr& value) {
    b_.add(StoreTo{access(kLockData, word, Order::plain), value});
  }
  void acquire_fence() {
    if (acquires_) fence(Order::acquire);
  }
  void release_fence() {
    if (releases_) fence(Order::release);
  }
  void fence(Order order) {
    FenceOf fence;
    fence.fence.order = order;
    b_.add(fence);
  }

  // ---- waiting ----

  void give_up() {
    b_.set(gave_up_, 1u);
    b_.add(Break{out_});
  }
  // Gives up after a loop that ended early: some devices leave loops after a number of rounds.
  void give_up_unless(const Expr& complete) {
    b_.if_(equal(complete, 0u), [&] { give_up(); });
  }
  // Repeats what `attempt` writes until a condition that it passes on holds, up to the bound.
  using GotIf = std::function<void(const Expr& condition)>;
  void spin(const std::function<void(const GotIf& got_if)>& attempt) {
    const Var polls = b_.let(0u);
    const Var got = b_.let(0u);
    b_.loop([&](std::uint32_t label) {
      attempt([&](const Expr& condition) {
        b_.if_(condition, [&] {
          b_.set(got, 1u);
          b_.add(Break{label});
        });
      });
      count_poll(polls);
      b_.add(Continue{label});
    });
    give_up_unless(got);
  }
  void count_poll(Var polls) {
    b_.set(polls, Expr(polls) + 1u);
    b_.if_(at_least(polls, bound_), [&] { give_up(); });
  }
  // Gives up if the device asks to end; looks only now and then.
  void stop_if_told(const Expr& section) {
    constexpr std::uint32_t kEvery = 16;
    b_.if_(equal(section & Expr(kEvery - 1), 0u), [&] {
      const Var told = b_.var();
      b_.add(LoadFrom{told, access(kLockControl, Expr(kLockStop), Order::relaxed)});
      b_.if_(told, [&] { give_up(); });
    });
  }

  // ---- locks ----

  void write_section(Var section) {
    stop_if_told(section);
    const Var ticket = b_.let(0u);
    lock(ticket);
    acquire_fence();
    const Var counter = load_data(0u);
    store_data(0u, Expr(counter) + 1u);
    release_fence();
    unlock(ticket);
    b_.set(done_, Expr(done_) + 1u);
  }

  void lock(Var ticket) {
    switch (kind_) {
      case LockKind::test_and_set:
        return spin([&](const GotIf& got_if) { got_if(equal(rmw(RmwOp::or_, kLockFirst, 1u), 0u)); });
      case LockKind::test_test_and_set:
        return spin([&](const GotIf& got_if) {
          b_.if_(equal(load(kLockFirst), 0u), [&] { got_if(equal(rmw(RmwOp::or_, kLockFirst, 1u), 0u)); });
        });
      case LockKind::compare_and_swap:
        return spin([&](const GotIf& got_if) { got_if(equal(rmw(RmwOp::cas, kLockFirst, 1u, 0u), 0u)); });
      case LockKind::exchange:
        return spin([&](const GotIf& got_if) { got_if(equal(rmw(RmwOp::exch, kLockFirst, 1u), 0u)); });
      case LockKind::ticket:
        b_.set(ticket, rmw(RmwOp::add, kLockFirst, 1u));
        return spin([&](const GotIf& got_if) { got_if(equal(load(kLockSecond), ticket)); });
      case LockKind::mcs:
        return lock_queue();
      default:
        return;
    }
  }

  void unlock(Var ticket) {
    switch (kind_) {
      case LockKind::test_and_set:
      case LockKind::test_test_and_set:
        return store(kLockFirst, 0u);
      case LockKind::compare_and_swap:
      case LockKind::exchange:
        return static_cast<void>(rmw(RmwOp::exch, kLockFirst, 0u));
      case LockKind::ticket:
        return store(kLockSecond, Expr(ticket) + 1u);
      case LockKind::mcs:
        return unlock_queue();
      default:
        return;
    }
  }

  // A node has two words: the number of the next contender, counted from 1, and whether its owner must wait.
  static Expr next_of(const Expr& contender) { return contender * (2 * kLockLine) + kLockNodes; }
  static Expr waits_of(const Expr& contender) { return contender * (2 * kLockLine) + (kLockNodes + kLockLine); }

  void lock_queue() {
    store(next_of(me_), 0u);
    store(waits_of(me_), 1u);
    release_fence();
    const Var before = rmw(RmwOp::exch, kLockFirst, Expr(me_) + 1u);
    b_.if_(before, [&] {
      acquire_fence();
      store(next_of(Expr(before) - 1u), Expr(me_) + 1u);
      spin([&](const GotIf& got_if) { got_if(equal(load(waits_of(me_)), 0u)); });
    });
  }

  void unlock_queue() {
    const Var next = b_.let(load(next_of(me_)));
    b_.if_(equal(next, 0u), [&] {
      const Var last = rmw(RmwOp::cas, kLockFirst, 0u, Expr(me_) + 1u);
      b_.if_(not_equal(last, Expr(me_) + 1u), [&] {
        spin([&](const GotIf& got_if) {
          b_.set(next, load(next_of(me_)));
          got_if(next);
        });
      });
    });
    b_.if_(next, [&] {
      acquire_fence();
      store(waits_of(Expr(next) - 1u), 0u);
    });
  }

  // ---- decoupled look-back ----

  // Each partition adds 1: the sum before partition p is p, and a stale word is 0.
  void write_prefix_sum() {
    const Var contenders = parameter(kLockContenders);
    const Var all = b_.let(Expr(sections_) * Expr(contenders));
    const Var partition = b_.let(0u);
    b_.loop([&](std::uint32_t label) {
      b_.set(partition, rmw(RmwOp::add, kLockFirst, 1u));
      b_.break_if(at_least(partition, all), label);
      stop_if_told(partition);
      store_data(Expr(partition) * 2u, 1u);
      release_fence();
      store(Expr(partition) + kLockNodes, 1u);
      const Var sum = b_.let(0u);
      look_back(partition, sum);
      store_data(Expr(partition) * 2u + 1u, Expr(sum) + 1u);
      release_fence();
      store(Expr(partition) + kLockNodes, 2u);
      b_.set(done_, Expr(done_) + 1u);
      b_.add(Continue{label});
    });
    give_up_unless(at_least(partition, all));
  }

  void look_back(Var partition, Var sum) {
    const Var from = b_.let(partition);
    const Var flag = b_.let(0u);
    b_.loop([&](std::uint32_t label) {
      b_.break_if(equal(from, 0u), label);
      b_.set(from, Expr(from) - 1u);
      b_.set(flag, 0u);
      spin([&](const GotIf& got_if) {
        b_.set(flag, load(Expr(from) + kLockNodes));
        got_if(flag);
      });
      acquire_fence();
      // Flag 1: the partition's own sum; 2: that of all partitions up to it.
      const Var found = load_data(Expr(from) * 2u + (Expr(flag) - 1u));
      b_.if_(equal(found, 0u), [&] { b_.set(stale_, Expr(stale_) + 1u); });
      b_.set(sum, Expr(sum) + Expr(found));
      b_.break_if(equal(flag, 2u), label);
      b_.add(Continue{label});
    });
    give_up_unless(equal(from, 0u) | equal(flag, 2u));
  }

  // ---- work-stealing deque ----

  // Task i has the number i + 1, so that a thief knows which task it must find. The owner takes no tasks itself: a pop
  // needs a sequentially consistent fence, which Vulkan does not have.
  void write_deque() {
    const Var contenders = parameter(kLockContenders);
    const Var all = b_.let(Expr(sections_) * Expr(contenders));
    b_.if_(equal(me_, 0u), [&] { push_all(all); }, [&] { steal_all(all); });
  }

  void push_all(Var all) {
    const Var pushed = b_.let(0u);
    b_.count(0u, all, 1u, [&](Var task) {
      stop_if_told(task);
      spin([&](const GotIf& got_if) { got_if(less(Expr(task) - Expr(load(kLockSecond)), kDequeRing)); });
      acquire_fence();
      store_data(Expr(task) & (kDequeRing - 1), Expr(task) + 1u);
      release_fence();
      store(kLockFirst, Expr(task) + 1u);
      b_.set(pushed, Expr(task) + 1u);
    });
    give_up_unless(equal(pushed, all));
  }

  void steal_all(Var all) {
    const Var polls = b_.let(0u);
    const Var head = b_.let(0u);
    b_.loop([&](std::uint32_t label) {
      b_.set(head, load(kLockSecond));
      b_.break_if(at_least(head, all), label);
      const Var tail = load(kLockFirst);
      b_.if_(less(head, tail), [&] {
        acquire_fence();
        const Var task = load_data(Expr(head) & (kDequeRing - 1));
        release_fence();
        b_.if_(equal(rmw(RmwOp::cas, kLockSecond, Expr(head) + 1u, Expr(head)), head), [&] {
          b_.if_(not_equal(task, Expr(head) + 1u), [&] { b_.set(stale_, Expr(stale_) + 1u); });
          b_.set(done_, Expr(done_) + 1u);
          b_.set(polls, 0u);
        });
      });
      count_poll(polls);
      b_.add(Continue{label});
    });
    give_up_unless(at_least(head, all));
  }

  LockKind kind_;
  bool acquires_, releases_;
  KernelBuilder b_;
  Var me_, sections_, bound_;
  Var done_;     // sections, tasks or partitions
  Var stale_;    // values that were used and wrong
  Var gave_up_;  // 1: a wait reached its bound, or the device said stop
  std::uint32_t out_ = 0;
};

// Kernel `check`: one thread, after all contenders.
Kernel build_check(LockKind kind) {
  KernelBuilder b("check");
  auto progress = [&](LockProgressWord word) {
    const Var target = b.var();
    b.add(LoadFrom{target, access(kLockProgress, Expr(word), Order::relaxed)});
    return target;
  };
  auto add = [&](LockCountWord word, const Expr& amount) {
    const Var low = b.load_word(word_at(kLockCounts, Expr(word)));
    const Var sum = b.let(Expr(low) + amount);
    b.add(StoreTo{access(kLockCounts, Expr(word), Order::plain), sum});
    b.if_(less(sum, low), [&] {
      const Var high = b.load_word(word_at(kLockCounts, Expr(word + 1u)));
      b.add(StoreTo{access(kLockCounts, Expr(word + 1u), Order::plain), Expr(high) + 1u});
    });
  };
  const Var done = progress(kLockDone);
  const Var gave_up = progress(kLockGaveUp);
  const bool counts = kind != LockKind::prefix_sum && kind != LockKind::deque;
  const Var lost = counts ? b.let(Expr(done) - Expr(b.load_word(word_at(kLockData, 0u)))) : progress(kLockStale);
  add(kLockAllSections, done);
  b.if_(
      gave_up, [&] { add(kLockUnfinished, 1u); },
      [&] {
        add(kLockRuns, 1u);
        b.if_(lost, [&] {
          add(kLockFailed, 1u);
          add(kLockLost, lost);
        });
      });
  return std::move(b).finish();
}

}  // namespace

std::uint64_t lock_words(const LockPlan& plan) {
  return kLockNodes + std::max<std::uint64_t>(std::uint64_t{plan.contenders} * 2 * kLockLine, plan.all());
}

std::uint64_t lock_data_words(const LockPlan& plan) { return std::max<std::uint64_t>(2 * plan.all(), kDequeRing); }

KernelModule lock_kernels(LockKind kind, LockFences fences) {
  KernelModule module;
  module.buffers = {"control", "lock", "data", "progress", "counts"};
  module.kernels.push_back(Contender(kind, fences).run());
  module.kernels.push_back(build_check(kind));
  return module;
}

}  // namespace weakspot::codegen
