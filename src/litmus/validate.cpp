// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "litmus/normalize.h"

namespace weakspot::litmus {
namespace {

class Validator {
 public:
  explicit Validator(const LitmusTest& test) : test_(test) {}

  // Printers and readers of propositions recurse; the readers' own limits on nesting lie above this one.
  static constexpr int kDeepest = 100;

  std::vector<Mistake> run() {
    if (test_.threads.empty()) add(test_.span, "the test has no threads");
    for (const Location& location : test_.locations) check_location(location);
    check_arrays();
    check_aliases();
    for (const Thread& thread : test_.threads) check_thread(thread);
    check_proposition(test_.condition.proposition, 1);
    if (test_.filter) check_proposition(*test_.filter, 1);
    return std::move(mistakes_);
  }

 private:
  void add(base::Span span, std::string message) { mistakes_.push_back({span, std::move(message)}); }

  // `what`: "the access", or "register" and its name.
  void check_fits(base::Span span, const Value& value, Type type, std::string_view what, std::string_view name = {}) {
    if (value.base || fits(value.number, type)) return;
    const std::string quoted = name.empty() ? "" : fmt::format(" '{}'", name);
    add(span, fmt::format("{} does not fit {}{}, which has type {}", value.number, what, quoted, to_string(type)));
  }

  void check_location(const Location& location) {
    check_fits(location.span, location.initial, location.type, "location", location.name);
    // The text forms have keywords in these places.
    for (std::string_view word : {"aliases", "true", "false", "not"}) {
      if (location.name == word) add(location.span, fmt::format("a location cannot be called '{}'", word));
    }
  }

  // The elements of an array are neighbours, of one type and in one space.
  void check_arrays() {
    for (std::uint32_t i = 0; i < test_.locations.size(); ++i) {
      const Location& location = test_.locations[i];
      const std::uint32_t first = i - location.element;
      const bool inside = location.element <= i && location.element < location.elements &&
                          location.elements <= test_.locations.size() - first;
      const bool alike = inside && test_.locations[first].elements == location.elements &&
                         test_.locations[first].element == 0 && test_.locations[first].type == location.type &&
                         test_.locations[first].space == location.space &&
                         (!location.is_array() || (!location.alias_of && location.proxy == Proxy::generic));
      if (location.alias_of && test_[*location.alias_of].is_array()) {
        add(location.span, fmt::format("'{}' cannot be an alias of an array", location.name));
      }
      if (!alike) add(location.span, fmt::format("'{}' is not an element of a whole array", location.name));
    }
  }

  // Following aliases must come to an end.
  void check_aliases() {
    const auto is_alias = [](const Location& location) { return location.alias_of.has_value(); };
    if (std::none_of(test_.locations.begin(), test_.locations.end(), is_alias)) return;
    std::vector<std::uint32_t> seen_from(test_.locations.size(), UINT32_MAX);
    for (std::uint32_t i = 0; i < test_.locations.size(); ++i) {
      std::uint32_t at = i;
      while (seen_from[at] == UINT32_MAX && test_.locations[at].alias_of) {
        seen_from[at] = i;
        at = test_.locations[at].alias_of->index;
      }
      if (seen_from[at] == i) {
        const Location& location = test_.locations[at];
        add(location.span, fmt::format("location '{}' is an alias of itself", location.name));
      }
      seen_from[at] = i;
    }
  }

  void check_thread(const Thread& thread) {
    for (const Register& reg : thread.registers) {
      check_fits(test_.span, reg.initial, reg.type, "register", reg.name);
    }
    std::set<std::string_view> labels;
    for (const Instruction& instruction : thread.instructions) {
      const auto* label = std::get_if<Label>(&instruction.operation);
      if (label != nullptr && !labels.insert(label->name).second) {
        add(instruction.span, fmt::format("label '{}' is defined twice in this thread", label->name));
      }
    }
    const Instruction* before = nullptr;
    for (const Instruction& instruction : thread.instructions) {
      if (const auto* branch = std::get_if<Branch>(&instruction.operation)) {
        if (!labels.contains(branch->label)) {
          add(instruction.span, fmt::format("this thread has no label '{}'", branch->label));
        }
      }
      check_instruction(instruction);
      check_vector(before, instruction);
      before = &instruction;
    }
  }

