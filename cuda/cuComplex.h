// SPDX-License-Identifier: MIT
#pragma once
#include <weakspot/complex.h>
