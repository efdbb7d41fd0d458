// SPDX-License-Identifier: MIT
// curand's generators of random numbers that the host calls; see weakspot/random_host.h.
#pragma once
#include <weakspot/random_host.h>

#define CURAND_H_  // NVIDIA's include guard, which public code asks for
