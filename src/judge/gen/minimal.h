// SPDX-License-Identifier: MIT
// Tests with no more order than they need: weakening any one order allows the outcome (Wickerson et al.,
// "Automatically comparing memory consistency models", POPL 2017; used for conformance tests in OOPSLA 2020, section
// 6.1).
#pragma once

#include <functional>
#include <vector>

#include "gen/build.h"
#include "gen/cycle.h"

namespace weakspot::gen {

struct OrderChoices {
  std::vector<litmus::Order> reads = {litmus::Order::relaxed, litmus::Order::acquire, litmus::Order::seq_cst};
  std::vector<litmus::Order> writes = {litmus::Order::relaxed, litmus::Order::release, litmus::Order::seq_cst};
  std::vector<litmus::Order> rmws = {litmus::Order::relaxed, litmus::Order::acquire, litmus::Order::release,
                                     litmus::Order::acq_rel, litmus::Order::seq_cst};
};

// A number that grows with strength; orders that are not comparable may share one.
int rank(litmus::Order order);

// Every choice of orders for the events of the cycle whose test is `forbidden` while no weaker choice is; each once up
// to rotation. Events with an order keep it. Assumes that stronger orders never allow more. Fails if a test cannot be
// made.
base::Result<std::vector<Cycle>> minimally_forbidden(const Cycle& cycle, const TestOptions& options,
                                                     const std::function<bool(const litmus::LitmusTest&)>& forbidden,
                                                     const OrderChoices& choices = {});

}  // namespace weakspot::gen
