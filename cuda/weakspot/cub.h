// SPDX-License-Identifier: MIT
// cub as far as it goes without NVIDIA's own: collectives of warps and blocks, functions of a device. They were read
// before the file (device.h), under another name: its macros do not reach them.
#pragma once
#include <cassert>

#include "cub/device.h"

#define CUB_VERSION 200500
#define CUB_MAX_DEVICES 128
#define CUB_PTX_WARP_THREADS 32
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CubDebug(e) (e)
#define CubDebugExit(e) \
  if ((e) != cudaSuccess) exit(1)

namespace cub {
using namespace __ws_cub;
}
