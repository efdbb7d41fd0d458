// SPDX-License-Identifier: MIT
// The identity of a test: a hash that ignores its names, as tests that differ only in these are the same test.
#pragma once

#include "base/hash.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::gen {

// Equal for tests that differ in the order of threads (the scope tree following), in the names of locations,
// registers and labels, in the values written to a location (as long as values are only stored, loaded and compared
// for equality; initial values stay), in the order of a conjunction, and in name, description, expectations and info.
// Different for other tests, hash collisions aside, if at most eight threads look alike; with more, different tests may
// share a hash.
base::Hash128 canonical_hash(const litmus::LitmusTest& test);

}  // namespace weakspot::gen
