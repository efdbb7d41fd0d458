// SPDX-License-Identifier: MIT
#include "litmus/c/print_c.h"

#include <fmt/format.h>

#include <map>

#include "litmus/c/c_language.h"
#include "litmus/c/linux_words.h"
#include "litmus/text/printers.h"
#include "litmus/text/readers.h"
#include "litmus/visit.h"

namespace weakspot::litmus {
namespace {

// The declaration of a function's parameter. Accesses that differ from it are made through a cast.
struct Parameter {
  bool is_volatile = false;
  Space space = Space::none;
};

// Writes the function of one thread. Labels that only serve an if, a while or a do are not written; the rest is goto.
class FunctionPrinter {
 public:
  FunctionPrinter(const LitmusTest& test, CFace face, ThreadId thread, const std::set<LocationId>& atomics)
      : test_(test), face_(face), id_(thread), thread_(test[thread]), atomics_(atomics) {
    declared_.resize(thread_.registers.size());
    for (std::uint32_t i = 0; i < thread_.registers.size(); ++i) {
      if (is_c_parameter(test, thread, RegisterId{i})) declared_[i] = true;
    }
    find_labels();
    find_parameters();
  }

  std::string print() {
    range(0, thread_.instructions.size(), 1);
    for (std::uint32_t i = 0; i < thread_.registers.size(); ++i) mention(RegisterId{i});
    std::string text = fmt::format("P{}{} ({}) {{\n", id_.index, placement(), parameters());
    return text + declarations_ + body_ + "}\n";
  }

 private:
  // ---- facts about the thread ----

  struct LabelUse {
    std::size_t at = 0;
    std::size_t references = 0;
    std::size_t last_reference = 0;
  };

  void find_labels() {
    for (std::size_t i = 0; i < thread_.instructions.size(); ++i) {
      const Operation& operation = thread_.instructions[i].operation;
      if (const auto* label = std::get_if<Label>(&operation)) labels_[label->name].at = i;
      if (const auto* branch = std::get_if<Branch>(&operation)) {
        LabelUse& use = labels_[branch->label];
        ++use.references;
        use.last_reference = i;
      }
    }
  }

  void find_parameters() {
    for (LocationId id : c_parameters(test_, id_)) parameters_[id].space = test_[id].space;
    std::set<LocationId> plain, any;
    for (const Instruction& instruction : thread_.instructions) {
      const Access* access = access_of(instruction);
      if (access == nullptr || !access->address.location) continue;
      const LocationId id = *access->address.location;
      Parameter& parameter = parameters_[id];
      if (any.insert(id).second && access->space != Space::none) parameter.space = access->space;
      if (access->order == Order::plain && plain.insert(id).second) {
        parameter.is_volatile = access->tags.has(Tag::volatile_);
      }
    }
  }

  // ---- the head ----

  std::string placement() const {
    if (!test_.scopes) return {};
    static constexpr base::Named<Scope> kLevels[] = {
        {"sg", Scope::subgroup}, {"wg", Scope::workgroup}, {"dev", Scope::device}};
    PartialPlacement place = c_placements(*test_.scopes)[id_.index];
    std::string text;
    for (const auto& level : kLevels) {
      if (!place.at(level.value)) continue;
      text += fmt::format("{}{} {}", text.empty() ? "@" : ", ", level.name, *place.at(level.value));
    }
    return text;
  }

  std::string parameters() const {
    std::string text;
    for (const auto& [id, parameter] : parameters_) {
      CType type;
      type.base = test_[id].type;
      type.is_atomic = atomics_.contains(id);
      type.is_volatile = parameter.is_volatile;
      type.space = parameter.space;
      text += fmt::format("{}{}* {}", text.empty() ? "" : ", ", c_type_text(type, face_), test_[id].name);
    }
    return text;
  }

  // ---- control flow ----

  void line(int depth, std::string_view text) { body_ += fmt::format("{:{}}{}\n", "", 2 * depth, text); }

  template <typename Op>
  const Op* at(std::size_t index) const {
    return std::get_if<Op>(&thread_.instructions[index].operation);
  }

