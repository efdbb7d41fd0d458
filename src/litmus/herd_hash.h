// SPDX-License-Identifier: MIT
// How herd7 and its tools name the content of a test in their logs: `Hash=...`. mcompare7 and the like compare two logs
// of a test only where this is equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weakspot::litmus {

struct HerdIdentity {
  std::string arch;  // the first word of the text: herd7 spells registers by it
  std::string hash;
  std::string observed;  // what its states show, in herd7's order: "0:X0; x; y[1]"
};

// The identity of the test whose header (`AArch64 MP`) is on the line of offset `at`. The hash is what the text says
// after `Hash=`; else the MD5 of four MD5s: of the lines about memory types, of the initial state, of the program and
// of what is observed, each in herd7's spelling. Nothing if herd7 does not have the dialect.
std::optional<HerdIdentity> herd_identity(std::string_view text, std::uint32_t at);

}  // namespace weakspot::litmus
