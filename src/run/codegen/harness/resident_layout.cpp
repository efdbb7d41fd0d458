// SPDX-License-Identifier: MIT
#include "codegen/harness/resident_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "codegen/harness/support.h"
#include "litmus/visit.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

constexpr std::uint32_t kRow = 32;       // instances
constexpr std::uint32_t kBulkUnit = 16;  // bytes
constexpr std::uint32_t kMbarrierBytes = 8;

std::uint32_t round_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

template <typename Visit>
void for_each_copy(const LitmusTest& test, Visit&& visit) {
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const Instruction& instruction : test.threads[t].instructions) {
      if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) visit(t, *copy);
    }
  }
}

bool has_bulk(const LitmusTest& test) {
  bool found = false;
  for_each_copy(test, [&](std::size_t, const AsyncCopy& copy) { found = found || copy.engine == AsyncEngine::bulk; });
  return found;
}

bool is_straight(const LitmusTest& test) {
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (instruction.guard || std::holds_alternative<Branch>(instruction.operation)) return false;
    }
  }
  return true;
}

std::vector<bool> mbarriers_of(const LitmusTest& test) {
  std::vector<bool> is(test.locations.size());
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (const auto* step = std::get_if<Mbarrier>(&instruction.operation)) is[step->barrier.index] = true;
    }
  }
  for_each_copy(test, [&](std::size_t, const AsyncCopy& copy) {
    for (const AsyncCopy::Target& target : copy.targets) {
      if (target.mbarrier) is[target.mbarrier->index] = true;
    }
  });
  return is;
}

// Chooses the workgroup of each shared location. What an instruction needs in its own workgroup decides; otherwise the
// last thread that uses it has it. That is right because all other instructions reach the whole cluster, at mapped
// addresses. A search over all choices would find little more: only mbarriers that nobody waits for are free to move.
class Owners {
 public:
  Owners(const LitmusTest& test, const RolePlan& roles)
      : test_(test), roles_(roles), fixed_(test.locations.size()), used_(test.locations.size(), 0) {}

  base::Result<std::vector<std::uint32_t>> run() {
    for (std::size_t t = 0; t < test_.threads.size(); ++t) look_at(t);
    // Data and its mbarrier are in one workgroup.
    for_each_copy(test_, [&](std::size_t, const AsyncCopy& copy) {
      for (const AsyncCopy::Target& target : copy.targets) {
        if (!target.mbarrier || !target.to.location) continue;
        const std::uint32_t home = fixed_[target.mbarrier->index].value_or(used_[target.mbarrier->index]);
        fix(*target.mbarrier, home);
        fix(*target.to.location, home);
      }
    });
    if (!problem_.empty()) return base::error(problem_);
    std::vector<std::uint32_t> owners;
    for (std::size_t i = 0; i < fixed_.size(); ++i) owners.push_back(fixed_[i].value_or(used_[i]));
    return owners;
  }

 private:
  void look_at(std::size_t t) {
    const std::uint32_t here = roles_.roles[t].workgroup;
    for (const Instruction& instruction : test_.threads[t].instructions) {
      for_each_location(instruction, [&](const LocationId& id) { used_[physical_location(test_, id).index] = here; });
      if (const auto* step = std::get_if<Mbarrier>(&instruction.operation)) {
        const bool local = step->op == MbarrierOp::init || step->op == MbarrierOp::follow ||
                           step->op == MbarrierOp::test || step->op == MbarrierOp::wait;
        if (local) fix(step->barrier, here);
      }
      if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) {
        if (copy->engine == AsyncEngine::bulk && copy->from.location) fix(*copy->from.location, here);
        if (copy->engine == AsyncEngine::lane && copy->targets.front().to.location) {
          fix(*copy->targets.front().to.location, here);
        }
      }
    }
  }

  void fix(LocationId id, std::uint32_t workgroup) {
    if (test_[id].space != Space::shared) return;
    std::optional<std::uint32_t>& fixed = fixed_[id.index];
    if (fixed && *fixed != workgroup) {
      problem_ = fmt::format("'{}' would have to be in the memory of two workgroups", test_[id].name);
    }
    fixed = workgroup;
  }

  const LitmusTest& test_;
  const RolePlan& roles_;
  std::vector<std::optional<std::uint32_t>> fixed_;
  std::vector<std::uint32_t> used_;
  std::string problem_;
};

