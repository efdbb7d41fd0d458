// SPDX-License-Identifier: MIT
// Advice about a finding, as data until a report says it.
//
// A fix is certain if its statements, inserted or removed at its places, make the finding go away and nothing new
// appear: a tool can apply it. Anything else is a hint, and its words say so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "race/access.h"
#include "race/site.h"

namespace weakspot::race {

// A place for a statement: before or after a line.
struct Gap {
  std::string file;
  unsigned line = 0;
  bool after = false;

  auto operator<=>(const Gap&) const = default;
};

enum class FixKind : std::uint8_t {
  // Statements to insert.
  warp_barrier,
  block_barrier,
  cluster_barrier,
  fence,
  async_fence,
  grid_wait,
  // A statement to remove.
  remove_barrier,
  // Changes that are left to a person.
  two_launches,
  own_elements,
  atomic,
  atomic_read,
  one_writer,
  read_first,
  release_acquire,
  release,
  acquire,
  sc_fences,
  late_acquire,
  device_scope,
  same_width,
  inside_lock,
  one_stream,
  wait_for_copy,
  wait_for_product,
  map_fences,
  tensor_order,
  move_barrier,
  reach_barrier,
  live_mask,
  first_cluster_barrier,
  last_cluster_barrier,
  check_relation,
};

// The reason for a fence at a place; or a barrier that must stay if others are removed.
enum class FixRole : std::uint8_t { none, release, acquire, lock_taken, lock_given, keep };

struct FixPlace {
  Gap gap;
  FixRole role = FixRole::none;
  Place about;  // a barrier to remove; the store or load that is not a release or acquire; an access to change

  bool operator==(const FixPlace&) const = default;
};

struct Fix {
  FixKind kind = FixKind::block_barrier;
  bool certain = false;
  std::vector<FixPlace> places;  // all of them together; none: not known
  std::optional<Scope> scope;    // of a fence or an atomic
  std::string detail;            // a relation, lines in words, or how to wait
  std::uint64_t pairs = 1;       // of lines that it orders

  bool operator==(const Fix&) const = default;
};

// The statement that the fix inserts or removes, "__syncthreads();"; empty if a person has to write it.
std::string fix_code(const Fix& fix);
// "put __syncthreads() before line 7", "consider an atomic of device scope at line 3". Lines of another file are named
// with it.
std::string fix_text(const Fix& fix, const std::string& file);
// "between lines 4 and 6", "between one execution of line 4 and the next"
std::string between_text(const Place& a, const Place& b);

}  // namespace weakspot::race
