// SPDX-License-Identifier: MIT
// Events in words: letters, places, values and the instructions that they come from.
#pragma once

#include <string>
#include <vector>

#include "litmus/value.h"
#include "model/execution/frame.h"

namespace weakspot::model {

// The location that an event names, with the bytes of it where accesses are in pieces: "x", "x[4..7]". Empty for fences
// and barriers.
std::string event_place(const Frame& frame, EventId event);
// The location and value of an event: "x=1", "x[4..7]=1"; empty for fences and barriers.
std::string event_value(const Frame& frame, const std::vector<litmus::Value>& values, EventId event);

// "a", "b", ..., "z", "aa", ...: the events of the threads in program order, thread by thread; "init x" for the initial
// write of x. Texts and pictures share these letters.
std::string event_letter(const Frame& frame, EventId event);

// Texts of events and of the instructions they come from. The frame must outlive it.
class EventTexts {
 public:
  explicit EventTexts(const Frame& frame);
  std::string instruction(EventId event) const;  // "st.rel y, 1", as the test's dialect writes it
  std::string effect(EventId event, const std::vector<litmus::Value>& values) const;  // "W y=1"

 private:
  const Frame& frame_;
  std::vector<std::vector<std::string>> texts_;  // by thread, of each instruction
};

}  // namespace weakspot::model
