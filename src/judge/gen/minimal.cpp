// SPDX-License-Identifier: MIT
#include "gen/minimal.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace weakspot::gen {
namespace {

using litmus::Order;

using Orders = std::vector<Order>;  // by event

int weight(const Orders& orders) {
  return std::accumulate(orders.begin(), orders.end(), 0, [](int sum, Order order) { return sum + rank(order); });
}

bool at_most_as_strong(const Orders& a, const Orders& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!litmus::at_most_as_strong(a[i], b[i])) return false;
  }
  return true;
}

std::vector<Orders> all_choices(const std::vector<std::vector<Order>>& choices) {
  std::vector<Orders> all = {{}};
  for (const std::vector<Order>& of_event : choices) {
    std::vector<Orders> longer;
    for (const Orders& orders : all) {
      for (Order order : of_event) {
        longer.push_back(orders);
        longer.back().push_back(order);
      }
    }
    all = std::move(longer);
  }
  // Weaker ones first, so that a choice is met after all that are below it. Equal keys keep their order.
  std::multimap<int, Orders> by_weight;
  for (Orders& orders : all) by_weight.emplace(weight(orders), std::move(orders));
  std::vector<Orders> sorted;
  for (auto& entry : by_weight) sorted.push_back(std::move(entry.second));
  return sorted;
}

}  // namespace

int rank(Order order) {
  switch (order) {
    case Order::plain:
      return 0;
    case Order::relaxed:
      return 1;
    case Order::consume:
    case Order::acquire_pc:
      return 2;
    case Order::acquire:
    case Order::release:
      return 3;
    case Order::acq_rel:
      return 4;
    case Order::seq_cst:
      return 5;
  }
  return 0;
}

base::Result<std::vector<Cycle>> minimally_forbidden(const Cycle& cycle, const TestOptions& options,
                                                     const std::function<bool(const litmus::LitmusTest&)>& forbidden,
                                                     const OrderChoices& choices) {
  constexpr std::size_t kMostEvents = 10;
  if (cycle.steps.size() > kMostEvents)
    return base::error("a cycle of more than ten events has too many choices of orders");
  std::vector<std::vector<Order>> of_events;
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    const Step& step = cycle.steps[i];
    const bool rmw = step.event.atomic || step.edge.kind == EdgeKind::rmw || cycle.edge_into(i).kind == EdgeKind::rmw;
    if (step.event.order) {
      of_events.push_back({*step.event.order});
    } else {
      of_events.push_back(rmw ? choices.rmws : step.edge.source == Direction::read ? choices.reads : choices.writes);
    }
  }
  std::vector<Orders> minimal;
  std::vector<Cycle> found;
  for (const Orders& orders : all_choices(of_events)) {
    const auto below = [&](const Orders& other) { return at_most_as_strong(other, orders); };
    if (std::any_of(minimal.begin(), minimal.end(), below)) continue;
    Cycle candidate = cycle;
    for (std::size_t i = 0; i < orders.size(); ++i) candidate.steps[i].event.order = orders[i];
    base::Result<litmus::LitmusTest> test = to_test(candidate, options);
    if (!test) return test.errors();
    if (!forbidden(*test)) continue;
    minimal.push_back(orders);
    candidate = canonical(candidate);
    if (std::find(found.begin(), found.end(), candidate) == found.end()) found.push_back(std::move(candidate));
  }
  return found;
}

}  // namespace weakspot::gen
