// SPDX-License-Identifier: MIT
// The command line of a finding (race/replay.h) as words. A report may come from anybody, so that only words are taken
// that say what is launched.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace weakspot::confirm {

struct ReplayWords {
  std::string file;                  // a source, a text of PTX or a capture
  std::vector<std::string> words;    // options of 'weakspot race', without the schedule
  std::vector<std::string> program;  // arguments of main()
};

// Fails if there is none, or if it has an option that means something else: a program, a file to write.
base::Result<ReplayWords> replay_words(const std::string& replay);

}  // namespace weakspot::confirm