// The least unit of each location: what bulk copies move has whole units of 16 bytes unless copies are joined.
std::vector<std::uint32_t> cell_sizes(const LitmusTest& test, bool joined) {
  std::vector<std::uint32_t> sizes;
  for (const Location& location : test.locations)
    sizes.push_back(static_cast<std::uint32_t>(extent_in_bytes(location)));
  if (joined) return sizes;
  for_each_copy(test, [&](std::size_t, const AsyncCopy& copy) {
    if (copy.engine != AsyncEngine::bulk) return;
    auto widen_cell = [&](const Address& address) {
      if (address.location) sizes[address.location->index] = round_up(sizes[address.location->index], kBulkUnit);
    };
    widen_cell(copy.from);
    for (const AsyncCopy::Target& target : copy.targets) widen_cell(target.to);
  });
  return sizes;
}

// The locations that a multicast writes have the same place in each workgroup; so have their mbarriers. The
// instruction has one address for each of the two, and every workgroup of its mask takes it as an offset into its own
// memory. Places of their own would need one copy per target, which is not what the test says.
std::map<std::uint32_t, std::uint32_t> places_of_multicasts(const LitmusTest& test) {
  std::map<std::uint32_t, std::uint32_t> same_as;
  auto join = [&](std::vector<std::uint32_t> members) {
    const std::uint32_t first = *std::min_element(members.begin(), members.end());
    for (const std::uint32_t member : members) {
      if (member != first) same_as[member] = first;
    }
  };
  for_each_copy(test, [&](std::size_t, const AsyncCopy& copy) {
    if (copy.targets.size() < 2) return;
    std::vector<std::uint32_t> data;
    std::vector<std::uint32_t> mbarriers;
    for (const AsyncCopy::Target& target : copy.targets) {
      data.push_back(target.to.location->index);
      mbarriers.push_back(target.mbarrier->index);
    }
    join(data);
    join(mbarriers);
  });
  return same_as;
}

// The work left on each mbarrier before its cell can be set up again, when copies may still be under way. A phase ends
// only when all arrivals and all bytes are there, so whoever supplies what is missing and waits for the end has waited
// for the copies. A pause would do for every test, but it is long and proves nothing: it is for uncertain ones.
std::vector<ResidentDrain> find_drains(const LitmusTest& test, const ResidentLayout& layout) {
  std::vector<ResidentDrain> drains;
  const bool straight = is_straight(test);
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    if (!layout.cells[i].mbarrier) continue;
    ResidentDrain drain;
    drain.location = i;
    drain.count = static_cast<std::uint32_t>(test.locations[i].initial.number);
    drain.certain = straight && drain.count != 0;
    bool counted_on = false;
    for_each_copy(test, [&](std::size_t, const AsyncCopy& copy) {
      for (const AsyncCopy::Target& target : copy.targets) {
        if (!target.mbarrier || target.mbarrier->index != i) continue;
        counted_on = true;
        drain.missing += copy.elements * size_in_bytes(copy.type);
      }
    });
    for (const Thread& thread : test.threads) {
      for (const Instruction& instruction : thread.instructions) {
        const auto* step = std::get_if<Mbarrier>(&instruction.operation);
        if (step == nullptr || step->barrier.index != i) continue;
        if (step->op == MbarrierOp::arrive) drain.arrivals += static_cast<std::uint32_t>(step->count);
        if (step->op == MbarrierOp::follow) ++drain.arrivals;
        if (step->op == MbarrierOp::arrive || step->op == MbarrierOp::expect) drain.missing -= step->bytes;
        if (step->op == MbarrierOp::complete) drain.missing += step->bytes;
        const bool lasts =
            step->op != MbarrierOp::init && step->op != MbarrierOp::inval && step->op != MbarrierOp::drop;
        if (!lasts) drain.certain = false;
      }
    }
    drain.missing *= layout.tx_factor;
    if (drain.arrivals > drain.count || drain.missing < 0) drain.certain = false;
    if (counted_on) drains.push_back(drain);
  }
  return drains;
}

