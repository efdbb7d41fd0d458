// SPDX-License-Identifier: MIT
// Device code has all that there is before any #include, see weakspot/hip/device.h.
#pragma once

#define HIP_INCLUDE_HIP_HIP_RUNTIME_H
#include "hip_runtime_api.h"
