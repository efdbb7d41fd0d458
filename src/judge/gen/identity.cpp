// SPDX-License-Identifier: MIT
#include "gen/identity.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/sort.h"
#include "gen/identity/value_classes.h"

namespace weakspot::gen {
namespace {

using litmus::LitmusTest;
using litmus::LocationId;
using litmus::ObservedRegister;
using litmus::Operand;
using litmus::Proposition;
using litmus::RegisterId;
using litmus::ThreadId;
using litmus::Value;

constexpr std::uint32_t kUnnamed = UINT32_MAX;
// 8! orders of eight threads that look alike.
constexpr std::size_t kMostOrders = 40'320;

// Writes a test with its threads in a given order and everything else named by first use, so that tests which are
// renamings of each other are written alike for some order of their threads.
class Writer {
 public:
  Writer(const LitmusTest& test, const ValueClasses& classes)
      : test_(test), classes_(classes), tree_(test.scope_tree()), names_(classes.count()) {
    location_.assign(test.locations.size(), kUnnamed);
    register_.resize(test.threads.size());
    place_.assign(test.threads.size(), kUnnamed);
    for (std::size_t t = 0; t < test.threads.size(); ++t) {
      register_[t].assign(test.threads[t].registers.size(), kUnnamed);
    }
  }

  // The next thread of the order; returns what it adds to the text.
  std::string_view write_next(std::uint32_t thread) {
    const std::size_t length = text_.size();
    order_.push_back(thread);
    write_thread(ThreadId{thread});
    return std::string_view(text_).substr(length);
  }

  // The whole text, once all threads are written.
  const std::string& finish() {
    number(test_.arch);
    write_tree(order_);
    write_rest();
    return text_;
  }

  // One thread alone: what does not depend on the others.
  std::string write_alone(std::uint32_t thread) {
    write_thread(ThreadId{thread});
    // The number of threads in its place, at each level.
    for (litmus::Scope level : litmus::kTreeLevels) {
      std::size_t together = 0;
      for (const litmus::Placement& other : tree_.placements) {
        together += other.at(level) == tree_.placements[thread].at(level);
      }
      number(together);
    }
    std::vector<std::string> asked;
    auto ask = [&](const litmus::Observable& observable) {
      const auto* reg = std::get_if<ObservedRegister>(&observable);
      if (reg != nullptr && reg->thread.index == thread) number(register_[thread][reg->reg.index]);
    };
    for (const litmus::Observable& observable : test_.observed()) ask(observable);
    return std::move(text_);
  }

 private:
  template <typename Number>
  void number(Number n) {
    const auto value = static_cast<std::uint64_t>(n);
    // Small numbers, nearly all, take one byte.
    if (value < 255) {
      text_ += static_cast<char>(value);
      return;
    }
    text_ += '\xff';
    for (int shift = 0; shift < 64; shift += 8) text_ += static_cast<char>(value >> shift);
  }

  void write(LocationId location) {
    std::uint32_t& name = location_[location.index];
    if (name == kUnnamed) {
      name = static_cast<std::uint32_t>(named_locations_.size());
      named_locations_.push_back(location);
    }
    number(name);
  }

  void write(ThreadId thread, RegisterId reg) {
    std::uint32_t& name = register_[thread.index][reg.index];
    if (name == kUnnamed) name = next_register_++;
    number(name);
  }

  // A number of a class, renamed by first use where that is sound.
  void write(std::size_t value_class, const Value& value) {
    if (value.base) {
      number(1);
      write(*value.base);
      number(value.number);
      return;
    }
    number(0);
    const std::set<std::int64_t>& fixed = classes_.fixed(value_class);
    if (classes_.rigid(value_class) || fixed.contains(value.number)) return number(value.number);
    std::map<std::int64_t, std::int64_t>& names = names_[value_class];
    auto found = names.find(value.number);
    if (found == names.end()) {
      std::int64_t name = 1;
      const auto taken = [&] {
        return fixed.contains(name) ||
               std::any_of(names.begin(), names.end(), [&](const auto& entry) { return entry.second == name; });
      };
      while (taken()) ++name;
      found = names.emplace(value.number, name).first;
    }
    number(found->second);
  }

