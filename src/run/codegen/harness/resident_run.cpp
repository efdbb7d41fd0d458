// SPDX-License-Identifier: MIT
#include "codegen/harness/resident_run.h"

#include <algorithm>

#include "codegen/harness/outcome_counter.h"
#include "codegen/harness/resident_code.h"
#include "codegen/harness/role_code.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

// Relaxed loads of a word far away, one after the other: some 20 microseconds. No copy of a few bytes takes so long.
constexpr std::uint32_t kPauseLoads = 32;
constexpr std::uint32_t kDrainBound = 4096;

class ResidentWriter {
 public:
  ResidentWriter(const Harness& harness, KernelBuilder& builder)
      : h_(harness),
        layout_(*harness.resident()),
        roles_(harness.roles),
        b_(builder),
        counter_(harness, builder, {roles_.workgroup_size, layout_.table_at, false, true}) {}

  void run() {
    Kernel& kernel = b_.kernel();
    kernel.workgroup_size = roles_.workgroup_size;
    kernel.cluster_size = roles_.cluster;
    kernel.shared_bytes = layout_.shared_bytes;
    kernel.shared_alignment = 128;
    load_parameters();
    counter_.prepare(local_);
    counter_.set_round(load_control(b_, kRound));
    for (std::size_t r = 0; r < roles_.roles.size(); ++r) make_role(r);
    b_.count(0u, iterations_, 1u, [&](Var iteration) {
      iteration_ = iteration;
      set_up();
      b_.count(0u, layout_.depth, 1u, [&](Var turn) { run_turn(turn); });
      end_iteration();
    });
    counter_.flush();
    b_.if_(equal(Expr(local_) | Expr(group_), 0u), [&] {
      MemoryAccess completed = relaxed_word(word_address(kCountBuffer, static_cast<std::uint32_t>(kCompleted)));
      completed.type = Type::u64;
      b_.add(AtomicOn{RmwOp::add, std::nullopt, completed, widen(iterations_), std::nullopt});
    });
  }

 private:
  struct RoleState {
    std::optional<Expr> active;  // condition for threads that run the role; none: all do
    std::vector<Var> registers;
    Var unfinished;
  };

  bool alone() const { return roles_.roles.size() == 1; }

  void load_parameters() {
    local_ = b_.let(builtin(Builtin::local_id));
    group_ = b_.let(builtin(Builtin::workgroup_id));
    iterations_ = load_control(b_, kIterations);
    instances_ = load_control(b_, kInstances);
    zero_ = load_control(b_, kZero);
    lane_ = b_.let(Expr(local_) % Expr(roles_.subgroup_size));
    slot_ = b_.let(roles_.slot<Expr>(0, local_));
    rank_ = b_.let(Expr(group_) % Expr(roles_.workgroups));
    first_ = b_.let(Expr(group_) / Expr(roles_.workgroups) * Expr(layout_.instances_per_row()));
    if (h_.environment.access_gap != 0) noise_ = b_.let((Expr(group_) * 1024u + Expr(local_) / 32u) * 2654435761u);
  }

  void make_role(std::size_t r) {
    RoleState state;
    state.registers = make_registers(b_, h_.test.threads[r]);
    state.unfinished = b_.let(0u);
    const Role& role = roles_.roles[r];
    Expr active = 1u;
    if (roles_.workgroups > 1) active = equal(rank_, role.workgroup);
    if (roles_.subgroups > 1) active = active & equal(roles_.subgroup_of<Expr>(local_), role.subgroup);
    if (!alone()) state.active = b_.let(active);
    states_.push_back(std::move(state));
  }

  // The first subgroup of each team looks after the memory of its slots.
  void as_keeper(const KernelBuilder::Write& write) {
    if (roles_.subgroups == 1) return write();
    b_.if_(equal(roles_.subgroup_of<Expr>(local_), 0u), write);
  }
  void in_workgroup(std::uint32_t workgroup, const KernelBuilder::Write& write) {
    if (roles_.workgroups == 1) return write();
    b_.if_(equal(rank_, workgroup), write);
  }

