// SPDX-License-Identifier: MIT
#include "model/execution/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/sort.h"
#include "model/execution/write_back.h"

namespace weakspot::model {

using litmus::LocationId;
using litmus::ThreadId;
using litmus::Value;

namespace {

bool is_access(const PathEvent& event) { return event.kind == EventKind::read || event.kind == EventKind::write; }

bool continues_vector(const Event& event) {
  const litmus::Access* access = event.access();
  return access != nullptr && access->tags.has(litmus::Tag::vector);
}

// The type of a cell's initial write: the location's, if the cell is all of it.
litmus::Type cell_type(const litmus::Location& location, int size) {
  if (litmus::size_in_bytes(location.type) == size) return location.type;
  for (litmus::Type type : {litmus::Type::s8, litmus::Type::s16, litmus::Type::s32}) {
    if (litmus::size_in_bytes(type) == size) return type;
  }
  return litmus::Type::s64;
}

// Without the initial writes.
std::size_t count_events(const Layout& layout) {
  std::size_t count = 0;
  for (const SettledPath* path : layout.paths) count += path->places.size();
  return count;
}

std::size_t bytes_of(const SettledPath& settled) {
  return sizeof settled + settled.places.size() * sizeof(SettledPath::Place) +
         settled.constraints.size() * sizeof(Constraint);
}

// Whether the bytes lie in several elements of an array, each `size` bytes long.
bool span_elements(const Bytes& bytes, int size) {
  return bytes.offset / size != (bytes.offset + bytes.size - 1) / size;
}

// The parts of a range of bytes between all places where an access, or an element of an array, begins or ends.
template <typename Iterator>
void cut(const Bytes& range, Iterator begin, Iterator end, int element, std::vector<Bytes>& cells) {
  std::vector<std::int64_t> cuts;
  for (std::int64_t at = range.offset / element * element + element; at < range.offset + range.size; at += element) {
    cuts.push_back(at);
  }
  for (auto access = begin; access != end; ++access) {
    cuts.push_back(access->offset);
    cuts.push_back(access->offset + access->size);
  }
  base::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    cells.push_back({range.physical, cuts[i], static_cast<int>(cuts[i + 1] - cuts[i])});
  }
}

// x86 promises that an unaligned access within a cache line is atomic. Elsewhere it is not, or not defined at all.
bool may_be_unaligned(const litmus::LitmusTest& test) { return test.arch == litmus::Arch::x86_64; }

std::string describe(const litmus::LitmusTest& test, const Value& address) {
  if (!address.base) return fmt::format("the number {}", address.number);
  return fmt::format("{} bytes into '{}'", address.number, test[*address.base].name);
}

}  // namespace

Layouts::Layouts(const litmus::LitmusTest& test, const PathOptions& options, Allowance& allowance)
    : expansion_(expand(test)),
      test_(expansion_ ? expansion_->test : test),
      allowance_(allowance),
      scopes_(test.scope_tree()),
      shared_(test_) {
  settled_.resize(test.threads.size());
  if (!unroll_all(options)) return;
  const WriteBacks write_backs(test_, shared_, paths_);
  if (write_backs.any(spins_) && write_backs.may_be_seen(spins_, domain())) {
    PathOptions careful = options;
    careful.write_backs = false;
    if (!unroll_all(careful)) return;
  }
  for (std::uint32_t t = 0; t < paths_.size(); ++t) {
    if (options.unfinished) std::move(spins_[t].begin(), spins_[t].end(), std::back_inserter(paths_[t]));
    for (const Path& path : paths_[t]) {
      if (path.given_up) {
        bounded_ = true;
      } else {
        settle(ThreadId{t}, path);
      }
    }
  }
}

