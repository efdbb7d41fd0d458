#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the program as it is, with a branch and with a fence; needs nvcc and a GPU of compute capability 9.0.
# cuobjdump, where there is one, prints the code around the test.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
for how in "" -DBRANCH -DFENCE; do
  "${NVCC:-nvcc}" -arch="${ARCH:-sm_90}" $how -o "$out/mbarrier" mbarrier.cu
  echo "mbarrier ${how:-as it is}: $("$out/mbarrier" || true)"
  if command -v cuobjdump > "$out/where"; then
    cuobjdump -sass "$out/mbarrier" | grep -A 3 SYNCS.PHASECHK | grep -F ';'
  fi
done
