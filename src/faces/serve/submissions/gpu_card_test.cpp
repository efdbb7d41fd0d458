// SPDX-License-Identifier: MIT
#include "serve/submissions/gpu_card.h"

#include <gtest/gtest.h>

namespace weakspot::serve::gpu_card_test {
namespace {

store::ShownRow row_of(std::string vendor, std::string architecture, std::int64_t weak, std::int64_t forbidden = 0) {
  store::ShownRow row;
  row.vendor = std::move(vendor);
  row.architecture = std::move(architecture);
  row.devices = 7;
  row.sum.instances = 100;
  row.sum.weak = weak;
  row.sum.forbidden = forbidden;
  return row;
}

TEST(GpuCard, NamesAreForLinksAndDiffer) {
  EXPECT_EQ("gpu-nvidia-ada-lovelace", gpu_name("nvidia", "ada-lovelace"));
  EXPECT_EQ("gpu-apple", gpu_name("apple", ""));
  EXPECT_EQ("gpu-unnamed", gpu_name("", ""));
  EXPECT_NE(gpu_name("a.b", "c"), gpu_name("a b", "c"));
  EXPECT_NE(gpu_name("AMD", "rdna"), gpu_name("amd", "rdna"));
  EXPECT_NE(gpu_name("a", "x 1"), gpu_name("a", "x-1"));
  EXPECT_NE(gpu_name("a", "x-1"), gpu_name("a-x", "1"));
  EXPECT_NE(gpu_name("a", ""), gpu_name("", "a"));
  EXPECT_EQ(0u, gpu_name("<b>", "\"ü").find("gpu-b-"));
}

TEST(GpuCard, SaysWhatWasSeenAndWhatWasNotRun) {
  const std::vector<store::ShownRow> rows = {row_of("maker", "one", 3), row_of("maker", "one", 0),
                                             row_of("maker", "two", 3, 1)};
  const std::optional<GpuCard> one = gpu_card(rows, "gpu-maker-one", 5);
  ASSERT_TRUE(one);
  EXPECT_EQ("maker one: weak outcomes in 1 of 2 tests", one->title);
  EXPECT_EQ("Memory of 7 devices, tested from browsers. Not run: 3 tests.", one->description);
  EXPECT_EQ("Memory of 7 devices, tested from browsers. An outcome that its memory model forbids was seen in 1 test.",
            gpu_card(rows, "gpu-maker-two", 1)->description);
  EXPECT_FALSE(gpu_card(rows, "gpu-maker", 5));
}

TEST(GpuCard, TakesThePlaceOfThePagesOwnAsTextAlone) {
  const std::string page =
      "<head><meta name=\"description\" content=\"d\">\n<meta property=\"og:title\" content=\"t\"><title>W</title>";
  EXPECT_EQ(
      "<head><meta name=\"description\" content=\"2 &lt; 3\">\n"
      "<meta property=\"og:title\" content=\"&quot;&gt;&lt;script&gt;\"><title>W</title>",
      with_card(page, {"\"><script>", "2 < 3"}));
}

}  // namespace
}  // namespace weakspot::serve::gpu_card_test
