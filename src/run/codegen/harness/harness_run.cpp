// SPDX-License-Identifier: MIT
// The kernel `run`: the loop over iterations, the alignment of threads, the roles, and the storing of results. Stress
// is in harness_stress.cpp.
#include <algorithm>

#include "codegen/harness/harness_parts.h"
#include "codegen/harness/harness_stress.h"
#include "codegen/harness/role_code.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using litmus::RmwOp;

// A workgroup checks for the stop word once in this many iterations.
constexpr std::uint32_t kStopSpacing = 64;

class RunWriter {
 public:
  RunWriter(const Harness& harness, KernelBuilder& builder)
      : h_(harness), run_(*harness.iterated()), e_(harness.environment), b_(builder) {}

  void run() {
    Kernel& kernel = b_.kernel();
    kernel.workgroup_size = h_.roles.workgroup_size;
    kernel.cluster_size = h_.roles.cluster;
    kernel.subgroups = !h_.roles.scattered() || has_barriers(h_.test);
    stop_cell_ = shared_cells() * h_.memory.cell_words * 4;
    kernel.shared_bytes = stop_cell_ + (run_.can_stop ? 4 : 0);

    load_parameters();
    reset_shared();
    make_role_variables();
    if (shuffles()) {
      write_shuffled();
    } else {
      write_fixed();
    }
  }

 private:
  struct RoleVars {
    Var instance;
    Var slot;
    std::vector<std::optional<Var>> bases;  // by location: its address in the first slice
    std::vector<Var> registers;
    Var unfinished;
    std::optional<Expr> active;  // one_role: whether the thread runs it
  };

  // Clusters fix the neighbours of a workgroup, so their workgroups are not shuffled.
  bool shuffles() const { return e_.shuffle_percent != 0 && h_.roles.cluster == 1; }
  bool draws_noise() const { return e_.access_gap != 0 || e_.pre_read_percent != 0; }
  std::uint32_t role_count() const { return static_cast<std::uint32_t>(h_.roles.roles.size()); }
  std::uint32_t shared_cells() const { return h_.memory.shared_count * h_.roles.instances_per_workgroup; }

  void load_parameters() {
    local_ = b_.let(builtin(Builtin::local_id));
    group_ = b_.let(builtin(Builtin::workgroup_id));
    testing_ = load_control(b_, kTesting);
    iterations_ = load_control(b_, kIterations);
    instances_ = load_control(b_, kInstances);
    slice_bytes_ = load_control(b_, kSliceBytes);
    factor_ = load_control(b_, kLocationFactor);
    stride_ = load_control(b_, kResultStride);
    zero_ = load_control(b_, kZero);
    if (e_.barrier == BarrierKind::grid || e_.barrier == BarrierKind::partner)
      spin_bound_ = load_control(b_, kSpinBound);
    iteration_ = b_.let(0u);
    slice_ = b_.let(constant64(0));
    first_entry_ = b_.let(0u);
    expected_ = b_.let(0u);
    w_ = b_.let(group_);
    if (draws_noise()) noise_ = b_.let(0u);
  }

  void make_role_variables() {
    for (std::size_t r = 0; r < role_count(); ++r) {
      RoleVars vars;
      vars.instance = b_.var();
      vars.slot = b_.var();
      vars.bases.resize(h_.test.locations.size());
      for (const std::uint32_t location : used_locations(h_.test.threads[r])) {
        if (!h_.memory.shared[location]) vars.bases[location] = b_.var(Width::w64);
      }
      vars.registers = make_registers(b_, h_.test.threads[r]);
      vars.unfinished = b_.var();
      roles_.push_back(std::move(vars));
    }
  }

  // The instances of this thread and where their locations are.
  void assign_instances() {
    for (std::size_t r = 0; r < role_count(); ++r) {
      RoleVars& vars = roles_[r];
      b_.set(vars.instance, h_.roles.instance<Expr>(r, w_, local_, testing_));
      b_.set(vars.slot, h_.roles.slot<Expr>(r, local_));
      for (std::uint32_t i = 0; i < vars.bases.size(); ++i) {
        if (vars.bases[i]) b_.set(*vars.bases[i], location_address(h_, i, vars.instance, instances_, factor_));
      }
      if (h_.roles.one_role) vars.active = b_.let(activity(r));
    }
  }

