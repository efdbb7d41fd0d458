// SPDX-License-Identifier: MIT
#include "model/execution/orders.h"

#include <map>

namespace weakspot::model {
namespace {

class Extender {
 public:
  Extender(const EventSet& events, const Relation& contains, Relation& order, Allowance& allowance,
           const std::function<bool()>& visit)
      : contains_(contains),
        order_(order),
        allowance_(allowance),
        visit_(visit),
        left_(events),
        before_(events.events()) {}

  // Places one of the events that have no predecessor left.
  bool place() {
    if (allowance_.spend()) return true;
    if (left_.empty()) return visit_();
    bool stop = false;
    const EventSet candidates = left_;
    candidates.for_each([&](EventId event) {
      if (stop || has_predecessor(event)) return;
      left_.erase(event);
      EventSet added(left_.events());
      before_.for_each([&](EventId earlier) {
        if (order_.has(earlier, event)) return;
        order_.insert(earlier, event);
        added.insert(earlier);
      });
      before_.insert(event);
      stop = place();
      before_.erase(event);
      added.for_each([&](EventId earlier) { order_.erase(earlier, event); });
      left_.insert(event);
    });
    return stop;
  }

 private:
  bool has_predecessor(EventId event) const {
    bool found = false;
    left_.for_each([&](EventId other) { found = found || contains_.has(other, event); });
    return found;
  }

  const Relation& contains_;
  Relation& order_;
  Allowance& allowance_;
  const std::function<bool()>& visit_;
  EventSet left_;
  EventSet before_;
};

}  // namespace

bool for_each_order(const EventSet& events, const Relation& contains, Relation& order, Allowance& allowance,
                    const std::function<bool()>& visit) {
  return Extender(events, contains, order, allowance, visit).place();
}

std::vector<EventSet> by_location(const EventSet& set, const Frame& frame) {
  std::map<std::pair<litmus::LocationId, std::int64_t>, EventSet> classes;  // by cell
  set.for_each([&](EventId event) {
    const Event& e = frame.events[event];
    if (e.location) classes.try_emplace({e.physical, e.offset}, set.events()).first->second.insert(event);
  });
  std::vector<EventSet> result;
  for (auto& [location, events] : classes) result.push_back(std::move(events));
  return result;
}

}  // namespace weakspot::model