  // The place of a label that need not be written: only one branch refers to it, and its name says nothing.
  std::optional<std::size_t> hidden(const std::string& name) const {
    const LabelUse& use = labels_.at(name);
    if (use.references != 1 || !is_c_numbered_label(name)) return std::nullopt;
    return use.at;
  }

  void range(std::size_t begin, std::size_t end, int depth) {
    for (std::size_t i = begin; i < end;) {
      const std::size_t next = construct(i, end, depth);
      if (next == i) instruction(i++, depth);
      i = std::max(i, next);
    }
  }

  // Writes the if or loop that starts at `i` and ends before `end`; gives the index behind it, or `i` if there is none.
  std::size_t construct(std::size_t i, std::size_t end, int depth) {
    if (depth > kDeepest) return i;
    if (const auto* branch = at<Branch>(i); branch != nullptr && branch->condition) return if_else(i, end, depth);
    if (at<Label>(i) != nullptr) {
      const std::size_t next = while_loop(i, end, depth);
      return next != i ? next : do_loop(i, end, depth);
    }
    return i;
  }

  // `if c goto A; yes; A:` becomes `if (!c) { yes }`, and `if c goto A; yes; goto B; A: no; B:` also has an else.
  std::size_t if_else(std::size_t i, std::size_t end, int depth) {
    const Branch& branch = *at<Branch>(i);
    const std::optional<std::size_t> otherwise = hidden(branch.label);
    if (!otherwise || *otherwise <= i || *otherwise >= end) return i;
    line(depth, fmt::format("if ({}) {{", condition(*branch.condition, true)));
    const auto* last = at<Branch>(*otherwise - 1);
    if (last != nullptr && !last->condition && *otherwise - 1 > i) {
      const std::optional<std::size_t> after = hidden(last->label);
      if (after && *after > *otherwise && *after < end) {
        range(i + 1, *otherwise - 1, depth + 1);
        line(depth, "} else {");
        range(*otherwise + 1, *after, depth + 1);
        line(depth, "}");
        return *after + 1;
      }
    }
    range(i + 1, *otherwise, depth + 1);
    line(depth, "}");
    return *otherwise + 1;
  }

  // `L: if c goto A; body; goto L; A:` becomes `while (!c) { body }`.
  std::size_t while_loop(std::size_t i, std::size_t end, int depth) {
    if (!hidden(at<Label>(i)->name) || i + 1 >= end) return i;
    const auto* exit = at<Branch>(i + 1);
    if (exit == nullptr || !exit->condition) return i;
    const std::optional<std::size_t> after = hidden(exit->label);
    if (!after || *after <= i + 2 || *after >= end) return i;
    const auto* back = at<Branch>(*after - 1);
    if (back == nullptr || back->condition || back->label != at<Label>(i)->name) return i;
    line(depth, fmt::format("while ({}) {{", condition(*exit->condition, true)));
    range(i + 2, *after - 1, depth + 1);
    line(depth, "}");
    return *after + 1;
  }

  // `L: body; if c goto L;` becomes `do { body } while (c);`.
  std::size_t do_loop(std::size_t i, std::size_t end, int depth) {
    const std::string& name = at<Label>(i)->name;
    if (!hidden(name)) return i;
    const std::size_t last = labels_.at(name).last_reference;
    if (last <= i || last >= end || !at<Branch>(last)->condition) return i;
    line(depth, "do {");
    range(i + 1, last, depth + 1);
    line(depth, fmt::format("}} while ({});", condition(*at<Branch>(last)->condition, false)));
    return last + 1;
  }

  std::string condition(const Comparison& comparison, bool negated) {
    const CompareOp op = negated ? negate(comparison.op) : comparison.op;
    const std::string left = text(comparison.left);
    if (op == CompareOp::ne && comparison.right == Operand(integer(0)) &&
        std::holds_alternative<RegisterId>(comparison.left)) {
      return left;
    }
    return fmt::format("{} {} {}", left, symbol(op), text(comparison.right));
  }

