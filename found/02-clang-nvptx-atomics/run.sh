#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the atomic instructions and fences that clang makes; needs no GPU. CLANG names another version.
set -eu
cd "$(dirname "$0")"
"${CLANG:-clang-19}" --target=nvptx64-nvidia-cuda -march=sm_70 -O2 -S -o - atomics.cpp |
  grep -E '\.visible \.func|atom|fence|membar|ld\.(relaxed|volatile)|st\.(relaxed|volatile)'