  void write_raw(ThreadId thread, const Operand& operand) {
    number(operand.index());
    if (const auto* reg = std::get_if<RegisterId>(&operand)) return write(thread, *reg);
    const Value& value = std::get<Value>(operand);
    number(value.base.has_value());
    if (value.base) write(*value.base);
    number(value.number);
  }

  void write(std::size_t value_class, ThreadId thread, const Operand& operand) {
    number(operand.index());
    if (const auto* reg = std::get_if<RegisterId>(&operand)) return write(thread, *reg);
    write(value_class, std::get<Value>(operand));
  }

  void write(ThreadId thread, const std::optional<RegisterId>& reg) {
    number(reg.has_value());
    if (reg) write(thread, *reg);
  }

  template <typename Enum>
  void write_set(const litmus::EnumSet<Enum>& set) {
    for (unsigned i = 0; i < 8; ++i) number(set.has(static_cast<Enum>(i)));
  }

  void write(ThreadId thread, const litmus::Access& access) {
    write(thread, access.address);
    number(access.order);
    number(access.scope);
    number(access.type);
    number(access.space);
    number(access.cache);
    number(access.proxy);
    write_set(access.tags);
    write_set(access.semantics);
  }

  std::size_t class_of(const litmus::Access& access) const {
    return access.address.location ? classes_.of(*access.address.location) : 0;
  }

  void write(ThreadId thread, const litmus::Load& load) {
    write(thread, load.access);
    write(thread, load.target);
  }
  void write(ThreadId thread, const litmus::Store& store) {
    write(thread, store.access);
    write(class_of(store.access), thread, store.value);
    write(thread, store.status);
  }
  void write(ThreadId thread, const litmus::Rmw& rmw) {
    number(rmw.op);
    write(thread, rmw.access);
    write(class_of(rmw.access), thread, rmw.operand);
    number(rmw.expected.has_value());
    if (rmw.expected) write(class_of(rmw.access), thread, *rmw.expected);
    write(thread, rmw.target);
    write(thread, rmw.success);
    number(rmw.failure_order);
    number(rmw.may_fail);
  }
  void write(ThreadId, const litmus::Fence& fence) {
    number(fence.kind);
    number(fence.order);
    number(fence.scope);
    number(fence.proxy);
    write_set(fence.semantics);
    number(fence.accesses);
    number(fence.shareability);
    write_set(fence.tags);
    if (fence.map) write(*fence.map);
  }
  void write(ThreadId thread, const litmus::Barrier& barrier) {
    number(barrier.kind);
    number(barrier.scope);
    write_raw(thread, barrier.id);
    for (const auto* operand : {&barrier.name, &barrier.quorum}) {
      number(operand->has_value());
      if (*operand) write_raw(thread, **operand);
    }
    number(barrier.order);
    number(barrier.memory_scope);
    write_set(barrier.semantics);
    write_set(barrier.tags);
  }
  void write(ThreadId thread, const litmus::Compute& compute) {
    const auto* left = std::get_if<RegisterId>(&compute.left);
    number(compute.op);
    // A constant that is only moved is a value of the target's class; any other is itself.
    const bool moves = compute.op == litmus::ComputeOp::mov ||
                       (compute.op == litmus::ComputeOp::add && left != nullptr && classes_.is_zero(thread, *left));
    const std::size_t value_class = classes_.of(thread, compute.target);
    const bool is_zero = classes_.is_zero(thread, compute.target);
    auto operand = [&](const Operand& one) {
      if (moves && !is_zero) {
        write(value_class, thread, one);
      } else {
        write_raw(thread, one);
      }
    };
    operand(compute.left);
    if (compute.right) operand(*compute.right);
    write(thread, compute.target);
  }
  void write(ThreadId thread, const litmus::Select& select) {
    const std::size_t value_class = classes_.of(thread, select.target);
    write(thread, select.condition);
    write(value_class, thread, select.yes);
    write(value_class, thread, select.no);
    write(thread, select.target);
  }
  void write(ThreadId thread, const litmus::Branch& branch) {
    write_label(branch.label);
    number(branch.condition.has_value());
    if (branch.condition) write(thread, *branch.condition);
  }
  void write(ThreadId thread, const litmus::Comparison& condition) {
    number(condition.op);
    const auto* left = std::get_if<RegisterId>(&condition.left);
    write_raw(thread, condition.left);
    if (left != nullptr) {
      write(classes_.of(thread, *left), thread, condition.right);
    } else {
      write_raw(thread, condition.right);
    }
  }
  void write(ThreadId, const litmus::Label& label) { write_label(label.name); }

