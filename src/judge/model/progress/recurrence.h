// SPDX-License-Identifier: MIT
// A proof that a test ends although its loops write, by what would have to happen again and again if it did not.
//
// Suppose that some threads never end. From some time on, each of them takes only steps that it takes infinitely often.
// What such a step reads from a location is
//   - if the location is written infinitely often: a value that one of these steps writes. Each other write is followed
//     by others in coherence, and is seen only finitely often;
//   - else the value that is last in coherence: the last one that some thread wrote on its way, or the initial one.
// A step that reads anything else is not taken infinitely often. Taking such steps away, and then those that are no
// longer on a circle, may leave a thread without any: then these threads do not go on for ever. Read-modify-writes that
// write back what they read count as reads.
//
// Only coherence and fairness of each location are used, so the proof holds for every order between locations.
#pragma once

#include "litmus/test.h"
#include "model/budget/allowance.h"
#include "model/progress_model.h"

namespace weakspot::model {

// True if this argument proves that no set of threads can go on for ever. False says nothing. is_coherent() must hold
// for the test.
bool nothing_recurs(const litmus::LitmusTest& test, Progress progress, Allowance& allowance);

}  // namespace weakspot::model