bool may_give_up(const Thread& thread) {
  return std::any_of(thread.instructions.begin(), thread.instructions.end(), [](const Instruction& instruction) {
    const auto* step = std::get_if<Mbarrier>(&instruction.operation);
    return std::holds_alternative<Branch>(instruction.operation) || (step != nullptr && step->op == MbarrierOp::wait);
  });
}

// A role that has the whole outcome in its registers counts it at once, without the others. It must be the only one
// that can give up as well, since an instance that any role gave up has no outcome. Otherwise roles leave their results
// in shared memory; doing so always would cost room and a barrier where neither is needed.
std::optional<std::uint32_t> find_counting_role(const LitmusTest& test, const std::vector<bool>& waits) {
  std::optional<std::uint32_t> role;
  for (const Observable& item : test.observed()) {
    const auto* reg = std::get_if<ObservedRegister>(&item);
    if (reg == nullptr || (role && *role != reg->thread.index)) return std::nullopt;
    role = reg->thread.index;
  }
  for (std::uint32_t r = 0; r < waits.size(); ++r) {
    if (waits[r] && r != role) return std::nullopt;
  }
  return role;
}

// The number of bytes counted for each that the test says; nothing if copies disagree. A joined copy moves the words of
// a whole row, and a copy on its own moves a whole unit. The bytes that the test expects are multiplied by the same
// number; a factor per copy would not do, since one mbarrier may expect the bytes of several copies in one number.
std::optional<std::uint32_t> factor_of_bytes(const LitmusTest& test, bool joined) {
  if (joined) return kRow;
  std::optional<std::uint32_t> factor;
  bool agree = true;
  for_each_copy(test, [&](std::size_t, const AsyncCopy& copy) {
    if (copy.engine == AsyncEngine::lane || !copy.targets.front().mbarrier) return;
    const auto bytes = static_cast<std::uint32_t>(copy.elements * size_in_bytes(copy.type));
    const std::uint32_t moved = copy.engine == AsyncEngine::bulk ? round_up(bytes, kBulkUnit) : bytes;
    if (moved % bytes != 0 || (factor && *factor != moved / bytes)) agree = false;
    factor = moved / bytes;
  });
  if (!agree) return std::nullopt;
  return factor.value_or(1);
}

// True if a workgroup uses the memory of another one of its cluster.
bool crosses_workgroups(const LitmusTest& test) {
  const ScopeTree tree = test.scope_tree();
  std::map<std::uint32_t, Placement> user;
  bool crosses = false;
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const Instruction& instruction : test.threads[t].instructions) {
      for_each_location(instruction, [&](const LocationId& id) {
        if (test[id].space != Space::shared) return;
        const Placement& first = user.emplace(id.index, tree.placements[t]).first->second;
        crosses =
            crosses || (first.cluster == tree.placements[t].cluster && first.workgroup != tree.placements[t].workgroup);
      });
    }
  }
  return crosses;
}

}  // namespace

bool is_resident(const LitmusTest& test) {
  if (crosses_workgroups(test)) return true;
  // Other proxies need fresh memory: their caches are not emptied between iterations. The fence alone can be anywhere.
  const bool aliases = std::any_of(test.locations.begin(), test.locations.end(),
                                   [](const Location& location) { return location.alias_of.has_value(); });
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      if (is_asynchronous(instruction)) return true;
      const auto* fence = std::get_if<Fence>(&instruction.operation);
      if (fence != nullptr && (fence->kind == FenceKind::mbarrier_init || fence->kind == FenceKind::wgmma)) return true;
      if (fence != nullptr && (fence->proxy > Proxy::async || (fence->proxy == Proxy::async && !aliases))) return true;
      const auto* barrier = std::get_if<Barrier>(&instruction.operation);
      if (barrier != nullptr && barrier->scope == Scope::cluster) return true;
    }
  }
  return false;
}

base::Result<std::vector<std::uint32_t>> resident_owners(const LitmusTest& test, const RolePlan& roles) {
  return Owners(test, roles).run();
}

