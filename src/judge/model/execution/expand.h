// SPDX-License-Identifier: MIT
// Takes asynchronous operations apart into loads, stores and read-modify-writes, so that everything behind it knows
// those alone (docs/decisions/0017-asynchronous-operations.md).
//
// A copy becomes the steps of an agent: it reads, writes, and, if it goes through the async proxy, fences that proxy
// and counts its bytes on the mbarrier. The steps stand in the code of the thread that issues the copy, marked with the
// number of the agent; Frame::po relates them to each other only.
//
// The state of an mbarrier is one number of 64 bits: bits 0 to 19 hold the arrivals that are still to come, bits 20 to
// 41 the bytes, both with an offset so that they can be negative for a while, and the rest the phase. Each operation
// adds to it. When nothing is to come any more, the arrivals of the next phase and 1 for the phase are added as well
// (Rmw::refill). The highest bits hold the arrivals that were dropped and that no later phase expects.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "litmus/asynchronous.h"
#include "litmus/test.h"

namespace weakspot::model {

// Bits of an mbarrier's state.
inline constexpr int kMbarrierBytes = 20;
inline constexpr int kMbarrierPhase = 42;
inline constexpr int kMbarrierDropped = 52;
inline constexpr std::int64_t kMbarrierPending = (std::int64_t{1} << kMbarrierPhase) - 1;
inline constexpr std::int64_t kMbarrierDone = (std::int64_t{1} << 40) | (std::int64_t{1} << 19);

// Properties of an agent's steps.
struct Agent {
  litmus::AsyncEngine engine = litmus::AsyncEngine::bulk;
  bool grouped = false;  // completed by waiting for its group, or for all operations of its engine
  bool follows = false;  // not a copy: an arrival after the thread's earlier copies by the engine; tcmma: and by tccp
};

struct Expansion {
  litmus::LitmusTest original;
  litmus::LitmusTest test;                         // locations as in the original; more registers and instructions
  std::vector<std::vector<std::uint32_t>> origin;  // by thread and instruction: the instruction of the original
  std::vector<std::vector<Agent>> agents;          // by thread and Instruction::agent - 1
  std::set<litmus::LocationId> mbarriers;
};

// Null if there is nothing to take apart.
std::shared_ptr<const Expansion> expand(const litmus::LitmusTest& test);

}  // namespace weakspot::model
