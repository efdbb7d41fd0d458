// SPDX-License-Identifier: MIT
#include "race_jit/host/host_graphs.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
namespace {

TEST(HostGraphs, KeepsWhatWasCapturedInItsOrder) {
  HostGraphs graphs;
  std::vector<int> done;
  EXPECT_EQ(graphs.end(), 0u);
  ASSERT_TRUE(graphs.begin());
  EXPECT_FALSE(graphs.begin());
  for (int i = 0; i < 3; ++i) {
    graphs.add([&done, i](void*) {
      done.push_back(i);
      return cudaSuccess;
    });
  }
  const std::uint64_t graph = graphs.end();
  ASSERT_NE(graph, 0u);
  EXPECT_FALSE(graphs.is_capturing());
  const std::uint64_t copy = graphs.copy(graph);
  EXPECT_TRUE(graphs.remove(graph));
  EXPECT_FALSE(graphs.remove(graph));
  ASSERT_NE(graphs.find(copy), nullptr);
  for (const HostGraphs::Work& work : *graphs.find(copy)) EXPECT_EQ(work(nullptr), cudaSuccess);
  EXPECT_EQ(done, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(graphs.copy(graph), 0u);
}

}  // namespace
}  // namespace weakspot::race_jit
