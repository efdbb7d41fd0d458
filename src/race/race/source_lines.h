// SPDX-License-Identifier: MIT
// The lines that reports quote.
#pragma once

#include "race/report.h"

namespace weakspot::race {

// Lines of files, each file read once.
LineReader lines_of_files();

}  // namespace weakspot::race
