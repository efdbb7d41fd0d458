// SPDX-License-Identifier: MIT
// Refuses resident tests that PTX cannot express or that the kernel does not provide for.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "codegen/harness/support_targets.h"
#include "litmus/visit.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

constexpr std::uint32_t kNeededArch = 90;
constexpr const char* kProducts = "the test has products of warpgroups (wgmma), which are judged only";
constexpr const char* kTensorMemory = "the test has tensor memory (tcgen05), which is judged only";

class ResidentChecker {
 public:
  ResidentChecker(const LitmusTest& test, const Refuse& refuse) : test_(test), refuse_(refuse) {}

  void run() {
    if (is_judged_only()) return;
    for (std::size_t t = 0; t < test_.threads.size(); ++t) {
      for (const Instruction& instruction : test_.threads[t].instructions) {
        if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) check(*copy);
        if (const auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation)) check(*mbarrier);
        if (const auto* control = std::get_if<AsyncControl>(&instruction.operation)) check(*control);
        if (const Access* access = access_of(instruction)) check(*access);
        for_each_operand(instruction, [&](const Operand& operand) {
          const auto* value = std::get_if<Value>(&operand);
          if (value != nullptr && value->base) refuse_("an address is a value, in a test with asynchronous operations");
        });
      }
    }
    for (const Location& location : test_.locations) {
      if (location.initial.base) refuse_("a location holds an address, in a test with asynchronous operations");
    }
    check_barriers();
    check_arrivals();
    check_lives();
  }

 private:
  // Refuses a test that devices never run; one reason is enough.
  bool is_judged_only() const {
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        if (is_tensor(instruction)) {
          refuse_(kTensorMemory);
          return true;
        }
        const auto* copy = std::get_if<AsyncCopy>(&instruction.operation);
        const bool product = copy != nullptr && copy->engine == AsyncEngine::wgmma;
        if (product || (copy != nullptr && copy->mapped)) {
          refuse_(product ? kProducts : "the test has a tensor map, which is judged only");
          return true;
        }
      }
    }
    return false;
  }

  bool shared(const Address& address) const { return test_[*address.location].space == Space::shared; }

  void check(const Access& access) {
    if (!access.address.location) refuse_("an address is in a register, in a test with asynchronous operations");
  }

  // A whole location, named.
  bool whole(const Address& address, std::int64_t bytes) {
    if (address.location && !address.index && address.offset == 0 &&
        extent_in_bytes(test_[*address.location]) == bytes) {
      return true;
    }
    refuse_("a copy moves part of a location");
    return false;
  }

  void check(const AsyncCopy& copy) {
    const std::int64_t bytes = copy.elements * size_in_bytes(copy.type);
    if (copy.engine != AsyncEngine::remote && !whole(copy.from, bytes)) return;
    for (const AsyncCopy::Target& target : copy.targets) {
      if (!whole(target.to, bytes)) return;
    }
    const AsyncCopy::Target& first = copy.targets.front();
    switch (copy.engine) {
      case AsyncEngine::lane:
        if (!shared(first.to) || shared(copy.from)) refuse_("cp.async copies from global to shared memory");
        if (bytes != 4 && bytes != 8 && bytes != 16) refuse_(fmt::format("cp.async does not copy {} bytes", bytes));
        return;
      case AsyncEngine::remote:
        if (!shared(first.to)) refuse_("st.async stores to shared memory");
        if (size_in_bytes(copy.type) < 4) refuse_("st.async stores 32 or 64 bits");
        return;
      case AsyncEngine::bulk:
      case AsyncEngine::wgmma:
      case AsyncEngine::tcld:
      case AsyncEngine::tcst:
      case AsyncEngine::tccp:
      case AsyncEngine::tcmma:
        break;
    }
    if (!shared(first.to) && !shared(copy.from)) refuse_("a bulk copy goes from global to global memory");
    if (shared(first.to) != first.mbarrier.has_value()) {
      refuse_("a bulk copy counts on an mbarrier if and only if it writes shared memory");
    }
    if (copy.reduce && shared(first.to) && !shared(copy.from)) {
      refuse_("a bulk reduction into shared memory reads global memory");
    }
    if (copy.targets.size() > 1 && shared(copy.from)) refuse_("a multicast reads shared memory");
  }

  void check(const Mbarrier& step) {
    const bool arrives = step.op == MbarrierOp::arrive || step.op == MbarrierOp::drop;
    if (arrives && step.target) refuse_("the test keeps the phase of an arrival");
    if (arrives && step.bytes != 0 && step.count != 1) {
      refuse_("an arrival counts more than once and expects bytes");
    }
    if (step.scope != Scope::workgroup && step.scope != Scope::cluster) {
      refuse_(fmt::format("an mbarrier has an operation of scope '{}'", to_string(step.scope)));
    }
  }

  void check(const AsyncControl& control) {
    const bool grids =
        control.kind == AsyncControl::Kind::launch_dependents || control.kind == AsyncControl::Kind::wait_grids;
    if (grids) refuse_("the test has dependent launches");
    if (!grids && control.engine == AsyncEngine::wgmma) refuse_(kProducts);
  }

  // An arrival that the phase does not expect, because all have arrived and only bytes are missing, ends the whole
  // program on hardware. A thread that arrives again needs a sign that the phase is over; what several threads do
  // before they wait for anything may all fall into the first phase.
  void check_arrivals() {
    std::map<std::uint32_t, std::int64_t> first;
    for (const Thread& thread : test_.threads) {
      std::map<std::uint32_t, std::int64_t> arrived;
      bool waited = false;
      for (const Instruction& instruction : thread.instructions) {
        const auto* step = std::get_if<Mbarrier>(&instruction.operation);
        waited = waited || std::holds_alternative<Barrier>(instruction.operation);
        if (step == nullptr) continue;
        if (step->op == MbarrierOp::wait) {
          arrived.clear();
          waited = true;
        }
        const bool arrives =
            step->op == MbarrierOp::arrive || step->op == MbarrierOp::drop || step->op == MbarrierOp::follow;
        if (!arrives || !counts_bytes(step->barrier)) continue;
        const std::int64_t count = step->op == MbarrierOp::follow ? 1 : step->count;
        std::int64_t& here = arrived[step->barrier.index];
        std::int64_t& all = first[step->barrier.index];
        here += count;
        if (!waited) all += count;
        if (std::max(here, all) > expected_arrivals(step->barrier)) {
          return refuse_(fmt::format("'{}' may get more arrivals than a phase expects, which PTX leaves undefined",
                                     test_[step->barrier].name));
        }
      }
    }
  }

  // An operation on an mbarrier that was invalidated may end the whole program: who invalidates has waited before, or
  // nobody else uses it.
  void check_lives() {
    for (std::size_t t = 0; t < test_.threads.size(); ++t) {
      std::set<std::uint32_t> waited;
      for (const Instruction& instruction : test_.threads[t].instructions) {
        const auto* step = std::get_if<Mbarrier>(&instruction.operation);
        if (step == nullptr) continue;
        if (step->op == MbarrierOp::wait) waited.insert(step->barrier.index);
        if (step->op == MbarrierOp::inval && !waited.contains(step->barrier.index) && is_shared(step->barrier, t)) {
          return refuse_(fmt::format("'{}' is invalidated while others may use it", test_[step->barrier].name));
        }
      }
    }
  }

  bool is_shared(LocationId barrier, std::size_t user) const {
    for (std::size_t t = 0; t < test_.threads.size(); ++t) {
      for (const Instruction& instruction : test_.threads[t].instructions) {
        bool used = false;
        for_each_location(instruction, [&](const LocationId& location) { used = used || location == barrier; });
        if (used && t != user) return true;
      }
    }
    return false;
  }

  // The most arrivals that a phase expects.
  std::int64_t expected_arrivals(LocationId mbarrier) const {
    std::int64_t most = test_[mbarrier].initial.number;
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        const auto* step = std::get_if<Mbarrier>(&instruction.operation);
        const bool init = step != nullptr && step->op == MbarrierOp::init && step->barrier == mbarrier;
        if (init) most = std::max<std::int64_t>(most, step->count);
      }
    }
    return most;
  }

  bool counts_bytes(LocationId mbarrier) const {
    for (const Thread& thread : test_.threads) {
      for (const Instruction& instruction : thread.instructions) {
        const auto* copy = std::get_if<AsyncCopy>(&instruction.operation);
        if (copy == nullptr) continue;
        for (const AsyncCopy::Target& target : copy->targets) {
          if (target.mbarrier == mbarrier) return true;
        }
      }
    }
    return false;
  }

  struct Stops {
    std::vector<Scope> met;                    // barriers of the workgroup and of subgroups
    std::vector<std::size_t> arrivals, waits;  // at the cluster's barrier: the number of `met` before each
  };

  // Whether a thread waits for an arrival of another of its workgroup, which comes after a barrier where that one waits
  // for the first.
  static bool cross(const Stops& waiting, const Stops& arriving) {
    for (std::size_t k = 0; k < waiting.waits.size() && k < arriving.arrivals.size(); ++k) {
      if (arriving.arrivals[k] > waiting.waits[k]) return true;
    }
    return false;
  }

  // All threads of the test reach the same barriers, or they could wait forever.
  void check_barriers() {
    std::map<std::uint32_t, std::vector<Stops>> of_workgroup;
    std::optional<std::size_t> of_cluster;
    bool any = false;
    const ScopeTree tree = test_.scope_tree();
    for (std::size_t t = 0; t < test_.threads.size(); ++t) {
      Stops stops;
      bool jumps = false;
      for (const Instruction& instruction : test_.threads[t].instructions) {
        jumps = jumps || instruction.guard || std::holds_alternative<Branch>(instruction.operation);
        const auto* barrier = std::get_if<Barrier>(&instruction.operation);
        if (barrier == nullptr) continue;
        any = true;
        if (jumps) return refuse_("a barrier follows a branch or has a guard");
        if (barrier->quorum || barrier->name) return refuse_("a barrier has a name or a quorum");
        if (barrier->scope == Scope::cluster) {
          if (barrier->kind != Barrier::Kind::wait) stops.arrivals.push_back(stops.met.size());
          if (barrier->kind != Barrier::Kind::arrive) stops.waits.push_back(stops.met.size());
          const std::size_t open = stops.arrivals.size() - stops.waits.size();
          if (open > 1) return refuse_("arrivals and waits at the cluster's barrier do not alternate");
          continue;
        }
        if (barrier->kind != Barrier::Kind::sync) return refuse_("a thread arrives at a barrier without waiting");
        if (barrier->scope != Scope::workgroup && barrier->scope != Scope::subgroup) {
          return refuse_(fmt::format("the test has a barrier of scope '{}'", to_string(barrier->scope)));
        }
        stops.met.push_back(barrier->scope);
      }
      if (of_cluster && *of_cluster != stops.arrivals.size()) {
        return refuse_("the threads do not arrive equally often at the cluster's barrier");
      }
      of_cluster = stops.arrivals.size();
      std::vector<Stops>& others = of_workgroup[tree.placements[t].workgroup];
      for (const Stops& other : others) {
        if (other.met != stops.met || cross(other, stops) || cross(stops, other)) {
          return refuse_("the threads of a workgroup do not reach the same barriers");
        }
      }
      others.push_back(std::move(stops));
    }
    const std::size_t size = of_workgroup.empty() ? 0 : of_workgroup.begin()->second.size();
    const bool even = std::all_of(of_workgroup.begin(), of_workgroup.end(),
                                  [&](const auto& entry) { return entry.second.size() == size; });
    if (any && !even) refuse_("the workgroups have different numbers of threads, and the test has barriers");
  }

  const LitmusTest& test_;
  const Refuse& refuse_;
};

