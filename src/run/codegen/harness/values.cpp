// SPDX-License-Identifier: MIT
#include "codegen/harness/values.h"

#include <algorithm>
#include <optional>
#include <set>

#include "litmus/instruction.h"
#include "litmus/meaning.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

constexpr std::size_t kMostValues = 64;

// A set of values that becomes "any" when it grows too large.
struct ValueSet {
  bool any = false;
  std::set<Value> values;

  bool add(const Value& value) {
    if (any || !values.insert(value).second) return false;
    if (values.size() > kMostValues) become_any();
    return true;
  }
  bool add(const ValueSet& other) {
    if (any) return false;
    if (other.any) {
      become_any();
      return true;
    }
    bool changed = false;
    for (const Value& value : other.values) changed = add(value) || changed;
    return changed;
  }
  void become_any() {
    any = true;
    values.clear();
  }
};

class Closure {
 public:
  explicit Closure(const LitmusTest& test) : test_(test) {
    for (const Location& location : test.locations) {
      memory_.emplace_back();
      memory_.back().add(location.initial);
    }
    for (const Thread& thread : test.threads) {
      registers_.emplace_back();
      for (const Register& reg : thread.registers) {
        registers_.back().emplace_back();
        registers_.back().back().add(reg.initial);
      }
    }
  }

  // Without loops every instruction happens at most once, so a value is made in at most as many steps as there are
  // instructions; this keeps counters bounded. With loops, until nothing changes.
  void run() {
    std::size_t instructions = 0;
    bool loops = false;
    for (const Thread& thread : test_.threads) {
      instructions += thread.instructions.size();
      loops = loops || has_backward_branch(thread);
    }
    for (std::size_t round = 0; loops || round < instructions; ++round) {
      changed_ = false;
      for (std::size_t t = 0; t < test_.threads.size(); ++t) {
        for (const Instruction& instruction : test_.threads[t].instructions) step(t, instruction);
      }
      if (!changed_) return;
    }
  }

  const ValueSet& of(const Observable& item) const {
    if (const auto* reg = std::get_if<ObservedRegister>(&item)) return registers_[reg->thread.index][reg->reg.index];
    const LocationId id = std::get<LocationId>(item);
    return memory_[test_[id].element != 0 ? id.index : physical_location(test_, id).index];
  }

 private:
  static bool has_backward_branch(const Thread& thread) {
    std::set<std::string_view> seen;
    for (const Instruction& instruction : thread.instructions) {
      if (const auto* label = std::get_if<Label>(&instruction.operation)) seen.insert(label->name);
      const auto* branch = std::get_if<Branch>(&instruction.operation);
      if (branch != nullptr && seen.contains(branch->label)) return true;
    }
    return false;
  }

  void grow(ValueSet& set, const ValueSet& more) { changed_ = set.add(more) || changed_; }

  ValueSet& reg(std::size_t thread, RegisterId id) { return registers_[thread][id.index]; }
  Type type_of(std::size_t thread, RegisterId id) const { return test_.threads[thread].registers[id.index].type; }

  void grow_register(std::size_t thread, RegisterId id, const ValueSet& more) {
    grow(reg(thread, id), wrapped(more, type_of(thread, id)));
  }

  ValueSet operand(std::size_t thread, const Operand& operand) {
    if (const auto* id = std::get_if<RegisterId>(&operand)) return reg(thread, *id);
    ValueSet set;
    set.add(std::get<Value>(operand));
    return set;
  }

  // The locations an access may touch; nothing: cannot be told, or it touches a part of one only.
  std::optional<std::vector<std::size_t>> targets(std::size_t thread, const Access& access) {
    ValueSet addresses;
    addresses.add(Value{access.address.offset, access.address.location});
    if (access.address.index) {
      ValueSet sums;
      const ValueSet& index = reg(thread, *access.address.index);
      if (index.any) return std::nullopt;
      for (const Value& value : index.values) {
        // A register that holds no address yet (nothing was loaded into it) contributes nothing.
        const std::optional<Value> sum = compute(ComputeOp::add, Type::s64, *addresses.values.begin(), value);
        if (!sum) return std::nullopt;
        if (sum->base) sums.add(*sum);
      }
      addresses = sums;
    }
    std::vector<std::size_t> found;
    for (const Value& value : addresses.values) {
      if (!value.base) return std::nullopt;
      const std::optional<std::size_t> element = element_at(*value.base, value.number);
      if (!element) return std::nullopt;
      const std::size_t index = *element;
      if (size_in_bytes(test_.locations[index].type) != size_in_bytes(access.type)) return std::nullopt;
      found.push_back(index);
    }
    return found;
  }

  // The location at that many bytes behind another: itself, or an element of the array.
  std::optional<std::size_t> element_at(LocationId base, std::int64_t bytes) const {
    const std::size_t first = physical_location(test_, base).index;
    const Location& location = test_.locations[first];
    const int size = size_in_bytes(location.type);
    if (bytes < 0 || bytes % size != 0 || bytes / size >= location.elements) return std::nullopt;
    return first + static_cast<std::size_t>(bytes / size);
  }

