// SPDX-License-Identifier: MIT
// __half and __half2: sixteen bits, computed as float and rounded to the nearest.
#pragma once
#include <weakspot/small_floats.h>
