// SPDX-License-Identifier: MIT
// An allowed execution told as one story: its events in an order, with what is remarkable about their places in it.
//
// A story is true of the execution, whatever the machine: what each read returned, which writes it did not
// see, which write of two lasts. It departs from program order only where reads-from makes every order do so (load
// buffering), and then says which event comes before which. Nothing is said of caches or buffers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/execution/frame.h"

namespace weakspot::model::picture {

struct Told {
  EventId event = 0;
  std::vector<EventId> early;     // of its thread, above it, and told later
  std::vector<EventId> unseen;    // for a read: writes told before that are newer than what it returned
  std::vector<EventId> outlived;  // for a write: writes told before that come after it in coherence

  bool remarkable() const { return !early.empty() || !unseen.empty() || !outlived.empty(); }
};

// Orders the events with as few remarkable ones as possible (nearly so where there are many), and keeps program order
// where it can. None where threads meet at barriers, or where values come out of thin air.
std::optional<std::vector<Told>> tell(const Witness& witness);

// "P1 reads x=0, the initial value. It does not see a, although P1 has seen b, which comes after a."
std::string told_words(const Witness& witness, const std::vector<Told>& story, std::size_t step);

}  // namespace weakspot::model::picture
