// SPDX-License-Identifier: MIT
#include "race/trace.h"

#include <algorithm>
#include <map>
#include <optional>

namespace weakspot::race {
namespace {

using TracedKind = TraceEvent::Kind;

bool overlap(const TraceEvent& a, const TraceEvent& b) {
  return a.address < b.address + b.size && b.address < a.address + a.size;
}

// Whether the thread takes part in the event.
bool takes_part(const TraceEvent& event, ThreadName thread) {
  if (event.kind == TracedKind::barrier) return event.thread.block == thread.block;
  if (event.kind != TracedKind::warp_barrier) return event.thread == thread;
  return event.thread.block == thread.block && event.thread.warp() == thread.warp() &&
         (event.address >> (thread.thread % kWarp) & 1) != 0;
}

// A way from an event of one thread to the last access: over to an event of another thread, and on from there.
struct ChainWay {
  std::size_t from = 0, to = 0;
  ThreadName thread, next_thread;
  std::optional<std::size_t> next;  // a way of the next thread; none: its program order leads to the end
  unsigned hops = 0;
};

// Goes back from the last access and keeps, for each thread, the shortest way from what it did up to here.
class ChainSearch {
 public:
  explicit ChainSearch(const std::deque<TraceEvent>& events) : events_(events), last_(events.back()) {}

  // The ways in order, if the event has one.
  std::optional<std::vector<ChainWay>> from(std::size_t goal, ThreadName first) {
    for (std::size_t i = events_.size() - 1; i-- > goal + 1;) {
      const TraceEvent& event = events_[i];
      if (event.is_barrier()) {
        meet(i, event);
      } else if (event.is_access() && !overlap(event, last_)) {
        visit(i, event);
      }
    }
    const std::optional<Reached> reached = of(first);
    if (!reached || !reached->way) return std::nullopt;
    std::vector<ChainWay> found;
    for (std::optional<std::size_t> at = reached->way; at; at = ways_[*at].next) found.push_back(ways_[*at]);
    return found;
  }

 private:
  // The end is reached, along a way or by program order alone.
  struct Reached {
    std::optional<std::size_t> way;
    unsigned hops = 0;
  };
  // A read that has not met its write yet.
  struct Pending {
    std::size_t read = 0;
    ThreadName thread;
    bool signal = false;  // strong, or a poll: meant to see what another thread says
    Reached on;
  };

  std::optional<Reached> of(ThreadName thread) const {
    if (thread == last_.thread) return Reached{};
    std::optional<Reached> best;
    if (auto own = threads_.find(thread); own != threads_.end()) best = own->second;
    auto block = blocks_.find(thread.block);
    if (block != blocks_.end() && block->second.thread != thread &&
        (!best || block->second.reached.hops < best->hops)) {
      best = block->second.reached;
    }
    return best;
  }

  void reach(const ChainWay& way) {
    const std::optional<Reached> known = of(way.thread);
    if (known && known->hops <= way.hops) return;
    ways_.push_back(way);
    threads_[way.thread] = {ways_.size() - 1, way.hops};
  }

  void visit(std::size_t index, const TraceEvent& event) {
    auto pending = pending_.find(event.address);
    std::optional<Pending> chained;
    if (event.writes() && pending != pending_.end()) {
      const Pending& seen = pending->second;
      if (seen.thread != event.thread && (seen.signal || event.strong)) {
        reach({index, seen.read, event.thread, seen.thread, seen.on.way, seen.on.hops + 1});
      }
      // An update hands on what the write before it has published. One of block scope may be why it is lost, and is
      // told as a thread of its own.
      if (event.kind == TracedKind::update && event.scope != Scope::block) chained = seen;
      pending_.erase(pending);
    }
    if (!event.reads()) return;
    const std::optional<Reached> on = of(event.thread);
    if (on && (!chained || on->hops <= chained->on.hops))
      chained = Pending{index, event.thread, event.strong || event.polls, *on};
    if (!chained) return;
    auto [found, fresh] = pending_.try_emplace(event.address, *chained);
    if (!fresh && chained->on.hops < found->second.on.hops) found->second = *chained;
  }

  // The thread with the shortest way leads the others that met.
  void meet(std::size_t index, const TraceEvent& event) {
    std::optional<Reached> best;
    ThreadName leader;
    auto offer = [&](ThreadName thread) {
      const std::optional<Reached> reached = of(thread);
      if (!reached || (best && best->hops <= reached->hops) || !takes_part(event, thread)) return;
      best = reached;
      leader = thread;
    };
    offer(last_.thread);
    const auto end = threads_.lower_bound({event.thread.block + 1, 0});
    for (auto at = threads_.lower_bound({event.thread.block, 0}); at != end; ++at) offer(at->first);
    if (!best) return;
    ChainWay way{index, index, {}, leader, best->way, best->hops + 1};
    if (event.kind == TracedKind::barrier) {
      auto known = blocks_.find(event.thread.block);
      if (known != blocks_.end() && known->second.reached.hops <= way.hops) return;
      ways_.push_back(way);
      blocks_[event.thread.block] = {leader, {ways_.size() - 1, way.hops}};
      return;
    }
    for (unsigned lane = 0; lane < kWarp; ++lane) {
      way.thread = {event.thread.block, event.thread.warp() * kWarp + lane};
      if (way.thread != leader && takes_part(event, way.thread)) reach(way);
    }
  }

