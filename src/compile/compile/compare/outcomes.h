// SPDX-License-Identifier: MIT
// Outcomes of a test and of what it was compiled to, in the order of the first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "litmus/outcome.h"
#include "litmus/test.h"

namespace weakspot::compile {

// The outcome of a compiled test in the order and the types of the source's observables; `places` is that of a
// CompiledTest.
litmus::Outcome translated_outcome(const litmus::LitmusTest& source, const std::vector<std::size_t>& places,
                                   const litmus::Outcome& outcome);
// The source's own outcomes in the types of its observables.
litmus::OutcomeSet own_outcomes(const litmus::LitmusTest& source, const litmus::OutcomeSet& outcomes);

// "0:r0=0 /\ x=1"
std::string outcome_text(const litmus::LitmusTest& source, const litmus::Outcome& outcome);

// Makes the test ask whether this outcome can be reached. `outcome` is the source's.
void ask_for(litmus::LitmusTest& source, const litmus::Outcome& outcome);
void ask_for_translated(litmus::LitmusTest& compiled, const std::vector<std::size_t>& places,
                        const litmus::Outcome& outcome);

}  // namespace weakspot::compile
