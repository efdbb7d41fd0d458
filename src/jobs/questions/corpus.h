// SPDX-License-Identifier: MIT
// The corpus as the program carries it: it needs no file of ours where it runs.
#pragma once

#include "base/packed_texts.h"

namespace weakspot::questions {

// The texts of the files of corpus/, named by folder and test: "classic/MP".
const base::PackedTexts& packed_corpus();

}  // namespace weakspot::questions
