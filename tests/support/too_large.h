// SPDX-License-Identifier: MIT
#pragma once

namespace weakspot::tests {

// Thrown for one of the few random tests that would take minutes, which is then skipped.
struct TooLarge {};

}  // namespace weakspot::tests