  void write(ThreadId thread, const litmus::Address& address) {
    number(address.location.has_value());
    if (address.location) write(*address.location);
    write(thread, address.index);
    number(address.offset);
  }
  void write(ThreadId thread, const litmus::AsyncCopy& copy) {
    number(copy.engine);
    number(copy.type);
    number(copy.elements);
    write(thread, copy.from);
    write_raw(thread, copy.value);
    number(copy.reduce.has_value());
    if (copy.reduce) number(*copy.reduce);
    number(copy.targets.size() + (copy.mapped ? 100u : 0u));
    for (const litmus::AsyncCopy::Target& target : copy.targets) {
      write(thread, target.to);
      number(target.mbarrier.has_value());
      if (target.mbarrier) write(*target.mbarrier);
    }
  }
  void write(ThreadId thread, const litmus::Mbarrier& mbarrier) {
    number(mbarrier.op);
    write(mbarrier.barrier);
    number(mbarrier.order);
    number(mbarrier.scope);
    write(thread, mbarrier.target);
    number(mbarrier.count);
    number(mbarrier.bytes);
    write_raw(thread, mbarrier.phase);
  }
  void write(ThreadId, const litmus::AsyncControl& control) {
    number(control.kind);
    number(control.engine);
    number(control.pending);
  }

  void write_label(const std::string& label) { number(labels_.emplace(label, labels_.size()).first->second); }

  void write_thread(ThreadId thread) {
    next_register_ = 0;
    labels_.clear();
    number(test_[thread].instructions.size());
    for (const litmus::Instruction& instruction : test_[thread].instructions) {
      number(instruction.operation.index());
      number(instruction.guard.has_value());
      if (instruction.guard) {
        number(instruction.guard->negated);
        write(thread, instruction.guard->predicate);
      }
      std::visit([&](const auto& operation) { write(thread, operation); }, instruction.operation);
    }
    // Registers in order of their names: types and initial values.
    std::vector<std::pair<std::uint32_t, const litmus::Register*>> registers;
    for (std::size_t r = 0; r < test_[thread].registers.size(); ++r) {
      std::uint32_t& name = register_[thread.index][r];
      if (name == kUnnamed) name = next_register_++;
      registers.emplace_back(name, &test_[thread].registers[r]);
    }
    base::sort(registers);
    for (const auto& [name, reg] : registers) {
      number(reg->type);
      number(reg->initial.number);
      number(reg->initial.base.has_value());
      if (reg->initial.base) write(*reg->initial.base);
    }
  }