  // A barrier of all threads that share an instance, and its keeper. A row with one role needs nobody else.
  void meet() {
    BarrierOf barrier;
    if (roles_.workgroups > 1) {
      barrier.kind = BarrierOf::Kind::cluster_arrive;
      b_.add(barrier);
      barrier.kind = BarrierOf::Kind::cluster_wait;
    } else if (alone()) {
      barrier.kind = BarrierOf::Kind::subgroup;
    }
    b_.add(barrier);
  }

  // Aligns threads before the test. In a workgroup that starts at once, stores and copies get in each other's way.
  void align() {
    const BarrierKind kind = h_.environment.barrier;
    if (alone() && (kind == BarrierKind::block || kind == BarrierKind::grid)) return b_.barrier();
    meet();
  }

  void fence_proxies() {
    Fence fence;
    fence.kind = FenceKind::proxy;
    fence.proxy = Proxy::async;
    b_.add(FenceOf{fence, std::nullopt});
  }

  // ---- places ----

  // The offset of an instance's location in the memory of its workgroup.
  Expr offset(std::uint32_t location, const Expr& turn) const {
    const ResidentCell& cell = layout_.cells[location];
    const bool by_row = layout_.joined && cell.mbarrier;
    const Expr place = by_row ? Expr(slot_) / 32u : Expr(slot_);
    return mul_wide(turn * Expr(layout_.cells_of(location)) + place, cell.bytes) + constant64(cell.at + cell.inner);
  }

  Expr global(std::uint32_t location, const Expr& turn) const {
    const ResidentCell& cell = layout_.cells[location];
    return buffer_address(kMemoryBuffer) + mul_wide(instances_, cell.at) + mul_wide(instance(turn), cell.bytes) +
           constant64(cell.inner);
  }

  Expr instance(const Expr& turn) const { return Expr(first_) + turn * Expr(layout_.slots) + Expr(slot_); }

  // The location's place as a thread of `workgroup` reaches it.
  Place place(std::uint32_t location, const Expr& turn, std::uint32_t workgroup) {
    const ResidentCell& cell = layout_.cells[location];
    if (!cell.shared) return {b_.let(global(location, turn)), false, false};
    if (cell.owner == workgroup) return {b_.let(offset(location, turn)), true, false};
    return mapped(offset(location, turn), cell.owner);
  }

  Place mapped(const Expr& address, std::uint32_t workgroup) {
    const Var target = b_.var(Width::w64);
    b_.add(AsyncOf{MapStep{target, address, workgroup}});
    return {target, true, true};
  }

  static MemoryAccess access(const Place& place, Type type) {
    MemoryAccess access;
    access.address = place.address;
    access.shared = place.shared;
    access.cluster = place.cluster;
    access.type = type;
    return access;
  }

  // ---- an iteration ----

  void set_up() {
    as_keeper([&] {
      b_.count(0u, layout_.depth, 1u, [&](Var turn) {
        for (std::uint32_t i = 0; i < layout_.cells.size(); ++i) {
          in_workgroup(layout_.cells[i].shared ? layout_.cells[i].owner : 0, [&] { set_up_cell(i, turn); });
        }
      });
      fence_proxies();
    });
    align();
    // A proxy fence is needed where the proxy is used, and that may be another workgroup.
    if (roles_.workgroups > 1) fence_proxies();
  }

  void set_up_cell(std::uint32_t i, Var turn) {
    const ResidentCell& cell = layout_.cells[i];
    const Location& location = h_.test.locations[i];
    if (cell.mbarrier) {
      if (location.initial.number == 0) return;  // the test does it
      return on_mbarrier(i, turn, [&](MbarrierStep step) {
        step.op = MbarrierStep::Op::init;
        step.count = static_cast<std::uint32_t>(location.initial.number);
        b_.add(AsyncOf{std::move(step)});
      });
    }
    const Place where = cell.shared ? Place{offset(i, turn), true, false} : Place{global(i, turn), false, false};
    b_.add(StoreTo{access(where, location.type),
                   value_for_instance(h_, location.initial, location.type, 0u, 0u, 0u, constant64(0))});
  }

  void on_mbarrier(std::uint32_t i, const Expr& turn, const std::function<void(MbarrierStep)>& write) {
    MbarrierStep step;
    step.mbarrier = {b_.let(offset(i, turn)), true, false};
    auto once = [&] { write(step); };
    if (layout_.joined) {
      b_.if_(equal(lane_, 0u), once);
    } else {
      once();
    }
  }

