// SPDX-License-Identifier: MIT
#include "race_jit/driver/image.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/rng.h"
#include "race_jit/driver/carried_code.h"

namespace weakspot::race_jit::driver::image_test {
namespace {

constexpr std::string_view kPtx = ".version 7.8\n.target sm_80\n";

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// An entry as nvcc writes it: a head of 64 bytes.
std::string entry(std::uint16_t kind, std::uint32_t architecture, std::string_view content, std::uint64_t flags = 0,
                  std::uint64_t unpacked = 0) {
  std::string bytes;
  append(bytes, kind);
  append(bytes, std::uint16_t{0x101});
  append(bytes, std::uint32_t{64});
  append(bytes, std::uint64_t{content.size()});
  append(bytes, static_cast<std::uint32_t>(flags == 0 ? 0 : content.size()));
  append(bytes, std::uint32_t{64});
  append(bytes, std::uint32_t{0x90000});
  append(bytes, architecture);
  append(bytes, std::uint64_t{0});
  append(bytes, flags);
  append(bytes, std::uint64_t{0});
  append(bytes, unpacked);
  return bytes + std::string(content);
}

std::string fat_binary(const std::string& entries) {
  std::string bytes;
  append(bytes, std::uint32_t{0xba55ed50});
  append(bytes, std::uint16_t{1});
  append(bytes, std::uint16_t{16});
  append(bytes, std::uint64_t{entries.size()});
  return bytes + entries;
}

TEST(Image, TextIsPtx) {
  EXPECT_EQ(image_at(kPtx.data(), 90).text, kPtx);
  EXPECT_EQ(image_in("  // comment\n.version 7.8\n", 90).kind, Image::Kind::ptx);
  EXPECT_EQ(image_in("", 90).kind, Image::Kind::bad);
  EXPECT_EQ(image_at("x", 90).problem, "it is neither PTX nor a fat binary nor machine code");
  EXPECT_EQ(image_at(nullptr, 90).kind, Image::Kind::bad);
}

TEST(Image, NewestThatTheDeviceRunsCounts) {
  const std::string all = entry(1, 80, "eighty") + entry(2, 90, "code") + entry(1, 90, "ninety") + entry(1, 100, "new");
  EXPECT_EQ(image_in(fat_binary(all), 90).text, "ninety");
  EXPECT_EQ(image_in(fat_binary(all), 86).text, "eighty");
  EXPECT_EQ(image_in(fat_binary(entry(1, 100, "new")), 90).problem,
            "it has PTX for sm_100 alone, and the device is of sm_90: --arch sm_100");
}

TEST(Image, FatBinaryIsFoundByItsWrapper) {
  const std::string bytes = fat_binary(entry(1, 80, kPtx));
  std::string wrapper;
  append(wrapper, std::uint32_t{0x466243b1});
  append(wrapper, std::uint32_t{1});
  append(wrapper, bytes.data());
  EXPECT_EQ(image_at(wrapper.data(), 90).text, kPtx);
}

TEST(Image, PackedTextIsUnpacked) {
  // "abcabcabcabc!" as three literals, a match of 9 bytes three back, and a last literal.
  const std::string packed(
      "\x35"
      "abc\x03\x00\x10!",
      8);
  std::string text;
  ASSERT_TRUE(unpack_lz4(packed, 13, text));
  EXPECT_EQ(text, "abcabcabcabc!");
  EXPECT_EQ(image_in(fat_binary(entry(1, 80, packed, 0x2000, 13)), 90).text, "abcabcabcabc!");
  EXPECT_FALSE(unpack_lz4(packed, 12, text));
  EXPECT_FALSE(unpack_lz4(packed.substr(0, 5), 13, text));
  EXPECT_EQ(image_in(fat_binary(entry(1, 80, packed, 0x2000, std::uint64_t{1} << 40)), 90).kind, Image::Kind::bad);
}

TEST(Image, WhatPtxasMakesHoldsThePtx) {
  const std::string bytes = image_with_ptx(kPtx);
  EXPECT_EQ(image_in(bytes, 90).text, kPtx);
  EXPECT_EQ(image_at(bytes.data(), 90).text, kPtx);
}

TEST(Image, MachineCodeAloneHasNames) {
  std::string bytes = image_with_ptx(kPtx);
  const std::size_t name = bytes.find(".weakspot.ptx");
  bytes.replace(name, 13, std::string(".text.kernel\0", 13));
  const Image image = image_in(bytes, 90);
  EXPECT_EQ(image.kind, Image::Kind::machine_code);
  EXPECT_EQ(image.kernels, std::vector<std::string>{"kernel"});
}

TEST(Image, DamagedOnesAreRefused) {
  const std::string whole[] = {image_with_ptx(kPtx), fat_binary(entry(1, 80, kPtx) + entry(2, 90, "code"))};
  base::Rng rng(1);
  for (const std::string& one : whole) {
    for (std::size_t size = 4; size < one.size(); ++size) (void)image_in(std::string_view(one).substr(0, size), 90);
    for (int i = 0; i < 5000; ++i) {
      std::string bytes = one;
      for (int changes = 0; changes < 3; ++changes) {
        bytes[4 + rng.below(bytes.size() - 4)] = static_cast<char>(rng.below(256));
      }
      (void)image_in(bytes, 90);  // must not read outside
    }
  }
}

TEST(CarriedCode, ComesBack) {
  base::Rng rng(2);
  for (std::size_t size = 0; size < 200; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(rng.below(256));
    const std::string text = text_with_code(bytes, 90);
    EXPECT_EQ(text.find('\0'), std::string::npos);
    EXPECT_EQ(image_in(text, 90).kind, Image::Kind::ptx);
    EXPECT_EQ(code_in_text(text), bytes);
  }
  EXPECT_FALSE(code_in_text(kPtx));
  EXPECT_FALSE(code_in_text("// weakspot device code: %%\n"));
}

}  // namespace
}  // namespace weakspot::race_jit::driver::image_test
