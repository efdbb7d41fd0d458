// SPDX-License-Identifier: MIT
// The names of the MC Mutants study's tests in its data, in the GPUHarbor study and here; docs/mc-mutants.md is the
// same table for readers.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace weakspot::analysis {

struct PublishedName {
  std::string_view ours;   // "MP-relacq-nofence.P0"
  std::string_view study;  // "Message Passing Barrier Variant 1"
  std::string_view web;    // "messagePassingBarrier1", as GPUHarbor's database has it
};

// The 20 conformance tests and the 32 mutants, in the order of the suite mc-mutants.
std::span<const PublishedName> published_names();

// Our name of a test by any of its published ones, also with "Single Instance" in it.
std::optional<std::string_view> our_name(std::string_view published);

}  // namespace weakspot::analysis
