// SPDX-License-Identifier: MIT
#include "base/packed_texts.h"

#include <gtest/gtest.h>

namespace weakspot::base {
namespace {

TEST(PackedTexts, NamesAndTexts) {
  // "one", "first\n" and "folder/two", "".
  constexpr unsigned char kData[] = {0xcb, 0xcf, 0x4b, 0x65, 0x4c, 0xcb, 0x2c, 0x2a, 0x2e, 0xe1, 0x62, 0x4c, 0xcb,
                                     0xcf, 0x49, 0x49, 0x2d, 0xd2, 0x2f, 0x29, 0xcf, 0x67, 0x64, 0x04, 0x00};
  const PackedTexts texts(kData);
  ASSERT_EQ(texts.all().size(), 2U);
  EXPECT_EQ(texts.all()[0].name, "one");
  EXPECT_EQ(texts.all()[0].text, "first\n");
  EXPECT_EQ(texts.all()[1].name, "folder/two");
  EXPECT_EQ(texts.all()[1].text, "");
  EXPECT_EQ(texts.named("one"), "first\n");
  EXPECT_EQ(texts.named("two"), std::nullopt);
}

}  // namespace
}  // namespace weakspot::base
