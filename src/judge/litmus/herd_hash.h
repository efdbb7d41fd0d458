// SPDX-License-Identifier: MIT
// The hash by which herd7 and its tools name the content of a test in their logs: `Hash=...`. mcompare7 and the like
// compare two logs of a test only if their hashes are equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weakspot::litmus {

struct HerdIdentity {
  std::string arch;  // the first word of the text: herd7 spells registers by it
  std::string hash;
  std::string observed;  // the observed items in herd7's order: "0:X0; x; y[1]"
};

// The identity of the test whose header (`AArch64 MP`) is on the line of offset `at`. The hash is the one that the
// text gives after `Hash=`; else the MD5 of four MD5s: of the lines about memory types, the initial state, the program
// and the observed items, each in herd7's spelling. Nothing if herd7 does not have the dialect.
std::optional<HerdIdentity> herd_identity(std::string_view text, std::uint32_t at);

}  // namespace weakspot::litmus