  // ---- instructions ----

  void instruction(std::size_t i, int depth) {
    std::visit([&](const auto& operation) { print(operation, depth); }, thread_.instructions[i].operation);
  }

  void print(const Load& load, int depth) {
    const bool kernel = face_ == CFace::linux_kernel && load.access.order != Order::plain;
    assign(load.target, kernel ? linux_load(load.access) : access_call("atomic_load", load.access, ""), depth);
  }

  void print(const Store& store, int depth) {
    const std::string value = text(store.value);
    if (store.access.order == Order::plain) return line(depth, fmt::format("*{} = {};", pointer(store.access), value));
    if (face_ == CFace::linux_kernel) return line(depth, linux_store(store, value));
    line(depth, access_call("atomic_store", store.access, ", " + value) + ";");
  }

  // ---- the Linux kernel's words ----

  std::string linux_load(const Access& access) {
    return access.order == Order::acquire ? fmt::format("smp_load_acquire({})", pointer(access))
                                          : fmt::format("READ_ONCE(*{})", pointer(access));
  }

  std::string linux_store(const Store& store, const std::string& value) {
    if (store.access.tags.has(Tag::lock)) return fmt::format("spin_unlock({});", pointer(store.access));
    return store.access.order == Order::release
               ? fmt::format("smp_store_release({}, {});", pointer(store.access), value)
               : fmt::format("WRITE_ONCE(*{}, {});", pointer(store.access), value);
  }

  void linux_rmw(const Rmw& rmw, int depth) {
    const std::string at = pointer(rmw.access);
    if (rmw.access.tags.has(Tag::lock)) {
      return rmw.success ? assign(*rmw.success, fmt::format("spin_trylock({})", at), depth)
                         : line(depth, fmt::format("spin_lock({});", at));
    }
    const std::string value = text(rmw.operand);
    const std::string_view order = base::name_of(kLinuxOrders, rmw.access.order);
    const std::string_view op = base::name_of(kLinuxOps, rmw.op);
    if (!rmw.target) return line(depth, fmt::format("atomic_{}({}, {});", op, value, at));
    if (rmw.op == RmwOp::cas) {
      const std::string expected = text(*rmw.expected);
      return assign(*rmw.target, fmt::format("cmpxchg{}({}, {}, {})", order, at, expected, value), depth);
    }
    if (rmw.op == RmwOp::exch) return assign(*rmw.target, fmt::format("xchg{}({}, {})", order, at, value), depth);
    assign(*rmw.target, fmt::format("atomic_fetch_{}{}({}, {})", op, order, value, at), depth);
  }

  void print(const Rmw& rmw, int depth) {
    if (face_ == CFace::linux_kernel) return linux_rmw(rmw, depth);
    if (rmw.op == RmwOp::cas) {
      std::string call = rmw.may_fail ? "atomic_compare_exchange_weak" : "atomic_compare_exchange_strong";
      call = access_call(call, rmw.access, fmt::format(", &{}, {}", text(*rmw.expected), text(rmw.operand)),
                         fmt::format(", {}", base::name_of(kCOrders, rmw.failure_order)));
      return rmw.success ? assign(*rmw.success, call, depth) : line(depth, call + ";");
    }
    const std::string call =
        access_call(std::string(base::name_of(kCFetches, rmw.op)), rmw.access, ", " + text(rmw.operand));
    return rmw.target ? assign(*rmw.target, call, depth) : line(depth, call + ";");
  }

  void print(const Fence& fence, int depth) {
    if (fence.kind == FenceKind::named) {
      return line(depth, fmt::format("{}();", base::name_of(kLinuxFences, fence.name)));
    }
    const std::string_view order = base::name_of(kCOrders, fence.order);
    if (face_ == CFace::c11) return line(depth, fmt::format("atomic_thread_fence({});", order));
    line(depth, fmt::format("atomic_work_item_fence({}, {}, {});", flags(fence.semantics), order,
                            base::name_of(kCScopes, fence.scope)));
  }

