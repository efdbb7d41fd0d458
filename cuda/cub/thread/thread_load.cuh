// SPDX-License-Identifier: MIT
// Everything of cub that there is: see weakspot/cub.h.
#pragma once
#include <weakspot/cub.h>
