// SPDX-License-Identifier: MIT
// Relations by name that no choice of reads-from or coherence changes.
#include <algorithm>

#include "model/cat/predefined_tables.h"
#include "model/execution/barriers.h"

namespace weakspot::model {
namespace {

using litmus::Scope;

template <typename Holds>
void relate(const Frame& frame, Relation& out, Allowance& allowance, Holds holds) {
  const auto n = static_cast<EventId>(frame.events.size());
  for (EventId a = 0; a < n && !allowance.spend(1 + n / 256); ++a) {
    for (EventId b = 0; b < n; ++b) {
      if (holds(frame.events[a], frame.events[b])) out.insert(a, b);
    }
  }
}

template <Scope scope>
void same(const Frame& frame, Relation& out, Allowance& allowance) {
  relate(frame, out, allowance, [&](const Event& a, const Event& b) {
    return a.thread && b.thread && frame.scopes.together(*a.thread, *b.thread, scope) &&
           (scope != Scope::thread || a.agent == b.agent);
  });
}

// ASPLOS'15: "the sys relation is simply the universal relation between all events".
void universal(const Frame& frame, Relation& out, Allowance& allowance) {
  relate(frame, out, allowance, [](const Event&, const Event&) { return true; });
}

void internal(const Frame& frame, Relation& out, Allowance& allowance) {
  relate(frame, out, allowance, [](const Event& a, const Event& b) { return a.thread && a.same_agent(b); });
}

// Initial writes are external to every thread, but not to each other.
void external(const Frame& frame, Relation& out, Allowance& allowance) {
  relate(frame, out, allowance, [](const Event& a, const Event& b) { return !a.same_agent(b); });
}

// The location whose virtual address an event uses: an alias through another proxy has its target's, an alias through
// the generic proxy one of its own.
std::optional<litmus::LocationId> virtual_location(const Frame& frame, const Event& event) {
  std::optional<litmus::LocationId> id = event.location;
  while (id && (*frame.test)[*id].alias_of && (*frame.test)[*id].proxy != litmus::Proxy::generic) {
    id = (*frame.test)[*id].alias_of;
  }
  return id;
}

void same_virtual_location(const Frame& frame, Relation& out, Allowance& allowance) {
  out |= frame.loc;
  const auto n = static_cast<EventId>(frame.events.size());
  for (EventId a = 0; a < n && !allowance.spend(1 + n / 256); ++a) {
    for (EventId b = 0; b < n; ++b) {
      if (out.has(a, b) && virtual_location(frame, frame.events[a]) != virtual_location(frame, frame.events[b])) {
        out.erase(a, b);
      }
    }
  }
}

// Each event names a scope that includes the other's thread.
void same_scope(const Frame& frame, Relation& out, Allowance& allowance) {
  relate(frame, out, allowance, [&](const Event& a, const Event& b) {
    if (!a.thread || !b.thread) return false;
    const std::optional<Scope> of_a = scope_of(frame, a);
    const std::optional<Scope> of_b = scope_of(frame, b);
    return of_a && of_b && frame.scopes.together(*a.thread, *b.thread, *of_a) &&
           frame.scopes.together(*a.thread, *b.thread, *of_b);
  });
}

// A thread that only arrives does not wait, so nothing reaches it; one that only waits has arrived before.
bool reaches(const litmus::Barrier& from, const litmus::Barrier& to) {
  return from.kind != litmus::Barrier::Kind::wait && to.kind != litmus::Barrier::Kind::arrive;
}

// Nothing comes from a thread that is late.
void synchronizing_barriers(const Frame& frame, Relation& out, Allowance&) {
  const Barriers barriers(frame);
  for (EventId a = 0; a < frame.size(); ++a) {
    if (frame.events[a].late) continue;
    for (EventId b : barriers.meeting(a)) {
      if (reaches(*barrier_of(frame.events[a]), *barrier_of(frame.events[b]))) out.insert(a, b);
    }
  }
}

// The same of cluster barriers, whatever their order.
void cluster_barriers(const Frame& frame, Relation& out, Allowance& allowance) {
  synchronizing_barriers(frame, out, allowance);
  for (EventId a = 0; a < frame.size(); ++a) {
    const litmus::Barrier* barrier = barrier_of(frame.events[a]);
    if (barrier != nullptr && barrier->scope == Scope::cluster) continue;
    kernels::fill_zero(out.row(a), out.words_per_row());
  }
}

void issues(const Frame& frame, Relation& out, Allowance&) {
  if (frame.issues.events() != 0) out |= frame.issues;
}

void completes(const Frame& frame, Relation& out, Allowance&) {
  if (frame.completes.events() != 0) out |= frame.completes;
}

// From all that a grid does to the waits of grids that depend on it.
void launch_order(const Frame& frame, Relation& out, Allowance& allowance) {
  if (frame.scopes.launches.empty()) return;
  relate(frame, out, allowance, [&](const Event& a, const Event& b) {
    const auto* control = b.source == nullptr ? nullptr : std::get_if<litmus::AsyncControl>(&b.source->operation);
    if (!a.thread || control == nullptr || control->kind != litmus::AsyncControl::Kind::wait_grids) return false;
    const std::pair pair(*a.thread, *b.thread);
    return std::find(frame.scopes.launches.begin(), frame.scopes.launches.end(), pair) != frame.scopes.launches.end();
  });
}

bool launches_dependents(const Event& event) {
  const auto* control = event.source == nullptr ? nullptr : std::get_if<litmus::AsyncControl>(&event.source->operation);
  return control != nullptr && control->kind == litmus::AsyncControl::Kind::launch_dependents;
}

// From a thread's griddepcontrol.launch_dependents to all that dependent grids do. Only the first one of a CTA has an
// effect, so a thread whose neighbours have one as well is left out.
void launch_starts(const Frame& frame, Relation& out, Allowance& allowance) {
  if (frame.scopes.launches.empty()) return;
  const auto is_only = [&](const Event& launch) {
    return std::none_of(frame.events.begin(), frame.events.end(), [&](const Event& other) {
      return launches_dependents(other) && other.thread != launch.thread &&
             frame.scopes.together(*other.thread, *launch.thread, Scope::workgroup);
    });
  };
  relate(frame, out, allowance, [&](const Event& a, const Event& b) {
    if (!launches_dependents(a) || !b.thread || !is_only(a)) return false;
    const std::pair pair(*a.thread, *b.thread);
    return std::find(frame.scopes.launches.begin(), frame.scopes.launches.end(), pair) != frame.scopes.launches.end();
  });
}

void system_synchronizes(const Frame& frame, Relation& out, Allowance& allowance) {
  relate(frame, out, allowance, [&](const Event& a, const Event& b) {
    if (!a.thread || !b.thread) return false;
    for (const auto& [from, to] : frame.scopes.system_synchronizes) {
      if (from == *a.thread && to == *b.thread) return true;
    }
    return false;
  });
}

bool one_instruction(const Event& a, const Event& b) { return a.source != nullptr && a.source == b.source; }

// A read-modify-write tagged exclusive stands for a loop of load-exclusive and store-exclusive.
bool is_pair_of_exclusives(const Event& r, const Event& w) {
  return !one_instruction(r, w) || r.access()->tags.has(litmus::Tag::exclusive);
}

void atomic_pairs(const Frame& frame, Relation& out, Allowance&) {
  frame.rmw.for_each([&](EventId r, EventId w) {
    if (!is_pair_of_exclusives(frame.events[r], frame.events[w])) out.insert(r, w);
  });
}

void exclusive_pairs(const Frame& frame, Relation& out, Allowance&) {
  frame.rmw.for_each([&](EventId r, EventId w) {
    if (is_pair_of_exclusives(frame.events[r], frame.events[w])) out.insert(r, w);
  });
}

void identity(const Frame& frame, Relation& out, Allowance&) {
  for (EventId e = 0; e < frame.events.size(); ++e) out.insert(e, e);
}

// Pieces of one access. The initial writes of the parts of a location are one access as well.
void same_access(const Frame& frame, Relation& out, Allowance& allowance) {
  if (!frame.pieces) return identity(frame, out, allowance);
  relate(frame, out, allowance, [](const Event& a, const Event& b) {
    if (a.kind == EventKind::init && b.kind == EventKind::init) return a.physical == b.physical;
    return a.operation == b.operation;
  });
}

// Events of one execution of one instruction: itself, its pieces, and the halves of a read-modify-write.
void same_instance(const Frame& frame, Relation& out, Allowance& allowance) {
  same_access(frame, out, allowance);
  if (frame.pieces) {
    // A read-modify-write is two operations in a row.
    return relate(frame, out, allowance, [](const Event& a, const Event& b) {
      const bool next = a.operation + 1 == b.operation || b.operation + 1 == a.operation;
      return next && a.rmw && b.rmw && a.kind != b.kind && one_instruction(a, b);
    });
  }
  frame.rmw.for_each([&](EventId r, EventId w) {
    if (!one_instruction(frame.events[r], frame.events[w])) return;
    out.insert(r, w);
    out.insert(w, r);
  });
}

// Accesses that overlap completely. Nothing tells the extent of an initial write from that of another.
void same_bytes(const Frame& frame, Relation& out, Allowance& allowance) {
  out |= frame.loc;
  if (!frame.pieces) return;
  const auto n = static_cast<EventId>(frame.events.size());
  for (EventId a = 0; a < n && !allowance.spend(1 + n / 256); ++a) {
    for (EventId b = 0; b < n; ++b) {
      const Event& from = frame.events[a];
      const Event& to = frame.events[b];
      if (!out.has(a, b) || from.kind == EventKind::init || to.kind == EventKind::init) continue;
      if (from.access_offset != to.access_offset || from.access_size != to.access_size) out.erase(a, b);
    }
  }
}

// One step of a read's influence on a later access, through registers and memory: it determines the address or the
// stored value, or picks one of them; memory hands on the thread's last write; and the read of a read-modify-write
// determines its write, unless that is an exchange.
Relation steps(const Frame& frame) {
  Relation step = frame.addr;
  step |= frame.data;
  for (const Relation* picks : {&frame.pick_addr, &frame.pick_data}) {
    if (picks->events() != 0) step |= *picks;
  }
  frame.rmw.for_each([&](EventId r, EventId w) {
    const Event& read = frame.events[r];
    if (!one_instruction(read, frame.events[w])) return;
    const auto* rmw = std::get_if<litmus::Rmw>(&read.source->operation);
    if (rmw == nullptr || rmw->op == litmus::RmwOp::exch) return;
    step.insert(r, w);
    // Each piece of what is read determines each piece of what is written.
    for (EventId piece = 0; frame.pieces && piece < frame.size(); ++piece) {
      if (frame.events[piece].operation == frame.events[w].operation) step.insert(r, piece);
    }
  });
  for (EventId write = 0; write < frame.size(); ++write) {
    if (frame.events[write].kind != EventKind::write) continue;
    for (EventId later = write + 1; later < frame.size(); ++later) {
      if (!frame.po.has(write, later) || !frame.loc.has(write, later)) continue;
      if (frame.events[later].kind == EventKind::write) break;
      step.insert(write, later);
    }
  }
  return step;
}

// From each read to the accesses and branches that its influence reaches in any number of steps, the last by `last`.
template <Relation Frame::* last, Relation Frame::* picked>
void pick_dependency(const Frame& frame, Relation& out, Allowance& allowance) {
  Relation before = steps(frame);
  before.close(true, &allowance);
  Relation end = frame.*last;
  if ((frame.*picked).events() != 0) end |= frame.*picked;
  out.assign_composition(before, end, &allowance);
  for (EventId e = 0; e < frame.size(); ++e) {
    if (frame.events[e].kind != EventKind::read) kernels::fill_zero(out.row(e), out.words_per_row());
  }
}

void basic_pick_dependency(const Frame& frame, Relation& out, Allowance& allowance) {
  out = steps(frame);
  out.close(false, &allowance);
  for (EventId e = 0; e < frame.size(); ++e) {
    if (frame.events[e].kind != EventKind::read) kernels::fill_zero(out.row(e), out.words_per_row());
  }
}

// Whether the fence is for the proxy and the memory that the event accesses.
bool is_fenced(const Frame& frame, const Event& access, const litmus::Fence* fence) {
  if (access.kind != EventKind::read && access.kind != EventKind::write) return false;
  if (fence == nullptr || fence->kind != litmus::FenceKind::proxy || fence->proxy != proxy_of(frame, access)) {
    return false;
  }
  if (fence->proxy == litmus::Proxy::tensormap) return fence->map == access.physical;
  if (fence->semantics.empty()) return true;
  const bool shared = (*frame.test)[access.physical].space == litmus::Space::shared;
  return fence->semantics.has(shared ? litmus::Space::shared : litmus::Space::global);
}

// From an access through a proxy to the fences of that proxy, in both directions.
void fence_of_proxy(const Frame& frame, Relation& out, Allowance& allowance) {
  relate(frame, out, allowance, [&](const Event& a, const Event& b) {
    const litmus::Fence* fence = fence_of(b);
    return is_fenced(frame, a, fence) && fence->order == litmus::Order::seq_cst;
  });
}

// From the fences of a proxy, those of one direction included, to an access through it.
void fence_into_proxy(const Frame& frame, Relation& out, Allowance& allowance) {
  relate(frame, out, allowance, [&](const Event& a, const Event& b) { return is_fenced(frame, b, fence_of(a)); });
}

bool is_issued(const Event& event) { return event.agent != 0 && !event.counts(); }

// From an asynchronous operation to what its thread does and issues later.
void later(const Frame& frame, Relation& out, Allowance& allowance) {
  relate(frame, out, allowance, [&](const Event& a, const Event& b) {
    return is_issued(a) && a.thread == b.thread && a.agent != b.agent && a.position < b.position;
  });
}

// The accumulator of a product.
std::optional<litmus::LocationId> accumulator_of(const Frame& frame, const Event& event) {
  for (const Event& step : frame.events) {
    if (step.kind == EventKind::write && step.same_agent(event)) return step.physical;
  }
  return std::nullopt;
}

// PTX ISA, "Pipelined tcgen05 Instructions": a copy and a product, and products with one accumulator. All products of a
// test have one shape and kind, and all operations one group of CTAs.
void pipelined_pairs(const Frame& frame, Relation& out, Allowance& allowance) {
  using litmus::AsyncEngine;
  const auto is_by = [](const Event& event, AsyncEngine engine) {
    return is_issued(event) && event.source != nullptr && event.source->engine == engine;
  };
  relate(frame, out, allowance, [&](const Event& a, const Event& b) {
    if (!is_by(b, AsyncEngine::tcmma) || a.same_agent(b)) return false;
    if (is_by(a, AsyncEngine::tccp)) return true;
    return is_by(a, AsyncEngine::tcmma) && accumulator_of(frame, a) == accumulator_of(frame, b);
  });
}

bool is_membar(const Event& event, Scope scope) {
  const litmus::Fence* fence = fence_of(event);
  if (fence == nullptr || fence->scope != scope) return false;
  return fence->kind == litmus::FenceKind::membar ||
         (fence->kind == litmus::FenceKind::order && fence->order == litmus::Order::seq_cst);
}

// Events of a thread with such a fence between them.
template <Scope scope>
void membar(const Frame& frame, Relation& out, Allowance& allowance) {
  for (EventId fence = 0; fence < frame.size(); ++fence) {
    const Event& between = frame.events[fence];
    if (!between.thread || !is_membar(between, scope)) continue;
    for (EventId a = 0; a < frame.size() && !allowance.spend(1 + frame.size() / 256); ++a) {
      const Event& before = frame.events[a];
      if (before.thread != between.thread || before.position >= between.position) continue;
      for (EventId b = fence + 1; b < frame.size(); ++b) {
        const Event& after = frame.events[b];
        if (after.thread == between.thread && after.position > between.position) out.insert(a, b);
      }
    }
  }
}

// From taking a lock to releasing it, where nothing is done to the lock between. Models of locks add these pairs to a
// coherence order that they expect without them.
void lock_regions(const Frame& frame, Relation& out, Allowance&) {
  const auto count = static_cast<EventId>(frame.size());
  for (EventId a = 0; a < count; ++a) {
    const Event& taken = frame.events[a];
    if (!is_lock(taken) || taken.kind != EventKind::write || !taken.rmw) continue;
    std::optional<EventId> next;
    for (EventId b = 0; b < count; ++b) {
      const Event& other = frame.events[b];
      const bool later = is_lock(other) && other.kind == EventKind::write && frame.po.has(a, b) && frame.loc.has(a, b);
      if (later && (!next || frame.po.has(b, *next))) next = b;
    }
    if (next && !frame.events[*next].rmw) out.insert(a, *next);
  }
}

constexpr RelationEntry kRelations[] = {
    {"lock-regions", lock_regions},
    {"po", [](const Frame& f, Relation& out, Allowance&) { out |= f.po; }},
    {"addr", [](const Frame& f, Relation& out, Allowance&) { out |= f.addr; }},
    {"data", [](const Frame& f, Relation& out, Allowance&) { out |= f.data; }},
    {"ctrl", [](const Frame& f, Relation& out, Allowance&) { out |= f.ctrl; }},
    {"arm-ctrl", [](const Frame& f, Relation& out, Allowance&) { out |= f.arm_ctrl; }},
    {"pick-addr-dep", pick_dependency<&Frame::addr, &Frame::pick_addr>},
    {"pick-data-dep", pick_dependency<&Frame::data, &Frame::pick_data>},
    {"pick-ctrl-dep", pick_dependency<&Frame::ctrl, &Frame::pick_ctrl>},
    {"pick-basic-dep", basic_pick_dependency},
    {"rmw", [](const Frame& f, Relation& out, Allowance&) { out |= f.rmw; }},
    {"amo", atomic_pairs},
    {"lxsx", exclusive_pairs},
    {"loc", [](const Frame& f, Relation& out, Allowance&) { out |= f.loc; }},
    {"vloc", same_virtual_location},
    {"int", internal},
    {"ext", external},
    {"id", identity},
    {"si", same_access},
    {"sm", same_access},
    {"same-bytes", same_bytes},
    {"same-instance", same_instance},

    // Placement of threads, by the names of the public tools and of ASPLOS'15.
    {"swi", same<Scope::thread>},
    {"ssg", same<Scope::subgroup>},
    {"swarp", same<Scope::subgroup>},
    {"swg", same<Scope::workgroup>},
    {"scta", same<Scope::workgroup>},
    {"scluster", same<Scope::cluster>},
    {"sqf", same<Scope::queue_family>},
    {"sdv", same<Scope::device>},
    {"sgpu", same<Scope::device>},
    {"ssys", same<Scope::system>},
    {"warp", same<Scope::subgroup>},
    {"sub_group", same<Scope::subgroup>},
    {"cta", same<Scope::workgroup>},
    {"work_group", same<Scope::workgroup>},
    {"cluster", same<Scope::cluster>},
    {"kernel", same<Scope::device>},
    {"gl", same<Scope::device>},
    {"gpu", same<Scope::device>},
    {"device", same<Scope::device>},
    {"sys", universal},
    {"system", universal},

    {"sr", same_scope},
    {"syncbar", synchronizing_barriers},
    {"ssw", system_synchronizes},
    {"fence-of-proxy", fence_of_proxy},
    {"fence-into-proxy", fence_into_proxy},
    {"cluster-barrier", cluster_barriers},
    {"issue", issues},
    {"complete", completes},
    {"later", later},
    {"tcpipe", pipelined_pairs},
    {"launch", launch_order},
    {"start", launch_starts},
    {"membar.cta", membar<Scope::workgroup>},
    {"membar.gl", membar<Scope::device>},
    {"membar.sys", membar<Scope::system>},
};

}  // namespace

std::span<const RelationEntry> relation_entries() { return kRelations; }

}  // namespace weakspot::model
