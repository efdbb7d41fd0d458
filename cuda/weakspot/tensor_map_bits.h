// SPDX-License-Identifier: MIT
// How a tensor map is stored in its 128 bytes: ours, not NVIDIA's, which is not public. The host writes it, the machine
// reads it.
#pragma once

namespace __ws_hook {

enum : unsigned long long { kTensorMapMark = 0x77736d6170303101ull };

struct TensorMapBits {
  unsigned long long mark;
  unsigned long long address;     // of the first element
  unsigned long long strides[4];  // in bytes, of the dimensions after the first
  unsigned int last[5];           // the last index in each dimension
  unsigned short box[5];
  unsigned char steps[5];  // between the elements of a box
  unsigned char rank, type, interleave, swizzle, fill;
};
static_assert(sizeof(TensorMapBits) <= 128, "a tensor map has 128 bytes");

}  // namespace __ws_hook
