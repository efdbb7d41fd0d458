// SPDX-License-Identifier: MIT
// How an algorithm of thrust runs: on the host as a loop, on the device as a kernel of one thread, so that its accesses
// are checked like those of any other kernel.
#pragma once

#include "iterators.h"

namespace __ws_thrust {

struct policy_base {};
struct host_policy : policy_base {
  static constexpr place where = place::host;
  static constexpr cudaStream_t stream = nullptr;
};
struct device_policy : policy_base {
  static constexpr place where = place::device;
  cudaStream_t stream = nullptr;
  device_policy() = default;
  __host__ __device__ constexpr explicit device_policy(cudaStream_t s) : stream(s) {}
  device_policy on(cudaStream_t s) const { return device_policy(s); }
  template <typename Allocator> device_policy operator()(Allocator&&) const { return *this; }
};
// Without a policy: where the ranges are.
template <place Where> struct implied_policy : policy_base {
  static constexpr place where = Where == place::device ? place::device : place::host;
  static constexpr cudaStream_t stream = nullptr;
};

// Variables of the header that kernels may name as well: constants of both sides.
static constexpr host_policy host{}, seq{};
static constexpr device_policy device{nullptr};

namespace cuda {
static constexpr device_policy par{nullptr}, par_nosync{nullptr};
}
namespace cuda_cub {
using cuda::par;
using cuda::par_nosync;
}
namespace omp {
static constexpr host_policy par{};
}
namespace system {
namespace cuda = __ws_thrust::cuda;
namespace omp = __ws_thrust::omp;
}

template <typename T> constexpr bool is_policy = std::is_base_of<policy_base, typename std::decay<T>::type>::value;

template <typename... A> constexpr place place_of_all() {
  place all = place::anywhere;
  // What is not an iterator does not say where anything is.
  ((all = __ws_thrust::joined(all, place_of<A>::value == place::host ? place::anywhere : place_of<A>::value)), ...);
  return all;
}

struct nothing {};

template <typename Operation, typename Result, typename... A>
__global__ void run_on_device(Operation operation, Result* result, A... arguments) {
  if constexpr (std::is_same<Result, nothing>::value) {
    operation(arguments...);
  } else {
    *result = operation(arguments...);
  }
}

template <typename Operation, typename... A>
using result_of = decltype(std::declval<Operation>()(__ws_raw(std::declval<A>())...));

// Applies an operation to unwrapped arguments, where the policy says.
template <typename Operation, typename Policy, typename... A>
inline auto run_where(const Policy& policy, A... arguments) -> result_of<Operation, A...> {
  using Result = result_of<Operation, A...>;
  if constexpr (Policy::where != place::device) {
    return Operation()(__ws_raw(arguments)...);
  } else if constexpr (std::is_void<Result>::value) {
    __ws_thrust::run_on_device<Operation, nothing><<<1, 1, 0, policy.stream>>>(Operation(), (nothing*)nullptr, __ws_raw(arguments)...);
  } else {
    void* place = nullptr;
    __wsMalloc((void**)&place, sizeof(Result));
    __ws_thrust::run_on_device<Operation, Result><<<1, 1, 0, policy.stream>>>(Operation(), (Result*)place, __ws_raw(arguments)...);
    alignas(Result) char bytes[sizeof(Result)];
    cudaMemcpyAsync(bytes, place, sizeof(Result), cudaMemcpyDeviceToHost, policy.stream);
    cudaStreamSynchronize(policy.stream);
    cudaFree(place);
    return *(Result*)bytes;
  }
}

// With or without a policy in front.
template <typename Operation, typename First, typename... A>
inline auto run(First first, A... arguments) {
  if constexpr (is_policy<First>) {
    return __ws_thrust::run_where<Operation>(first, arguments...);
  } else {
    return __ws_thrust::run_where<Operation>(implied_policy<place_of_all<First, A...>()>(), first, arguments...);
  }
}
template <typename Operation, typename First, typename... A>
__device__ inline auto run_here(First first, A... arguments) {
  if constexpr (is_policy<First>) {
    return Operation()(__ws_raw(arguments)...);
  } else {
    return Operation()(__ws_raw(first), __ws_raw(arguments)...);
  }
}

template <typename First, typename... A> __host__ __device__ First first_of(First first, A...);

// The n-th argument behind the policy.
template <int N, typename First, typename... A>
__host__ __device__ constexpr auto argument(First first, A... rest) {
  if constexpr (is_policy<First>) {
    return __ws_thrust::argument<N>(rest...);
  } else if constexpr (N == 0) {
    return first;
  } else {
    return __ws_thrust::argument<N - 1>(rest...);
  }
}

}  // namespace __ws_thrust
