// SPDX-License-Identifier: MIT
#include "capture/address_map.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace weakspot::capture::address_map_test {
namespace {

std::vector<std::uint64_t> translated(const AddressMap& map, std::vector<std::uint64_t> words) {
  std::string bytes(words.size() * 8 + 3, '\x7f');  // a rest that is no word
  std::memcpy(bytes.data(), words.data(), words.size() * 8);
  map.translate(bytes);
  EXPECT_TRUE(bytes.ends_with("\x7f\x7f\x7f"));
  std::memcpy(words.data(), bytes.data(), words.size() * 8);
  return words;
}

TEST(AddressMap, AddressesInMemoryFollowIt) {
  AddressMap map;
  map.add(0x7000, 16, 0x10);
  map.add(0x9000, 8, 0x100);
  EXPECT_EQ(translated(map, {0x7000, 0x700f, 0x9007}), (std::vector<std::uint64_t>{0x10, 0x1f, 0x107}));
}

TEST(AddressMap, TheEndIsAnAddressUnlessOtherMemoryBeginsThere) {
  AddressMap map;
  map.add(0x7000, 16, 0x10);
  map.add(0x7010, 8, 0x100);
  EXPECT_EQ(translated(map, {0x7010, 0x7018}), (std::vector<std::uint64_t>{0x100, 0x108}));
}

TEST(AddressMap, OtherWordsStay) {
  AddressMap map;
  EXPECT_EQ(translated(map, {0, 0x7000}), (std::vector<std::uint64_t>{0, 0x7000}));
  map.add(0x7000, 16, 0x10);
  map.add(0x9000, 8, 0x100);
  const std::vector<std::uint64_t> words = {0, 0x6fff, 0x7011, 0x8fff, 0x9009, ~std::uint64_t{0}};
  EXPECT_EQ(translated(map, words), words);
  std::string bytes(16, '\0');
  EXPECT_FALSE(map.translate(bytes));
}

}  // namespace
}  // namespace weakspot::capture::address_map_test
