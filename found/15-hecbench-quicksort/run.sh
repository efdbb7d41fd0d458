#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the program as it is and with its fix; needs nvcc and a GPU.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
for fix in "" -DFIXED; do
  "${NVCC:-nvcc}" -arch="${ARCH:-native}" $fix -o "$out/last" last.cu
  echo "last ${fix:-as it is}: $("$out/last" || true)"
done
