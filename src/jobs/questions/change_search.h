// SPDX-License-Identifier: MIT
// Searches sets of changes for all minimal ones that rule something out: an outcome of a test, a failure of a program.
//
// A caller says at which places something can be stronger, and judges a set of changes. A set is minimal if every set
// that is one step weaker is judged and rules out less. The search relies on one property: a stronger form allows no
// more than a weaker one. So where the strongest form of some places does not rule it out, nothing below it does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/judge.h"
#include "model/limits.h"

namespace weakspot::questions {

// One choice at one place.
struct Change {
  std::size_t place = 0;
  std::size_t alternative = 0;
  friend bool operator==(const Change&, const Change&) = default;
  friend auto operator<=>(const Change&, const Change&) = default;
};
using Changes = std::vector<Change>;  // by place, at most one each

// Places with alternatives, which are numbered by rising cost: a weaker one never has a higher number, and the last is
// the strongest.
class Changeable {
 public:
  using Reach = model::Verdict::Reach;
  struct Judgement {
    Reach reach = Reach::unknown;  // forbidden: the changes suffice
    std::string reason;            // of unknown
  };

  virtual ~Changeable() = default;
  virtual std::size_t place_count() const = 0;
  virtual std::size_t alternative_count(std::size_t place) const = 0;
  virtual std::size_t cost(const Change& change) const = 0;
  // Both change the same place.
  virtual bool at_most_as_strong(const Change& a, const Change& b) const = 0;
  // A place that is tried without others, which would change what it means.
  virtual bool is_alone(std::size_t) const { return false; }
  // `left` has the time that is left.
  virtual Judgement judge(const Changes& changes, const model::Limits& left) = 0;
};

struct SearchOptions {
  std::size_t places = 6;     // sets that change more places are not shown
  std::size_t most = 20'000;  // the most sets to judge; 0: no limit
  // For an explanation: all single changes or, where there are none, one minimal set, found by leaving out places one
  // after the other. Weaker sets are not shown.
  bool quick = false;
  bool halves = false;   // leave out halves of the places at a time: where a judgement takes long
  bool known = false;    // without any change it is known to be allowed
  model::Limits limits;  // time for all of it; the others for each set that is judged
};

// A set that is one step weaker than one that suffices: one of its places as it was, or in its next weaker form.
struct WeakerChanges {
  Changes changes;
  Change lifted;            // the change that is weaker here
  bool as_written = false;  // it is undone; else it has the next weaker alternative, which is in `changes`
  Changeable::Reach reach = Changeable::Reach::unknown;
};

struct FoundChanges {
  Changes changes;
  std::size_t cost = 0;
  std::vector<WeakerChanges> weaker;  // each allowed, or unknown
};

struct SearchResult {
  Changeable::Reach reach = Changeable::Reach::unknown;  // without any change
  std::string reason;                                    // why it is unknown
  std::vector<FoundChanges> found;                       // weakest first
  std::size_t judged = 0;                                // sets
  // Every set was looked at, or ruled out. Else `reason` says what ran out.
  bool complete = true;
  // If the search ended early: a set that suffices, though a smaller one may as well.
  Changes sufficient;
};

SearchResult search_changes(Changeable& what, const SearchOptions& options);

}  // namespace weakspot::questions