  void check_instruction(const Instruction& instruction) {
    const base::Span span = instruction.span;
    if (const auto* load = std::get_if<Load>(&instruction.operation)) {
      const Order order = load->access.order;
      if (order == Order::release || order == Order::acq_rel) {
        add(span, fmt::format("a load cannot be '{}'; expected na, rlx, con, acq, acqpc or sc", to_string(order)));
      }
      check_access(span, load->access);
    } else if (const auto* store = std::get_if<Store>(&instruction.operation)) {
      const Order order = store->access.order;
      if (is_acquire(order) && order != Order::seq_cst) {
        add(span, fmt::format("a store cannot be '{}'; expected na, rlx, rel or sc", to_string(order)));
      }
      if (order == Order::consume) add(span, "a store cannot be 'con'; expected na, rlx, rel or sc");
      if (store->status.has_value() != store->access.tags.has(Tag::exclusive)) {
        add(span, "a store has a status register if and only if it is exclusive");
      }
      check_access(span, store->access);
      check_stored(span, store->access, store->value);
    } else if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
      if (rmw->access.order == Order::plain) add(span, "a read-modify-write cannot be non-atomic");
      if (rmw->expected.has_value() != (rmw->op == RmwOp::cas)) {
        add(span, "an expected value is for compare-and-swap, and only for it");
      }
      const bool as_cas = rmw->success || rmw->may_fail || rmw->failure_order != Order::relaxed;
      if (as_cas && rmw->op != RmwOp::cas) add(span, "only compare-and-swap can fail");
      if (is_release(rmw->failure_order) && rmw->failure_order != Order::seq_cst) {
        add(span, fmt::format("a failed compare-and-swap is a load and cannot be '{}'", to_string(rmw->failure_order)));
      }
      check_access(span, rmw->access);
      check_stored(span, rmw->access, rmw->operand);
      if (rmw->expected) check_stored(span, rmw->access, *rmw->expected);
    } else if (const auto* fence = std::get_if<Fence>(&instruction.operation)) {
      if (fence->kind == FenceKind::order && fence->order == Order::plain) {
        add(span, "a fence needs an order; expected rlx, acq, rel, acqrel or sc");
      }
      if (fence->kind == FenceKind::named && fence->name == FenceName::none) add(span, "the fence has no name");
    } else if (const auto* compute = std::get_if<Compute>(&instruction.operation)) {
      if (compute->right.has_value() == is_unary(compute->op)) {
        add(span, fmt::format("'{}' takes {} operand{}", to_string(compute->op), is_unary(compute->op) ? 1 : 2,
                              is_unary(compute->op) ? "" : "s"));
      }
    } else if (std::holds_alternative<Label>(instruction.operation) && instruction.guard) {
      add(span, "a label cannot have a guard");
    }
  }

  // An element of a vector access goes on where the element before it ended.
  void check_vector(const Instruction* before, const Instruction& instruction) {
    const Access* access = access_of(instruction);
    if (access == nullptr || !access->tags.has(Tag::vector)) return;
    const Access* first = before == nullptr ? nullptr : access_of(*before);
    bool continues = first != nullptr && before->operation.index() == instruction.operation.index() &&
                     !std::holds_alternative<Rmw>(instruction.operation) && before->guard == instruction.guard;
    if (continues) {
      Access next = *first;
      next.address.offset = wrapping_sum(next.address.offset, size_in_bytes(first->type));
      if (size_in_bytes(first->type) == size_in_bytes(access->type)) next.type = access->type;
      next.tags.insert(Tag::vector);
      continues = next == *access && !next.tags.has(Tag::exclusive);
    }
    if (!continues) return add(instruction.span, "an element of a vector does not continue the access before it");
    if (const auto* load = std::get_if<Load>(&before->operation);
        load != nullptr && load->target == access->address.index) {
      add(instruction.span, "a vector load cannot overwrite its own address");
    }
  }

  void check_access(base::Span span, const Access& access) {
    if (access.tags.has(Tag::lock) && test_.arch != Arch::linux_kernel) {
      add(span, "only tests of the Linux kernel have accesses to locks");
    }
    const Address& address = access.address;
    if (!address.location && !address.index) add(span, "an access needs a location or a register for its address");
    if (address.location && !address.index) {
      const Location& location = test_[*address.location];
      const std::int64_t last = extent_in_bytes(location) - size_in_bytes(access.type);
      if (address.offset > last || address.offset < 0) {
        const std::string elements = location.is_array() ? fmt::format("{} elements of ", location.elements) : "";
        add(span,
            fmt::format("an access of {} bytes at offset {} does not lie within '{}', which has {}type {}",
                        size_in_bytes(access.type), address.offset, location.name, elements, to_string(location.type)));
      }
    }
  }

  void check_stored(base::Span span, const Access& access, const Operand& operand) {
    const auto* value = std::get_if<Value>(&operand);
    if (value == nullptr) return;
    check_fits(span, *value, access.type, "the access");
    if (!value->base || !access.address.location) return;
    const Location& location = test_[*access.address.location];
    if (size_in_bytes(access.type) < size_in_bytes(location.type)) {
      add(span, fmt::format("an address does not fit the access, which covers {} of the {} bytes of '{}'",
                            size_in_bytes(access.type), size_in_bytes(location.type), location.name));
    }
  }

  void check_proposition(const Proposition& proposition, int depth) {
    if (depth > kDeepest) {
      add(proposition.span, fmt::format("the proposition is nested more than {} deep", kDeepest));
      return;
    }
    for (const Proposition& child : proposition.children) check_proposition(child, depth + 1);
    if (proposition.kind != Proposition::Kind::comparison) return;
    check_comparison(proposition, proposition.left, proposition.right);
    check_comparison(proposition, proposition.right, proposition.left);
  }

  void check_comparison(const Proposition& proposition, const Term& observed, const Term& constant) {
    const auto* item = std::get_if<Observable>(&observed);
    const auto* value = std::get_if<Value>(&constant);
    if (item == nullptr || value == nullptr) return;
    if (const auto* location = std::get_if<LocationId>(item)) {
      check_fits(proposition.span, *value, test_[*location].type, "location", test_[*location].name);
    } else {
      const Register& reg = test_[std::get<ObservedRegister>(*item)];
      check_fits(proposition.span, *value, reg.type, "register", reg.name);
    }
  }

  const LitmusTest& test_;
  std::vector<Mistake> mistakes_;
};

}  // namespace

std::vector<Mistake> validate(const LitmusTest& test) { return Validator(test).run(); }

}  // namespace weakspot::litmus
