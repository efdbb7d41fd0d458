// SPDX-License-Identifier: MIT
#include "race_jit/hooks/tensor_copies.h"

#include <gtest/gtest.h>

#include <set>

namespace weakspot::race_jit {
namespace {

constexpr std::uint8_t kOfFloats = 7, kOfHalves = 6;  // values of CUtensorMapDataType

// 10 columns and 6 rows in boxes of 4 and 3; rows lie 64 bytes apart.
TensorMapBits small_map() {
  TensorMapBits map{};
  map.mark = kTensorMapMark;
  map.address = 4096;
  map.strides[0] = 64;
  map.last[0] = 9;
  map.last[1] = 5;
  map.box[0] = 4;
  map.box[1] = 3;
  map.steps[0] = map.steps[1] = 1;
  map.rank = 2;
  map.type = kOfFloats;
  return map;
}

TensorBox box_at(const TensorMapBits& map, std::int32_t x, std::int32_t y) {
  const char* why = "";
  const std::optional<TensorBox> box = TensorBox::make(map, {x, y, 0, 0, 0}, &why);
  EXPECT_TRUE(box) << why;
  return box.value_or(TensorBox());
}

TEST(TensorBox, HasAPieceForEachRow) {
  const TensorBox box = box_at(small_map(), 2, 1);
  EXPECT_EQ(box.bytes(), 48u);
  const std::vector<TensorBox::Piece> pieces = box.pieces();
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].address, 4096u + 64 + 8);
  EXPECT_EQ(pieces[2].address, 4096u + 3 * 64 + 8);
  EXPECT_EQ(pieces[2].offset, 32u);
  EXPECT_EQ(pieces[2].size, 16u);
}

TEST(TensorBox, LeavesOutWhatIsOutside) {
  const std::vector<TensorBox::Piece> right = box_at(small_map(), 8, 4).pieces();
  ASSERT_EQ(right.size(), 2u);  // of three rows
  EXPECT_EQ(right[1].size, 8u);
  const std::vector<TensorBox::Piece> left = box_at(small_map(), -1, -2).pieces();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].address, 4096u);
  EXPECT_EQ(left[0].offset, 2u * 16 + 4);
  EXPECT_EQ(left[0].size, 12u);
  EXPECT_TRUE(box_at(small_map(), 10, 0).pieces().empty());
  EXPECT_TRUE(box_at(small_map(), -4, 0).pieces().empty());
  EXPECT_EQ(box_at(small_map(), 10, 0).bytes(), 48u);  // all count
}

TEST(TensorBox, ShufflesPiecesWithinRows) {
  for (std::uint8_t swizzle = 1; swizzle <= 3; ++swizzle) {
    TensorMapBits map = small_map();
    const std::uint32_t width = 16u << swizzle;
    map.type = kOfHalves;
    map.box[0] = static_cast<std::uint16_t>(width / 2);
    map.box[1] = 64;
    map.swizzle = swizzle;
    const TensorBox box = box_at(map, 0, 0);
    std::set<std::uint64_t> seen;
    for (std::uint32_t at = 0; at < box.bytes(); at += 16) {
      const std::uint64_t place = box.place(1024, at);
      EXPECT_EQ((place - 1024) / width, at / width);
      EXPECT_TRUE(seen.insert(place).second);
    }
    EXPECT_EQ(box.together(4), 12u);
  }
}

TEST(TensorBox, SaysWhatIsNotModelled) {
  auto why_not = [](auto&& change) {
    TensorMapBits map = small_map();
    change(map);
    const char* why = "";
    EXPECT_FALSE(TensorBox::make(map, {}, &why));
    return std::string(why);
  };
  EXPECT_EQ(why_not([](TensorMapBits& map) { map.mark = 0; }), "a tensor map that cuTensorMapEncodeTiled has not made");
  EXPECT_EQ(why_not([](TensorMapBits& map) { map.interleave = 1; }), "an interleaved tensor map");
  EXPECT_EQ(why_not([](TensorMapBits& map) { map.steps[1] = 2; }), "a tensor map that leaves elements out");
  EXPECT_EQ(why_not([](TensorMapBits& map) { map.swizzle = 3; }), "a tensor map with rows shorter than the swizzle");
  EXPECT_EQ(why_not([](TensorMapBits& map) { map.swizzle = 4; }), "a tensor map with this swizzle");
  EXPECT_EQ(why_not([](TensorMapBits& map) { map.type = 13; }), "a tensor map with packed elements");
}

TEST(TensorBox, ReducesByTheTypeOfTheElements) {
  TensorMapBits map = small_map();
  EXPECT_EQ(box_at(map, 0, 0).operation(kAdd), kAddFloat);
  EXPECT_EQ(box_at(map, 0, 0).operation(kMinUnsigned), -1);
  map.type = 3;  // signed
  EXPECT_EQ(box_at(map, 0, 0).operation(kMinUnsigned), kMinSigned);
  EXPECT_EQ(box_at(map, 0, 0).operation(kXor), kXor);
}

}  // namespace
}  // namespace weakspot::race_jit
