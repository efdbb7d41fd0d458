// SPDX-License-Identifier: MIT
#pragma once
#include <cuda.h>
