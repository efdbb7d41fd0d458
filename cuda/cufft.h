// SPDX-License-Identifier: MIT
// cufft: Fourier transforms by plain loops; see weakspot/fft.h.
#pragma once
#include <cuda_runtime.h>
#include <weakspot/fft.h>

using namespace __ws_fft;
