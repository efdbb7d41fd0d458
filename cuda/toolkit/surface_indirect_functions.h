// SPDX-License-Identifier: MIT
// Replaces the header of this name in a CUDA toolkit, which clang 19 cannot compile.
#pragma once