base::Result<ResidentLayout> lay_out_resident(const LitmusTest& test, const TestEnvironment& environment,
                                              const RolePlan& roles, const OutcomeEncoding& encoding,
                                              std::uint32_t max_shared_bytes) {
  auto refuse = [&](const std::string& why) { return cannot_run(test, why); };
  if (!encoding.has_table()) return refuse("the test has too many outcomes to count where it runs");
  const base::Result<std::vector<std::uint32_t>> owners = resident_owners(test, roles);
  if (!owners) return refuse(owners.errors().front().message);
  ResidentLayout layout;
  layout.slots = roles.instances_per_workgroup;
  layout.joined = has_bulk(test) && environment.memory_stride < 4 && is_straight(test);
  const std::optional<std::uint32_t> factor = factor_of_bytes(test, layout.joined);
  if (!factor) return refuse("its copies differ in size, which needs copies that are joined: use a smaller stride");
  layout.tx_factor = *factor;
  for (const Thread& thread : test.threads) layout.waits.push_back(may_give_up(thread));
  layout.counting_role = find_counting_role(test, layout.waits);
  if (!layout.counting_role) {
    layout.result_items = static_cast<std::uint32_t>(test.observed().size());
    layout.result_items += static_cast<std::uint32_t>(std::count(layout.waits.begin(), layout.waits.end(), true));
  }

  const std::vector<bool> mbarriers = mbarriers_of(test);
  const std::vector<std::uint32_t> sizes = cell_sizes(test, layout.joined);
  const std::map<std::uint32_t, std::uint32_t> same_as = places_of_multicasts(test);
  std::uint32_t per_slot = layout.result_items * 8;  // shared bytes, with depth 1
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    const Location& location = test.locations[i];
    ResidentCell& cell = layout.cells.emplace_back();
    cell.shared = location.space == Space::shared;
    cell.mbarrier = mbarriers[i];
    cell.owner = (*owners)[i];
    cell.bytes = cell.mbarrier ? kMbarrierBytes : sizes[i];
    // A joined mbarrier takes 8 bytes per row, a quarter of a byte per slot: rounded up.
    if (location.element == 0 && cell.shared) per_slot += cell.mbarrier && layout.joined ? 1 : cell.bytes;
  }
  layout.drains = find_drains(test, layout);

  // The depth that fits, with 1024 bytes set aside for cells that begin at multiples of 128. Where that is too little,
  // the check of the real size refuses the test. Trying smaller depths instead would only help tests with more than
  // eight shared locations.
  const auto table = static_cast<std::uint32_t>(encoding.size() * 4 * std::max(1u, roles.workgroup_size / 32));
  const std::uint32_t room = max_shared_bytes - std::min(max_shared_bytes, table + 1024);
  layout.depth = std::clamp(room / std::max(1u, per_slot * layout.slots), 1u,
                            static_cast<std::uint32_t>(environment.barrier_spacing));

  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    ResidentCell& cell = layout.cells[i];
    const Location& location = test.locations[i];
    if (location.element != 0) {
      const ResidentCell& first = layout.cells[i - location.element];
      cell.at = first.at;
      cell.bytes = first.bytes;
      cell.owner = first.owner;
      cell.inner = location.element * static_cast<std::uint32_t>(size_in_bytes(location.type));
    } else if (!cell.shared) {
      cell.at = layout.global_bytes;
      layout.global_bytes += cell.bytes;
    } else if (const auto same = same_as.find(i); same != same_as.end()) {
      cell.at = layout.cells[same->second].at;
    } else {
      cell.at = next;
      next = round_up(next + cell.bytes * layout.cells_of(i) * layout.depth, 128);
    }
  }
  layout.results_at = next;
  next += layout.result_items * 8 * layout.slots * layout.depth;
  layout.table_at = next;
  layout.shared_bytes = next + table;
  if (layout.shared_bytes > max_shared_bytes) {
    return refuse(fmt::format("the test needs {} bytes of shared memory per workgroup", layout.shared_bytes));
  }
  return layout;
}

}  // namespace weakspot::codegen
