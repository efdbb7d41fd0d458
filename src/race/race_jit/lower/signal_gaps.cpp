// SPDX-License-Identifier: MIT
// The fences that a flag or a lock lacks.
#include <algorithm>

#include "race_jit/lower/gaps.h"

namespace weakspot::race_jit {
namespace {

using Barred = std::set<NodeId>;

bool is_fence(const FlowNode& node, bool wide) { return node.op == FlowOp::fence && (node.wide || !wide); }
bool reads(const FlowNode& node) { return node.op == FlowOp::strong_read || node.op == FlowOp::strong_update; }
bool writes(const FlowNode& node) { return node.op == FlowOp::strong_write || node.op == FlowOp::strong_update; }

// The ways of a thread from its access to the signal, or back from its access to the signal that it saw.
class SignalWay {
 public:
  SignalWay(const Flow& flow, NodeId access, bool forward, bool wide)
      : flow_(flow), access_(access), forward_(forward), wide_(wide) {
    if (forward) followers_ = flow.followers();
    nearest_ = walk({}, false);
    if (forward) nearest_.insert(nearest_.begin(), access);  // there may be room right behind it
  }

  // All nodes on the way, the nearest first.
  const std::vector<NodeId>& nearest() const { return nearest_; }

  // Whether some way to the signal has no fence.
  bool lacks_fence(NodeId signal) const { return contains(walk({}, true), signal); }

  // The spot nearest to the access that all ways pass, to the end or from the beginning.
  std::optional<race::Gap> nearest_gap() const {
    auto is_end = [&](NodeId node) { return forward_ ? followers_[node].empty() : node == 0; };
    for (const NodeId node : nearest_) {
      for (const FlowSpot& spot : flow_.spots) {
        if (!spot.behind.contains(node)) continue;
        const std::vector<NodeId> rest = walk(spot.behind, false);
        if (std::none_of(rest.begin(), rest.end(), is_end)) return spot.gap;
      }
    }
    return std::nullopt;
  }

  // The spot nearest to the signal that all ways pass; before a line rather than after the one above.
  std::optional<race::Gap> gap(NodeId signal) const {
    for (auto node = nearest_.rbegin(); node != nearest_.rend(); ++node) {
      std::optional<race::Gap> found;
      for (const FlowSpot& spot : flow_.spots) {
        if (!spot.behind.contains(*node) || contains(walk(spot.behind, false), signal)) continue;
        if (!found || !spot.gap.after) found = spot.gap;
      }
      if (found) return found;
    }
    return std::nullopt;
  }

 private:
  static bool contains(const std::vector<NodeId>& nodes, NodeId node) {
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  }

  std::vector<NodeId> walk(const Barred& closed, bool stop_at_fences) const {
    std::vector<bool> seen(flow_.nodes.size());
    std::vector<NodeId> found, to_visit{access_};
    for (std::size_t i = 0; i < to_visit.size(); ++i) {
      const NodeId at = to_visit[i];
      if (forward_ && closed.contains(at)) continue;
      for (const NodeId next : forward_ ? followers_[at] : flow_.before(at)) {
        if (seen[next] || (!forward_ && closed.contains(next))) continue;
        seen[next] = true;
        if (stop_at_fences && is_fence(flow_.nodes[next], wide_)) continue;
        found.push_back(next);
        to_visit.push_back(next);
      }
    }
    return found;
  }

  const Flow& flow_;
  const NodeId access_;
  const bool forward_, wide_;
  std::vector<std::vector<NodeId>> followers_;
  std::vector<NodeId> nearest_;
};

struct Signal {
  NodeId write = 0, read = 0;
};

// The nearest write after the one access and read before the other of the same memory.
std::optional<Signal> nearest_signal(const Flow& flow, const SignalWay& to_write, const SignalWay& from_read) {
  for (const NodeId read : from_read.nearest()) {
    const FlowNode& seen = flow.nodes[read];
    if (!reads(seen) || !seen.decides) continue;
    for (const NodeId write : to_write.nearest()) {
      const FlowNode& sent = flow.nodes[write];
      if (writes(sent) && sent.memory == seen.memory) return Signal{write, read};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<race::Gap> Gaps::next_to(race::SiteId site, bool behind) const {
  const Position at = position(site);
  return at.flow == kNowhere ? std::nullopt : SignalWay(flows_[at.flow], at.node, behind, false).nearest_gap();
}

std::optional<SignalGaps> Gaps::signal(race::SiteId a, race::SiteId b, bool wide,
                                       const std::vector<race::Site>& sites) const {
  auto [known, fresh] = signals_.try_emplace({a, b, wide});
  if (fresh) known->second = find_signal(a, b, wide, sites);
  return known->second;
}

std::optional<SignalGaps> Gaps::find_signal(race::SiteId a, race::SiteId b, bool wide,
                                            const std::vector<race::Site>& sites) const {
  const Position one = position(a), other = position(b);
  if (one.flow == kNowhere || one.flow != other.flow) return std::nullopt;
  const Flow& flow = flows_[one.flow];
  for (const auto& [first, second] : {std::pair(one.node, other.node), std::pair(other.node, one.node)}) {
    const SignalWay to_write(flow, first, true, wide), from_read(flow, second, false, wide);
    const std::optional<Signal> found = nearest_signal(flow, to_write, from_read);
    if (!found) continue;
    const FlowNode &write = flow.nodes[found->write], &read = flow.nodes[found->read];
    SignalGaps gaps;
    gaps.write = sites[write.site].place;
    gaps.read = sites[read.site].place;
    gaps.narrow = wide && (!write.wide || !read.wide);
    const std::vector<NodeId> behind_second = SignalWay(flow, second, true, wide).nearest();
    const std::vector<NodeId> before_first = SignalWay(flow, first, false, wide).nearest();
    auto is_in = [](const std::vector<NodeId>& nodes, NodeId node) {
      return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    };
    gaps.is_lock = read.op == FlowOp::strong_update && found->read != found->write && read.address == write.address &&
                   is_in(behind_second, found->write) && is_in(before_first, found->read);
    gaps.lacks_release = !write.releases && to_write.lacks_fence(found->write);
    gaps.lacks_acquire = !read.acquires && from_read.lacks_fence(found->read);
    if (gaps.lacks_release) gaps.release = to_write.gap(found->write);
    if (gaps.lacks_acquire) gaps.acquire = from_read.gap(found->read);
    return gaps;
  }
  return std::nullopt;
}

}  // namespace weakspot::race_jit
