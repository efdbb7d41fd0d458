#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints the fences that nvcc makes; needs no GPU.
set -eu
cd "$(dirname "$0")"
"${NVCC:-nvcc}" -ptx -arch="${ARCH:-sm_80}" -o - fences.cu | grep -E 'entry|fence|st\.global'
