// SPDX-License-Identifier: MIT
// An access to memory, as the machine tells the detector of it.
#pragma once

#include <cstdint>

#include "race/entry.h"

namespace weakspot::race {

class Clock;

// Accesses to tensor memory are compared apart (race_jit/tensor).
enum class Space : std::uint8_t { global, shared, tensor };
enum class AccessKind : std::uint8_t { read, write, update };

// The order of a fence. Those of `sc` have one order among themselves, as far as their scopes reach.
enum class FenceOrder : std::uint8_t { acquire, release, acq_rel, sc };

struct Access {
  std::uint64_t address = 0;
  unsigned size = 4;
  AccessKind kind = AccessKind::read;
  Space space = Space::global;
  SiteId site = 0;
  bool strong = false;
  Scope scope = Scope::device;  // for a strong access
  bool acquire = false, release = false;
  bool same_value = false;  // a write of the value that memory already holds
  bool ignored = false;     // a strong update whose result is not used
  bool feeds_data = true;   // a read whose value does more than decide branches; matters to W3 only
  // Made through the async proxy. It sees writes of other proxies, or of other blocks, only if a proxy fence let them
  // through: those that `fenced` knows; null: none.
  bool asynchronous = false;
  const Clock* fenced = nullptr;
  bool of_product = false;  // a product of matrices reads, rather than a copy
  // The hardware reads a tensor map, which it does through a third proxy. `fenced` knows the writes that were released
  // and then acquired, `released` those that were at least released.
  bool of_map = false;
  const Clock* released = nullptr;
};

}  // namespace weakspot::race
