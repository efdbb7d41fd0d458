// Types and functions of cuda::std in a kernel.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none
#include <cassert>
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

template <typename T>
__device__ cuda::std::pair<T, T> ordered(T a, T b) {
  static_assert(cuda::std::is_integral<T>::value, "");
  if (b < a) cuda::std::swap(a, b);
  return {a, b};
}

__global__ void sort_pairs(int* out) {
  const int t = threadIdx.x;
  const auto both = ordered(63 - t, t);
  cuda::std::array<int, 2> parts = {both.first, both.second};
  cuda::std::tuple<int, int> sum(parts[0] + parts[1], cuda::std::numeric_limits<int>::max());
  assert(cuda::std::get<0>(sum) == 63 && both.first <= both.second);
  assert(cuda::std::exchange(parts[0], 7) == both.first && parts[0] == 7);
  out[t] = both.first;
}
