// SPDX-License-Identifier: MIT
// The edges of cycles, and the annotations of the events between them. docs/cycles.md has the grammar of their text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/asynchronous.h"
#include "litmus/fence.h"
#include "litmus/vocabulary.h"

namespace weakspot::gen {

enum class Direction : std::uint8_t { read, write };

// In the order in which names list the threads of a symmetric test: LB+fence.sc+data, LB+data+po.
enum class EdgeKind : std::uint8_t { fence, wait, barrier, addr, data, ctrl, rf, fr, co, rmw, po };

bool is_communication(EdgeKind kind);  // rf, fr, co
bool is_dependency(EdgeKind kind);     // addr, data, ctrl

// From one event to the next. Communications and `rmw` (from the read to the write of one read-modify-write) stay at
// one location; the others say whether they do.
struct Edge {
  EdgeKind kind = EdgeKind::po;
  Direction source = Direction::read;
  Direction target = Direction::read;
  bool external = false;  // leads to another thread; communications only
  bool same_location = true;
  // External: the smallest scope with both threads in one instance. device: different workgroups.
  litmus::Scope together = litmus::Scope::device;
  // fence: which, or none for the strongest of the dialect. ctrl: the fence between branch and target, if any.
  std::optional<litmus::Fence> fence;
  // wait: for which of the thread's asynchronous copies, and until what.
  std::optional<litmus::AsyncControl> wait;

  friend bool operator==(const Edge&, const Edge&) = default;
};

Edge communication(EdgeKind kind, bool external);

// Properties of one event beyond its direction. Absent fields mean the dialect's default.
struct Annotation {
  std::optional<litmus::Order> order;
  std::optional<litmus::Scope> scope;
  litmus::CacheOp cache = litmus::CacheOp::none;
  bool is_volatile = false;
  bool atomic = false;  // done as a read-modify-write: a read adds 0, a write exchanges
  // Done by an asynchronous copy: a write from a location that holds the value, a read to one that the condition asks.
  std::optional<litmus::AsyncEngine> copy;
  bool cpu = false;  // the event's thread runs on a CPU; all events of a thread agree
  // The memory space of the event's location; all events of a location agree.
  litmus::Space space = litmus::Space::none;

  friend bool operator==(const Annotation&, const Annotation&) = default;
};

// "PodWR", "Fence.sc.wgdRR", "DpCtrlIsbdR", "Rfe.wg"
std::string to_string(const Edge& edge);
// The edge of that text, or nullopt.
std::optional<Edge> parse_edge(std::string_view text);
// The same with '*' in place of a direction or of the s or d: every edge it can stand for, "Pod**" four of them.
std::vector<Edge> expand_edge(std::string_view text);

// "fence.sc.wg", "membar.gl", "dmb.sy", "mfence": as names spell a fence. none: "fence".
std::string fence_word(const std::optional<litmus::Fence>& fence);
std::optional<std::optional<litmus::Fence>> parse_fence_word(std::string_view word);

// "wait.bulk", "wait.bulk.read", "wait.lane".
std::string wait_word(const litmus::AsyncControl& wait);
std::optional<litmus::AsyncControl> parse_wait_word(std::string_view word);

// "atom.acq.wg.cg.vol", without the memory space; empty if there is no annotation.
std::string to_string(const Annotation& annotation);
// Adds a dotted word ("Acq.wg", "shared"); false if it is not an annotation or contradicts the present one.
bool add_annotation(std::string_view word, Annotation& annotation);
bool is_annotation(std::string_view word);

// Scopes by their canonical words and by PTX's: warp cta gpu gl.
std::optional<litmus::Scope> parse_scope(std::string_view word);
// Whether an external edge can have this scope as `together`: sg, wg, cluster, dev, sys.
bool can_hold_threads(litmus::Scope scope);

// Equal iff the values are; orders the threads of symmetric tests.
std::uint64_t code(const Edge& edge);
std::uint64_t code(const Annotation& annotation);

}  // namespace weakspot::gen
