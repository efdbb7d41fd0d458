// SPDX-License-Identifier: MIT
// Frames of straight-line tests, made directly from the canonical text: no paths, no values. And every candidate of a
// frame, values ignored. For tests of models, which look at nothing else.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "model/execution/frame.h"
#include "support/read_one.h"

namespace weakspot::tests {

struct TestFrame {
  std::unique_ptr<litmus::LitmusTest> test;
  model::Frame frame;

  // The k-th event of a thread, for literal rf and co.
  model::EventId event(std::uint32_t thread, std::uint32_t position) const {
    for (model::EventId i = 0; i < frame.events.size(); ++i) {
      const model::Event& e = frame.events[i];
      if (e.thread && e.thread->index == thread && e.position == position) return i;
    }
    WEAKSPOT_CHECK(false);
    return 0;
  }
  model::EventId initial(std::string_view location) const { return frame.test->find_location(location)->index; }
};

// `text` has no condition; one is added. Registers carry dependencies: a value, an address or a guard made from what
// was loaded.
inline TestFrame frame_of(const std::string& text) {
  TestFrame result;
  result.test = std::make_unique<litmus::LitmusTest>(read_one(text + "exists (true)\n"));
  const litmus::LitmusTest& test = *result.test;
  model::Frame& frame = result.frame;
  frame.test = &test;
  frame.scopes = test.scope_tree();

  auto physical = [&](litmus::LocationId id) {
    while (test[id].alias_of) id = *test[id].alias_of;
    return id;
  };
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    model::Event event;
    event.location = event.physical = litmus::LocationId{i};
    // An alias has no initial write of its own; it keeps its place so that numbers stay simple.
    if (test.locations[i].alias_of) event.physical = physical({i});
    frame.events.push_back(event);
  }
  struct Pending {
    std::set<model::EventId> addr, data, ctrl;
    model::EventId event;
  };
  std::vector<Pending> dependencies;
  std::vector<std::pair<model::EventId, model::EventId>> halves;
  for (std::uint32_t t = 0; t < test.threads.size(); ++t) {
    std::map<std::uint32_t, std::set<model::EventId>> from;  // by register: the reads its value comes from
    std::set<model::EventId> control;
    std::uint32_t position = 0;
    auto sources = [&](const litmus::Operand& operand) {
      const auto* reg = std::get_if<litmus::RegisterId>(&operand);
      return reg == nullptr ? std::set<model::EventId>{} : from[reg->index];
    };
    const std::vector<litmus::Instruction>& code = test.threads[t].instructions;
    for (std::uint32_t i = 0; i < code.size(); ++i) {
      const litmus::Instruction& instruction = code[i];
      auto add = [&](model::EventKind kind) -> model::Event& {
        model::Event event;
        event.kind = kind;
        event.thread = litmus::ThreadId{t};
        event.instruction = i;
        event.position = position++;
        event.source = &instruction;
        if (const litmus::Access* access = event.access()) {
          event.location = *access->address.location;
          event.physical = physical(*event.location);
          event.order = access->order;
          event.scope = access->scope;
          Pending pending{{}, {}, control, static_cast<model::EventId>(frame.events.size())};
          if (access->address.index) pending.addr = from[access->address.index->index];
          dependencies.push_back(pending);
        }
        frame.events.push_back(event);
        return frame.events.back();
      };
      std::visit(
          [&](const auto& op) {
            using Op = std::remove_cvref_t<decltype(op)>;
            using litmus::Order;
            if constexpr (std::is_same_v<Op, litmus::Load>) {
              add(model::EventKind::read);
              from[op.target.index] = {static_cast<model::EventId>(frame.events.size() - 1)};
            } else if constexpr (std::is_same_v<Op, litmus::Store>) {
              add(model::EventKind::write);
              dependencies.back().data = sources(op.value);
            } else if constexpr (std::is_same_v<Op, litmus::Rmw>) {
              const Order order = op.access.order;
              model::Event& read = add(model::EventKind::read);
              read.rmw = true;
              read.order = order == Order::release ? Order::relaxed : order == Order::acq_rel ? Order::acquire : order;
              const auto r = static_cast<model::EventId>(frame.events.size() - 1);
              model::Event& write = add(model::EventKind::write);
              write.rmw = true;
              write.order = order == Order::acquire ? Order::relaxed : order == Order::acq_rel ? Order::release : order;
              halves.emplace_back(r, r + 1);
              if (op.target) from[op.target->index] = {r};
            } else if constexpr (std::is_same_v<Op, litmus::Fence>) {
              add(model::EventKind::fence).scope = op.scope;
            } else if constexpr (std::is_same_v<Op, litmus::Barrier>) {
              model::Event& barrier = add(model::EventKind::barrier);
              barrier.scope = op.scope;
              auto constant = [](const std::optional<litmus::Operand>& operand) {
                const auto* value = operand ? std::get_if<litmus::Value>(&*operand) : nullptr;
                return value == nullptr ? std::nullopt : std::optional(value->number);
              };
              barrier.barrier_id = constant(op.id);
              barrier.barrier_name = constant(op.name);
              barrier.barrier_quorum = constant(op.quorum);
            } else if constexpr (std::is_same_v<Op, litmus::Compute>) {
              std::set<model::EventId> all = sources(op.left);
              if (op.right) all.merge(sources(*op.right));
              from[op.target.index] = all;
            } else if constexpr (std::is_same_v<Op, litmus::Select>) {
              std::set<model::EventId> all;
              for (const litmus::Operand* one : {&op.condition.left, &op.condition.right, &op.yes, &op.no}) {
                all.merge(sources(*one));
              }
              from[op.target.index] = all;
            } else if constexpr (std::is_same_v<Op, litmus::Branch>) {
              if (op.condition) {
                control.merge(sources(op.condition->left));
                control.merge(sources(op.condition->right));
              }
            }
          },
          instruction.operation);
    }
  }