// False if some thread has too many paths.
bool Layouts::unroll_all(const PathOptions& asked) {
  PathOptions options = asked;
  options.expansion = expansion_.get();
  paths_.clear();
  spins_.clear();
  domain_.reset();
  for (std::uint32_t t = 0; t < test_.threads.size(); ++t) {
    Paths unrolled = unroll(test_, ThreadId{t}, shared_, options);
    if (unrolled.too_many) {
      too_many_ = true;
      // Some of the paths would cost time and memory and decide nothing.
      note(fmt::format("P{} has more than {} paths", t, unrolled.paths.size()));
      return false;
    }
    paths_.push_back(std::move(unrolled.paths));
    std::vector<Path>& spins = spins_.emplace_back();
    std::vector<Path>& paths = paths_.back();
    const auto is_spin = [](const Path& path) { return path.spin.has_value(); };
    if (std::none_of(paths.begin(), paths.end(), is_spin)) continue;
    for (Path& path : paths) {
      if (is_spin(path)) spins.push_back(path);
    }
    std::erase_if(paths, is_spin);
  }
  if (branches()) drop_infeasible();
  return true;
}

void Layouts::note(std::string trouble) {
  if (trouble_.empty()) trouble_ = std::move(trouble);
}

const ValueDomain& Layouts::domain() {
  if (!domain_) domain_.emplace(test_, paths_, allowance_);
  return *domain_;
}

bool Layouts::branches() const {
  return std::any_of(paths_.begin(), paths_.end(), [](const std::vector<Path>& thread) {
    return std::any_of(thread.begin(), thread.end(), [](const Path& path) { return !path.constraints.empty(); });
  });
}

std::size_t Layouts::held() const {
  std::size_t bytes = settled_bytes_ + (domain_ ? domain_->held() : 0);
  for (const std::vector<Path>& thread : paths_) {
    for (const Path& path : thread) bytes += path.held();
  }
  return bytes;
}

void Layouts::drop_infeasible() {
  if (domain().overflowed()) return;
  for (std::uint32_t t = 0; t < paths_.size(); ++t) {
    for (std::vector<Path>* paths : {&paths_[t], &spins_[t]}) {
      std::erase_if(*paths, [&](const Path& path) {
        return !path.constraints.empty() && !domain().is_feasible(ThreadId{t}, path);
      });
    }
  }
}

// ---- addresses ----

std::vector<Value> Layouts::options_for(ThreadId thread, const Path& path, ExprId expression) {
  if (path.expressions.is_nonsense(expression)) {
    note(fmt::format("P{} does arithmetic on an address that has no meaning", thread.index));
    return {};
  }
  std::vector<Value> options = domain().possible(thread, path, expression);
  if (domain().overflowed()) note("too many possible values to tell which locations are accessed");
  return options;
}

void Layouts::settle(ThreadId thread, const Path& path) {
  SettledPath settled{&path, {}, path.constraints};
  settled.places.reserve(path.events.size());
  settle_from(thread, settled, 0);
}

// Calls visit with each value the expression can have, after adding the constraint that it has this value.
template <typename Visit>
void Layouts::for_each_option(ThreadId thread, SettledPath& so_far, ExprId expression, const Visit& visit) {
  if (const Value* known = so_far.path->expressions.as_constant(expression)) return visit(*known);
  for (const Value& value : options_for(thread, *so_far.path, expression)) {
    so_far.constraints.push_back({expression, value, true});
    visit(value);
    so_far.constraints.pop_back();
  }
}

// Settles the event and those after it, in every way.
void Layouts::settle_from(ThreadId thread, SettledPath& so_far, std::size_t index) {
  if (index == so_far.path->events.size()) {
    if (!pairs_match(so_far)) return;
    settled_bytes_ += bytes_of(so_far);
    if (allowance_.holds(settled_bytes_)) settled_[thread.index].push_back(so_far);
    return;
  }
  if (allowance_.spend()) return;
  const PathEvent& event = so_far.path->events[index];
  if (is_access(event)) return settle_access(thread, so_far, index);
  so_far.places.emplace_back();
  if (event.kind == EventKind::barrier) {
    settle_barrier(thread, so_far, index, 0);
  } else {
    settle_from(thread, so_far, index + 1);
  }
  so_far.places.pop_back();
}