bool refuse_old_device(const char* what, const TargetLimits& limits, const Refuse& refuse) {
  if (limits.ptx_arch >= kNeededArch) return false;
  refuse(fmt::format("{} need compute capability 9.0 (sm_90); the device has {}.{}", what, limits.ptx_arch / 10,
                     limits.ptx_arch % 10));
  return true;
}

// Copies of a grid go between its shared memory and global memory, move whole locations, and use no mbarriers.
void check_grid_copy(const LitmusTest& test, const AsyncCopy& copy, const Refuse& refuse) {
  auto whole = [&](const Address& address) {
    return address.location && !address.index && address.offset == 0 &&
           size_in_bytes(test[*address.location].type) == size_in_bytes(copy.type);
  };
  const AsyncCopy::Target& target = copy.targets.front();
  const bool simple = copy.engine != AsyncEngine::remote && copy.targets.size() == 1 && !target.mbarrier &&
                      copy.elements == 1 && whole(copy.from) && whole(target.to);
  if (!simple) return refuse("the test has dependent launches and copies of arrays, of parts or with mbarriers");
  const bool to_shared = test[*target.to.location].space == Space::shared;
  const bool from_shared = test[*copy.from.location].space == Space::shared;
  if (to_shared == from_shared || to_shared != (copy.engine == AsyncEngine::lane)) {
    refuse("cp.async copies from global to shared memory, and bulk copies without an mbarrier the other way");
  }
  if (size_in_bytes(copy.type) < 4) refuse("a copy moves fewer than 4 bytes");
}

}  // namespace