  void print(const Barrier& barrier, int depth) {
    const std::int64_t id = std::get<Value>(barrier.id).number;
    std::string call = id != 0 ? fmt::format("B{}: ", id) : "";
    call += barrier.scope == Scope::subgroup ? "sub_group_barrier" : "barrier";
    if (barrier.memory_scope == barrier.scope)
      return line(depth, fmt::format("{}({});", call, flags(barrier.semantics)));
    if (barrier.scope == Scope::workgroup) call.replace(call.size() - 7, 7, "work_group_barrier");
    line(depth,
         fmt::format("{}({}, {});", call, flags(barrier.semantics), base::name_of(kCScopes, barrier.memory_scope)));
  }

  void print(const Compute& compute, int depth) {
    const std::string left = text(compute.left);
    if (compute.right) {
      const std::string right = text(*compute.right);
      return assign(compute.target, fmt::format("{} {} {}", left, base::name_of(kCOperators, compute.op), right),
                    depth);
    }
    // `-5` is a number, `-(5)` an operation.
    const bool constant = std::holds_alternative<Value>(compute.left);
    if (compute.op == ComputeOp::neg) return assign(compute.target, constant ? "-(" + left + ")" : "-" + left, depth);
    assign(compute.target, compute.op == ComputeOp::not_ ? "~" + left : left, depth);
  }

  void print(const Select& select, int depth) {
    const std::string decides = condition(select.condition, false);
    const std::string yes = text(select.yes);
    assign(select.target, fmt::format("{} ? {} : {}", decides, yes, text(select.no)), depth);
  }

  void print(const Branch& branch, int depth) {
    if (!branch.condition) return line(depth, fmt::format("goto {};", branch.label));
    line(depth, fmt::format("if ({}) goto {};", condition(*branch.condition, false), branch.label));
  }

  void print(const Label& label, int depth) { line(depth, label.name + ": ;"); }
  template <typename Op>
    requires kIsAsynchronous<Op>
  void print(const Op&, int) {}  // refused

  // ---- parts of instructions ----

  // A register is declared where it is first written if that is outside of blocks, and at the top otherwise.
  void assign(RegisterId target, const std::string& value, int depth) {
    std::string type;
    if (depth == 1 && !declared_[target.index]) {
      declared_[target.index] = true;
      type = type_of(target) + " ";
    }
    mention(target);
    line(depth, fmt::format("{}{} = {};", type, name(target), value));
  }

  void mention(RegisterId reg) {
    if (declared_[reg.index]) return;
    declared_[reg.index] = true;
    declarations_ += fmt::format("  {} {};\n", type_of(reg), name(reg));
  }

  std::string type_of(RegisterId reg) const {
    CType type;
    type.base = thread_.registers[reg.index].type;
    return c_type_text(type, face_);
  }

  const std::string& name(RegisterId reg) const { return thread_.registers[reg.index].name; }

  std::string text(const Operand& operand) {
    if (const auto* reg = std::get_if<RegisterId>(&operand)) {
      mention(*reg);
      return name(*reg);
    }
    const Value& value = std::get<Value>(operand);
    if (!value.base) return fmt::format("{}", value.number);
    // An address is cast to a number, so that numbers added to it are not scaled.
    CType number;
    number.base = Type::s64;
    const std::string type = c_type_text(number, face_);
    if (value.number == 0) return fmt::format("({}){}", type, test_[*value.base].name);
    return fmt::format("({})((char*){} + {})", type, test_[*value.base].name, value.number);
  }