  void run_turn(Var turn) {
    for (std::size_t r = 0; r < states_.size(); ++r) {
      if (states_[r].active) {
        b_.if_(*states_[r].active, [&] { run_role(r, turn); });
      } else {
        run_role(r, turn);
      }
    }
  }

  void run_role(std::size_t r, Var turn) {
    const Role& role = roles_.roles[r];
    RoleContext context;
    context.thread = r;
    ResidentRole steps;
    steps.thread = r;
    const std::vector<std::uint32_t> used = used_locations(h_.test.threads[r]);
    for (std::uint32_t i = 0; i < layout_.cells.size(); ++i) {
      const bool needed = std::find(used.begin(), used.end(), i) != used.end();
      Place where = needed ? place(i, turn, role.workgroup) : Place{};
      context.addresses.push_back(where.address);
      context.shared.push_back(where.shared);
      context.remote.push_back(where.cluster);
      steps.places.push_back(std::move(where));
    }
    steps.registers = context.registers = states_[r].registers;
    steps.lane = lane_;
    steps.unfinished = context.unfinished = states_[r].unfinished;
    context.zero = zero_;
    context.loop_bound = static_cast<std::uint32_t>(h_.environment.loop_bound);
    context.barrier = [&](const Barrier& barrier) { write_barrier(barrier); };
    context.asynchronous = [&](const Instruction& step) { write_resident_step(b_, h_, steps, step); };
    if (h_.environment.access_gap != 0) context.gap = [this] { write_gap(); };
    if (layout_.waits[r]) b_.set(states_[r].unfinished, 0u);
    // Roles that start together would always meet in the same way.
    if (context.gap && !alone()) write_gap();
    b_.comment("role " + std::to_string(r));
    write_role(b_, h_.test, context, h_.regions[r]);
    b_.comment("end of role " + std::to_string(r));
    leave_cluster_barrier(r);
    if (layout_.counting_role == r) return count_registers(r, turn);
    store_results(r, turn);
  }

  void write_barrier(const Barrier& barrier) {
    BarrierOf node;
    if (barrier.scope == Scope::subgroup) {
      node.kind = BarrierOf::Kind::subgroup;
    } else if (barrier.scope == Scope::cluster) {
      node.kind = BarrierOf::Kind::cluster_arrive;
      if (barrier.order == Order::relaxed) node.order = Order::relaxed;
      if (barrier.kind == Barrier::Kind::sync) b_.add(node);
      if (barrier.kind != Barrier::Kind::arrive) node.kind = BarrierOf::Kind::cluster_wait;
    } else {
      node.kind = BarrierOf::Kind::named;
      node.id = roles_.team_of<Expr>(local_) + 1u;
      node.threads = roles_.subgroup_size * roles_.subgroups;
    }
    b_.add(std::move(node));
  }

  // Threads that arrived at a barrier of the cluster and did not wait do so now: the next arrival needs it.
  void leave_cluster_barrier(std::size_t r) {
    int arrived = 0;
    for (const Instruction& instruction : h_.test.threads[r].instructions) {
      const auto* barrier = std::get_if<Barrier>(&instruction.operation);
      if (barrier == nullptr || barrier->scope != Scope::cluster) continue;
      if (barrier->kind == Barrier::Kind::arrive) ++arrived;
      if (barrier->kind == Barrier::Kind::wait) --arrived;
    }
    if (arrived == 0) return;
    BarrierOf wait;
    wait.kind = BarrierOf::Kind::cluster_wait;
    b_.add(std::move(wait));
  }

  void write_gap() { write_noise(b_, noise_, h_.environment.access_gap); }

  // ---- outcomes ----

  CountedEntry entry(const Expr& turn) {
    return {Expr(iteration_) * Expr(instances_) + instance(turn), instance(turn), instances_};
  }

  void count_registers(std::size_t r, Var turn) {
    b_.block([&](std::uint32_t done) {
      if (layout_.waits[r]) skip_unfinished(states_[r].unfinished, done);
      std::vector<Var> values;
      for (const Observable& item : h_.test.observed()) {
        values.push_back(states_[r].registers[std::get<ObservedRegister>(item).reg.index]);
      }
      counter_.count(values, entry(turn), done);
    });
  }

