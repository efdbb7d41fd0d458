// SPDX-License-Identifier: MIT
// When two tests are the same test under other names.
#pragma once

#include "base/hash.h"
#include "litmus/test.h"

namespace weakspot::gen {

// Equal for tests that differ in the order of threads (the scope tree following), in the names of locations,
// registers and labels, in the values written to a location (as long as values are only stored, loaded and compared
// for equality; initial values stay), in the order of a conjunction, and in name, description, expectations and info.
// Different for other tests, hash collisions aside, if at most eight threads look alike; with more, different tests may
// share a hash.
base::Hash128 canonical_hash(const litmus::LitmusTest& test);

}  // namespace weakspot::gen
