// SPDX-License-Identifier: MIT
#include "reader_fuzz.h"

WEAKSPOT_FUZZ_READER(linux_kernel, "C t\n")
