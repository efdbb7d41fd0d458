// SPDX-License-Identifier: MIT
// HIP's runtime: that of CUDA under other names.
#pragma once

#define HIP_INCLUDE_HIP_HIP_RUNTIME_API_H
#if !defined(__HIP__)  // there weakspot/hip/device.h, which is included first, has everything
#define __HIP_PLATFORM_AMD__ 1
#include <weakspot/plain.h>
#endif
#include <weakspot/hip/constants.h>
#include <weakspot/hip/functions.h>
#include <weakspot/hip/host.h>
