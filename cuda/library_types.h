// SPDX-License-Identifier: MIT
// cudaDataType and its like.
#pragma once
#include <cuda_runtime.h>
#include <weakspot/library_types.h>
