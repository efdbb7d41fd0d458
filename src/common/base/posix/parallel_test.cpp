// SPDX-License-Identifier: MIT
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>

namespace weakspot::base::parallel_test {
namespace {

TEST(InParallel, CallsEachOnceAndWaits) {
  std::atomic<int> calls = 0, sum = 0;
  in_parallel(5, [&](unsigned i) {
    ++calls;
    sum += static_cast<int>(i);
  });
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(sum, 10);
}

}  // namespace
}  // namespace weakspot::base::parallel_test