  Expr activity(std::size_t r) const {
    const Role& role = h_.roles.roles[r];
    Expr active = equal(h_.roles.test_workgroup<Expr>(w_), role.workgroup);
    if (!h_.roles.scattered()) {
      active = active & equal(h_.roles.subgroup_of<Expr>(local_), role.subgroup) &
               equal(h_.roles.lane_of<Expr>(local_), role.lane);
    }
    if (h_.roles.single_instance) active = active & equal(roles_[r].slot, 0u);
    return active;
  }

  // Workgroups keep their numbers: testing ones loop over iterations, and the others stress until those are done.
  void write_fixed() {
    auto test = [&] {
      assign_instances();
      loop_over_iterations([&] { write_iteration(); });
      if (e_.memory_stress_percent == 0) return;
      b_.barrier();
      b_.if_(equal(local_, 0u), [&] { add_to_word(kProgressBuffer, kDone, 1u); });
    };
    b_.if_(less(w_, testing_), test, [&] { write_stress_until_done(b_, h_, local_, w_, testing_); });
  }

  void write_shuffled() {
    loop_over_iterations([&] {
      const Var number = b_.load_word(word_address(kPlanBuffer, shuffled_number_at<Expr>(plan_->row, group_)));
      b_.set(w_, number);
      b_.if_(
          less(w_, testing_),
          [&] {
            assign_instances();
            write_iteration();
          },
          [&] { write_stress_call(b_, h_, *plan_, local_, w_); });
    });
  }

  void loop_over_iterations(const std::function<void()>& body) {
    b_.loop([&](std::uint32_t label) {
      b_.break_if(at_least(iteration_, iterations_), label);
      if (run_.can_stop) stop_if_told(label);
      if (h_.draws_plan()) plan_ = read_plan_row(b_, iteration_);
      decide_on_barrier();
      body();
      b_.set(iteration_, Expr(iteration_) + 1u);
      b_.set(slice_, Expr(slice_) + widen(slice_bytes_));
      b_.set(first_entry_, Expr(first_entry_) + Expr(instances_));
      b_.add(Continue{label});
    });
    // The loop ended early, by the stop word or by a driver that bounds loops: skipped iterations are not counted.
    b_.if_(equal(local_, 0u) & less(iteration_, iterations_), [&] {
      MemoryAccess missing = relaxed_word(word_address(kProgressBuffer, static_cast<std::uint32_t>(kMissing)));
      missing.type = litmus::Type::u32;
      b_.add(AtomicOn{RmwOp::max, std::nullopt, missing, Expr(iterations_) - Expr(iteration_), std::nullopt});
    });
  }

  // One thread reads the word, so that the whole workgroup takes the same decision.
  void stop_if_told(std::uint32_t loop) {
    b_.if_(equal(Expr(iteration_) & Expr(kStopSpacing - 1), kStopSpacing - 1), [&] {
      MemoryAccess cell;
      cell.shared = true;
      cell.address = constant64(stop_cell_);
      b_.if_(equal(local_, 0u), [&] {
        const Var told = b_.var();
        b_.add(LoadFrom{told, relaxed_word(word_address(kControlBuffer, static_cast<std::uint32_t>(kStop)))});
        b_.add(StoreTo{cell, told});
      });
      b_.barrier();
      const Var stop = b_.var();
      b_.add(LoadFrom{stop, cell});
      b_.barrier();
      b_.break_if(not_equal(stop, 0u), loop);
    });
  }

  void write_iteration() {
    for (std::size_t r = 0; r < role_count(); ++r) prepare_role(r);
    if (e_.pre_stress_percent != 0) write_pre_stress(b_, h_, *plan_, local_, w_);
    if (draws_noise()) begin_noise();
    if (e_.pre_read_percent != 0) write_pre_reads();
    write_barrier();
    write_roles();
    if (draws_noise()) end_noise();
    if (e_.result_store != ResultStore::at_once) store_all_results();
    if (h_.memory.shared_count != 0) finish_shared();
  }

