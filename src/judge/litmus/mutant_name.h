// SPDX-License-Identifier: MIT
// Names of mutants. A name says what was changed in which test, and where:
//
//   MP-relacq-nofence          all fences removed
//   MP-relacq-nofence.P0       the fences of P0 removed
//   SB-nofence.P0.1            one of several fences of P0 removed, its instruction 1 (counted from 0)
//   CoRR-reversed              the only two accesses that can change places did
//   MP+rel+acq-order.rlx.P1    the order of P1's only ordered access is now relaxed
//   MP-scope.wg.P0.0.P1.1      the scope of P0's instruction 0 and of P1's instruction 1 is now the workgroup
//   MP-CO-split                one location became two
//
// One name means one program and one program made from one test has one name: what can be left out is left out.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::litmus {

// An instruction of a test.
struct Place {
  std::size_t thread = 0;
  std::size_t instruction = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

// The words for kinds of change.
inline constexpr std::string_view kReversed = "reversed";
inline constexpr std::string_view kSplit = "split";
inline constexpr std::string_view kScope = "scope";
inline constexpr std::string_view kOrder = "order";
inline constexpr std::string_view kNoFence = "nofence";

// `candidates` are the places where the test could have been changed that way, `changed` the ones that were. Both are
// sorted. `what` is one of the words above, followed by details after a dot.
std::string mutant_name(std::string_view parent, std::string_view what, const std::vector<Place>& candidates,
                        const std::vector<Place>& changed);

// The same places as text: ".P0.1.P2"; empty for all candidates.
std::string places_text(const std::vector<Place>& candidates, const std::vector<Place>& changed);

struct MutantName {
  std::string parent;
  std::string_view what;  // one of the words above

  friend bool operator==(const MutantName&, const MutantName&) = default;
};

// Takes a mutant's name apart; nothing for other names. Numbered names of former versions (MP-fence0, MP-order1) are
// understood, but do not determine a program.
std::optional<MutantName> parse_mutant_name(std::string_view name);

// The name that a test of the corpus, or of a suite, has now; nothing if it never had another.
std::optional<std::string_view> present_name(std::string_view former);
// The same for a test whose program is known by hash_of(): former names did not always mean one program. `name` itself
// if it is not a former name of this program.
std::string_view present_name(std::string_view name, std::string_view hash);
// Other names that the test had; none for most.
std::vector<std::string_view> former_names(std::string_view present);

}  // namespace weakspot::litmus
