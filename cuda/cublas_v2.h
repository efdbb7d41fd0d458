// SPDX-License-Identifier: MIT
// cublas: vectors and matrices by plain loops; see weakspot/blas.h.
#pragma once
#include <cuComplex.h>
#include <weakspot/plain.h>
#include <weakspot/blas_mixed.h>

#define CUBLAS_API_H_  // NVIDIA's include guards, which public code asks for
#define CUBLAS_V2_H_
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 5
using namespace __ws_blas;