  void skip_unfinished(Var unfinished, std::uint32_t done) {
    b_.if_(not_equal(unfinished, 0u), [&] {
      counter_.count_unfinished();
      b_.add(Break{done});
    });
  }

  // Results lie in the memory of the first workgroup.
  Place result_place(std::uint32_t item, const Expr& turn, std::uint32_t workgroup) {
    const Expr at = mul_wide(Expr(item * layout_.instances_per_row()) + turn * Expr(layout_.slots) + Expr(slot_), 8u) +
                    constant64(layout_.results_at);
    if (workgroup == 0) return {at, true, false};
    return mapped(at, 0);
  }

  std::uint32_t item_of_unfinished(std::size_t role) const {
    auto item = static_cast<std::uint32_t>(h_.test.observed().size());
    for (std::size_t r = 0; r < role; ++r) item += layout_.waits[r] ? 1 : 0;
    return item;
  }

  static Type result_type(Var value) { return value.width == Width::w64 ? Type::u64 : Type::u32; }

  void store_results(std::size_t r, Var turn) {
    if (layout_.counting_role) return;
    const std::uint32_t workgroup = roles_.roles[r].workgroup;
    const std::vector<Observable> observed = h_.test.observed();
    for (std::uint32_t i = 0; i < observed.size(); ++i) {
      const auto* reg = std::get_if<ObservedRegister>(&observed[i]);
      if (reg == nullptr || reg->thread.index != r) continue;
      const Var value = states_[r].registers[reg->reg.index];
      b_.add(StoreTo{access(result_place(i, turn, workgroup), result_type(value)), value});
    }
    if (!layout_.waits[r]) return;
    b_.add(StoreTo{access(result_place(item_of_unfinished(r), turn, workgroup), Type::u32), states_[r].unfinished});
  }

  void collect(Var turn) {
    b_.block([&](std::uint32_t done) {
      for (std::size_t r = 0; r < states_.size(); ++r) {
        if (!layout_.waits[r]) continue;
        const Var unfinished = b_.var();
        b_.add(LoadFrom{unfinished, access(result_place(item_of_unfinished(r), turn, 0), Type::u32)});
        skip_unfinished(unfinished, done);
      }
      std::vector<Var> values;
      const std::vector<Observable> observed = h_.test.observed();
      for (std::uint32_t i = 0; i < observed.size(); ++i) values.push_back(load_observed(observed[i], i, turn));
      counter_.count(values, entry(turn), done);
    });
  }

  Var load_observed(const Observable& item, std::uint32_t number, Var turn) {
    const Var value = b_.var(width_of(h_.encoding.items()[number].type));
    if (const auto* id = std::get_if<LocationId>(&item)) {
      MemoryAccess from = access(place(id->index, turn, 0), h_.test[*id].type);
      if (!from.shared) from.order = Order::relaxed;
      b_.add(LoadFrom{value, from});
    } else {
      b_.add(LoadFrom{value, access(result_place(number, turn, 0), result_type(value))});
    }
    return value;
  }

  // ---- the end of an iteration: nothing may go on behind it ----

  void end_iteration() {
    for (const AsyncEngine engine : {AsyncEngine::bulk, AsyncEngine::lane}) {
      if (has_groups(engine)) wait_for_groups(engine);
    }
    meet();
    if (!layout_.drains.empty()) {
      as_keeper([&] {
        b_.count(0u, layout_.depth, 1u, [&](Var turn) {
          for (const ResidentDrain& drain : layout_.drains) {
            in_workgroup(layout_.cells[drain.location].owner, [&] { write_drain(drain, turn); });
          }
        });
      });
      meet();
    }
    if (!layout_.counting_role) {
      as_keeper([&] { in_workgroup(0, [&] { b_.count(0u, layout_.depth, 1u, [&](Var turn) { collect(turn); }); }); });
      if (roles_.workgroups > 1) meet();
    }
    invalidate_mbarriers();
  }

  bool has_groups(AsyncEngine engine) const {
    for (const Thread& thread : h_.test.threads) {
      for (const Instruction& instruction : thread.instructions) {
        const auto* copy = std::get_if<AsyncCopy>(&instruction.operation);
        if (copy != nullptr && copy->engine == engine && !copy->targets.front().mbarrier) return true;
      }
    }
    return false;
  }

