// SPDX-License-Identifier: MIT
// The work of the keeper of a sandbox; see sandbox.h.
#pragma once

#include <functional>

#include "race_jit/guard/sandbox.h"

namespace weakspot::race_jit {

// In which namespaces the keeper finds itself.
enum class Separation : std::uint8_t { none, with_user, without_user };

// Never returns. `news` is where it says what the other side reads: lines "note TEXT", "limit TEXT", "exit CODE" and
// "signal NUMBER".
[[noreturn]] void keep(const SandboxOptions& options, Separation separation, int news, uid_t user, gid_t group,
                       const std::function<int()>& program);

}  // namespace weakspot::race_jit
