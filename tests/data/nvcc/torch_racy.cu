// SPDX-License-Identifier: MIT
// An extension of PyTorch, bound by pybind11: the loop of its sum lacks a barrier.
#include <ATen/Dispatch.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>

template <typename T> __global__ void sum_racy(const T* in, T* out, int count) {
  __shared__ float part[128];
  part[threadIdx.x] = threadIdx.x < count ? float(in[threadIdx.x]) : 0;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
  }
  if (threadIdx.x == 0) *out = T(part[0]);
}

torch::Tensor total(torch::Tensor in) {
  TORCH_CHECK(in.is_cuda() && in.is_contiguous(), "in must be contiguous, on a device");
  const c10::cuda::OptionalCUDAGuard guard(in.device());
  torch::Tensor out = torch::zeros({1}, in.options());
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "total", [&] {
    sum_racy<scalar_t><<<1, 128, 0, at::cuda::getCurrentCUDAStream()>>>(in.data_ptr<scalar_t>(),
                                                                        out.data_ptr<scalar_t>(), in.numel());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) { module.def("total", &total); }
