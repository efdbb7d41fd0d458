// SPDX-License-Identifier: MIT
#include "reader_fuzz.h"

WEAKSPOT_FUZZ_READER(x86_64, "X86_64 t\n")
