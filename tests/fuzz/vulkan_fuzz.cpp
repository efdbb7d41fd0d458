// SPDX-License-Identifier: MIT
#include "reader_fuzz.h"

WEAKSPOT_FUZZ_READER(vulkan, "Vulkan t\n")
