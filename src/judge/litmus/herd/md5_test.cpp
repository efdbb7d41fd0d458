// SPDX-License-Identifier: MIT
#include "litmus/herd/md5.h"

#include <gtest/gtest.h>

namespace weakspot::litmus::herd {
namespace {

// The test suite of RFC 1321.
TEST(Md5, ReferenceVectors) {
  EXPECT_EQ(md5("").hex(), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5("a").hex(), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(md5("message digest").hex(), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890").hex(),
            "57edf4a22be3c955ac49da2e2107b67a");
}

TEST(Md5, EveryLengthAroundABlock) {
  EXPECT_EQ(md5(std::string(55, 'x')).hex(), "04364420e25c512fd958a70738aa8f72");
  EXPECT_EQ(md5(std::string(56, 'x')).hex(), "668a72d5ba17f08e62dabcafad6db14b");
  EXPECT_EQ(md5(std::string(64, 'x')).hex(), "c1bb4f81d892b2d57947682aeb252456");
}

TEST(Md5, RawBytesAreThoseOfTheHexadecimalForm) {
  const std::string raw = md5("a").raw();
  ASSERT_EQ(raw.size(), 16U);
  EXPECT_EQ(static_cast<unsigned char>(raw[0]), 0x0c);
  EXPECT_EQ(static_cast<unsigned char>(raw[15]), 0x61);
}

}  // namespace
}  // namespace weakspot::litmus::herd