  void write_tree(const std::vector<std::uint32_t>& order) {
    number(test_.scopes.has_value());
    for (litmus::Scope level : litmus::kTreeLevels) {
      std::vector<std::uint32_t> seen;
      for (std::uint32_t thread : order) {
        const std::uint32_t node = tree_.placements[thread].at(level);
        const auto found = std::find(seen.begin(), seen.end(), node);
        number(found - seen.begin());
        if (found == seen.end()) seen.push_back(node);
      }
    }
    if (tree_.has_cpus()) {
      for (std::uint32_t thread : order) number(tree_.placements[thread].cpu);
    }
    for (std::size_t i = 0; i < order.size(); ++i) place_[order[i]] = static_cast<std::uint32_t>(i);
    for (const auto* related : {&tree_.system_synchronizes, &tree_.launches}) {
      if (related == &tree_.launches && related->empty()) continue;
      std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
      for (const auto& [from, to] : *related) pairs.emplace_back(place_[from.index], place_[to.index]);
      base::sort(pairs);
      number(pairs.size());
      for (const auto& [from, to] : pairs) {
        number(from);
        number(to);
      }
    }
  }

  void write_rest() {
    // Locations that no thread names come last, in their own order.
    for (std::uint32_t i = 0; i < test_.locations.size(); ++i) {
      if (location_[i] == kUnnamed) write(LocationId{i});
    }
    for (std::size_t i = 0; i < named_locations_.size(); ++i) {
      const litmus::Location& location = test_[named_locations_[i]];
      number(location.type);
      number(location.space);
      number(location.initial.number);
      number(location.initial.base.has_value());
      if (location.initial.base) write(*location.initial.base);
      number(location.alias_of.has_value());
      if (location.alias_of) write(*location.alias_of);
      number(location.proxy);
      if (location.is_array()) {
        number(location.elements);
        number(location.element);
      }
    }
    number(test_.condition.quantifier);
    name_unseen_values();
    text_ += written(test_.condition.proposition);
    number(test_.filter.has_value());
    if (test_.filter) text_ += written(*test_.filter);
    std::vector<std::string> also;
    for (const litmus::Observable& observable : test_.also_observed) also.push_back(written(observable));
    base::sort(also);
    for (const std::string& one : also) text_ += one;
  }

  // Constants the condition alone mentions get their names in the order of what they are compared with, so that
  // the order of the condition does not matter.
  void name_unseen_values() {
    std::vector<std::tuple<std::string, std::int64_t, std::size_t>> constants;
    auto collect = [&](const Proposition& proposition, const auto& self) -> void {
      for (const Proposition& child : proposition.children) self(child, self);
      if (proposition.kind != Proposition::Kind::comparison) return;
      const auto* left = std::get_if<litmus::Observable>(&proposition.left);
      const auto* right = std::get_if<litmus::Observable>(&proposition.right);
      const litmus::Observable* observable = left != nullptr ? left : right;
      const auto* value = std::get_if<Value>(left != nullptr ? &proposition.right : &proposition.left);
      if (observable == nullptr || value == nullptr || value->base) return;
      constants.emplace_back(written(*observable), value->number, classes_.of(*observable));
    };
    collect(test_.condition.proposition, collect);
    if (test_.filter) collect(*test_.filter, collect);
    base::sort(constants);
    const std::size_t length = text_.size();
    for (const auto& [key, constant, value_class] : constants) write(value_class, Value{constant, std::nullopt});
    text_.resize(length);
  }

  std::string written(const litmus::Observable& observable) {
    std::string outer;
    outer.swap(text_);
    number(observable.index());
    if (const auto* location = std::get_if<LocationId>(&observable)) {
      write(*location);
    } else {
      const auto& reg = std::get<ObservedRegister>(observable);
      number(place_[reg.thread.index]);
      number(register_[reg.thread.index][reg.reg.index]);
    }
    outer.swap(text_);
    return outer;
  }

  std::string written(const litmus::Term& term, std::size_t value_class) {
    if (const auto* observable = std::get_if<litmus::Observable>(&term)) return "o" + written(*observable);
    std::string outer;
    outer.swap(text_);
    write(value_class, std::get<Value>(term));
    outer.swap(text_);
    return "v" + outer;
  }

