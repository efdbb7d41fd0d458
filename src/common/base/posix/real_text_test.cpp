// SPDX-License-Identifier: MIT
#include "base/real_text.h"

#include <gtest/gtest.h>

namespace weakspot::base::real_text_test {
namespace {

TEST(RealText, ReadsTheNearestDouble) {
  EXPECT_EQ(read_real("0.1"), 0.1);
  EXPECT_EQ(read_real("-1.5e3"), -1500.0);
  EXPECT_EQ(read_real("0e9"), 0.0);
}

TEST(RealText, RefusesOtherTextsAndWhatDoesNotFit) {
  for (const char* text : {"", "x", "1x", "1e999", "1e-999"}) EXPECT_EQ(read_real(text), std::nullopt) << text;
}

}  // namespace
}  // namespace weakspot::base::real_text_test