  // ---- alignment ----

  void decide_on_barrier() {
    barrier_now_ = 1u;
    if (e_.barrier == BarrierKind::none || e_.barrier_percent == 0) {
      barrier_now_ = 0u;
      return;
    }
    if (e_.barrier_percent != 100) barrier_now_ = not_equal(Expr(plan_->flags) & Expr(kPlanBarrier), 0u);
    if (e_.barrier_spacing > 1) {
      const Expr turn = equal(Expr(iteration_) % Expr(static_cast<std::uint32_t>(e_.barrier_spacing)), 0u);
      barrier_now_ = barrier_now_.constant() ? turn : barrier_now_ & turn;
    }
    if (!barrier_now_.constant()) barrier_now_ = b_.let(barrier_now_);
    if (e_.barrier == BarrierKind::block) return;
    // The value of the counter once all have arrived.
    const Expr arrivals = e_.barrier == BarrierKind::grid ? Expr(testing_) : Expr(role_count());
    b_.if_(barrier_now_, [&] { b_.set(expected_, Expr(expected_) + arrivals); });
  }

  void write_barrier() {
    b_.if_(barrier_now_, [&] {
      if (e_.barrier == BarrierKind::grid) {
        b_.barrier();
        b_.if_(equal(local_, 0u), [&] {
          add_to_word(kProgressBuffer, kArrived, 1u);
          spin_until(word_address(kProgressBuffer, static_cast<std::uint32_t>(kArrived)));
        });
        b_.barrier();
      } else if (e_.barrier == BarrierKind::block) {
        b_.barrier();
      } else if (e_.barrier == BarrierKind::partner) {
        for (const RoleVars& role : roles_) {
          if_active(role, [&] { add_to_word(kSyncBuffer, role.instance, 1u); });
        }
        for (const RoleVars& role : roles_) {
          if_active(role, [&] { spin_until(word_address(kSyncBuffer, role.instance)); });
        }
      }
    });
  }

  void spin_until(const Expr& address) {
    const Var spins = b_.let(0u);
    b_.loop([&](std::uint32_t label) {
      const Var seen = b_.var();
      b_.add(LoadFrom{seen, relaxed_word(address)});
      b_.break_if(at_least(seen, expected_), label);
      b_.set(spins, Expr(spins) + 1u);
      b_.if_(less(spin_bound_, spins), [&] {
        add_to_word(kCountBuffer, static_cast<std::uint32_t>(kTimeouts), 1u);
        b_.add(Break{label});
      });
      b_.add(Continue{label});
    });
  }

  void add_to_word(BufferId buffer, const Expr& word, const Expr& amount) {
    b_.add(AtomicOn{RmwOp::add, std::nullopt, relaxed_word(word_address(buffer, word)), amount, std::nullopt});
  }

  // ---- roles ----

  void if_active(const RoleVars& role, const std::function<void()>& write) {
    if (role.active) {
      b_.if_(*role.active, write);
    } else {
      write();
    }
  }

  // Computes addresses and registers before the role, so that nothing comes between its accesses.
  void prepare_role(std::size_t r) {
    const RoleVars& vars = roles_[r];
    RoleContext context;
    context.thread = r;
    context.shared = h_.memory.shared;
    for (std::uint32_t i = 0; i < vars.bases.size(); ++i) {
      if (h_.memory.shared[i]) {
        context.addresses.push_back(b_.let(shared_address(i, vars.slot)));
      } else if (vars.bases[i]) {
        context.addresses.push_back(b_.let(Expr(*vars.bases[i]) + Expr(slice_)));
      } else {
        context.addresses.push_back(constant64(0));
      }
    }
    context.registers = vars.registers;
    context.zero = zero_;
    context.unfinished = vars.unfinished;
    context.loop_bound = static_cast<std::uint32_t>(e_.loop_bound);
    const Role& role = h_.roles.roles[r];
    context.barrier = [this, role](const litmus::Barrier& barrier) { write_test_barrier(barrier, role.workgroup); };
    if (e_.access_gap != 0) {
      context.gap = [this] { write_gap(); };
      context.after_gap = noise_;
    }
    if (has_loops(h_.regions[r])) b_.set(vars.unfinished, 0u);
    if (contexts_.size() <= r) contexts_.resize(r + 1);
    contexts_[r] = std::move(context);
  }