  void wait_for_groups(AsyncEngine engine) {
    b_.add(AsyncOf{AsyncControl{AsyncControl::Kind::commit, engine, 0}});
    b_.add(AsyncOf{AsyncControl{AsyncControl::Kind::wait, engine, 0}});
  }

  // Adds what is missing to end the phase in which the last byte is counted, and waits for its end. If the test's own
  // arrivals suffice, its phase may have ended before the bytes that are missing were expected. They then count in the
  // next phase, which the arrivals here end: both are waited for, since nothing tells which of the two it was.
  void write_drain(const ResidentDrain& drain, Var turn) {
    if (!drain.certain) return write_pause();
    on_mbarrier(drain.location, turn, [&](MbarrierStep step) {
      const Var late = b_.let(0u);
      auto wait = [&](std::uint32_t phase) {
        MbarrierStep attempt = step;
        attempt.order = Order::acquire;
        attempt.scope = roles_.workgroups > 1 ? Scope::cluster : Scope::workgroup;
        attempt.phase = phase;
        write_mbarrier_wait(b_, attempt, kDrainBound, late);
      };
      auto arrive = [&](std::uint32_t count) {
        MbarrierStep arrival = step;
        arrival.op = MbarrierStep::Op::arrive;
        arrival.count = count;
        if (count != 0) b_.add(AsyncOf{std::move(arrival)});
      };
      if (drain.missing != 0) {
        MbarrierStep expect = step;
        expect.op = MbarrierStep::Op::expect;
        expect.order = Order::relaxed;
        expect.bytes = static_cast<std::uint32_t>(drain.missing);
        b_.add(AsyncOf{std::move(expect)});
      }
      arrive(drain.count - drain.arrivals);
      wait(0);
      if (drain.missing != 0 && drain.arrivals == drain.count) {
        arrive(drain.count);
        wait(1);
      }
    });
  }

  void write_pause() {
    b_.count(0u, kPauseLoads, 1u, [&](Var) {
      const Var value = b_.var();
      b_.add(LoadFrom{value, relaxed_word(word_address(kControlBuffer, static_cast<std::uint32_t>(kZero)))});
      b_.if_(not_equal(value, 0u), [&] { counter_.count_unfinished(); });
    });
  }

  // True if the test itself leaves the mbarrier invalid.
  bool ends_invalid(std::uint32_t i) const {
    bool invalid = false;
    for (const Thread& thread : h_.test.threads) {
      for (const Instruction& instruction : thread.instructions) {
        const auto* step = std::get_if<Mbarrier>(&instruction.operation);
        if (step == nullptr || step->barrier.index != i) continue;
        if (step->op == MbarrierOp::inval) invalid = true;
        if (step->op == MbarrierOp::init) invalid = false;
      }
    }
    return invalid;
  }

  void invalidate_mbarriers() {
    const bool any =
        std::any_of(layout_.cells.begin(), layout_.cells.end(), [](const ResidentCell& cell) { return cell.mbarrier; });
    if (!any) return;
    as_keeper([&] {
      b_.count(0u, layout_.depth, 1u, [&](Var turn) {
        for (std::uint32_t i = 0; i < layout_.cells.size(); ++i) {
          if (!layout_.cells[i].mbarrier || ends_invalid(i)) continue;
          in_workgroup(layout_.cells[i].owner, [&] {
            on_mbarrier(i, turn, [&](MbarrierStep step) {
              step.op = MbarrierStep::Op::invalidate;
              b_.add(AsyncOf{std::move(step)});
            });
          });
        }
      });
    });
  }

  const Harness& h_;
  const ResidentLayout& layout_;
  const RolePlan& roles_;
  KernelBuilder& b_;
  OutcomeCounter counter_;
  Var local_, group_, iterations_, instances_, zero_, lane_, slot_, rank_, first_, noise_, iteration_;
  std::vector<RoleState> states_;
};

}  // namespace

Kernel build_resident_run(const Harness& harness) {
  KernelBuilder b("run");
  ResidentWriter(harness, b).run();
  return std::move(b).finish();
}

}  // namespace weakspot::codegen
