// SPDX-License-Identifier: MIT
// Threads of a frame that can change places. If two threads are equal, exchanging them turns every candidate into
// another one, which a model allows if it allows the first. The search then shows one of each such set of candidates,
// and the others are counted, with their outcomes, without being looked at.
//
// Threads are equal if they have the same instructions and registers and every other thread is as near to one as to the
// other. Where no value decides anything (no branch, no store of what was read), stored constants may differ as well:
// then the values change places with the threads. Threads that the test observes differently do not count as equal.
//
// One candidate of a set is found by fixing the coherence order of one write of each thread: the orders that are left
// out are those of the same writes with the threads exchanged. So the search needs to know of pairs of writes that are
// ordered one way or the other in every candidate, and threads without such a write are not exchanged.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "litmus/outcome.h"
#include "model/budget/allowance.h"
#include "model/execution/final_state.h"
#include "model/execution/frame_values.h"
#include "model/execution/frames.h"

namespace weakspot::model {

// By thread: which one takes its place.
using Exchange = std::vector<std::uint32_t>;

class Symmetry {
 public:
  // With `same_outcomes`, only exchanges that leave every outcome as it is. The values are those before anything is
  // chosen. All arguments must outlive it.
  Symmetry(const Layout& layout, const FinalState& final, const FrameValues& values, bool same_outcomes);

  // Threads that can change places with each other, by the writes whose order picks one candidate. The search removes
  // those that it cannot use.
  struct Group {
    std::vector<std::uint32_t> threads;
    std::vector<std::uint32_t> writes;  // positions in each thread
  };
  std::vector<Group>& groups() { return groups_; }
  EventId event(std::uint32_t thread, std::uint32_t position) const { return layout_.first[thread] + position; }

  // The number of candidates that are equal to the one shown, itself included.
  std::uint64_t size() const;

  // Visits the different ends of these candidates: the outcomes of each, in how many candidates, and the exchange that
  // leads to one of them. `outcomes` are those of the candidate that is shown. Gives up if the allowance is used up.
  using Visit = std::function<void(std::span<const litmus::Outcome>, std::uint64_t, const Exchange&)>;
  void for_each_end(const Candidate& candidate, std::span<const litmus::Outcome> outcomes, Allowance& allowance,
                    const Visit& visit) const;

  // The candidate after an exchange.
  struct Image {
    Relation rf, co;
    std::vector<litmus::Value> values;
  };
  Image image(const Candidate& candidate, const Exchange& exchange) const;

 private:
  // The observed end of a candidate. One number per register: a value or, where values change places, a write. Then,
  // for each outcome, the last write of each location whose values change places.
  using Ends = std::u32string;
  struct Observed {
    std::size_t index;  // in the outcome
    litmus::LocationId location;
  };

  bool values_decide_nothing() const;
  bool holds_what_it_read(std::size_t observed) const;
  bool constants_are_different();
  bool observe_as_written(const std::set<litmus::LocationId>& changing);
  void find_groups(bool same_outcomes);
  bool equal(std::uint32_t a, std::uint32_t b) const;
  bool equal_code(std::uint32_t a, std::uint32_t b) const;
  bool equal_events(std::uint32_t a, std::uint32_t b) const;
  bool equal_places(std::uint32_t a, std::uint32_t b) const;
  bool observed_alike(std::uint32_t a, std::uint32_t b) const;
  std::uint32_t events_of(std::uint32_t thread) const;
  EventId moved(EventId event, std::uint32_t a, std::uint32_t b) const;
  EventId write_of(litmus::LocationId location, const litmus::Value& value,
                   const std::vector<litmus::Value>& values) const;
  Ends exchanged(const Ends& ends, std::uint32_t a, std::uint32_t b) const;

  const Layout& layout_;
  const std::vector<litmus::ObservedRegister>& registers_;
  const FrameValues& values_;
  bool values_move_ = false;  // with the threads
  std::vector<Observed> locations_;
  std::vector<Group> groups_;
};

}  // namespace weakspot::model
