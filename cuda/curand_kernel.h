// SPDX-License-Identifier: MIT
// The device side of curand: generators whose states are plain memory, checked like any other. The numbers have the
// documented distributions and depend only on seed, sequence and offset; they are not those of NVIDIA's library.
#pragma once
#include <weakspot/random.h>
