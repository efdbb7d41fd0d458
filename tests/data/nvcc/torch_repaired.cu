// SPDX-License-Identifier: MIT
// The repaired twin of torch_racy.cu, as an operator of PyTorch. The kernel has the other's name and another layout of
// shared memory.
#include <ATen/cuda/CUDAContext.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

template <typename T> __global__ void sum_racy(const T* in, T* out, int count) {
  extern __shared__ float part[];
  __shared__ int whole[4];
  if (threadIdx.x < 4) whole[threadIdx.x] = count;
  part[threadIdx.x] = threadIdx.x < count ? float(in[threadIdx.x]) : 0;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0 && whole[3] == count) *out = T(part[0]);
}

at::Tensor total(const at::Tensor& in) {
  at::Tensor out = at::zeros({1}, in.options());
  sum_racy<<<1, 128, 128 * sizeof(float), at::cuda::getCurrentCUDAStream()>>>(in.data_ptr<float>(),
                                                                            out.data_ptr<float>(), int(in.numel()));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

TORCH_LIBRARY(weakspot_test, library) { library.def("total(Tensor input) -> Tensor", &total); }
