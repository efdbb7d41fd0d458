// SPDX-License-Identifier: MIT
// The kernel `run` of a test with threads on a CPU: the loop over chunks, the meeting of both sides, the roles of the
// GPU, and the storing of what they read.
#include "base/check.h"
#include "codegen/harness/harness_parts.h"
#include "codegen/harness/role_code.h"
#include "codegen/mixed/build_mixed.h"

namespace weakspot::codegen {
namespace {

using litmus::RmwOp;

// Workgroups that run at once always meet. The bound is for a device that does not keep its word.
constexpr std::uint32_t kMostPolls = 1u << 22;

class MixedWriter {
 public:
  MixedWriter(const Harness& harness, const MixedProgram& program, KernelBuilder& builder)
      : h_(harness), e_(harness.environment), p_(program), b_(builder) {}

  void run() {
    b_.kernel().workgroup_size = p_.workgroup_size;
    load_parameters();
    b_.loop([&](std::uint32_t label) {
      b_.break_if(at_least(iteration_, iterations_), label);
      prepare();
      meet();
      b_.count(0u, delay_, 1u, [&](Var) { step_noise(); });
      write_roles();
      b_.set(iteration_, Expr(iteration_) + 1u);
      b_.add(Continue{label});
    });
    // Uses the number, so that no compiler drops the steps.
    b_.if_(equal(noise_, zero_),
           [&] { b_.add(StoreTo{relaxed_word(word_address(kProgressBuffer, std::uint32_t{kNoise})), noise_}); });
  }

 private:
  std::uint32_t role_count() const { return static_cast<std::uint32_t>(p_.gpu_roles.size()); }

  static MemoryAccess meeting_word(std::uint32_t word) {
    MemoryAccess access = relaxed_word(word_address(kSyncBuffer, word));
    access.scope = litmus::Scope::system;
    return access;
  }

  void load_parameters() {
    local_ = b_.let(builtin(Builtin::local_id));
    group_ = b_.let(builtin(Builtin::workgroup_id));
    iterations_ = load_control(b_, kIterations);
    workgroups_ = load_control(b_, kWorkgroups);
    zero_ = load_control(b_, kZero);
    patience_ = load_control(b_, kSpinBound);
    delay_ = b_.load_word(word_address(kSyncBuffer, std::uint32_t{kMeetingDelay}));
    workers_ = b_.load_word(word_address(kSyncBuffer, std::uint32_t{kMeetingWorkers}));
    role_ = b_.let(Expr(group_) % Expr(role_count()));
    place_ = b_.let(Expr(group_) / Expr(role_count()) * Expr(p_.workgroup_size) + Expr(local_));
    const auto asked = static_cast<std::uint32_t>(e_.permute_threads);
    if (asked > 1 && p_.chunk() > 1) b_.set(place_, permuted<Expr>(place_, factor_for(asked, p_.chunk()), p_.chunk()));
    iteration_ = b_.let(0u);
    ready_ = b_.let(0u);
    arrived_ = b_.let(0u);
    missed_ = b_.let(0u);
    noise_ = b_.let(Expr(place_) / Expr(32u) * 2654435761u + 1u);
  }

  // Does all work that can be done before the meeting: nothing should come between it and the accesses of the test.
  void prepare() {
    const std::uint32_t n = p_.host.instances;
    const auto asked = static_cast<std::uint32_t>(e_.permute_locations);
    const std::uint32_t factor = asked <= 1 || n == 1 ? 1 : factor_for(asked, n);
    instance_ = b_.let(Expr(iteration_) * Expr(p_.chunk()) + Expr(place_));
    addresses_.clear();
    for (std::uint32_t i = 0; i < h_.test.locations.size(); ++i) {
      addresses_.push_back(b_.let(location_address(h_, i, instance_, n, factor)));
    }
    b_.set(ready_, Expr(ready_) + Expr(workers_));
    b_.set(arrived_, Expr(arrived_) + Expr(workgroups_));
  }

