// SPDX-License-Identifier: MIT
// cuda::std as far as it can be the C++ library of the host: types, and functions that are constexpr there, which clang
// takes in device code as well. What is not constexpr in C++17 and used in kernels is written out.
#pragma once

#include <utility>

namespace cuda {
namespace std {
using namespace ::std;

struct identity {
  using is_transparent = void;
  template <typename T>
  __host__ __device__ constexpr T&& operator()(T&& value) const noexcept {
    return static_cast<T&&>(value);
  }
};

template <typename T>
__host__ __device__ constexpr void swap(T& a, T& b) {
  T kept = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(kept);
}

template <typename T, typename U = T>
__host__ __device__ constexpr T exchange(T& place, U&& value) {
  T kept = static_cast<T&&>(place);
  place = static_cast<U&&>(value);
  return kept;
}
}  // namespace std
}  // namespace cuda