void Layouts::settle_access(ThreadId thread, SettledPath& so_far, std::size_t index) {
  const PathEvent& event = so_far.path->events[index];
  const litmus::Type type = litmus::access_of(test_[thread].instructions[event.instruction])->type;
  for_each_option(thread, so_far, *event.address, [&](const Value& value) {
    const std::optional<Bytes> bytes = bytes_at(test_, value, type);
    if (!bytes) {
      return note(
          fmt::format("P{} may access {}, which is outside every location", thread.index, describe(test_, value)));
    }
    if (bytes->offset % bytes->size != 0 && !may_be_unaligned(test_)) {
      return note(fmt::format("P{} may make an unaligned access of {} bytes, at offset {} of '{}'", thread.index,
                              bytes->size, bytes->offset, test_[*value.base].name));
    }
    so_far.places.push_back({.location = *value.base, .bytes = *bytes});
    settle_from(thread, so_far, index + 1);
    so_far.places.pop_back();
  });
}

// The operands of a barrier: its id, name and quorum.
void Layouts::settle_barrier(ThreadId thread, SettledPath& so_far, std::size_t index, std::size_t operand) {
  const PathEvent& event = so_far.path->events[index];
  const std::optional<ExprId> expressions[] = {event.barrier_id, event.barrier_name, event.barrier_quorum};
  if (operand == std::size(expressions)) return settle_from(thread, so_far, index + 1);
  if (!expressions[operand]) return settle_barrier(thread, so_far, index, operand + 1);
  for_each_option(thread, so_far, *expressions[operand], [&](const Value& value) {
    SettledPath::Place& place = so_far.places[index];
    std::optional<std::int64_t>* const into[] = {&place.barrier_id, &place.barrier_name, &place.barrier_quorum};
    *into[operand] = value.number;
    settle_barrier(thread, so_far, index, operand + 1);
  });
}

// A store-exclusive succeeds only at the address of the load-exclusive before it.
bool Layouts::pairs_match(const SettledPath& settled) const {
  for (std::size_t i = 0; i < settled.places.size(); ++i) {
    const PathEvent& event = settled.path->events[i];
    if (event.exclusive && settled.places[i].bytes != settled.places[*event.rmw_read].bytes) return false;
  }
  return true;
}

// ---- frames ----

std::size_t Layouts::events_of(const std::vector<std::size_t>& choice) const {
  std::size_t events = 0;
  for (std::size_t t = 0; t < choice.size(); ++t) events += settled_[t][choice[t]].places.size();
  return events;
}

Layout Layouts::build(const std::vector<std::size_t>& choice) const {
  Layout layout;
  layout.frame.test = &test_;
  layout.frame.expansion = expansion_;
  layout.frame.scopes = scopes_;
  layout.paths.reserve(choice.size());
  for (std::size_t t = 0; t < choice.size(); ++t) layout.paths.push_back(&settled_[t][choice[t]]);
  find_cells(layout);
  add_initial_writes(layout);
  add_events(layout);
  add_relations(layout);
  add_ends(layout);
  return layout;
}

Bytes Layout::extent(EventId operation) const {
  const Event& event = frame.events[first_piece(operation)];
  return {event.physical, event.access_offset, event.access_size};
}

// Nearly always the accesses of a location all have the same bytes, which are then one cell.
void Layouts::find_cells(Layout& layout) const {
  const std::size_t events = count_events(layout);
  std::vector<Bytes> accesses;
  accesses.reserve(events);
  for (const SettledPath* path : layout.paths) {
    for (std::size_t i = 0; i < path->places.size(); ++i) {
      if (is_access(path->path->events[i])) accesses.push_back(path->places[i].bytes);
    }
  }
  base::sort(accesses);
  std::vector<Bytes> cells;
  cells.reserve(test_.locations.size() + events);
  for (auto at = accesses.begin(); at != accesses.end();) {
    Bytes cluster = *at;  // overlapping accesses, each with one before it
    bool same = true;
    const auto begin = at;
    for (++at; at != accesses.end() && cluster.overlaps(*at); ++at) {
      same = same && *at == *begin;
      cluster.size = static_cast<int>(std::max(cluster.offset + cluster.size, at->offset + at->size) - cluster.offset);
    }
    const int element = litmus::size_in_bytes(test_[cluster.physical].type);
    if (same && !span_elements(cluster, element)) {
      cells.push_back(cluster);
    } else {
      layout.frame.pieces = true;
      cut(cluster, begin, at, element, cells);
    }
  }
  for (std::uint32_t i = 0; i < test_.locations.size(); ++i) {
    if (test_.locations[i].alias_of || test_.locations[i].is_array()) continue;
    const Bytes whole = bytes_of(test_, LocationId{i});
    const auto accessed = [&](const Bytes& cell) { return cell.physical == whole.physical; };
    if (std::none_of(cells.begin(), cells.end(), accessed)) cells.push_back(whole);
  }
  base::sort(cells);
  layout.cells.resize(cells.size());
  layout.bytes = std::move(cells);
}

