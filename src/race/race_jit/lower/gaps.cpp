// SPDX-License-Identifier: MIT
#include "race_jit/lower/gaps.h"

#include <algorithm>

namespace weakspot::race_jit {
namespace {

constexpr std::size_t kMostInstructions = 40'000;  // of a function
constexpr std::size_t kMostPairs = 256;            // pairs of sites; more would take long
constexpr std::size_t kMostSpots = 64;             // tried for a pair, the nearest first

// The origins that lead to a node without a barrier between: barriers, the beginning, or the trial. Trials have odd
// numbers.
using Origins = std::set<std::uint64_t>;
// The nodes behind which a barrier is tried.
using Barred = std::set<NodeId>;

Origins origins(const Flow& flow, NodeId node, BarrierOf reach, const Barred& trial, std::vector<NodeId>* passed) {
  Origins found;
  std::vector<bool> seen(flow.nodes.size());
  std::vector<NodeId> to_visit{node};
  for (std::size_t i = 0; i < to_visit.size(); ++i) {
    if (to_visit[i] == 0) found.insert(0);
    for (const NodeId before : flow.before(to_visit[i])) {
      const FlowNode& there = flow.nodes[before];
      if (trial.contains(before)) {
        found.insert(2 * std::uint64_t{before} + 1);
      } else if (there.op == FlowOp::barrier && there.reach >= reach) {
        found.insert(2 * std::uint64_t{before});
      } else if (!seen[before]) {
        seen[before] = true;
        to_visit.push_back(before);
      }
    }
  }
  if (passed != nullptr) passed->insert(passed->end(), to_visit.begin(), to_visit.end());
  return found;
}

bool have_common(const Origins& one, const Origins& other) {
  return std::any_of(one.begin(), one.end(), [&](std::uint64_t origin) { return other.contains(origin); });
}

struct Ways {
  const Flow& flow;
  NodeId first, second;
  BarrierOf reach;
};

// Whether the node comes from the trial or leads there. Otherwise its thread could stay away.
bool passes(const Ways& ways, NodeId node, const Origins& from, const Barred& trial) {
  if (std::any_of(from.begin(), from.end(), [](std::uint64_t origin) { return origin % 2 == 1; })) return true;
  std::vector<NodeId> leading;
  for (const NodeId behind : trial) {
    leading.push_back(behind);
    origins(ways.flow, behind, ways.reach, {}, &leading);
  }
  return std::find(leading.begin(), leading.end(), node) != leading.end();
}

bool keeps_apart(const Ways& ways, const Barred& trial) {
  const Origins one = origins(ways.flow, ways.first, ways.reach, trial, nullptr);
  const Origins other = origins(ways.flow, ways.second, ways.reach, trial, nullptr);
  return !have_common(one, other) && passes(ways, ways.first, one, trial) && passes(ways, ways.second, other, trial);
}

// Whether the trial is between one round of a loop around both and the next.
bool keeps_rounds_apart(const Ways& ways, const Barred& trial) {
  auto is_cut = [&](NodeId node) {
    std::vector<NodeId> all, without;
    const Origins from = origins(ways.flow, node, ways.reach, trial, &without);
    origins(ways.flow, node, ways.reach, {}, &all);
    auto comes_back = [&](const std::vector<NodeId>& nodes) {
      return std::find(nodes.begin() + 1, nodes.end(), node) != nodes.end();
    };
    return comes_back(all) && !comes_back(without) && passes(ways, node, from, trial);
  };
  return is_cut(ways.first) && is_cut(ways.second);
}

// The places of a site, the outermost caller first.
std::vector<race::Place> frames(const race::Site& site) {
  std::vector<race::Place> all(site.called_from.rbegin(), site.called_from.rend());
  all.push_back(site.place);
  return all;
}

// The lines of two accesses in the function that they have in common: their own, or those of two calls.
std::pair<race::Place, race::Place> common_lines(const race::Site& a, const race::Site& b) {
  const std::vector<race::Place> one = frames(a), other = frames(b);
  std::size_t level = 0;
  while (level + 1 < one.size() && level + 1 < other.size() && one[level] == other[level]) ++level;
  const auto [first, last] = std::minmax(one[level], other[level]);
  return {first, last};
}

// The gap that a person would choose: between the two lines, close to the later one; else behind both, else before.
// Between rounds it is the end of the loop.
race::Gap best_of(const std::vector<race::Gap>& gaps, const std::pair<race::Place, race::Place>& lines,
                  bool between_rounds = false) {
  const auto& [first, last] = lines;
  auto rank = [&](const race::Gap& gap) {
    const long line = gap.line, begin = first.line, end = last.line;
    if (gap.file != last.file) return std::pair(5L, 0L);
    if (between_rounds && gap.after && line >= end) return std::pair(-1L, line - end);
    if (!gap.after && line > begin && line <= end) return std::pair(0L, end - line);
    if (gap.after && line >= begin && line < end) return std::pair(1L, end - line);
    if (gap.after && line >= end) return std::pair(2L, line - end);
    if (!gap.after && line <= begin) return std::pair(3L, begin - line);
    return std::pair(4L, 0L);
  };
  return *std::min_element(gaps.begin(), gaps.end(),
                           [&](const race::Gap& a, const race::Gap& b) { return rank(a) < rank(b); });
}

// The spots behind one of the nodes, in the order of the nodes.
std::vector<const FlowSpot*> spots_at(const Flow& flow, const std::vector<NodeId>& nodes) {
  std::vector<const FlowSpot*> found;
  for (const NodeId node : nodes) {
    for (const FlowSpot& spot : flow.spots) {
      if (spot.behind.contains(node) && std::find(found.begin(), found.end(), &spot) == found.end()) {
        found.push_back(&spot);
      }
    }
    if (found.size() >= kMostSpots) break;
  }
  return found;
}

}  // namespace

void Gaps::read(llvm::Module& module, const std::vector<std::string>& own_folders) {
  FlowReader reader(module, own_folders);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || function.getInstructionCount() > kMostInstructions) continue;
    std::unordered_map<const llvm::Instruction*, NodeId> instructions;
    Flow flow = reader.read(function, instructions);
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

BarrierGaps Gaps::between(race::SiteId a, race::SiteId b, BarrierOf reach, const std::vector<race::Site>& sites) const {
  const Position first = position(a), second = position(b);
  if (first.flow == kNowhere || first.flow != second.flow) return {};
  const std::tuple key(std::min(a, b), std::max(a, b), reach);
  if (known_.size() >= kMostPairs && !known_.contains(key)) return {};
  auto [known, fresh] = known_.try_emplace(key);
  if (!fresh) return known->second;
  const Flow& flow = flows_[first.flow];
  const Ways ways{flow, first.node, second.node, reach};
  std::vector<NodeId> passed;
  const Origins one = origins(flow, first.node, reach, {}, &passed);
  const Origins other = origins(flow, second.node, reach, {}, &passed);
  if (!have_common(one, other)) return {};  // they met, so something is not understood
  BarrierGaps gaps;
  gaps.lines = common_lines(sites[a], sites[b]);
  const FlowNode &one_node = flow.nodes[first.node], &other_node = flow.nodes[second.node];
  gaps.same_address = one_node.address != 0 && one_node.address == other_node.address;
  std::vector<race::Gap> between_rounds;
  for (const FlowSpot* spot : spots_at(flow, passed)) {
    if (reach == BarrierOf::warp ? !spot->all_lanes : !spot->all_threads) continue;
    if (keeps_apart(ways, spot->behind)) {
      gaps.all.push_back(spot->gap);
    } else if (keeps_rounds_apart(ways, spot->behind)) {
      between_rounds.push_back(spot->gap);
    }
  }
  std::sort(gaps.all.begin(), gaps.all.end());
  if (!gaps.all.empty()) gaps.best = best_of(gaps.all, *gaps.lines);
  if (!between_rounds.empty()) gaps.between_rounds = best_of(between_rounds, *gaps.lines, true);
  return known->second = std::move(gaps);
}

}  // namespace weakspot::race_jit
