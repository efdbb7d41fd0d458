// SPDX-License-Identifier: MIT
// Invariants of ours, kept in release builds: a checker that goes on after a broken one gives wrong
// verdicts. Errors of the world (text, files, drivers, time) are Result values instead.
#pragma once

namespace weakspot::base {

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace weakspot::base

#define WEAKSPOT_CHECK(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : ::weakspot::base::check_failed(#condition, __FILE__, __LINE__))