  // The values go into the noise, so that no compiler drops the reads.
  void write_pre_reads() {
    for (std::size_t r = 0; r < role_count(); ++r) {
      if_active(roles_[r], [&] {
        for (const std::uint32_t location : read_locations(h_.test.threads[r])) {
          if (h_.memory.shared[location]) continue;
          write_pre_read(contexts_[r].addresses[location], h_.test.locations[location].proxy);
        }
      });
    }
  }

  void write_pre_read(const Expr& address, litmus::Proxy proxy) {
    step_noise();
    const Expr drawn = apply(Op::shr, {noise_, 8u}) % Expr(100u);
    b_.if_(less(drawn, static_cast<std::uint32_t>(e_.pre_read_percent)), [&] {
      MemoryAccess access = relaxed_word(address);
      access.scope = litmus::Scope::workgroup;
      access.proxy = proxy;
      const Var value = b_.var();
      b_.add(LoadFrom{value, access});
      b_.set(noise_, Expr(noise_) ^ Expr(value));
    });
  }

  // Steps of a random number generator, which do not order memory.
  void write_gap() {
    step_noise();
    const Var steps = b_.let(apply(Op::shr, {noise_, 8u}) % Expr(static_cast<std::uint32_t>(e_.access_gap) + 1));
    b_.count(0u, steps, 1u, [&](Var) { step_noise(); });
  }

  void step_noise() { b_.set(noise_, Expr(noise_) * 1664525u + 1013904223u); }

  void begin_noise() {
    const Expr warp = Expr(w_) * 32u + Expr(local_) / Expr(h_.roles.subgroup_size);
    b_.set(noise_, (warp * 2654435761u) ^ (Expr(iteration_) * 40503u));
  }

  // Uses the number, so that no compiler drops the steps.
  void end_noise() {
    b_.if_(equal(noise_, zero_), [&] { add_to_word(kProgressBuffer, static_cast<std::uint32_t>(kNoise), 1u); });
  }

  Expr shared_address(std::uint32_t location, const Expr& slot) const {
    const std::uint32_t first = h_.memory.number[location] * h_.roles.instances_per_workgroup;
    return mul_wide(slot + Expr(first), h_.memory.cell_words * 4);
  }

  // Comments that name the variables of the role's locations and mark its beginning.
  void begin_role(std::size_t r) {
    Comment places{"places:", {}};
    for (const std::uint32_t location : used_locations(h_.test.threads[r])) {
      const ExprNode& address = contexts_[r].addresses[location].node();
      if (address.kind != ExprNode::Kind::variable) continue;
      places.variables.emplace_back(h_.test.locations[location].name,
                                    Var{static_cast<std::uint32_t>(address.value), address.width});
    }
    if (!places.variables.empty()) b_.add(std::move(places));
    b_.comment("role " + std::to_string(r));
  }
  void end_role(std::size_t r) { b_.comment("end of role " + std::to_string(r)); }

  void write_one(std::size_t r) {
    begin_role(r);
    write_role(b_, h_.test, contexts_[r], h_.regions[r]);
    end_role(r);
    if (e_.result_store == ResultStore::at_once) store_results(r);
  }

