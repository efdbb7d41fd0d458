// SPDX-License-Identifier: MIT
// Stand-ins for the parts of PyTorch that a build for CPUs lacks, as far as extensions use them.
#pragma once

#define C10_CUDA_API
#define TORCH_CUDA_CU_API
#define TORCH_CUDA_CPP_API
#define C10_COMPILE_TIME_MAX_GPUS 16
