// SPDX-License-Identifier: MIT
// The tables behind predefined.h: sets (predefined_sets.cpp) and relations (predefined_relations.cpp).
#pragma once

#include <span>

#include "model/budget/allowance.h"
#include "model/execution/frame.h"
#include "model/relation/relation.h"

namespace weakspot::model {

struct SetEntry {
  std::string_view name;
  bool (*has)(const Frame& frame, const Event& event);
};

struct RelationEntry {
  std::string_view name;
  void (*fill)(const Frame& frame, Relation& out, Allowance& allowance);
};

std::span<const SetEntry> set_entries();        // sets for tests of several machines
std::span<const SetEntry> named_set_entries();  // sets for tests of one machine
std::span<const RelationEntry> relation_entries();

// The scope an event names, if it names one: strong accesses, fences with a scope, barriers, and Vulkan's availability
// and visibility operations.
std::optional<litmus::Scope> scope_of(const Frame& frame, const Event& event);
// The proxy that the instruction names, else that of the location.
litmus::Proxy proxy_of(const Frame& frame, const Event& event);
// An access by a lock function of the Linux kernel.
bool is_lock(const Event& event);
const litmus::Fence* fence_of(const Event& event);
const litmus::Barrier* barrier_of(const Event& event);

}  // namespace weakspot::model
