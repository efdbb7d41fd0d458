// SPDX-License-Identifier: MIT
// The extent to which a run executed the code that it was given. The translator and the machine count; reports only
// say it. A figure that nobody counted is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "json/json.h"
#include "json/json_fields.h"
#include "race/launch_shape.h"
#include "race/request.h"

namespace weakspot::race {

// A number of things, and those of them that were done.
struct Share {
  std::uint64_t all = 0, done = 0;

  Share& operator+=(const Share& other) {
    all += other.all;
    done += other.done;
    return *this;
  }
  bool operator==(const Share&) const = default;
};

// `partial`: something ran whose result was taken as zero, or whose writes were left out.
enum class Values : std::uint8_t { computed, partial };

// Launches by the order in which their threads ran, runs of a search among them.
struct OrdersRun {
  std::uint64_t forward = 0, reversed = 0, random = 0;

  void count(Schedule order) {
    ++(order == Schedule::forward ? forward : order == Schedule::reversed ? reversed : random);
  }
  OrdersRun& operator+=(const OrdersRun& other) {
    forward += other.forward;
    reversed += other.reversed;
    random += other.random;
    return *this;
  }
  bool operator==(const OrdersRun&) const = default;
};

struct Fidelity {
  // Those that are modelled, whether a run reached them or not: all instructions of a file of PTX; of CUDA code the
  // inline PTX, the intrinsics and the functions without a body, counted where they are inlined.
  std::optional<Share> instructions, operations;
  std::optional<Values> values;  // none if no block ran
  Share blocks;                  // of all launches; done are those that came to their end
  OrdersRun orders;
  Share kernels;  // of the file; done are those that were launched

  // The figures of another file.
  Fidelity& operator+=(const Fidelity& other);
  bool operator==(const Fidelity&) const = default;
};

// "ran: all 412 instructions, values computed, 18 blocks: forward, reversed, random"
std::string fidelity_line(const Fidelity& fidelity);

base::JsonValue to_json(const Fidelity& fidelity);
Fidelity read_fidelity(const base::JsonValue& json, base::Mistakes& mistakes);

}  // namespace weakspot::race
