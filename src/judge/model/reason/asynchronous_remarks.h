// SPDX-License-Identifier: MIT
// What an execution with asynchronous operations lacks, for a person: a proxy fence between two accesses that are
// ordered but go through different proxies, or a wait for a copy that is still running.
#pragma once

#include <string>
#include <vector>

namespace weakspot::model {

struct Witness;

// Sentences, for reads that miss a write that was made before them. Empty where nothing asynchronous is to blame.
std::vector<std::string> asynchronous_remarks(const Witness& witness);

}  // namespace weakspot::model