  void write_roles() {
    if (run_.uniform_barriers && has_barriers(h_.test)) return write_in_step();
    if (h_.roles.one_role) return write_choice(0);
    switch (e_.role_order) {
      case RoleOrder::ascending:
        for (std::size_t r = 0; r < role_count(); ++r) write_one(r);
        return;
      case RoleOrder::descending:
        for (std::size_t r = role_count(); r-- > 0;) write_one(r);
        return;
      case RoleOrder::by_warp:
        return write_rotated(Expr(local_) / Expr(h_.roles.subgroup_size));
      case RoleOrder::by_block:
        return write_rotated(w_);
      case RoleOrder::by_lane:
        return write_rotated(local_);
    }
  }

  // The roles, cut at their barriers, so that the threads of a workgroup reach each barrier together.
  void write_in_step() {
    for (std::uint32_t g = 0; g < h_.roles.workgroups; ++g) {
      const Expr here = h_.roles.workgroups == 1 ? Expr(1u) : equal(h_.roles.test_workgroup<Expr>(w_), g);
      b_.if_(here, [&] { write_workgroup_in_step(g); });
    }
  }

  void write_workgroup_in_step(std::uint32_t g) {
    std::vector<std::size_t> members;
    for (std::size_t r = 0; r < role_count(); ++r) {
      if (h_.roles.roles[r].workgroup == g) members.push_back(r);
    }
    // The members all have the same barriers: support.cpp checks that.
    const litmus::Thread& first = h_.test.threads[members.front()];
    const std::vector<Segment> steps = segments_between_barriers(first);
    for (std::size_t step = 0; step < steps.size(); ++step) {
      for (const std::size_t r : members) {
        const Segment segment = segments_between_barriers(h_.test.threads[r])[step];
        if_active(roles_[r], [&] {
          begin_role(r);
          write_role_segment(b_, h_.test, contexts_[r], h_.regions[r], segment);
          end_role(r);
          if (step + 1 == steps.size() && e_.result_store == ResultStore::at_once) store_results(r);
        });
      }
      if (step + 1 == steps.size()) break;
      const auto& barrier = std::get<litmus::Barrier>(first.instructions[steps[step].end].operation);
      BarrierOf node;
      if (barrier.scope == litmus::Scope::subgroup) node.kind = BarrierOf::Kind::subgroup;
      node.semantics = barrier.semantics;
      node.memory_scope = barrier.memory_scope;
      if (h_.test.arch == litmus::Arch::vulkan) {
        node.vulkan = VulkanWords{barrier.tags, barrier.semantics};
        node.order = barrier.order;
      }
      b_.add(std::move(node));
    }
  }

  // Writes all roles, to run from number `start` mod their count on.
  void write_rotated(const Expr& start) {
    const Var role = b_.let(start % Expr(role_count()));
    b_.count(0u, role_count(), 1u, [&](Var) {
      for (std::size_t r = 0; r < role_count(); ++r) {
        b_.if_(equal(role, static_cast<std::uint32_t>(r)), [&] { write_one(r); });
      }
      b_.set(role, (Expr(role) + 1u) % Expr(role_count()));
    });
  }

  // one_role: this thread's role. Threads without a role still reach the barriers of their workgroup.
  void write_choice(std::size_t r) {
    if (r == role_count()) return write_idle();
    b_.if_(*roles_[r].active, [&] { write_one(r); }, [&] { write_choice(r + 1); });
  }

  std::uint32_t subgroups_of(std::uint32_t workgroup) const {
    std::uint32_t most = 0;
    for (const Role& role : h_.roles.roles) {
      if (role.workgroup == workgroup) most = std::max(most, role.subgroup + 1);
    }
    return most;
  }

  void write_idle() {
    if (!has_barriers(h_.test)) return;
    for (std::uint32_t g = 0; g < h_.roles.workgroups; ++g) {
      const auto first = std::find_if(h_.roles.roles.begin(), h_.roles.roles.end(),
                                      [&](const Role& role) { return role.workgroup == g; });
      const Expr here =
          equal(h_.roles.test_workgroup<Expr>(w_), g) & less(h_.roles.subgroup_of<Expr>(local_), subgroups_of(g));
      b_.if_(here, [&] {
        const auto& thread = h_.test.threads[static_cast<std::size_t>(first - h_.roles.roles.begin())];
        for (const litmus::Instruction& instruction : thread.instructions) {
          const auto* barrier = std::get_if<litmus::Barrier>(&instruction.operation);
          if (barrier != nullptr) write_test_barrier(*barrier, g);
        }
      });
    }
  }

