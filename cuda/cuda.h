// SPDX-License-Identifier: MIT
// weakspot/device.h, which is included first, has the rest.
#pragma once
#include <weakspot/tensor_map.h>
