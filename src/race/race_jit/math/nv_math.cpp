// SPDX-License-Identifier: MIT
#include "race_jit/math/nv_math.h"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

namespace weakspot::race_jit {
namespace {

using i32 = std::int32_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;
__extension__ using wide = __int128;
__extension__ using unsigned_wide = unsigned __int128;

template <typename To, typename From>
To bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

u32 reverse_bits(u32 v) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (v >> i & 1) << (31 - i);
  return r;
}

u32 permute_bytes(u32 a, u32 b, u32 selector) {
  const u64 bytes = (u64{b} << 32) | a;
  u32 result = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 nibble = selector >> (4 * i) & 0xf;
    u32 byte = static_cast<u32>(bytes >> (8 * (nibble & 7))) & 0xff;
    if ((nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

// The position of the n-th set bit from `base`, upwards for n > 0 and downwards for n < 0.
u32 nth_set_bit(u32 mask, u32 base, i32 n) {
  const i64 step = n < 0 ? -1 : 1;
  i64 left = n == 0 ? 1 : std::llabs(i64{n});
  for (i64 at = base; at >= 0 && at < 32; at += step) {
    if ((mask >> at & 1) != 0 && --left == 0) return static_cast<u32>(at);
    if (n == 0) break;
  }
  return ~u32{0};
}

template <typename Function>
void* address_of(Function function) {
  return reinterpret_cast<void*>(+function);
}

const std::unordered_map<std::string, void*>& table() {
  static const std::unordered_map<std::string, void*> functions = {
      {"abs", address_of([](i32 a) { return a < 0 ? static_cast<i32>(0u - static_cast<u32>(a)) : a; })},
      {"llabs", address_of([](i64 a) { return a < 0 ? static_cast<i64>(u64{0} - static_cast<u64>(a)) : a; })},
      {"min", address_of([](i32 a, i32 b) { return std::min(a, b); })},
      {"max", address_of([](i32 a, i32 b) { return std::max(a, b); })},
      {"umin", address_of([](u32 a, u32 b) { return std::min(a, b); })},
      {"umax", address_of([](u32 a, u32 b) { return std::max(a, b); })},
      {"llmin", address_of([](i64 a, i64 b) { return std::min(a, b); })},
      {"llmax", address_of([](i64 a, i64 b) { return std::max(a, b); })},
      {"ullmin", address_of([](u64 a, u64 b) { return std::min(a, b); })},
      {"ullmax", address_of([](u64 a, u64 b) { return std::max(a, b); })},
      {"clz", address_of([](i32 a) { return static_cast<i32>(std::countl_zero(static_cast<u32>(a))); })},
      {"clzll", address_of([](i64 a) { return static_cast<i32>(std::countl_zero(static_cast<u64>(a))); })},
      {"popc", address_of([](u32 a) { return static_cast<i32>(std::popcount(a)); })},
      {"popcll", address_of([](u64 a) { return static_cast<i32>(std::popcount(a)); })},
      {"ffs",
       address_of([](i32 a) { return a == 0 ? 0 : static_cast<i32>(std::countr_zero(static_cast<u32>(a))) + 1; })},
      {"ffsll",
       address_of([](i64 a) { return a == 0 ? 0 : static_cast<i32>(std::countr_zero(static_cast<u64>(a))) + 1; })},
      {"brev", address_of([](u32 a) { return reverse_bits(a); })},
      {"brevll", address_of([](u64 a) {
         return (u64{reverse_bits(static_cast<u32>(a))} << 32) | reverse_bits(static_cast<u32>(a >> 32));
       })},
      {"byte_perm", address_of([](u32 a, u32 b, u32 c) { return permute_bytes(a, b, c); })},
      {"mulhi", address_of([](i32 a, i32 b) { return static_cast<i32>((i64{a} * b) >> 32); })},
      {"umulhi", address_of([](u32 a, u32 b) { return static_cast<u32>((u64{a} * b) >> 32); })},
      {"mul24", address_of([](i32 a, i32 b) {
         return static_cast<i32>(static_cast<u32>((a << 8) >> 8) * static_cast<u32>((b << 8) >> 8));
       })},
      {"umul24", address_of([](u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); })},
      {"sad", address_of([](i32 a, i32 b, u32 c) { return static_cast<u32>(std::llabs(i64{a} - b)) + c; })},
      {"usad", address_of([](u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; })},
      {"hadd", address_of([](i32 a, i32 b) { return static_cast<i32>((i64{a} + b) >> 1); })},
      {"uhadd", address_of([](u32 a, u32 b) { return static_cast<u32>((u64{a} + b) >> 1); })},
      {"rhadd", address_of([](i32 a, i32 b) { return static_cast<i32>((i64{a} + b + 1) >> 1); })},
      {"urhadd", address_of([](u32 a, u32 b) { return static_cast<u32>((u64{a} + b + 1) >> 1); })},
      {"saturatef", address_of([](float a) { return std::isnan(a) ? 0.0f : std::clamp(a, 0.0f, 1.0f); })},
      {"rsqrtf", address_of([](float a) { return 1.0f / std::sqrt(a); })},
      {"rsqrt", address_of([](double a) { return 1.0 / std::sqrt(a); })},
      {"rcbrtf", address_of([](float a) { return 1.0f / std::cbrt(a); })},
      {"rcbrt", address_of([](double a) { return 1.0 / std::cbrt(a); })},
      {"sinpif", address_of([](float a) { return static_cast<float>(std::sin(M_PI * static_cast<double>(a))); })},
      {"cospif", address_of([](float a) { return static_cast<float>(std::cos(M_PI * static_cast<double>(a))); })},
      {"sinpi", address_of([](double a) { return std::sin(M_PI * a); })},
      {"cospi", address_of([](double a) { return std::cos(M_PI * a); })},
      {"powif", address_of([](float a, i32 b) { return std::pow(a, static_cast<float>(b)); })},
      {"powi", address_of([](double a, i32 b) { return std::pow(a, b); })},
      {"fast_fdividef", address_of([](float a, float b) { return a / b; })},
      {"fast_sincosf", address_of([](float a, float* s, float* c) {
         *s = std::sin(a);
         *c = std::cos(a);
       })},
      {"sincospif", address_of([](float a, float* s, float* c) {
         *s = static_cast<float>(std::sin(M_PI * static_cast<double>(a)));
         *c = static_cast<float>(std::cos(M_PI * static_cast<double>(a)));
       })},
      {"sincospi", address_of([](double a, double* s, double* c) {
         *s = std::sin(M_PI * a);
         *c = std::cos(M_PI * a);
       })},
      {"mul64hi", address_of([](i64 a, i64 b) { return static_cast<i64>((static_cast<wide>(a) * b) >> 64); })},
      {"umul64hi",
       address_of([](u64 a, u64 b) { return static_cast<u64>((static_cast<unsigned_wide>(a) * b) >> 64); })},
      {"frsqrt_rn", address_of([](float a) { return 1.0f / std::sqrt(a); })},
      {"rhypotf", address_of([](float a, float b) { return 1.0f / std::hypot(a, b); })},
      {"rhypot", address_of([](double a, double b) { return 1.0 / std::hypot(a, b); })},
      {"norm3df", address_of([](float a, float b, float c) { return std::hypot(a, b, c); })},
      {"norm3d", address_of([](double a, double b, double c) { return std::hypot(a, b, c); })},
      {"rnorm3df", address_of([](float a, float b, float c) { return 1.0f / std::hypot(a, b, c); })},
      {"rnorm3d", address_of([](double a, double b, double c) { return 1.0 / std::hypot(a, b, c); })},
      {"norm4df", address_of([](float a, float b, float c, float d) { return std::hypot(std::hypot(a, b, c), d); })},
      {"norm4d", address_of([](double a, double b, double c, double d) { return std::hypot(std::hypot(a, b, c), d); })},
      {"normcdff", address_of([](float a) { return 0.5f * std::erfc(-a * static_cast<float>(M_SQRT1_2)); })},
      {"normcdf", address_of([](double a) { return 0.5 * std::erfc(-a * M_SQRT1_2); })},
      {"isinff", address_of([](float a) { return static_cast<i32>(std::isinf(a)); })},
      {"isnanf", address_of([](float a) { return static_cast<i32>(std::isnan(a)); })},
      {"isinfd", address_of([](double a) { return static_cast<i32>(std::isinf(a)); })},
      {"isnand", address_of([](double a) { return static_cast<i32>(std::isnan(a)); })},
      {"finitef", address_of([](float a) { return static_cast<i32>(std::isfinite(a)); })},
      {"isfinited", address_of([](double a) { return static_cast<i32>(std::isfinite(a)); })},
      {"signbitf", address_of([](float a) { return static_cast<i32>(std::signbit(a)); })},
      {"signbitd", address_of([](double a) { return static_cast<i32>(std::signbit(a)); })},
      {"float_as_int", address_of([](float a) { return bits<i32>(a); })},
      {"int_as_float", address_of([](i32 a) { return bits<float>(a); })},
      {"float_as_uint", address_of([](float a) { return bits<u32>(a); })},
      {"uint_as_float", address_of([](u32 a) { return bits<float>(a); })},
      {"double_as_longlong", address_of([](double a) { return bits<i64>(a); })},
      {"longlong_as_double", address_of([](i64 a) { return bits<double>(a); })},
      {"double2hiint", address_of([](double a) { return static_cast<i32>(bits<u64>(a) >> 32); })},
      {"double2loint", address_of([](double a) { return static_cast<i32>(bits<u64>(a)); })},
      {"hiloint2double",
       address_of([](i32 h, i32 l) { return bits<double>((u64{static_cast<u32>(h)} << 32) | static_cast<u32>(l)); })},
      {"fns", address_of(&nth_set_bit)},
  };
  return functions;
}

}  // namespace

void* nv_math_function(const std::string& name) {
  if (!name.starts_with("__nv_")) return nullptr;
  std::string plain = name.substr(5);
  if (auto found = table().find(plain); found != table().end()) return found->second;
  if (void* found = nv_rounded_function(plain)) return found;
  if (void* found = nv_special_function(plain)) return found;
  if (plain.starts_with("fast_")) plain = plain.substr(5);
  if (auto found = table().find(plain); found != table().end()) return found->second;
  return dlsym(RTLD_DEFAULT, plain.c_str());
}

}  // namespace weakspot::race_jit
