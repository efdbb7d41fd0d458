// SPDX-License-Identifier: MIT
// The kernels of a test with dependent launches: one per thread of the test, each a grid of its own that runs that
// thread for all instances of the round. Shared memory belongs to one grid: each thread has a unit of each location.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/harness/harness_parts.h"
#include "codegen/harness/role_code.h"
#include "litmus/instruction.h"

namespace weakspot::codegen {
namespace {

class GridWriter {
 public:
  GridWriter(const Harness& harness, KernelBuilder& builder, std::size_t role)
      : h_(harness), b_(builder), role_(role), thread_(harness.test.threads[role]) {}

  void run() {
    b_.kernel().workgroup_size = h_.roles.workgroup_size;
    b_.kernel().shared_bytes = grid_shared_bytes(h_);
    b_.kernel().shared_alignment = kGridUnit;
    const Var local = b_.let(builtin(Builtin::local_id));
    const Var instances = load_control(b_, kInstances);
    const Var factor = load_control(b_, kLocationFactor);
    const Var instance = b_.let(builtin(Builtin::workgroup_id) * Expr(h_.roles.workgroup_size) + Expr(local));
    RoleContext context;
    context.thread = role_;
    context.zero = load_control(b_, kZero);
    context.shared = h_.memory.shared;
    context.registers = make_registers(b_, thread_);
    context.unfinished = b_.let(0u);
    context.loop_bound = static_cast<std::uint32_t>(h_.environment.loop_bound);
    for (std::uint32_t i = 0; i < h_.test.locations.size(); ++i) {
      context.addresses.push_back(b_.let(h_.memory.shared[i] ? shared_address(i, local)
                                                             : location_address(h_, i, instance, instances, factor)));
    }
    context.asynchronous = [&](const litmus::Instruction& instruction) { write_step(context, instruction); };
    set_up_shared(context);
    const int gap = h_.environment.access_gap;
    const Var noise = b_.let((Expr(instance) / 32u) * 2654435761u);
    if (gap != 0) context.gap = [&] { write_noise(b_, noise, gap); };
    const std::string name = std::to_string(role_);
    b_.comment("role " + name);
    write_role(b_, h_.test, context, h_.regions[role_]);
    b_.comment("end of role " + name);
    finish_copies();
    store_results(context, instance);
    // Uses the number, so that no compiler drops the steps.
    b_.if_(equal(noise, context.zero), [&] {
      const Expr unused = word_address(kProgressBuffer, static_cast<std::uint32_t>(kNoise));
      b_.add(AtomicOn{litmus::RmwOp::add, std::nullopt, relaxed_word(unused), 1u, std::nullopt});
    });
    // A grid that has not waited could end before those that it depends on, and be counted too early.
    if (role_ != 0) b_.add(AsyncOf{litmus::AsyncControl{litmus::AsyncControl::Kind::wait_grids}});
  }

 private:
  Expr shared_address(std::uint32_t location, Var local) const {
    const std::uint32_t first = h_.memory.number[location] * h_.roles.workgroup_size;
    return mul_wide(Expr(local) + Expr(first), kGridUnit);
  }

  // The initial values of what this grid has in shared memory, for copies to read as well.
  void set_up_shared(const RoleContext& context) {
    bool any = false;
    for (const std::uint32_t i : used_locations(thread_)) {
      if (!h_.memory.shared[i]) continue;
      any = true;
      const litmus::Location& location = h_.test.locations[i];
      MemoryAccess access;
      access.address = context.addresses[i];
      access.shared = true;
      access.type = location.type;
      b_.add(StoreTo{access, value_for_instance(h_, location.initial, location.type, 0u, 0u, 0u, constant64(0))});
    }
    if (!any) return;
    litmus::Fence fence;
    fence.kind = litmus::FenceKind::proxy;
    fence.proxy = litmus::Proxy::async;
    b_.add(FenceOf{fence, std::nullopt});
  }

  void write_step(const RoleContext& context, const litmus::Instruction& instruction) {
    if (const auto* control = std::get_if<litmus::AsyncControl>(&instruction.operation)) {
      return b_.add(AsyncOf{*control});
    }
    const auto& copy = std::get<litmus::AsyncCopy>(instruction.operation);
    const std::uint32_t from = copy.from.location->index;
    const std::uint32_t to = copy.targets.front().to.location->index;
    CopyStep step;
    step.engine = copy.engine;
    step.type = copy.type;
    step.reduce = copy.reduce;
    step.from = {context.addresses[from], h_.memory.shared[from], false};
    step.to = {context.addresses[to], h_.memory.shared[to], false};
    // A bulk copy moves at least a unit; the bytes behind a location are padding.
    step.bytes = copy.engine == litmus::AsyncEngine::bulk
                     ? kGridUnit
                     : static_cast<std::uint32_t>(copy.elements * litmus::size_in_bytes(copy.type));
    b_.add(AsyncOf{std::move(step)});
  }

  // Shared memory ends with its workgroup, so nobody leaves before copies have read it. Bulk copies may still write.
  void finish_copies() {
    for (const litmus::AsyncEngine engine : {litmus::AsyncEngine::bulk, litmus::AsyncEngine::lane}) {
      const bool any = std::any_of(thread_.instructions.begin(), thread_.instructions.end(), [&](const auto& step) {
        const auto* copy = std::get_if<litmus::AsyncCopy>(&step.operation);
        return copy != nullptr && copy->engine == engine;
      });
      if (!any) continue;
      const bool bulk = engine == litmus::AsyncEngine::bulk;
      using Kind = litmus::AsyncControl::Kind;
      b_.add(AsyncOf{litmus::AsyncControl{Kind::commit, engine, 0}});
      b_.add(AsyncOf{litmus::AsyncControl{bulk ? Kind::wait_read : Kind::wait, engine, 0}});
    }
  }

  void store_results(const RoleContext& context, Var instance) {
    const Var stride = load_control(b_, kResultStride);
    for (const ResultItem& item : h_.results) {
      if (item.role != role_) continue;
      MemoryAccess access;
      access.type = item.width == Width::w64 ? litmus::Type::u64 : litmus::Type::u32;
      access.address = result_address(item, stride, instance);
      const bool flag = item.kind == ResultItem::Kind::unfinished;
      b_.add(StoreTo{access, flag ? context.unfinished : context.registers[item.reg]});
    }
  }

  const Harness& h_;
  KernelBuilder& b_;
  std::size_t role_;
  const litmus::Thread& thread_;
};

}  // namespace

std::uint32_t grid_shared_bytes(const Harness& harness) {
  return harness.memory.shared_count * harness.roles.workgroup_size * kGridUnit;
}

Kernel build_grid(const Harness& harness, std::size_t role) {
  KernelBuilder b(fmt::format("grid{}", role));
  GridWriter(harness, b, role).run();
  return std::move(b).finish();
}

}  // namespace weakspot::codegen
