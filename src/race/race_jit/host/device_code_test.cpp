// SPDX-License-Identifier: MIT
#include "race_jit/host/device_code.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
namespace {

TEST(DeviceCode, IsFoundInAnyFile) {
  const DeviceCode first{true, "1", "a.cu", std::string("BC\0\1", 4)}, second{false, "2", "b.cu", "xyz"};
  const std::string file = "head" + to_bytes(first) + std::string(7, '\0') + to_bytes(second) + "tail";
  const std::vector<DeviceCode> found = device_code_in(file);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].relocatable);
  EXPECT_EQ(found[0].bitcode, first.bitcode);
  EXPECT_EQ(found[1].source, "b.cu");
  EXPECT_EQ(device_code_at(file.data() + 4)->id, "1");
}

TEST(DeviceCode, DamagedOneIsNotTaken) {
  std::string bytes = to_bytes({true, "1", "a.cu", "bitcode"});
  EXPECT_TRUE(device_code_in(bytes.substr(0, bytes.size() - 1)).empty());
  bytes.back() ^= 1;
  EXPECT_TRUE(device_code_in(bytes).empty());
  EXPECT_FALSE(device_code_at("something else that is long enough"));
  EXPECT_FALSE(device_code_at(nullptr));
}

}  // namespace
}  // namespace weakspot::race_jit
