// SPDX-License-Identifier: MIT
#include "race_jit/host/host_graphs.h"

#include <algorithm>
#include <set>
#include <utility>

namespace weakspot::race_jit {

namespace {

GraphNode* node_of(HostGraphs::Graph& graph, GraphNodeId id) {
  auto found = std::ranges::find(graph, id, &GraphNode::id);
  return found == graph.end() ? nullptr : &*found;
}

}  // namespace

bool HostGraphs::begin() {
  if (is_capturing()) return false;
  capturing_ = create();
  last_.clear();
  return true;
}

bool HostGraphs::begin(GraphId graph, std::span<const GraphNodeId> after) {
  if (is_capturing() || !graphs_.contains(graph)) return false;
  capturing_ = graph;
  set_captured_last(after);
  return true;
}

void HostGraphs::add(cudaGraphNodeType type, Work work) {
  const GraphNodeId node = add_node(capturing_, {.type = type, .work = std::move(work), .after = last_});
  last_ = {node};
}

GraphId HostGraphs::end() { return std::exchange(capturing_, 0); }

GraphId HostGraphs::create() {
  graphs_[next_] = std::make_shared<Graph>();
  return next_++;
}

GraphId HostGraphs::copy(GraphId graph) {
  const SharedGraph found = find(graph);
  if (found == nullptr) return 0;
  graphs_[next_] = std::make_shared<Graph>(*found);
  return next_++;
}

GraphId HostGraphs::ready(GraphId graph) {
  const SharedGraph found = find(graph);
  std::optional<Graph> ordered = found == nullptr ? std::nullopt : in_order(*found);
  if (!ordered) return 0;
  graphs_[next_] = std::make_shared<Graph>(*std::move(ordered));
  return next_++;
}

HostGraphs::SharedGraph HostGraphs::find(GraphId graph) const {
  auto found = graphs_.find(graph);
  return found == graphs_.end() ? nullptr : found->second;
}

GraphNodeId HostGraphs::add_node(GraphId graph, GraphNode node) {
  const SharedGraph found = find(graph);
  if (found == nullptr) return 0;
  for (const GraphNodeId before : node.after) {
    if (node_of(*found, before) == nullptr) return 0;
  }
  node.id = next_node_;
  found->push_back(std::move(node));
  return next_node_++;
}

bool HostGraphs::add_dependency(GraphId graph, GraphNodeId before, GraphNodeId after) {
  GraphNode* node = find_node(graph, after);
  if (node == nullptr || find_node(graph, before) == nullptr) return false;
  node->after.push_back(before);
  return true;
}

GraphNode* HostGraphs::find_node(GraphNodeId node) {
  for (const auto& [id, graph] : graphs_) {
    if (GraphNode* found = node_of(*graph, node)) return found;
  }
  return nullptr;
}

GraphNode* HostGraphs::find_node(GraphId graph, GraphNodeId node) {
  const SharedGraph found = find(graph);
  return found == nullptr ? nullptr : node_of(*found, node);
}

std::uint64_t HostGraphs::owned_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [memory, size] : memory_) sum += size;
  return sum;
}

std::optional<unsigned> HostGraphs::default_of(const unsigned* condition) const {
  auto found = defaults_.find(condition);
  return found == defaults_.end() ? std::nullopt : std::optional(found->second);
}

cudaGraph_t* HostGraphs::keep(std::vector<cudaGraph_t> graphs) { return kept_.emplace_back(std::move(graphs)).data(); }

std::optional<HostGraphs::Graph> in_order(const HostGraphs::Graph& graph) {
  HostGraphs::Graph ordered;
  std::set<GraphNodeId> done;
  while (ordered.size() < graph.size()) {
    const std::size_t before = ordered.size();
    for (const GraphNode& node : graph) {
      if (done.contains(node.id) ||
          !std::ranges::all_of(node.after, [&](GraphNodeId id) { return done.contains(id); })) {
        continue;
      }
      done.insert(node.id);
      ordered.push_back(node);
    }
    if (ordered.size() == before) return std::nullopt;
  }
  return ordered;
}

cudaGraphExecUpdateResult take_work(HostGraphs::Graph& graph, const HostGraphs::Graph& from) {
  const std::optional<HostGraphs::Graph> ordered = in_order(from);
  if (!ordered || ordered->size() != graph.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  auto place = [](const HostGraphs::Graph& in, GraphNodeId id) {
    return std::ranges::find(in, id, &GraphNode::id) - in.begin();
  };
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph[i].type != (*ordered)[i].type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    const std::vector<GraphNodeId>&mine = graph[i].after, &theirs = (*ordered)[i].after;
    const bool same = std::ranges::equal(
        mine, theirs, [&](GraphNodeId a, GraphNodeId b) { return place(graph, a) == place(*ordered, b); });
    if (!same) return cudaGraphExecUpdateErrorTopologyChanged;
  }
  for (std::size_t i = 0; i < graph.size(); ++i) graph[i].work = (*ordered)[i].work;
  return cudaGraphExecUpdateSuccess;
}

}  // namespace weakspot::race_jit
