// SPDX-License-Identifier: MIT
// thrust as far as it goes without NVIDIA's own: its containers, iterators, function objects and algorithms. They were
// read before the file (device.h), under another name: its macros do not reach them.
#pragma once
#include <iostream>
#include <system_error>

#include "complex_numbers.h"
#include "thrust/random.h"
#include "thrust/vectors.h"

#define THRUST_VERSION 200500
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 5
#define THRUST_SUBMINOR_VERSION 0

namespace thrust {
using namespace __ws_thrust;
using std::system_error;  // never thrown here
}
#if defined(__HIP__)
#include <hip/hip_runtime_api.h>  // which programs leave to thrust
#endif
