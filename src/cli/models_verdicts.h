// SPDX-License-Identifier: MIT
// 'weakspot models verdicts': a published table of verdicts held against our models.
#pragma once

#include "cli/command_line.h"

namespace weakspot::cli {

Command* add_models_verdicts(Command& models, int& exit_code);

}  // namespace weakspot::cli
