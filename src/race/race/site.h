// SPDX-License-Identifier: MIT
// The place in the source of an access or a synchronisation.
#pragma once

#include <string>
#include <vector>

namespace weakspot::race {

struct Place {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  auto operator<=>(const Place&) const = default;
};

// The places of code made of PTX that lie behind its place in the source; line 0: there is none.
struct PtxOrigin {
  Place library;      // of a library's source, inlined at the user's line
  Place instruction;  // of the text of PTX

  bool operator==(const PtxOrigin&) const = default;
};

struct Site {
  Place place;
  PtxOrigin origin;
  std::string function;            // the function it is written in
  std::vector<Place> called_from;  // innermost first, where that function was inlined
  std::string variable;            // the accessed variable, if the source names it
  unsigned size = 0;               // bytes accessed
  bool ignored = false;            // an atomic update whose result is not used
  bool control_only = false;       // a read whose value only decides branches
  bool shared = false;             // the address is computed from that of a shared variable
  bool awaited = false;            // a read whose value is needed before the thread synchronises
  bool checked_again = false;      // a plain read whose value an atomic compare-and-swap of the address then checks
};

}  // namespace weakspot::race
