// SPDX-License-Identifier: MIT
// thrust::hip, for programs that name the back end.
#pragma once

#include <weakspot/thrust.h>

namespace thrust {
namespace hip = __ws_thrust::cuda;
}
