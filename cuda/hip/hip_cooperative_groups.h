// SPDX-License-Identifier: MIT
// Cooperative groups, in HIP alone: they have no operations on the host.
#pragma once

#include "hip_runtime.h"
#if defined(__HIP__)
#include <weakspot/hip/groups.h>
#endif
