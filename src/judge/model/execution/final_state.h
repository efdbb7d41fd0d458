// SPDX-License-Identifier: MIT
// The outcomes of a frame's candidates: the final values of the observed registers and locations.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "litmus/outcome.h"
#include "litmus/test.h"
#include "model/execution/coherence.h"
#include "model/execution/frame_values.h"
#include "model/execution/frames.h"

namespace weakspot::model {

class FinalState {
 public:
  explicit FinalState(const Layout& layout);

  // The observed registers, in their order; FrameValues watches them.
  const std::vector<litmus::ObservedRegister>& registers() const { return registers_; }

  // The part known while values are being chosen: registers whose reads are known.
  std::span<const std::optional<litmus::Value>> so_far(FrameValues& values);

  // Fixes the registers, once all reads are known. False if one has no meaningful value.
  bool take_registers(FrameValues& values);
  // One outcome per choice of a last write for each observed location. Some are missing if the allowance is used up.
  std::span<const litmus::Outcome> outcomes(const FrameValues& values, const Coherence& coherence,
                                            Allowance& allowance);

 private:
  struct Observed {
    std::size_t index;            // in the outcome
    litmus::LocationId location;  // not an alias
    Bytes bytes;
  };
  struct Part {
    EventId cell;
    std::vector<std::size_t> items;  // in locations_: several, if a location is observed under several names
  };

  void fill(litmus::Outcome& outcome, const std::vector<litmus::Value>& values) const;

  const Layout& layout_;
  std::vector<litmus::ObservedRegister> registers_;
  std::vector<Observed> locations_;
  std::vector<Part> parts_;                        // the cells of observed locations
  std::vector<std::vector<EventId>> last_writes_;  // by part
  std::vector<std::size_t> chosen_;                // by part
  std::vector<std::optional<litmus::Value>> so_far_;
  litmus::Outcome base_;
  std::vector<litmus::Outcome> outcomes_;
};

}  // namespace weakspot::model
