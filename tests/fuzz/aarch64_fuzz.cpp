// SPDX-License-Identifier: MIT
#include "reader_fuzz.h"

WEAKSPOT_FUZZ_READER(aarch64, "AArch64 t\n")