void Layouts::add_initial_writes(Layout& layout) const {
  const std::size_t most = layout.cells.size() + count_events(layout);
  layout.frame.events.reserve(most);
  layout.cell.reserve(most);
  for (EventId i = 0; i < layout.cells.size(); ++i) {
    const Bytes& bytes = layout.bytes[i];
    layout.frame.events.push_back({.kind = EventKind::init,
                                   .location = bytes.physical,
                                   .physical = bytes.physical,
                                   .offset = bytes.offset,
                                   .size = bytes.size,
                                   .type = cell_type(test_[bytes.physical], bytes.size),
                                   .operation = i,
                                   .access_offset = bytes.offset,
                                   .access_size = bytes.size});
    layout.cell.push_back(i);
    if (layout.frame.pieces) layout.pieces.push_back(i);
  }
}

void Layouts::add_events(Layout& layout) const {
  layout.first.reserve(layout.paths.size());
  auto operation = static_cast<EventId>(layout.cells.size());
  for (std::uint32_t t = 0; t < layout.paths.size(); ++t) {
    layout.first.push_back(operation);
    for (std::uint32_t i = 0; i < layout.paths[t]->places.size(); ++i) {
      if (layout.frame.pieces) layout.pieces.push_back(static_cast<EventId>(layout.frame.size()));
      add_event(layout, ThreadId{t}, i, operation++);
    }
  }
  if (layout.frame.pieces) layout.pieces.push_back(static_cast<EventId>(layout.frame.size()));
}

// The event, or the pieces, of an operation.
void Layouts::add_event(Layout& layout, ThreadId thread, std::uint32_t index, EventId operation) const {
  const SettledPath& settled = *layout.paths[thread.index];
  const PathEvent& from = settled.path->events[index];
  const SettledPath::Place& place = settled.places[index];
  Event event{.kind = from.kind,
              .thread = thread,
              .agent = from.agent,
              .instruction = from.instruction,
              .position = index,
              .operation = operation,
              .order = from.order,
              .source = &test_[thread].instructions[from.instruction]};
  auto add = [&](const Bytes& bytes, EventId cell) {
    layout.bytes.push_back(bytes);
    layout.cell.push_back(cell);
    layout.frame.events.push_back(event);
  };
  if (is_access(from)) {
    const litmus::Access& access = *event.access();
    event.location = place.location;
    event.physical = place.bytes.physical;
    event.type = access.type;
    event.scope = layout.frame.scopes.placements[thread.index].cpu ? litmus::Scope::system : access.scope;
    event.rmw = from.rmw_read.has_value();
    event.access_offset = place.bytes.offset;
    event.access_size = place.bytes.size;
    EventId cell = 0;
    while (!layout.bytes[cell].overlaps(place.bytes)) ++cell;
    for (; cell < layout.cells.size() && layout.bytes[cell].overlaps(place.bytes); ++cell) {
      event.offset = layout.bytes[cell].offset;
      event.size = layout.bytes[cell].size;
      if (from.kind == EventKind::write) layout.cells[cell].push_back(static_cast<EventId>(layout.frame.size()));
      add(layout.bytes[cell], cell);
    }
    return;
  }
  if (const auto* fence = std::get_if<litmus::Fence>(&event.source->operation)) {
    event.scope = layout.frame.scopes.placements[thread.index].cpu ? litmus::Scope::system : fence->scope;
  } else if (const auto* barrier = std::get_if<litmus::Barrier>(&event.source->operation)) {
    event.scope = barrier->scope;
    event.barrier_id = place.barrier_id;
    event.barrier_name = place.barrier_name;
    event.barrier_quorum = place.barrier_quorum;
  }
  add(place.bytes, static_cast<EventId>(layout.frame.size()));
}

