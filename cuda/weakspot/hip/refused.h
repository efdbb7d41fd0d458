// SPDX-License-Identifier: MIT
// The headers of CUDA's runtime in HIP code: hipcc has none.
#pragma once

#if defined(__HIP__)
#error "a header of CUDA's runtime in HIP code: hipcc has none, so is the macro set by which the source chooses HIP?"
#endif
