// SPDX-License-Identifier: MIT
#include "base/sha256.h"

#include <gtest/gtest.h>

namespace weakspot::base {
namespace {

// The examples of FIPS 180-4, and the empty text.
TEST(Sha256, ReferenceVectors) {
  EXPECT_EQ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", sha256_hex(""));
  EXPECT_EQ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", sha256_hex("abc"));
  EXPECT_EQ("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"));
  EXPECT_EQ("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            sha256_hex(std::string(1'000'000, 'a')));
}

TEST(Sha256, EveryLengthAroundABlock) {
  EXPECT_EQ("aadaed00a3c5fbb8072ae7f1984ba8199fbe5272de427d11eaf31583af37db51", sha256_hex(std::string(55, '\xff')));
  EXPECT_EQ("528ff50ab05e77bbbd224a9ec86165dbb6824a9a9efb544be0a1d57d5b416457", sha256_hex(std::string(56, '\xff')));
  EXPECT_EQ("d12449c8124182545ae91924286cc6af13528bcf62a5ddbd5e00b891fffc1b48", sha256_hex(std::string(63, '\xff')));
  EXPECT_EQ("8667e718294e9e0df1d30600ba3eeb201f764aad2dad72748643e4a285e1d1f7", sha256_hex(std::string(64, '\xff')));
  EXPECT_EQ("855c9a28fff2bbbd71327165554a00c6fdd44d5d58c1f12b8fdff29b5d67f001", sha256_hex(std::string(65, '\xff')));
}

}  // namespace
}  // namespace weakspot::base
