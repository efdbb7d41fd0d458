// SPDX-License-Identifier: MIT
// nvcuda::wmma, which weakspot/device.h has read already; NVIDIA's header brings the types of sixteen bits along.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <weakspot/mma.h>
