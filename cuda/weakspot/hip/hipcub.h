// SPDX-License-Identifier: MIT
// hipcub: cub's collectives and functions of a device under another name. Its collectives of a wave have as many lanes
// as the wave by default, and ours at most 32: here the number must be written. rocPRIM's headers bring more than they are named for.
#pragma once

#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <weakspot/cub.h>

namespace hipcub {
using namespace __ws_cub;
template <typename T, int Lanes>
using WarpReduce = __ws_cub::WarpReduce<T, Lanes>;
template <typename T, int Lanes>
using WarpScan = __ws_cub::WarpScan<T, Lanes>;
}  // namespace hipcub

#define HIPCUB_RUNTIME_FUNCTION __host__ __device__
#define HipcubDebug(e) (e)
