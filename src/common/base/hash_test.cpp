// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <gtest/gtest.h>

namespace weakspot::base {
namespace {

// Reference values of MurmurHash3_x64_128 with seed 0, as (high = first word, low = second word).
TEST(Hash, MatchesTheReference) {
  EXPECT_EQ(hash_bytes("").hex(), "00000000000000000000000000000000");
  EXPECT_EQ(hash_bytes("hello").hex(), "cbd8a7b341bd9b025b1e906a48ae1d19");
  EXPECT_EQ(hash_bytes("hello, world").hex(), "342fac623a5ebc8e4cdcbc079642414d");
  EXPECT_EQ(hash_bytes("The quick brown fox jumps over the lazy dog.").hex(), "cd99481f9ee902c9695da1a38987b6e7");
}

TEST(Hash, EveryLengthDiffers) {
  std::string text;
  Hash128 last = hash_bytes(text);
  for (int i = 0; i < 100; ++i) {
    text += 'a';
    EXPECT_NE(hash_bytes(text), last);
    last = hash_bytes(text);
  }
}

}  // namespace
}  // namespace weakspot::base
