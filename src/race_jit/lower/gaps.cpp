// SPDX-License-Identifier: MIT
#include "race_jit/lower/gaps.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <optional>

namespace weakspot::race_jit {
namespace {

constexpr std::size_t kMostNodes = 20'000;  // of a function
constexpr std::size_t kMostPairs = 256;     // of sites; more of them would take long
constexpr std::size_t kMostLines = 32;      // that are tried before each of two accesses

// The reach of the barrier that the instruction calls, if all threads meet there.
std::optional<BarrierOf> barrier_reach(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* hook = call == nullptr ? nullptr : call->getCalledFunction();
  if (hook == nullptr) return std::nullopt;
  const llvm::StringRef name = hook->getName();
  if (name == "weakspot_barrier" || name == "weakspot_barrier_reduce") return BarrierOf::block;
  if (name == "weakspot_cluster_barrier") return BarrierOf::cluster;
  if (name == "weakspot_grid_barrier") return BarrierOf::grid;
  if (name != "weakspot_syncwarp") return std::nullopt;
  const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
  return mask != nullptr && mask->isMinusOne() ? std::optional(BarrierOf::warp) : std::nullopt;
}

bool have_common(const std::set<std::uint64_t>& one, const std::set<std::uint64_t>& other) {
  return std::any_of(one.begin(), one.end(), [&](std::uint64_t origin) { return other.contains(origin); });
}

}  // namespace

Gaps::Flow Gaps::flow_of(const llvm::Function& function,
                         std::unordered_map<const llvm::Instruction*, NodeId>& instructions) {
  Flow flow;
  std::unordered_map<const llvm::BasicBlock*, std::uint32_t> numbers;
  std::vector<NodeId> last;
  for (const llvm::BasicBlock& block : function) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    numbers.emplace(&block, number);
    flow.nodes.push_back({.begins = number});
    for (const llvm::Instruction& instruction : block) {
      if (!instruction.mayReadOrWriteMemory()) continue;
      instructions.emplace(&instruction, static_cast<NodeId>(flow.nodes.size()));
      const std::optional<BarrierOf> reach = barrier_reach(instruction);
      flow.nodes.push_back({.is_barrier = reach.has_value(), .reach = reach.value_or(BarrierOf::warp)});
    }
    last.push_back(static_cast<NodeId>(flow.nodes.size() - 1));
  }
  flow.leading_to.resize(numbers.size());
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      flow.leading_to[numbers[next]].push_back(last[numbers[&block]]);
    }
  }
  return flow;
}

void Gaps::read(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    std::unordered_map<const llvm::Instruction*, NodeId> instructions;
    Flow flow = flow_of(function, instructions);
    if (flow.nodes.size() > kMostNodes) continue;
    for (const auto& [instruction, node] : instructions) {
      instructions_[instruction] = {static_cast<std::uint32_t>(flows_.size()), node};
    }
    flows_.push_back(std::move(flow));
  }
}

void Gaps::place(race::SiteId site, const llvm::Instruction& instruction) {
  auto found = instructions_.find(&instruction);
  if (found == instructions_.end()) return;
  if (positions_.size() <= site) positions_.resize(site + std::size_t{1});
  positions_[site] = found->second;
  flows_[found->second.flow].nodes[found->second.node].site = site;
}

Gaps::Origins Gaps::origins(const Flow& flow, NodeId node, BarrierOf reach, const Trial& trial,
                            std::vector<NodeId>* passed) {
  Origins found;
  std::vector<bool> seen(flow.nodes.size());
  std::vector<NodeId> to_visit{node};
  auto step_to = [&](NodeId before) {
    const Node& there = flow.nodes[before];
    if (trial.after && trial.at.contains(before)) {
      found.insert(2 * std::uint64_t{before} + 1);
    } else if (there.is_barrier && there.reach >= reach) {
      found.insert(2 * std::uint64_t{before});
    } else if (!seen[before]) {
      seen[before] = true;
      to_visit.push_back(before);
    }
  };
  for (std::size_t i = 0; i < to_visit.size(); ++i) {
    const NodeId at = to_visit[i];
    if (passed != nullptr) passed->push_back(at);
    if (!trial.after && trial.at.contains(at)) {
      found.insert(2 * std::uint64_t{at} + 1);
    } else if (flow.nodes[at].begins == kInside) {
      step_to(at - 1);
    } else if (at == 0) {
      found.insert(0);
    } else {
      for (const NodeId before : flow.leading_to[flow.nodes[at].begins]) step_to(before);
    }
  }
  return found;
}