  void write_test_barrier(const litmus::Barrier& barrier, std::uint32_t workgroup) {
    BarrierOf node;
    if (barrier.scope == litmus::Scope::subgroup) {
      node.kind = BarrierOf::Kind::subgroup;
    } else {
      node.kind = BarrierOf::Kind::named;
      node.id = h_.roles.team_of<Expr>(local_) + 1u;
      node.threads = h_.roles.subgroup_size * subgroups_of(workgroup);
    }
    b_.add(std::move(node));
  }

  // ---- results ----

  void store_all_results() {
    for (std::size_t i = 0; i < role_count(); ++i) {
      store_role_results(e_.result_store == ResultStore::reversed ? role_count() - 1 - i : i);
    }
  }

  void store_role_results(std::size_t r) {
    const bool any = std::any_of(h_.results.begin(), h_.results.end(), [&](const ResultItem& item) {
      return item.role == r && item.kind != ResultItem::Kind::shared_location;
    });
    if (any) if_active(roles_[r], [&] { store_results(r); });
  }

  void store_results(std::size_t r) {
    for (const ResultItem& item : h_.results) {
      if (item.role != r) continue;
      if (item.kind == ResultItem::Kind::reg) store_result(item, roles_[r].registers[item.reg]);
      if (item.kind == ResultItem::Kind::unfinished) store_result(item, roles_[r].unfinished);
    }
  }

  void store_result(const ResultItem& item, const Expr& value) {
    MemoryAccess access;
    access.type = item.width == Width::w64 ? litmus::Type::u64 : litmus::Type::u32;
    access.address = result_address(item, stride_, Expr(first_entry_) + Expr(roles_[item.role].instance));
    b_.add(StoreTo{access, value});
  }

  // ---- the workgroup's memory ----

  void reset_shared() {
    if (h_.memory.shared_count == 0) return;
    const std::uint32_t cells = h_.roles.instances_per_workgroup;
    for (std::uint32_t i = 0; i < h_.test.locations.size(); ++i) {
      if (!h_.memory.shared[i]) continue;
      const litmus::Location& location = h_.test.locations[i];
      b_.count(local_, cells, h_.roles.workgroup_size, [&](Var slot) {
        MemoryAccess access;
        access.shared = true;
        access.type = location.type;
        access.address = shared_address(i, slot);
        b_.add(StoreTo{access, value_for_instance(h_, location.initial, location.type, 0u, 0u, 0u, constant64(0))});
      });
    }
    b_.barrier();
  }

  void finish_shared() {
    b_.barrier();
    for (const ResultItem& item : h_.results) {
      if (item.kind != ResultItem::Kind::shared_location) continue;
      if_active(roles_[item.role], [&] {
        MemoryAccess access;
        access.shared = true;
        access.type = h_.test.locations[item.location].type;
        access.address = shared_address(item.location, roles_[item.role].slot);
        const Var value = b_.var(item.width);
        b_.add(LoadFrom{value, access});
        store_result(item, value);
      });
    }
    b_.barrier();
    reset_shared();
  }

  const Harness& h_;
  const IteratedRun& run_;
  const TestEnvironment& e_;
  KernelBuilder& b_;
  Var local_, group_, w_, testing_, iterations_, instances_, slice_bytes_, factor_, stride_, zero_, spin_bound_;
  Var iteration_, slice_, first_entry_, expected_, noise_;
  Expr barrier_now_ = 0u;
  std::optional<PlanRow> plan_;
  std::vector<RoleVars> roles_;
  std::vector<RoleContext> contexts_;
  std::uint32_t stop_cell_ = 0;
};

}  // namespace

Kernel build_run(const Harness& harness) {
  KernelBuilder b("run");
  RunWriter(harness, b).run();
  return std::move(b).finish();
}

}  // namespace weakspot::codegen
