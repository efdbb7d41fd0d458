#!/bin/sh
# SPDX-License-Identifier: MIT
# Needs spirv-as (spirv-tools), the Vulkan loader with its headers (libvulkan-dev), and a C compiler.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
spirv-as --target-env vulkan1.2 -o "$out/mp.spv" mp.spvasm
"${CC:-cc}" -std=c11 -O2 -o "$out/mp" mp.c -lvulkan
"$out/mp" "$out/mp.spv" "$@"