  const std::size_t n = frame.events.size();
  for (model::Relation* relation : {&frame.po, &frame.addr, &frame.data, &frame.ctrl, &frame.rmw, &frame.loc}) {
    relation->resize(n);
  }
  for (model::EventId a = 0; a < n; ++a) {
    for (model::EventId b = 0; b < n; ++b) {
      const model::Event& x = frame.events[a];
      const model::Event& y = frame.events[b];
      if (x.thread && x.thread == y.thread && x.position < y.position) frame.po.insert(a, b);
      if (x.location && y.location && x.physical == y.physical) frame.loc.insert(a, b);
    }
  }
  for (const Pending& pending : dependencies) {
    for (model::EventId from : pending.addr) frame.addr.insert(from, pending.event);
    for (model::EventId from : pending.data) frame.data.insert(from, pending.event);
    for (model::EventId from : pending.ctrl) frame.ctrl.insert(from, pending.event);
  }
  for (auto [r, w] : halves) frame.rmw.insert(r, w);
  return result;
}

// Visits every choice of a write for each read and of a total order for the writes of each location.
inline void for_each_candidate(const model::Frame& frame, const std::function<void(const model::Candidate&)>& visit) {
  const std::size_t n = frame.size();
  std::vector<model::EventId> reads;
  std::map<std::uint32_t, std::vector<model::EventId>> writes;  // by location; the initial one first
  for (model::EventId i = 0; i < n; ++i) {
    const model::Event& event = frame.events[i];
    if (event.kind == model::EventKind::read) reads.push_back(i);
    if (event.is_write() && !(event.kind == model::EventKind::init && event.location != event.physical)) {
      writes[event.physical.index].push_back(i);
    }
  }
  std::vector<std::vector<model::EventId>> orders;
  for (auto& [location, list] : writes) orders.push_back(list);
  model::Relation rf(n);
  model::Relation co(n);
  model::Candidate candidate{&frame, &rf, &co, nullptr};
  std::function<void(std::size_t)> coherence = [&](std::size_t k) {
    if (k == orders.size()) {
      co.clear();
      for (const auto& order : orders) {
        for (std::size_t i = 0; i < order.size(); ++i) {
          for (std::size_t j = i + 1; j < order.size(); ++j) co.insert(order[i], order[j]);
        }
      }
      visit(candidate);
      return;
    }
    std::sort(orders[k].begin() + 1, orders[k].end());
    do {
      coherence(k + 1);
    } while (std::next_permutation(orders[k].begin() + 1, orders[k].end()));
  };
  std::function<void(std::size_t)> reads_from = [&](std::size_t k) {
    if (k == reads.size()) return coherence(0);
    for (model::EventId write : writes[frame.events[reads[k]].physical.index]) {
      if (write == reads[k]) continue;
      rf.insert(write, reads[k]);
      reads_from(k + 1);
      rf.erase(write, reads[k]);
    }
  };
  reads_from(0);
}

}  // namespace weakspot::tests