  ValueSet read(std::size_t thread, const Access& access) {
    ValueSet set;
    const auto found = targets(thread, access);
    if (!found) {
      set.any = true;
      return set;
    }
    for (const std::size_t location : *found) set.add(memory_[location]);
    return wrapped(set, access.type);
  }

  void write(std::size_t thread, const Access& access, const ValueSet& value) {
    const auto found = targets(thread, access);
    if (!found) {
      // The access may touch any location of the test.
      for (ValueSet& set : memory_) {
        if (!set.any) changed_ = true;
        set.become_any();
      }
      return;
    }
    for (const std::size_t location : *found) grow(memory_[location], wrapped(value, test_.locations[location].type));
  }

  static ValueSet wrapped(const ValueSet& set, Type type) {
    if (set.any) return set;
    ValueSet result;
    for (const Value& value : set.values) result.add(wrap(value, type));
    return result;
  }

  template <typename Function>
  static ValueSet combine(const ValueSet& a, const ValueSet& b, bool same, Function&& function) {
    ValueSet result;
    if (a.any || b.any) {
      result.any = true;
      return result;
    }
    for (const Value& x : a.values) {
      for (const Value& y : b.values) {
        if (same && x != y) continue;
        const std::optional<Value> value = function(x, y);
        if (!value) {
          result.become_any();
          return result;
        }
        result.add(*value);
      }
    }
    return result;
  }

  void step(std::size_t t, const Instruction& instruction) {
    if (const auto* load = std::get_if<Load>(&instruction.operation)) {
      grow_register(t, load->target, read(t, load->access));
    } else if (const auto* store = std::get_if<Store>(&instruction.operation)) {
      write(t, store->access, operand(t, store->value));
      if (store->status) grow_flag(t, *store->status);
    } else if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
      step_rmw(t, *rmw);
    } else if (const auto* compute_ = std::get_if<Compute>(&instruction.operation)) {
      const ValueSet left = operand(t, compute_->left);
      const ValueSet right = compute_->right ? operand(t, *compute_->right) : operand(t, Value{});
      // A register combined with itself has one value, not two.
      const bool same = compute_->right == compute_->left && std::holds_alternative<RegisterId>(compute_->left);
      grow_register(t, compute_->target, combine(left, right, same, [&](const Value& a, const Value& b) {
                      return compute(compute_->op, type_of(t, compute_->target), a, b);
                    }));
    } else if (const auto* select = std::get_if<Select>(&instruction.operation)) {
      grow_register(t, select->target, operand(t, select->yes));
      grow_register(t, select->target, operand(t, select->no));
    } else if (const auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) {
      step_copy(t, *copy);
    } else if (const auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation)) {
      if (mbarrier->target) grow_flag(t, *mbarrier->target);
    }
  }

  void step_copy(std::size_t t, const AsyncCopy& copy) {
    for (std::int64_t i = 0; i < copy.elements; ++i) {
      auto element = [&](const Address& address) {
        Access access;
        access.address = address;
        access.address.offset += i * size_in_bytes(copy.type);
        access.type = copy.type;
        return access;
      };
      ValueSet value = copy.engine == AsyncEngine::remote ? operand(t, copy.value) : read(t, element(copy.from));
      for (const AsyncCopy::Target& target : copy.targets) {
        const Access to = element(target.to);
        if (!copy.reduce) {
          write(t, to, value);
          continue;
        }
        write(t, to, combine(read(t, to), value, false, [&](const Value& a, const Value& b) {
                return modify(*copy.reduce, copy.type, a, b);
              }));
      }
    }
  }

  void grow_flag(std::size_t thread, RegisterId id) {
    ValueSet set;
    set.add(integer(0));
    set.add(integer(1));
    grow_register(thread, id, set);
  }

  void step_rmw(std::size_t t, const Rmw& rmw) {
    const ValueSet old = read(t, rmw.access);
    if (rmw.target) grow_register(t, *rmw.target, old);
    if (rmw.success) grow_flag(t, *rmw.success);
    const ValueSet argument = operand(t, rmw.operand);
    write(t, rmw.access, combine(old, argument, false, [&](const Value& a, const Value& b) {
            return modify(rmw.op, rmw.access.type, a, b);
          }));
  }

  const LitmusTest& test_;
  std::vector<ValueSet> memory_;
  std::vector<std::vector<ValueSet>> registers_;
  bool changed_ = false;
};

}  // namespace

std::vector<PossibleValues> possible_values(const LitmusTest& test) {
  Closure closure(test);
  closure.run();
  std::vector<PossibleValues> result;
  for (const Observable& item : test.observed()) {
    const ValueSet& set = closure.of(item);
    result.push_back({set.any, {set.values.begin(), set.values.end()}});
  }
  return result;
}

}  // namespace weakspot::codegen