// One for each copy of the line, where functions were inlined; none if the line is more than one stretch of code.
std::vector<Gaps::Run> Gaps::runs_of(const Flow& flow, const Line& line, const std::vector<race::Site>& sites) {
  std::map<std::vector<race::Place>, Run> runs;  // by where it was inlined
  for (NodeId i = 0; i < flow.nodes.size(); ++i) {
    const race::Site& site = sites[flow.nodes[i].site];
    if (flow.nodes[i].site == 0 || Line(site.place.file, site.place.line) != line) continue;
    auto [found, fresh] = runs.try_emplace(site.called_from, Run{i, i});
    for (NodeId k = found->second.last + 1; !fresh && k <= i; ++k) {
      const Node& between = flow.nodes[k];
      const race::Site& other = sites[between.site];
      const bool another = between.site != 0 && Line(other.place.file, other.place.line) != line;
      if (another || between.is_barrier || between.begins != kInside) return {};
    }
    found->second.last = i;
  }
  std::vector<Run> all;
  for (const auto& [where, run] : runs) all.push_back(run);
  return all;
}

// Whether the trial is between the two: nothing leads to both any more, and the one that does not come from there leads
// there. Otherwise its thread could stay away.
bool Gaps::keeps_apart(const Ways& ways, const Trial& trial) {
  const Origins one = origins(ways.flow, ways.first, ways.reach, trial, nullptr);
  const Origins other = origins(ways.flow, ways.second, ways.reach, trial, nullptr);
  if (have_common(one, other)) return false;
  std::vector<NodeId> leading;
  for (const NodeId node : trial.at) origins(ways.flow, node, ways.reach, {}, &leading);
  auto passes = [&](const Origins& from, NodeId node) {
    return std::any_of(from.begin(), from.end(), [](std::uint64_t origin) { return origin % 2 == 1; }) ||
           std::find(leading.begin(), leading.end(), node) != leading.end();
  };
  return passes(one, ways.first) && passes(other, ways.second);
}

std::vector<race::Gap> Gaps::between(race::SiteId a, race::SiteId b, BarrierOf reach,
                                     const std::vector<race::Site>& sites) const {
  if (a >= positions_.size() || b >= positions_.size()) return {};
  const Position first = positions_[a], second = positions_[b];
  if (first.flow == kInside || first.flow != second.flow || first.node == second.node) return {};
  const std::tuple key(std::min(a, b), std::max(a, b), reach);
  if (known_.size() >= kMostPairs && !known_.contains(key)) return {};
  auto [known, fresh] = known_.try_emplace(key);
  if (!fresh) return known->second;
  const Flow& flow = flows_[first.flow];
  const Ways ways{flow, first.node, second.node, reach};
  std::vector<NodeId> before_first, before_second;
  const Origins one = origins(flow, first.node, reach, {}, &before_first);
  const Origins other = origins(flow, second.node, reach, {}, &before_second);
  if (!have_common(one, other)) return {};  // they met, so something is not understood
  std::set<Line> lines;
  for (const std::vector<NodeId>* passed : {&before_first, &before_second}) {
    std::size_t left = kMostLines;
    for (const NodeId node : *passed) {
      const race::Site& site = sites[flow.nodes[node].site];
      if (flow.nodes[node].site == 0 || site.place.line == 0 || left == 0) continue;
      if (lines.emplace(site.place.file, site.place.line).second) --left;
    }
  }
  for (const Line& line : lines) {
    const std::vector<Run> runs = runs_of(flow, line, sites);
    for (const bool after : {false, true}) {
      Trial trial{{}, after};
      for (const Run& run : runs) trial.at.insert(after ? run.last : run.first);
      if (!runs.empty() && keeps_apart(ways, trial)) known->second.push_back({line.first, line.second, after});
    }
  }
  return known->second;
}

}  // namespace weakspot::race_jit