  struct BlockWay {
    ThreadName thread;  // a thread that needs no barrier
    Reached reached;
  };

  const std::deque<TraceEvent>& events_;
  const TraceEvent& last_;
  std::vector<ChainWay> ways_;
  std::map<ThreadName, Reached> threads_;
  std::map<std::uint32_t, BlockWay> blocks_;  // all threads of the block
  std::map<std::uint64_t, Pending> pending_;
};

}  // namespace

void Trace::clear() { events_.clear(); }

void Trace::add(const TraceEvent& event) {
  if (events_.size() == kMostEvents) events_.pop_front();
  events_.push_back(event);
}

void Trace::access(ThreadName thread, const Access& access) {
  TraceEvent event;
  event.thread = thread;
  event.kind = access.kind == AccessKind::read    ? TracedKind::read
               : access.kind == AccessKind::write ? TracedKind::write
                                                  : TracedKind::update;
  event.site = access.site;
  event.strong = access.strong;
  event.acquire = access.acquire;
  event.release = access.release;
  event.polls = access.kind == AccessKind::read && !access.feeds_data;
  event.scope = access.scope;
  event.space = access.space;
  event.size = access.size;
  event.address = access.address;
  add(event);
}

void Trace::fence(ThreadName thread, Scope scope, SiteId site, std::optional<Space> space) {
  TraceEvent event;
  event.thread = thread;
  event.kind = TracedKind::fence;
  event.site = site;
  event.scope = scope;
  event.of_space = space.has_value();
  event.space = space.value_or(Space::global);
  add(event);
}

void Trace::barrier(std::uint32_t block, SiteId site) {
  TraceEvent event;
  event.thread = {block, 0};
  event.kind = TracedKind::barrier;
  event.site = site;
  add(event);
}

void Trace::warp_barrier(std::uint32_t block, const std::vector<unsigned>& threads) {
  TraceEvent event;
  event.thread = {block, threads.front() / kWarp * kWarp};
  event.kind = TracedKind::warp_barrier;
  for (const unsigned thread : threads) event.address |= std::uint64_t{1} << (thread % kWarp);
  add(event);
}

std::uint32_t Trace::keep_chain(ThreadName first, SiteId site, bool writes) {
  if (chains_.size() == kMostChains) return 0;
  TracedChain chain = chain_to_last(first, site, writes);
  if (chain.parts.empty()) return 0;
  chains_.push_back(std::move(chain));
  return static_cast<std::uint32_t>(chains_.size());
}

TracedChain Trace::chain_to_last(ThreadName first, SiteId site, bool writes) const {
  TracedChain chain;
  if (events_.empty()) return chain;
  const TraceEvent& last = events_.back();
  auto is_first = [&](const TraceEvent& event) {
    return event.is_access() && event.thread == first && event.site == site && event.writes() == writes &&
           overlap(event, last);
  };
  const auto found = std::find_if(events_.rbegin() + 1, events_.rend(), is_first);
  if (found == events_.rend()) return chain;
  const auto begin = static_cast<std::size_t>(events_.rend() - found) - 1;
  const std::size_t end = events_.size() - 1;
  chain.on_signal = std::any_of(events_.begin(), events_.end(), [&](const TraceEvent& event) {
    return event.is_access() && overlap(event, last) && (event.strong || event.polls);
  });
  const std::optional<std::vector<ChainWay>> ways = ChainSearch(events_).from(begin, first);
  if (!ways || ways->size() >= kMostThreads) {
    chain.parts = {{first, {{events_[begin], begin}}}, {last.thread, {{last, end}}}};
    return chain;
  }
  std::vector<std::size_t> meetings;
  for (const ChainWay& way : *ways) {
    if (events_[way.from].is_barrier()) meetings.push_back(way.from);
  }
  ThreadName thread = first;
  std::size_t from = begin;
  for (std::size_t i = 0; i <= ways->size(); ++i) {
    const bool is_last = i == ways->size();
    const std::size_t to = is_last ? end : (*ways)[i].from;
    TracedChain::Part part{thread, {}};
    for (std::size_t at = 0; at <= end; ++at) {
      const TraceEvent& event = events_[at];
      if (!takes_part(event, thread)) continue;
      const bool is_end = at == from || at == to;
      const bool is_fence =
          event.kind == TracedKind::fence && at > from && at < to && (!event.of_space || event.space == last.space);
      const bool is_meeting = std::find(meetings.begin(), meetings.end(), at) != meetings.end();
      if (is_end || is_fence || is_meeting) part.steps.push_back({event, at});
    }
    chain.parts.push_back(std::move(part));
    if (is_last) break;
    chain.links.push_back({(*ways)[i].from, (*ways)[i].to});
    thread = (*ways)[i].next_thread;
    from = (*ways)[i].to;
  }
  return chain;
}

}  // namespace weakspot::race
