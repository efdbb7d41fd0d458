// SPDX-License-Identifier: MIT
// Complex numbers under their names in HIP.
#pragma once

#include <hip/hip_runtime.h>
#include <weakspot/complex.h>

#define hipCabs cuCabs
#define hipCabsf cuCabsf
#define hipCadd cuCadd
#define hipCaddf cuCaddf
#define hipCdiv cuCdiv
#define hipCdivf cuCdivf
#define hipCfma cuCfma
#define hipCfmaf cuCfmaf
#define hipCimag cuCimag
#define hipCimagf cuCimagf
#define hipCmul cuCmul
#define hipCmulf cuCmulf
#define hipComplex cuComplex
#define hipComplexDoubleToFloat cuComplexDoubleToFloat
#define hipComplexFloatToDouble cuComplexFloatToDouble
#define hipConj cuConj
#define hipConjf cuConjf
#define hipCreal cuCreal
#define hipCrealf cuCrealf
#define hipCsub cuCsub
#define hipCsubf cuCsubf
#define hipDoubleComplex cuDoubleComplex
#define hipFloatComplex cuComplex
#define make_hipComplex make_cuComplex
#define make_hipDoubleComplex make_cuDoubleComplex
#define make_hipFloatComplex make_cuFloatComplex
