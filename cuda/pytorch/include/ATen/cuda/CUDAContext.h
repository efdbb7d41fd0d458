// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/ATenGeneral.h>
#include <ATen/cuda/CUDAContextLight.h>
