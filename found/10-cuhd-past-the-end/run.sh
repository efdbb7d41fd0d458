#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the program as it is and with its fix, and runs both under compute-sanitizer; needs nvcc and a GPU.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
for fix in "" -DFIXED; do
  "${NVCC:-nvcc}" -arch="${ARCH:-native}" -lineinfo $fix -o "$out/past_the_end" past_the_end.cu
  echo "past_the_end ${fix:-as it is}:"
  compute-sanitizer "$out/past_the_end" || true
done
