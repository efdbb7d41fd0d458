// SPDX-License-Identifier: MIT
#include "race_jit/math/nv_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace weakspot::race_jit {
namespace {

template <typename Result, typename... Arguments>
Result call_nv(const char* name, Arguments... arguments) {
  void* address = nv_math_function(name);
  EXPECT_NE(address, nullptr) << name;
  if (address == nullptr) return Result{};
  return reinterpret_cast<Result (*)(Arguments...)>(address)(arguments...);
}

TEST(NvMath, RoundsAsTheNameSays) {
  const float third_down = std::nextafter(1.0f / 3.0f, 0.0f);  // to the nearest is up
  EXPECT_EQ(call_nv<float>("__nv_fdiv_rn", 1.0f, 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(call_nv<float>("__nv_fdiv_rd", 1.0f, 3.0f), third_down);
  EXPECT_EQ(call_nv<float>("__nv_fdiv_rz", 1.0f, 3.0f), third_down);
  EXPECT_EQ(call_nv<float>("__nv_fdiv_ru", 1.0f, 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(call_nv<float>("__nv_int2float_rd", std::int32_t{16777219}), 16777218.0f);
  EXPECT_EQ(call_nv<float>("__nv_int2float_ru", std::int32_t{16777217}), 16777218.0f);
  EXPECT_EQ(1.0f / 3.0f, call_nv<float>("__nv_frcp_rn", 3.0f));
}

TEST(NvMath, ConversionsToIntegersSaturate) {
  EXPECT_EQ(call_nv<std::int32_t>("__nv_double2int_rn", 2.5), 2);
  EXPECT_EQ(call_nv<std::int32_t>("__nv_double2int_ru", 2.5), 3);
  EXPECT_EQ(call_nv<std::int64_t>("__nv_float2ll_rd", -2.5f), -3);
  EXPECT_EQ(call_nv<std::uint32_t>("__nv_double2uint_rz", -1.0), 0u);
  EXPECT_EQ(call_nv<std::int64_t>("__nv_double2ll_rz", 1e300), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(call_nv<std::int32_t>("__nv_float2int_rn", std::nanf("")), 0);
}

TEST(NvMath, FindsTheSetBitOfANumber) {
  auto find = [](std::uint32_t mask, std::uint32_t base, std::int32_t n) {
    return call_nv<std::uint32_t>("__nv_fns", mask, base, n);
  };
  EXPECT_EQ(find(0b10110, 0, 1), 1u);
  EXPECT_EQ(find(0b10110, 0, 3), 4u);
  EXPECT_EQ(find(0b10110, 0, 4), ~0u);
  EXPECT_EQ(find(0b10110, 4, -2), 2u);
  EXPECT_EQ(find(0b10110, 2, 0), 2u);
  EXPECT_EQ(find(0b10110, 3, 0), ~0u);
  EXPECT_EQ(find(0b10110, 31, std::numeric_limits<std::int32_t>::min()), ~0u);
}

TEST(NvMath, InverseAndScaledFunctions) {
  for (const double y : {-0.9, -0.2, 0.0, 1e-12, 0.5, 0.999}) {
    EXPECT_NEAR(std::erf(call_nv<double>("__nv_erfinv", y)), y, 1e-14);
    EXPECT_NEAR(std::erfc(call_nv<double>("__nv_erfcinv", 1 - y)), 1 - y, 1e-14);
  }
  EXPECT_EQ(call_nv<double>("__nv_erfinv", 1.0), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(call_nv<double>("__nv_erfcinv", 3.0)));
  EXPECT_NEAR(call_nv<double>("__nv_normcdfinv", 0.975), 1.959963984540054, 1e-12);
  EXPECT_NEAR(call_nv<double>("__nv_erfcx", 2.0), std::exp(4.0) * std::erfc(2.0), 1e-14);
  EXPECT_NEAR(call_nv<double>("__nv_erfcx", 1e6), 1 / (1e6 * std::sqrt(M_PI)), 1e-16);
  EXPECT_NEAR(call_nv<double>("__nv_cyl_bessel_i0", 1.0), 1.2660658777520083, 1e-14);
  EXPECT_NEAR(call_nv<double>("__nv_cyl_bessel_i1", -1.0), -0.5651591039924851, 1e-14);
  const float sides[] = {2, 3, 6};
  EXPECT_EQ(call_nv<float>("__nv_normf", std::int32_t{3}, &sides[0]), 7.0f);
}

TEST(NvMath, FindsOnlyWhatThereIs) {
  EXPECT_EQ(nv_math_function("__nv_no_such_function"), nullptr);
  EXPECT_EQ(nv_math_function("sinf"), nullptr);
  EXPECT_EQ(call_nv<std::uint64_t>("__nv_umul64hi", std::uint64_t{1} << 63, std::uint64_t{6}), 3u);
}

}  // namespace
}  // namespace weakspot::race_jit
