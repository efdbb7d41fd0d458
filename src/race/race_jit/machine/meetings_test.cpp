// SPDX-License-Identifier: MIT
#include "race_jit/machine/meetings.h"

#include <gtest/gtest.h>

#include <utility>

namespace weakspot::race_jit::meeting_test {
namespace {

TEST(Meeting, RegistersOfClustersHaveNumbers) {
  const std::pair<const char*, std::optional<std::uint32_t>> cases[] = {
      {"%cluster_ctaid.x", 0},  {"%cluster_ctaid.z", 2},  {"%cluster_nctaid.y", 4},  {"%clusterid.x", 6},
      {"%nclusterid.y", 10},    {"%cluster_ctarank", 12}, {"%cluster_nctarank", 13}, {"%ctaid.x", {}},
      {"%cluster_ctaid.w", {}}, {"%cluster_ctaid", {}},
  };
  for (const auto& [name, number] : cases) EXPECT_EQ(cluster_register_number(name), number) << name;
}

}  // namespace
}  // namespace weakspot::race_jit::meeting_test