  std::string written(const Proposition& proposition) {
    std::string text(1, static_cast<char>(proposition.kind));
    if (proposition.kind == Proposition::Kind::comparison) {
      const auto* left = std::get_if<litmus::Observable>(&proposition.left);
      const auto* right = std::get_if<litmus::Observable>(&proposition.right);
      const litmus::Observable* observable = left != nullptr ? left : right;
      const std::size_t value_class = observable != nullptr ? classes_.of(*observable) : 0;
      text += static_cast<char>(proposition.op);
      text += written(proposition.left, value_class);
      text += written(proposition.right, value_class);
      return text;
    }
    std::vector<std::string> children;
    for (const Proposition& child : proposition.children) children.push_back(written(child));
    if (proposition.kind != Proposition::Kind::implication) base::sort(children);
    text += static_cast<char>(children.size());
    for (const std::string& child : children) text += child;
    return text;
  }

  const LitmusTest& test_;
  const ValueClasses& classes_;
  litmus::ScopeTree tree_;
  std::string text_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> location_;               // by location: its name
  std::vector<LocationId> named_locations_;           // by name
  std::vector<std::vector<std::uint32_t>> register_;  // by thread and register: its name
  std::vector<std::uint32_t> place_;                  // by thread: its place in the order
  std::uint32_t next_register_ = 0;
  std::map<std::string, std::size_t> labels_;
  std::vector<std::map<std::int64_t, std::int64_t>> names_;  // by class
};

// Finds the least text, thread by thread: among the threads that can come next, only those that add the least go on.
// Ties are all followed, so the result does not depend on the order of the test's threads.
class Search {
 public:
  Search(const LitmusTest& test, const ValueClasses& classes) : test_(test), classes_(classes) {
    for (std::uint32_t t = 0; t < test.threads.size(); ++t) looks_.push_back(Writer(test, classes).write_alone(t));
    left_.resize(test.threads.size());
    std::iota(left_.begin(), left_.end(), 0u);
    base::sort(left_, [&](std::uint32_t a, std::uint32_t b) {
      return looks_[a] != looks_[b] ? looks_[a] < looks_[b] : a < b;
    });
  }

  base::Hash128 run() {
    // With too many orders, the hash is that of the sorted looks: still equal for equal tests, but coarser.
    if (count_orders() > kMostOrders) {
      std::string all;
      for (std::uint32_t thread : left_) all += looks_[thread];
      return base::hash_bytes(all);
    }
    extend(Writer(test_, classes_), left_);
    return base::hash_bytes(best_);
  }

 private:
  // The number of orders that differ only in the places of threads that look alike.
  std::size_t count_orders() const {
    std::size_t count = 1, alike = 1;
    for (std::size_t i = 1; i < left_.size() && count <= kMostOrders; ++i) {
      alike = looks_[left_[i]] == looks_[left_[i - 1]] ? alike + 1 : 1;
      count *= alike;
    }
    return count;
  }

  void extend(Writer writer, const std::vector<std::uint32_t>& left) {
    if (left.empty()) {
      const std::string& text = writer.finish();
      if (best_.empty() || text < best_) best_ = text;
      return;
    }
    std::string least;
    std::vector<std::pair<std::size_t, Writer>> least_ones;
    for (std::size_t i = 0; i < left.size() && looks_[left[i]] == looks_[left[0]]; ++i) {
      Writer next = writer;
      const std::string added(next.write_next(left[i]));
      if (!least_ones.empty() && added > least) continue;
      if (added < least) least_ones.clear();
      least = added;
      least_ones.emplace_back(i, std::move(next));
    }
    for (auto& [i, next] : least_ones) {
      std::vector<std::uint32_t> rest = left;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      extend(std::move(next), rest);
    }
  }

  const LitmusTest& test_;
  const ValueClasses& classes_;
  std::vector<std::string> looks_;   // by thread
  std::vector<std::uint32_t> left_;  // sorted by looks
  std::string best_;
};

}  // namespace

base::Hash128 canonical_hash(const LitmusTest& test) {
  const ValueClasses classes(test);
  return Search(test, classes).run();
}

}  // namespace weakspot::gen
