// SPDX-License-Identifier: MIT
// The functions of the CUDA mathematical library with a rounding mode: _rn to the nearest, _rz to zero, _rd down, _ru
// up.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>

#include "race_jit/math/nv_math.h"

namespace weakspot::race_jit {
namespace {

class Rounding {
 public:
  explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(before_); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  int before_;
};

// Read and written as volatile, so that nothing is computed before the mode is set or after it is put back.
template <int Mode, typename T, typename Operation>
T rounded(Operation operation) {
  const Rounding rounding(Mode);
  volatile T result = operation();
  return result;
}

enum class Arithmetic { add, subtract, multiply, divide };

template <int Mode, Arithmetic Which, typename T>
T arithmetic(T a, T b) {
  volatile T x = a, y = b;
  return rounded<Mode, T>([&]() -> T {
    switch (Which) {
      case Arithmetic::add:
        return x + y;
      case Arithmetic::subtract:
        return x - y;
      case Arithmetic::multiply:
        return x * y;
      default:
        return x / y;
    }
  });
}
template <int Mode, typename T>
T fused(T a, T b, T c) {
  volatile T x = a;
  return rounded<Mode, T>([&] { return std::fma(x, b, c); });
}
template <int Mode, typename T>
T reciprocal(T a) {
  return arithmetic<Mode, Arithmetic::divide>(T{1}, a);
}
template <int Mode, typename T>
T root(T a) {
  volatile T x = a;
  return rounded<Mode, T>([&] { return std::sqrt(x); });
}

template <int Mode, typename To, typename From>
To converted_number(From from) {
  volatile From x = from;
  return rounded<Mode, To>([&] { return static_cast<To>(x); });
}
// Saturates as the GPU's do; not-a-number becomes zero.
template <int Mode, typename To, typename From>
To to_integer(From from) {
  if (std::isnan(from)) return 0;
  const From whole = Mode == FE_TONEAREST    ? std::nearbyint(from)
                     : Mode == FE_TOWARDZERO ? std::trunc(from)
                     : Mode == FE_DOWNWARD   ? std::floor(from)
                                             : std::ceil(from);
  if (whole <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (whole >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(whole);
}

using Table = std::unordered_map<std::string, void*>;

template <typename Function>
void add(Table& table, const std::string& name, Function* function) {
  table.emplace(name, reinterpret_cast<void*>(function));
}

template <int Mode>
void add_mode(Table& table, const std::string& mode) {
  add(table, "fadd" + mode, &arithmetic<Mode, Arithmetic::add, float>);
  add(table, "fsub" + mode, &arithmetic<Mode, Arithmetic::subtract, float>);
  add(table, "fmul" + mode, &arithmetic<Mode, Arithmetic::multiply, float>);
  add(table, "fdiv" + mode, &arithmetic<Mode, Arithmetic::divide, float>);
  add(table, "dadd" + mode, &arithmetic<Mode, Arithmetic::add, double>);
  add(table, "dsub" + mode, &arithmetic<Mode, Arithmetic::subtract, double>);
  add(table, "dmul" + mode, &arithmetic<Mode, Arithmetic::multiply, double>);
  add(table, "ddiv" + mode, &arithmetic<Mode, Arithmetic::divide, double>);
  add(table, "fmaf" + mode, &fused<Mode, float>);
  add(table, "fmaf_ieee" + mode, &fused<Mode, float>);
  add(table, "fma" + mode, &fused<Mode, double>);
  add(table, "frcp" + mode, &reciprocal<Mode, float>);
  add(table, "drcp" + mode, &reciprocal<Mode, double>);
  add(table, "fsqrt" + mode, &root<Mode, float>);
  add(table, "dsqrt" + mode, &root<Mode, double>);
  add(table, "double2float" + mode, &converted_number<Mode, float, double>);
  add(table, "int2float" + mode, &converted_number<Mode, float, std::int32_t>);
  add(table, "uint2float" + mode, &converted_number<Mode, float, std::uint32_t>);
  add(table, "ll2float" + mode, &converted_number<Mode, float, std::int64_t>);
  add(table, "ull2float" + mode, &converted_number<Mode, float, std::uint64_t>);
  add(table, "int2double" + mode, &converted_number<Mode, double, std::int32_t>);
  add(table, "uint2double" + mode, &converted_number<Mode, double, std::uint32_t>);
  add(table, "ll2double" + mode, &converted_number<Mode, double, std::int64_t>);
  add(table, "ull2double" + mode, &converted_number<Mode, double, std::uint64_t>);
  add(table, "float2int" + mode, &to_integer<Mode, std::int32_t, float>);
  add(table, "float2uint" + mode, &to_integer<Mode, std::uint32_t, float>);
  add(table, "float2ll" + mode, &to_integer<Mode, std::int64_t, float>);
  add(table, "float2ull" + mode, &to_integer<Mode, std::uint64_t, float>);
  add(table, "double2int" + mode, &to_integer<Mode, std::int32_t, double>);
  add(table, "double2uint" + mode, &to_integer<Mode, std::uint32_t, double>);
  add(table, "double2ll" + mode, &to_integer<Mode, std::int64_t, double>);
  add(table, "double2ull" + mode, &to_integer<Mode, std::uint64_t, double>);
}

}  // namespace

void* nv_rounded_function(const std::string& name) {
  static const Table functions = [] {
    Table table;
    add_mode<FE_TONEAREST>(table, "_rn");
    add_mode<FE_TOWARDZERO>(table, "_rz");
    add_mode<FE_DOWNWARD>(table, "_rd");
    add_mode<FE_UPWARD>(table, "_ru");
    return table;
  }();
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace weakspot::race_jit