  // A bounded barrier of the grid and the CPU: threads meet in their workgroup, then the first threads at a counter.
  // The first workgroup arrives there only when the CPU's workers are ready, so that all others wait for them too.
  // Counters only grow in a round: ready_ and arrived_ are the totals to wait for, so nothing is reset between chunks.
  void meet() {
    b_.barrier();
    b_.if_(equal(local_, 0u), [&] {
      b_.if_(equal(group_, 0u), [&] { await_workers(); });
      const MemoryAccess arrivals = relaxed_word(word_address(kProgressBuffer, std::uint32_t{kArrived}));
      b_.add(AtomicOn{RmwOp::add, std::nullopt, arrivals, 1u, std::nullopt});
      poll(arrivals, arrived_, kMostPolls, {});
      b_.if_(equal(group_, 0u), [&] { b_.add(StoreTo{meeting_word(kMeetingGo), Expr(iteration_) + 1u}); });
    });
    b_.barrier();
  }

  // Waits for the CPU's workers. After a wait in vain nobody waits any more in this round: workers that lost their
  // cores are slow to return.
  void await_workers() {
    poll(meeting_word(kMeetingReady), ready_, patience_, [&] {
      b_.set(patience_, 0u);
      b_.set(missed_, Expr(missed_) + 1u);
      b_.add(StoreTo{meeting_word(kMeetingMissed), missed_});
    });
  }

  void poll(const MemoryAccess& word, const Expr& wanted, const Expr& bound, const std::function<void()>& in_vain) {
    const Var polls = b_.let(0u);
    b_.loop([&](std::uint32_t label) {
      const Var seen = b_.var();
      b_.add(LoadFrom{seen, word});
      b_.break_if(at_least(seen, wanted), label);
      b_.set(polls, Expr(polls) + 1u);
      b_.if_(less(bound, polls), [&] {
        if (in_vain) in_vain();
        b_.add(Break{label});
      });
      b_.add(Continue{label});
    });
  }

  void step_noise() { b_.set(noise_, Expr(noise_) * 1664525u + 1013904223u); }

  void write_gap() {
    step_noise();
    const Var steps = b_.let(apply(Op::shr, {noise_, 8u}) % Expr(static_cast<std::uint32_t>(e_.access_gap) + 1));
    b_.count(0u, steps, 1u, [&](Var) { step_noise(); });
  }

  void write_roles() {
    for (std::uint32_t k = 0; k < role_count(); ++k) {
      const Expr mine = role_count() == 1 ? Expr(1u) : equal(role_, k);
      b_.if_(mine, [&] { write_one(p_.gpu_roles[k]); });
    }
  }

  void write_one(std::uint32_t r) {
    RoleContext context;
    context.thread = r;
    context.shared = h_.memory.shared;
    context.addresses = addresses_;
    context.registers = make_registers(b_, h_.test.threads[r]);
    context.zero = zero_;
    context.unfinished = b_.let(0u);
    context.loop_bound = static_cast<std::uint32_t>(e_.loop_bound);
    context.barrier = [](const litmus::Barrier&) { WEAKSPOT_CHECK(false); };  // refused by check_mixed
    if (e_.access_gap != 0) context.gap = [this] { write_gap(); };
    b_.comment("role " + std::to_string(r));
    write_role(b_, h_.test, context, h_.regions[r]);
    b_.comment("end of role " + std::to_string(r));
    const CpuRole& role = p_.host.roles[r];
    for (const CpuResult& result : role.results) store_result(result.offset, context.registers[result.reg]);
    if (role.unfinished) store_result(*role.unfinished, context.unfinished);
  }

  void store_result(std::uint64_t offset, Var value) {
    MemoryAccess access;
    access.type = value.width == Width::w64 ? litmus::Type::u64 : litmus::Type::u32;
    access.address =
        buffer_address(kResultBuffer) + constant64(offset) + mul_wide(instance_, std::uint32_t{p_.host.slot_bytes});
    b_.add(StoreTo{access, value});
  }

  const Harness& h_;
  const TestEnvironment& e_;
  const MixedProgram& p_;
  KernelBuilder& b_;
  Var local_, group_, iterations_, workgroups_, zero_, patience_, delay_, workers_, role_, place_;
  Var iteration_, ready_, arrived_, missed_, noise_, instance_;
  std::vector<Expr> addresses_;
};

}  // namespace

KernelModule mixed_kernels(const Harness& harness, const MixedProgram& program) {
  KernelBuilder b("run");
  MixedWriter(harness, program, b).run();
  KernelModule module;
  module.buffers = buffer_names();
  module.kernels.push_back(std::move(b).finish());
  return module;
}

}  // namespace weakspot::codegen
