// SPDX-License-Identifier: MIT
// In CUDA weakspot/device.h, which is included first, has everything.
#pragma once
#if !defined(__CUDA__)
#include "weakspot/plain.h"
#endif
