// SPDX-License-Identifier: MIT
// cufft: Fourier transforms by plain loops; see weakspot/fft.h.
#pragma once
#include <weakspot/plain.h>
#include <weakspot/fft.h>

#define _CUFFT_H_  // NVIDIA's include guard, which public code asks for
using namespace __ws_fft;
