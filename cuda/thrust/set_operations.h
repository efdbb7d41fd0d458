// SPDX-License-Identifier: MIT
// Everything of thrust that there is: see weakspot/thrust.h.
#pragma once
#include <weakspot/thrust.h>