  // `x`, or a cast of a sum to the pointer the access is made through.
  std::string pointer(const Access& access) {
    const Address& address = access.address;
    CType type;
    type.base = access.type;
    type.is_atomic = access.order != Order::plain;
    type.is_volatile = access.tags.has(Tag::volatile_);
    type.space = access.space;
    const bool bare = address.location && !address.index && address.offset == 0;
    if (bare) {
      const Parameter& parameter = parameters_.at(*address.location);
      const Space own = test_[*address.location].space;
      const Space said = access.space != Space::none ? access.space : own;
      if (access.type == test_[*address.location].type && parameter.space == said &&
          (type.is_atomic || type.is_volatile == parameter.is_volatile)) {
        return test_[*address.location].name;
      }
      return fmt::format("({}*){}", c_type_text(type, face_), test_[*address.location].name);
    }
    if (const std::optional<std::string> element = element_of_array(access)) return *element;
    std::string sum = address.location ? test_[*address.location].name : text(*address.index);
    if (!address.location && address.offset == 0) return fmt::format("({}*){}", c_type_text(type, face_), sum);
    if (address.location && address.index) sum += " + " + text(*address.index);
    if (address.offset != 0) sum += fmt::format(" + {}", address.offset);
    return fmt::format("({}*)((char*){})", c_type_text(type, face_), sum);
  }

  // `(x + 1)`, where the parameter's type is that of the access.
  std::optional<std::string> element_of_array(const Access& access) const {
    const Address& address = access.address;
    if (!address.location || address.index) return std::nullopt;
    const Location& array = test_[*address.location];
    const Parameter& parameter = parameters_.at(*address.location);
    const int size = size_in_bytes(array.type);
    const bool same = access.type == array.type && access.space == Space::none && parameter.space == array.space &&
                      (access.order != Order::plain || access.tags.has(Tag::volatile_) == parameter.is_volatile);
    if (!array.is_array() || !same || address.offset % size != 0) return std::nullopt;
    return fmt::format("({} + {})", array.name, address.offset / size);
  }

  std::string access_call(const std::string& function, const Access& access, const std::string& values,
                          const std::string& failure = {}) {
    if (access.order == Order::plain) return "*" + pointer(access);
    std::string call = fmt::format("{}_explicit({}{}, {}{}", function, pointer(access), values,
                                   base::name_of(kCOrders, access.order), failure);
    if (access.scope != Scope::device) call += fmt::format(", {}", base::name_of(kCScopes, access.scope));
    return call + ")";
  }

  static std::string flags(const Spaces& spaces) {
    std::string text;
    for (const auto& flag : kCFlags) {
      if (spaces.has(flag.value)) text += fmt::format("{}{}", text.empty() ? "" : " | ", flag.name);
    }
    return text;
  }

  static constexpr int kDeepest = 50;

  const LitmusTest& test_;
  CFace face_;
  ThreadId id_;
  const Thread& thread_;
  const std::set<LocationId>& atomics_;  // locations that some thread accesses atomically
  std::map<LocationId, Parameter> parameters_;
  std::map<std::string, LabelUse, std::less<>> labels_;
  std::vector<bool> declared_;
  std::string declarations_;
  std::string body_;
};

// Locations whose type and memory space the parameters tell.
std::set<LocationId> told_by_parameters(const LitmusTest& test) {
  std::set<LocationId> told;
  for (std::uint32_t i = 0; i < test.threads.size(); ++i) told.merge(c_parameters(test, ThreadId{i}));
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      const Access* access = access_of(instruction);
      if (access != nullptr && access->address.location && access->space != Space::none) {
        told.erase(*access->address.location);
      }
    }
  }
  return told;
}

std::string initial_state(const LitmusTest& test, CFace face) {
  const std::set<LocationId> told = told_by_parameters(test);
  std::string text;
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    const Location& location = test.locations[i];
    const bool known = told.contains(LocationId{i});
    if (location.element > 0 || (known && location.initial == Value{} && !location.is_array())) continue;
    CType type;
    type.base = location.type;
    type.space = location.space;
    if (location.is_array()) {
      text += fmt::format(" {} {};", c_type_text(type, face), array_text(test, LocationId{i}));
      continue;
    }
    const bool typed = !known || location.initial.base;
    text += fmt::format(" {}{}{} = {};", typed ? c_type_text(type, face) : "", typed ? " " : "", location.name,
                        value_text(test, location.initial));
  }
  for (std::uint32_t t = 0; t < test.threads.size(); ++t) {
    const std::vector<Register>& registers = test.threads[t].registers;
    for (std::uint32_t r = 0; r < registers.size(); ++r) {
      if (registers[r].initial == Value{} || is_c_parameter(test, ThreadId{t}, RegisterId{r})) continue;
      text += fmt::format(" {}:{} = {};", t, registers[r].name, value_text(test, registers[r].initial));
    }
  }
  return text.empty() ? "{ }\n" : fmt::format("{{{} }}\n", text);
}

