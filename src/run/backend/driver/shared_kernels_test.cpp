// SPDX-License-Identifier: MIT
#include "backend/driver/shared_kernels.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace weakspot::backend {
namespace {

using Numbers = SharedKernels<int>;

TEST(SharedKernels, AKernelIsMadeOnceForAllThatAsk) {
  Numbers numbers;
  std::atomic<int> made = 0;
  std::vector<std::shared_ptr<int>> got(8);
  std::vector<std::thread> threads;
  for (std::shared_ptr<int>& one : got) {
    threads.emplace_back([&] {
      one = *numbers.get("code", [&]() -> Numbers::Made {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return std::make_shared<int>(++made);
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::shared_ptr<int>& one : got) EXPECT_EQ(got.front(), one);
  EXPECT_EQ(1, made);
}

TEST(SharedKernels, AKernelThatNobodyHasIsGone) {
  Numbers numbers;
  int made = 0;
  const auto make = [&]() -> Numbers::Made { return std::make_shared<int>(++made); };
  EXPECT_EQ(1, **numbers.get("code", make));
  EXPECT_EQ(2, **numbers.get("code", make));
  const std::shared_ptr<int> kept = *numbers.get("code", make);
  EXPECT_EQ(3, **numbers.get("code", make));
  for (int i = 0; i < 3000; ++i) EXPECT_TRUE(numbers.get("code " + std::to_string(i), make));
  EXPECT_EQ(kept, *numbers.get("code", make));
}

TEST(SharedKernels, AnErrorIsNotKept) {
  Numbers numbers;
  EXPECT_FALSE(numbers.get("code", []() -> Numbers::Made { return base::error("no"); }));
  EXPECT_TRUE(numbers.get("code", []() -> Numbers::Made { return std::make_shared<int>(1); }));
}

}  // namespace
}  // namespace weakspot::backend
