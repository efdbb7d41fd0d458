// SPDX-License-Identifier: MIT
#include "store/connection/address.h"

#include <gtest/gtest.h>

#include "store/open_store.h"

namespace weakspot::store::address_test {
namespace {

TEST(Address, IsShownWithoutPasswords) {
  EXPECT_EQ("postgresql://me@host:1/results", without_password("postgresql://me:secret@host:1/results"));
  EXPECT_EQ("postgresql://host:1/results", without_password("postgresql://host:1/results"));
  EXPECT_EQ("postgres://host/r?password=&sslmode=require",
            without_password("postgres://host/r?password=secret&sslmode=require"));
  EXPECT_EQ("postgres://host/r?password=", without_password("postgres://host/r?password=secret"));
}

// Also by a program that cannot open it.
TEST(Address, ErrorsHaveNoPasswords) {
  const auto refused = open_store("postgresql://me:secret@127.0.0.1:1/results", Access::create);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(std::string::npos, base::render(refused.errors()).find("secret")) << base::render(refused.errors());
}

}  // namespace
}  // namespace weakspot::store::address_test
