// SPDX-License-Identifier: MIT
#pragma once

namespace weakspot::tests {

// Thrown for a random test that would take too long: the few such ones would take minutes. It is skipped.
struct TooLarge {};

}  // namespace weakspot::tests
