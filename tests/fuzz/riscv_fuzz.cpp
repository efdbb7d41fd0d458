// SPDX-License-Identifier: MIT
#include "reader_fuzz.h"

WEAKSPOT_FUZZ_READER(riscv, "RISCV t\n")
