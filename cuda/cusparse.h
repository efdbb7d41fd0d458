// SPDX-License-Identifier: MIT
// cusparse: sparse matrices by plain loops; see weakspot/sparse.h.
#pragma once
#include <cuComplex.h>
#include <weakspot/plain.h>
#include <weakspot/sparse.h>

#define CUSPARSE_H_  // NVIDIA's include guard, which public code asks for, as for CUSPARSEAPI
#define CUSPARSEAPI
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 5
#define CUSPARSE_VERSION 12500
using namespace __ws_sparse;
