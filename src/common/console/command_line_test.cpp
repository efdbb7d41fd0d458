// SPDX-License-Identifier: MIT
#include "console/command_line.h"

#include <gtest/gtest.h>

namespace weakspot::console::command_line_test {
namespace {

TEST(CommandLine, BytesHaveUnits) {
  EXPECT_EQ(1000u, read_bytes("1000"));
  EXPECT_EQ(std::uint64_t{64} << 20, read_bytes("64M"));
  EXPECT_EQ(std::uint64_t{2} << 30, read_bytes("2GiB"));
  for (const char* text : {"", "0", "x", "1.5G", "5 M", "-1", "99999999999G"})
    EXPECT_EQ(std::nullopt, read_bytes(text));
}

}  // namespace
}  // namespace weakspot::console::command_line_test