void Layouts::add_ends(Layout& layout) {
  const auto is_finished = [](const SettledPath* settled) { return settled->path->ending == Ending::finished; };
  if (std::all_of(layout.paths.begin(), layout.paths.end(), is_finished)) return;
  for (std::size_t t = 0; t < layout.paths.size(); ++t) {
    const Path& path = *layout.paths[t]->path;
    ThreadEnd& end = layout.frame.ends.emplace_back();
    end.ending = path.ending;
    if (!path.spin) continue;
    end.spin = layout.first_piece(layout.first[t] + path.spin->first);
    end.branch = path.spin->branch;
  }
}

void Layouts::add_relations(Layout& layout) {
  Frame& frame = layout.frame;
  const std::size_t size = frame.events.size();
  for (Relation* relation :
       {&frame.po, &frame.addr, &frame.data, &frame.ctrl, &frame.arm_ctrl, &frame.rmw, &frame.loc}) {
    relation->resize(size);
  }
  for (std::size_t t = 0; t < layout.paths.size(); ++t) {
    const Path& path = *layout.paths[t]->path;
    for (std::uint32_t i = 0; i < path.events.size(); ++i) {
      const EventId first = layout.first_piece(layout.first[t] + i);
      const EventId end = layout.end_of_pieces(layout.first[t] + i);
      for (EventId piece = first; piece < end; ++piece) add_relations_of(layout, t, path, i, piece);
    }
  }
  for (EventId a = 0; a < size; ++a) {
    if (!frame.events[a].location) continue;
    for (EventId b = 0; b < size; ++b) {
      if (frame.events[b].location && layout.cell[a] == layout.cell[b]) frame.loc.insert(a, b);
    }
  }
}

// Adds the relations from earlier events to `piece`, which belongs to the path's event `index`.
void Layouts::add_relations_of(Layout& layout, std::size_t thread, const Path& path, std::uint32_t index,
                               EventId piece) {
  Frame& frame = layout.frame;
  const PathEvent& event = path.events[index];
  auto for_each_piece = [&](std::uint32_t earlier, const auto& visit) {
    const EventId operation = layout.first[thread] + earlier;
    for (EventId from = layout.first_piece(operation); from < layout.end_of_pieces(operation); ++from) visit(from);
  };
  auto relate = [&](Relation& relation, const Reads& reads) {
    if (!reads.empty() && relation.events() == 0) relation.resize(frame.size());
    for (std::uint32_t read : reads) for_each_piece(read, [&](EventId from) { relation.insert(from, piece); });
  };
  // Nothing orders the elements of a vector access.
  std::uint32_t begin = index;
  while (begin > 0 && continues_vector(frame.events[layout.first_piece(layout.first[thread] + begin)])) --begin;
  const EventId first = layout.first_piece(layout.first[thread]);
  const bool issued = frame.events[piece].agent != 0 && is_access(event) && !frame.events[piece].counts();
  for (EventId from = first; from < layout.first_piece(layout.first[thread] + begin); ++from) {
    if (frame.events[from].agent == frame.events[piece].agent) {
      frame.po.insert(from, piece);
    } else if (issued && frame.events[from].agent == 0) {
      if (frame.issues.events() == 0) frame.issues.resize(frame.size());
      frame.issues.insert(from, piece);
    }
  }
  relate(frame.completes, event.after);
  relate(frame.addr, event.addr);
  relate(frame.data, event.data);
  relate(frame.ctrl, event.ctrl);
  relate(frame.arm_ctrl, event.arm_ctrl);
  relate(frame.pick_addr, event.pick_addr);
  relate(frame.pick_data, event.pick_data);
  relate(frame.pick_ctrl, event.pick_ctrl);
  if (!event.rmw_read) return;
  for_each_piece(*event.rmw_read, [&](EventId from) {
    frame.events[from].rmw = true;
    if (layout.cell[from] == layout.cell[piece]) frame.rmw.insert(from, piece);
  });
}

}  // namespace weakspot::model
