// SPDX-License-Identifier: MIT
// The graphs of the CUDA runtime: work that is recorded instead of done, to be done later any number of times. A graph
// is made node by node, or by capturing streams. What is captured is a chain, in the order in which it was requested.
#pragma once

#include <weakspot/graph_types.h>

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace weakspot::race_jit {

using GraphId = std::uint64_t;      // a graph, or one that was made ready to launch; never 0
using GraphNodeId = std::uint64_t;  // never 0

struct GraphNode {
  // Does its work in the stream it is given.
  using Work = std::function<cudaError_t(void* stream)>;

  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  Work work;
  std::vector<GraphNodeId> after;  // nodes of the same graph that come before this one
  GraphNodeId id = 0;              // copies of a graph keep it
};

class HostGraphs {
 public:
  using Work = GraphNode::Work;
  using Graph = std::vector<GraphNode>;
  // Shared with conditional nodes, whose bodies are filled after they were added.
  using SharedGraph = std::shared_ptr<Graph>;

  // Captures into a new graph, or behind nodes of one that exists.
  bool begin();
  bool begin(GraphId graph, std::span<const GraphNodeId> after);
  bool is_capturing() const { return capturing_ != 0; }
  GraphId captured() const { return capturing_; }
  // The node that captured work comes after; empty at the beginning of a graph.
  const std::vector<GraphNodeId>& captured_last() const { return last_; }
  void set_captured_last(std::span<const GraphNodeId> nodes) { last_.assign(nodes.begin(), nodes.end()); }
  void add(cudaGraphNodeType type, Work work);
  // Returns the captured graph; 0 if no capture was begun.
  GraphId end();

  GraphId create();
  // Returns a copy of the graph; 0 if there is no such graph.
  GraphId copy(GraphId graph);
  // The same in an order in which every node comes after those that it depends on; 0 also if there is none.
  GraphId ready(GraphId graph);
  bool remove(GraphId graph) { return graphs_.erase(graph) > 0; }
  SharedGraph find(GraphId graph) const;

  // Returns its name; 0 if there is no such graph, or it does not have one of the nodes that this one comes after.
  GraphNodeId add_node(GraphId graph, GraphNode node);
  bool add_dependency(GraphId graph, GraphNodeId before, GraphNodeId after);
  // The node in any graph.
  GraphNode* find_node(GraphNodeId node);
  // The node in this graph.
  GraphNode* find_node(GraphId graph, GraphNodeId node);

  // Memory that a node allocates has its place from when the node is made, and keeps it.
  void own(const void* memory, std::uint64_t size) { memory_[memory] = size; }
  bool owns(const void* memory) const { return memory_.contains(memory); }
  std::uint64_t owned_bytes() const;
  // The value that a condition has whenever its graph is launched; without it, it stays as it is.
  void set_default(const unsigned* condition, unsigned value) { defaults_[condition] = value; }
  std::optional<unsigned> default_of(const unsigned* condition) const;
  // A list of graphs that programs read for as long as they like.
  cudaGraph_t* keep(std::vector<cudaGraph_t> graphs);

 private:
  std::map<GraphId, SharedGraph> graphs_;
  GraphId next_ = 1;
  GraphNodeId next_node_ = 1;
  GraphId capturing_ = 0;  // the graph that is being captured
  std::vector<GraphNodeId> last_;
  std::map<const void*, std::uint64_t> memory_;  // its size
  std::map<const unsigned*, unsigned> defaults_;
  std::list<std::vector<cudaGraph_t>> kept_;
};

// The nodes in an order in which each comes after those that it depends on, else as they are; nothing if some depend on
// themselves.
std::optional<HostGraphs::Graph> in_order(const HostGraphs::Graph& graph);

// Gives `graph` the work of `from`, if both have the same nodes in the same order.
cudaGraphExecUpdateResult take_work(HostGraphs::Graph& graph, const HostGraphs::Graph& from);

}  // namespace weakspot::race_jit
