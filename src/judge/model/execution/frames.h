// SPDX-License-Identifier: MIT
// From the threads' paths to frames: one path per thread, every address settled, every event numbered.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "litmus/test.h"
#include "model/execution/frame.h"
#include "model/execution/path.h"
#include "model/execution/spin.h"
#include "model/execution/value_domain.h"

namespace weakspot::model {

// A path whose addresses and barriers are settled. Where they depend on values read, `constraints` has the conditions
// in addition to those of the path.
struct SettledPath {
  const Path* path = nullptr;
  struct Place {
    litmus::LocationId location;  // the location named by the access
    Bytes bytes;
    std::optional<std::int64_t> barrier_id, barrier_name, barrier_quorum;
  };
  std::vector<Place> places;  // by event
  std::vector<Constraint> constraints;
};

// A frame, and where its values come from.
//
// Values belong to operations: the initial writes, then the events of the paths, thread by thread. An operation is one
// event of the same number, unless some access has pieces.
struct Layout {
  Frame frame;
  std::vector<const SettledPath*> paths;    // by thread
  std::vector<EventId> first;               // by thread: its first operation
  std::vector<EventId> pieces;              // by operation: its first event; then the number of events. Or empty.
  std::vector<EventId> cell;                // by event: the initial write of its bytes; itself if it has no bytes
  std::vector<Bytes> bytes;                 // by event, for reads and writes
  std::vector<std::vector<EventId>> cells;  // by initial write: the writes of the same bytes, without the initial one

  std::size_t initial_writes() const { return cells.size(); }
  std::size_t operations() const { return pieces.empty() ? frame.size() : pieces.size() - 1; }
  EventId operation_of(EventId event) const { return pieces.empty() ? event : frame.events[event].operation; }
  // The events of an operation are those from first_piece() to before end_of_pieces().
  EventId first_piece(EventId operation) const { return pieces.empty() ? operation : pieces[operation]; }
  EventId end_of_pieces(EventId operation) const { return pieces.empty() ? operation + 1 : pieces[operation + 1]; }
  // The bytes of all pieces of a read or write.
  Bytes extent(EventId operation) const;
};

// All frames of a test, built on demand.
class Layouts {
 public:
  // The allowance must outlive the layouts. When it is used up, some of them are missing.
  Layouts(const litmus::LitmusTest& test, const PathOptions& options, Allowance& allowance);

  // Every frame is a choice of one settled path per thread.
  std::size_t paths_of(std::size_t thread) const { return settled_[thread].size(); }
  // The number of events of that choice, without the initial writes.
  std::size_t events_of(const std::vector<std::size_t>& choice) const;
  Layout build(const std::vector<std::size_t>& choice) const;
  const std::vector<std::vector<SettledPath>>& settled() const { return settled_; }
  // The test that the frames are of: asynchronous operations are taken apart.
  const litmus::LitmusTest& test() const { return test_; }
  // Whether some thread's path depends on what it reads.
  bool branches() const;
  // True if a thread has more paths than PathOptions allows. There are then no frames.
  bool too_many() const { return too_many_; }
  // Roughly the bytes that the paths take.
  std::size_t held() const;

  // True if some path was given up at the unroll limit and might have led to something new.
  bool bounded() const { return bounded_; }
  // The reason why executions are missing from the frames; empty if none are.
  const std::string& trouble() const { return trouble_; }
  // The values of all paths, infeasible ones included. Built when first asked for.
  const ValueDomain& domain();

 private:
  bool unroll_all(const PathOptions& options);
  void settle(litmus::ThreadId thread, const Path& path);
  void settle_from(litmus::ThreadId thread, SettledPath& so_far, std::size_t event);
  void settle_access(litmus::ThreadId thread, SettledPath& so_far, std::size_t event);
  void settle_barrier(litmus::ThreadId thread, SettledPath& so_far, std::size_t event, std::size_t operand);
  template <typename Visit>
  void for_each_option(litmus::ThreadId thread, SettledPath& so_far, ExprId expression, const Visit& visit);
  std::vector<litmus::Value> options_for(litmus::ThreadId thread, const Path& path, ExprId expression);
  bool pairs_match(const SettledPath& settled) const;
  void drop_infeasible();
  void note(std::string trouble);

  void find_cells(Layout& layout) const;
  void add_initial_writes(Layout& layout) const;
  void add_events(Layout& layout) const;
  void add_event(Layout& layout, litmus::ThreadId thread, std::uint32_t index, EventId operation) const;
  static void add_ends(Layout& layout);
  static void add_relations(Layout& layout);
  static void add_relations_of(Layout& layout, std::size_t thread, const Path& path, std::uint32_t index,
                               EventId piece);

  std::shared_ptr<const Expansion> expansion_;
  const litmus::LitmusTest& test_;
  Allowance& allowance_;
  std::size_t settled_bytes_ = 0;
  litmus::ScopeTree scopes_;
  SharedAccesses shared_;
  std::vector<std::vector<Path>> paths_;           // by thread
  std::vector<std::vector<Path>> spins_;           // by thread: paths that may go round a loop for ever
  std::vector<std::vector<SettledPath>> settled_;  // by thread
  std::optional<ValueDomain> domain_;
  bool bounded_ = false;
  bool too_many_ = false;
  std::string trouble_;
};

}  // namespace weakspot::model
