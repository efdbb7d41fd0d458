#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the machine code of each pair of kernels; needs ptxas and readelf, no GPU. nvdisasm, where there is one,
# prints the code.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
ptxas -arch="${ARCH:-sm_90}" -o "$out/relaxed.cubin" relaxed.ptx

code() { readelf -x ".text.$1" "$out/relaxed.cubin" | grep '^  0x' ; }

compare() {
  code "$1" > "$out/more"
  code "$2" > "$out/less"
  if cmp -s "$out/more" "$out/less"; then echo "$1 and $2: the same code"; else echo "$1 and $2: different code"; fi
}
compare two_stores one_store
compare unused_load no_load
compare two_loads_cg one_load_cg
compare two_stores_volatile one_store_volatile
compare two_loads_relaxed one_load_relaxed
if command -v nvdisasm > "$out/where"; then nvdisasm -c "$out/relaxed.cubin" | grep -E '^\.text|ST|LD'; fi
