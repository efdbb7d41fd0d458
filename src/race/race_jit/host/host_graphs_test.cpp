// SPDX-License-Identifier: MIT
#include "race_jit/host/host_graphs.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
namespace {

cudaError_t nothing(void*) { return cudaSuccess; }

GraphNode empty_after(std::vector<GraphNodeId> after) {
  return {.type = cudaGraphNodeTypeEmpty, .work = nothing, .after = std::move(after)};
}

std::vector<GraphNodeId> names(const HostGraphs::Graph& graph) {
  std::vector<GraphNodeId> ids;
  for (const GraphNode& node : graph) ids.push_back(node.id);
  return ids;
}

TEST(HostGraphs, KeepsWhatWasCapturedInItsOrder) {
  HostGraphs graphs;
  std::vector<int> done;
  EXPECT_EQ(graphs.end(), 0u);
  ASSERT_TRUE(graphs.begin());
  EXPECT_FALSE(graphs.begin());
  for (int i = 0; i < 3; ++i) {
    graphs.add(cudaGraphNodeTypeHost, [&done, i](void*) {
      done.push_back(i);
      return cudaSuccess;
    });
  }
  const GraphId graph = graphs.end();
  ASSERT_NE(graph, 0u);
  EXPECT_FALSE(graphs.is_capturing());
  const GraphId ready = graphs.ready(graph);
  EXPECT_TRUE(graphs.remove(graph));
  EXPECT_FALSE(graphs.remove(graph));
  ASSERT_NE(graphs.find(ready), nullptr);
  for (const GraphNode& node : *graphs.find(ready)) EXPECT_EQ(node.work(nullptr), cudaSuccess);
  EXPECT_EQ(done, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(graphs.copy(graph), 0u);
}

TEST(HostGraphs, CapturesBehindNodesThatItIsGiven) {
  HostGraphs graphs;
  const GraphId graph = graphs.create();
  const GraphNodeId first = graphs.add_node(graph, empty_after({}));
  EXPECT_FALSE(graphs.begin(graph + 1, {}));
  ASSERT_TRUE(graphs.begin(graph, std::vector{first}));
  graphs.add(cudaGraphNodeTypeKernel, nothing);
  graphs.add(cudaGraphNodeTypeKernel, nothing);
  EXPECT_EQ(graphs.end(), graph);
  const HostGraphs::Graph& nodes = *graphs.find(graph);
  ASSERT_EQ(nodes.size(), 3u);
  EXPECT_EQ(nodes[1].after, std::vector{first});
  EXPECT_EQ(nodes[2].after, std::vector{nodes[1].id});
}

TEST(HostGraphs, OrdersNodesByTheirDependencies) {
  HostGraphs graphs;
  const GraphId graph = graphs.create();
  const GraphNodeId last = graphs.add_node(graph, empty_after({}));
  const GraphNodeId first = graphs.add_node(graph, empty_after({}));
  const GraphNodeId middle = graphs.add_node(graph, empty_after({first}));
  EXPECT_TRUE(graphs.add_dependency(graph, middle, last));
  EXPECT_FALSE(graphs.add_dependency(graph, middle, 99));
  EXPECT_EQ(graphs.add_node(graph, empty_after({99})), 0u);
  EXPECT_EQ(graphs.add_node(99, empty_after({})), 0u);
  const GraphId ready = graphs.ready(graph);
  ASSERT_NE(ready, 0u);
  EXPECT_EQ(names(*graphs.find(ready)), (std::vector{first, middle, last}));

  EXPECT_TRUE(graphs.add_dependency(graph, last, first));
  EXPECT_EQ(graphs.ready(graph), 0u);
}

TEST(HostGraphs, FindsNodesInAGraphOrInAny) {
  HostGraphs graphs;
  const GraphId graph = graphs.create();
  const GraphNodeId node = graphs.add_node(graph, empty_after({}));
  const GraphId copy = graphs.copy(graph);
  ASSERT_NE(graphs.find_node(copy, node), nullptr);
  EXPECT_NE(graphs.find_node(copy, node), graphs.find_node(graph, node));
  EXPECT_EQ(graphs.find_node(node), graphs.find_node(graph, node));
  EXPECT_EQ(graphs.find_node(node + 1), nullptr);
}

TEST(HostGraphs, TakesTheWorkOfAGraphOfTheSameShape) {
  HostGraphs graphs;
  int calls = 0;
  auto capture = [&](int count, HostGraphs::Work work) {
    EXPECT_TRUE(graphs.begin());
    for (int i = 0; i < count; ++i) graphs.add(cudaGraphNodeTypeHost, work);
    return graphs.end();
  };
  const GraphId ready = graphs.ready(capture(2, nothing));
  HostGraphs::Graph& graph = *graphs.find(ready);
  const HostGraphs::Work count = [&](void*) {
    ++calls;
    return cudaSuccess;
  };
  EXPECT_EQ(take_work(graph, *graphs.find(capture(3, count))), cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(take_work(graph, *graphs.find(capture(2, count))), cudaGraphExecUpdateSuccess);
  for (const GraphNode& node : graph) EXPECT_EQ(node.work(nullptr), cudaSuccess);
  EXPECT_EQ(calls, 2);

  const GraphId other = graphs.create();
  graphs.add_node(other, empty_after({}));
  graphs.add_node(other, empty_after({}));
  EXPECT_EQ(take_work(graph, *graphs.find(other)), cudaGraphExecUpdateErrorNodeTypeChanged);
}

TEST(HostGraphs, KnowsTheMemoryOfItsNodes) {
  HostGraphs graphs;
  const int memory = 0;
  EXPECT_FALSE(graphs.owns(&memory));
  graphs.own(&memory, 100);
  EXPECT_TRUE(graphs.owns(&memory));
  EXPECT_EQ(graphs.owned_bytes(), 100u);
}

}  // namespace
}  // namespace weakspot::race_jit