void refuse_for_resident(const LitmusTest& test, const TargetLimits& limits, const Refuse& refuse) {
  if (refuse_old_device("asynchronous operations", limits, refuse)) return;
  ResidentChecker(test, refuse).run();
}

void refuse_for_grids(const LitmusTest& test, const TargetLimits& limits, const Refuse& refuse) {
  if (refuse_old_device("dependent launches", limits, refuse)) return;
  const std::vector<std::pair<ThreadId, ThreadId>>& launches = test.scopes->launches;
  bool chain = launches.size() + 1 == test.threads.size();
  for (std::uint32_t i = 0; chain && i < launches.size(); ++i) {
    chain = launches[i].first.index == i && launches[i].second.index == i + 1;
  }
  if (!chain) refuse("the test has dependent launches that are not a chain of grids with one thread each");
  for (const Location& location : test.locations) {
    if (location.alias_of) refuse("the test has dependent launches and aliases");
    if (location.is_array()) refuse("the test has dependent launches and arrays");
  }
  std::map<std::uint32_t, std::size_t> grid_of;
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    for (const Instruction& instruction : test.threads[t].instructions) {
      if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) check_grid_copy(test, *copy, refuse);
      if (std::holds_alternative<Mbarrier>(instruction.operation)) {
        refuse("the test has dependent launches and mbarriers");
      }
      if (std::holds_alternative<Barrier>(instruction.operation))
        refuse("the test has dependent launches and barriers");
      for_each_location(instruction, [&](const LocationId& id) {
        if (test[id].space != Space::shared) return;
        if (grid_of.emplace(id.index, t).first->second == t) return;
        refuse(fmt::format("two grids use '{}', which is in shared memory", test[id].name));
      });
    }
  }
  for (const Observable& item : test.observed()) {
    const auto* id = std::get_if<LocationId>(&item);
    if (id == nullptr || test[*id].space != Space::shared) continue;
    refuse("the condition asks for shared memory, which ends with its grid");
  }
}

}  // namespace weakspot::codegen