std::string print_c(const LitmusTest& test, CFace face) {
  std::set<LocationId> atomics;
  for (const Thread& thread : test.threads) {
    for (const Instruction& instruction : thread.instructions) {
      const Access* access = access_of(instruction);
      if (access != nullptr && access->address.location && access->order != Order::plain) {
        atomics.insert(*access->address.location);
      }
    }
  }
  std::string text = header_text(test, face == CFace::opencl ? "OPENCL" : "C") + initial_state(test, face);
  for (std::uint32_t i = 0; i < test.threads.size(); ++i) {
    text += "\n" + FunctionPrinter(test, face, ThreadId{i}, atomics).print();
  }
  return text + "\n" + condition_text(test);
}

}  // namespace

std::set<LocationId> c_parameters(const LitmusTest& test, ThreadId thread) {
  std::set<LocationId> parameters;
  for (const Instruction& instruction : test[thread].instructions) {
    const Access* access = access_of(instruction);
    if (access != nullptr && access->address.location) parameters.insert(*access->address.location);
    for_each_operand(instruction, [&](const Operand& operand) {
      const auto* value = std::get_if<Value>(&operand);
      if (value != nullptr && value->base) parameters.insert(*value->base);
    });
  }
  for (std::uint32_t r = 0; r < test[thread].registers.size(); ++r) {
    if (is_c_parameter(test, thread, RegisterId{r})) parameters.insert(*test[thread].registers[r].initial.base);
  }
  return parameters;
}

bool is_c_parameter(const LitmusTest& test, ThreadId thread, RegisterId reg) {
  const Register& holder = test[thread].registers[reg.index];
  if (holder.type != Type::s64 || !holder.initial.base || holder.initial.number != 0) return false;
  if (test[*holder.initial.base].name != holder.name) return false;
  bool used = false;
  for (const Instruction& instruction : test[thread].instructions) {
    for_each_register(instruction, [&](const RegisterId& other) { used = used || other == reg; });
  }
  return !used;
}

std::vector<PartialPlacement> c_placements(const ScopeTree& tree) {
  const bool subgroups = !is_implied_level(tree, Scope::subgroup);
  std::vector<PartialPlacement> placements;
  for (const Placement& placement : tree.placements) {
    PartialPlacement& partial = placements.emplace_back();
    partial.at(Scope::device) = placement.device;
    partial.at(Scope::workgroup) = placement.workgroup;
    if (subgroups) partial.at(Scope::subgroup) = placement.subgroup;
  }
  return placements;
}

std::string print_c11(const LitmusTest& test) { return print_c(test, CFace::c11); }

std::string print_opencl(const LitmusTest& test) { return print_c(test, CFace::opencl); }

std::string print_linux(const LitmusTest& test) { return print_c(test, CFace::linux_kernel); }

// Accepts only tests of the kernel's model: other dialects have fences and orders that the kernel does not. A test that
// was written in the canonical form may hold more than the kernel's words; reading the printed text again shows that.
base::Result<LitmusTest> adapt_linux(const LitmusTest& test) {
  constexpr std::string_view kName = "the Linux kernel's C";
  if (test.arch != Arch::linux_kernel) {
    return cannot_express(test, kName, "it was not written for the kernel, and no other dialect is translated to it");
  }
  const base::Source source(test.name, print_linux(test));
  Mistakes mistakes(source);
  Cursor cursor(mistakes, {0, static_cast<std::uint32_t>(source.text().size())});
  cursor.next();
  const std::optional<LitmusTest> again = read_c11(cursor);
  if (again != test) return cannot_express(test, kName, "it has parts that the kernel's macros do not have");
  return test;
}

}  // namespace weakspot::litmus
