// SPDX-License-Identifier: MIT
#include "race_jit/residual/evaluator.h"

#include <fmt/format.h>
#include <llvm/IR/CFG.h>

#include <algorithm>
#include <cstring>

#include "race_jit/residual/walker.h"

namespace weakspot::race_jit {

bool SharedBytes::overlaps(std::uint64_t address, std::uint64_t size) const {
  const auto found = bytes_.lower_bound(address);
  return found != bytes_.end() && *found < address + size;
}

bool SharedBytes::add(std::uint64_t address, std::uint64_t size) {
  bool fresh = false;
  for (std::uint64_t i = 0; i < size; ++i) fresh = bytes_.insert(address + i).second || fresh;
  return fresh;
}

Walker::Walker(ResidualProgram& program, const SteadyAddresses& addresses, const race::LaunchShape& launch,
               std::uint64_t block, std::uint64_t thread, std::uint64_t shared_bytes, const SharedKnowledge& knowledge,
               const ResidualLimits& limits)
    : program_(program),
      addresses_(addresses),
      launch_(launch),
      block_(block),
      shared_bytes_(shared_bytes),
      knowledge_(knowledge),
      limits_(limits),
      types_(program.layout()),
      registers_(result_.thread.widths) {
  context_.shared = reinterpret_cast<char*>(addresses.window(block));  // read as a number only
  context_.shared_bytes = shared_bytes;
  context_.thread = launch.block.coordinates(thread);
  context_.block = launch.grid.coordinates(block);
  context_.block_size = launch.block;
  context_.grid_size = launch.grid;
  context_.number = static_cast<std::uint32_t>(thread);
  result_.thread.block = block;
  result_.thread.number = thread;
}

// A structure that is passed by value is a pointer to a copy of it.
void Walker::take_arguments(void** arguments) {
  std::uint64_t next = SteadyAddresses::kPrivate + SteadyAddresses::kPrivateSize / 2;
  for (const llvm::Argument& argument : program_.kernel().args()) {
    const void* from = arguments[argument.getArgNo()];
    const llvm::Attribute by_value =
        program_.kernel().getAttributes().getParamAttr(argument.getArgNo(), "weakspot-by-value");
    std::uint64_t bits = 0;
    if (!by_value.isValid()) {
      const std::uint64_t size = program_.layout().getTypeStoreSize(argument.getType());
      std::memcpy(&bits, from, std::min<std::uint64_t>(size, 8));
      arguments_.push_back(Value::known(addresses_.steady(bits)));
      continue;
    }
    const std::uint64_t size = std::strtoull(by_value.getValueAsString().str().c_str(), nullptr, 10);
    for (std::uint64_t i = 0; i < size; i += 8) {
      bits = 0;
      const std::uint64_t count = std::min<std::uint64_t>(8, size - i);
      std::memcpy(&bits, static_cast<const char*>(from) + i, count);
      point_.memory.store_known(next + i, count, count == 8 ? addresses_.steady(bits) : bits);
    }
    arguments_.push_back(Value::known(next));
    next += (size + 4096) / 256 * 256;
  }
}

namespace {

// The labels of code that a thread may leave out: what some branch leads to.
std::set<std::uint32_t> behind_branches(const std::vector<residual::Instruction>& code) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> next;
  std::vector<std::uint32_t> open;
  std::uint32_t here = 0;
  bool flows = false, branched = false;
  auto go = [&](std::uint32_t to) {
    next[here].push_back(to);
    if (branched) open.push_back(to);
  };
  for (const residual::Instruction& one : code) {
    if (one.kind == residual::Kind::label) {
      if (flows) go(one.label);
      here = one.label;
      flows = true;
      branched = false;
    } else if (one.kind == residual::Kind::branch) {
      branched = true;
      go(one.label);
    } else if (one.kind == residual::Kind::jump) {
      go(one.label);
      flows = false;
    } else if (one.kind == residual::Kind::stop || one.kind == residual::Kind::end) {
      flows = false;
    }
  }
  std::set<std::uint32_t> found;
  while (!open.empty()) {
    const std::uint32_t label = open.back();
    open.pop_back();
    if (found.insert(label).second) open.insert(open.end(), next[label].begin(), next[label].end());
  }
  return found;
}

}  // namespace

EvaluatedThread Walker::run(void** arguments) {
  take_arguments(arguments);
  Point start;
  start.at = &program_.kernel().getEntryBlock().front();
  start.memory = std::move(point_.memory);
  label_of(std::move(start));
  while (!open_.empty()) {
    Point next = std::move(open_.back());
    open_.pop_back();
    follow(std::move(next));
  }
  const std::set<std::uint32_t> optional = behind_branches(result_.thread.code);
  for (auto& [where, touched] : result_.touched) {
    for (auto& [number, use] : touched.phases) {
      use.loud = use.loud || std::any_of(use.written_at.begin(), use.written_at.end(),
                                         [&](std::uint32_t label) { return optional.contains(label); });
    }
  }
  return std::move(result_);
}

void Walker::follow(Point point) {
  point_ = std::move(point);
  ended_ = false;
  emit({.kind = Kind::label, .label = point_.label});
  const Instruction* at = point_.at;
  if (++points_ > limits_.points) {
    return stop(*at, Stop::too_much, fmt::format("more than {} points of a thread", limits_.points));
  }
  while (true) {
    if (++steps_ > limits_.steps) {
      return stop(*at, Stop::too_much, fmt::format("more than {} instructions of a thread", limits_.steps));
    }
    if (at->isTerminator()) return leave_block(*at);
    if (!step(*at)) return;
    at = at->getNextNode();
  }
}

bool Walker::step(const Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction)) return true;  // set on the way here
  if (const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    if (!alloca->isStaticAlloca()) {
      stop(instruction, Stop::not_modelled, "private memory of a size that is not in the code");
      return false;
    }
    set(instruction, Value::known(program_.slot(*alloca)));
    return true;
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    this->store(*store);
    return !ended_;
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return this->call(*call) && !ended_;
  Value value;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    value = this->load(*load);
    if (ended_) return false;
    if (value.kind == Value::Kind::unknown && knowledge_.split.contains(&instruction)) {
      const Value address = operand(load->getPointerOperand());
      const auto size = static_cast<std::uint8_t>(program_.layout().getTypeStoreSize(load->getType()));
      split(instruction, value, address.bits, size);
      return false;
    }
  } else {
    value = compute(instruction);
  }
  if (ended_) return false;
  set(instruction, std::move(value));
  return true;
}

// The thread goes on once for each value that the register may have.
void Walker::split(const Instruction& instruction, const Value& value, std::uint64_t address, std::uint8_t size) {
  const auto known = knowledge_.values.find({address, size});
  set(instruction, value);
  if (known == knowledge_.values.end() || !known->second) {
    return stop(instruction, Stop::too_much,
                fmt::format("a value that is needed, of which there may be more than {}", residual::kMostValues));
  }
  point_.forked = std::max(point_.forked, 1u);
  const Point here = point_;
  for (const std::uint64_t bits : *known->second) {
    Point next = here;
    next.at = instruction.getNextNode();
    next.values[program_.number(instruction)] = Value::known(bits);
    residual::Instruction branch{.kind = Kind::branch, .op = Op::eq};
    branch.operands = {as_operand(value), residual::known_operand(bits)};
    branch.label = label_of(std::move(next));
    branch.place = program_.place(instruction);
    emit(branch);
  }
  stop(instruction, Stop::too_much, "a value that none of the stores that were seen explains");
}

void Walker::leave_block(const Instruction& instruction) {
  const llvm::BasicBlock& from = *instruction.getParent();
  if (llvm::isa<llvm::ReturnInst>(instruction)) {
    emit({.kind = Kind::end, .place = program_.place(instruction)});
    return;
  }
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    if (branch->isUnconditional()) return go(from, *branch->getSuccessor(0));
    const Value condition = operand(branch->getCondition());
    if (ended_) return;
    if (condition.kind == Value::Kind::known) return go(from, *branch->getSuccessor((condition.bits & 1) != 0 ? 0 : 1));
    if (condition.kind != Value::Kind::unknown) {
      return stop(instruction, Stop::not_modelled, "a branch on a value that was never set");
    }
    point_.forked = std::max(point_.forked, 1u);
    residual::Instruction test{.kind = Kind::branch, .op = Op::ne, .place = program_.place(instruction)};
    test.operands = {as_operand(condition), residual::known_operand(0)};
    go_if(test, from, *branch->getSuccessor(0));
    return go(from, *branch->getSuccessor(1));
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    const Value value = operand(choice->getCondition());
    if (ended_) return;
    if (value.kind == Value::Kind::known) {
      auto* wanted =
          llvm::ConstantInt::get(llvm::cast<llvm::IntegerType>(choice->getCondition()->getType()), value.bits);
      return go(from, *choice->findCaseValue(wanted)->getCaseSuccessor());
    }
    if (value.kind != Value::Kind::unknown) {
      return stop(instruction, Stop::not_modelled, "a switch on a value that was never set");
    }
    point_.forked = std::max(point_.forked, 1u);
    for (const auto& option : choice->cases()) {
      residual::Instruction test{.kind = Kind::branch, .op = Op::eq, .place = program_.place(instruction)};
      test.operands = {as_operand(value), residual::known_operand(option.getCaseValue()->getZExtValue())};
      go_if(test, from, *option.getCaseSuccessor());
    }
    return go(from, *choice->getDefaultDest());
  }
  if (llvm::isa<llvm::UnreachableInst>(instruction)) {
    return stop(instruction, Stop::not_modelled, "code that the compiler takes for unreachable");
  }
  stop(instruction, Stop::not_modelled, std::string("the instruction ") + instruction.getOpcodeName());
}

// A branch with what happens on the way to its target.
void Walker::go_if(const residual::Instruction& branch, const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  residual::Instruction test = branch, around = {.kind = Kind::jump, .label = next_label_++};
  const residual::Instruction edge{.kind = Kind::label, .label = next_label_++};
  test.label = edge.label;
  emit(test);
  emit(around);
  emit(edge);
  go(from, to);
  emit({.kind = Kind::label, .label = around.label});
  ended_ = false;
}

// What others have written to quiet memory is seen from here on.
void Walker::pass_barrier() {
  if (point_.forked > 0) ++point_.forked;
  if (point_.phase != kLate) ++point_.phase;
  if (point_.forked > kMostPhasesBehindFork) {
    point_.phase = kLate;
    point_.forked = kMostPhasesBehindFork;
  }
  for (const auto& [where, values] : knowledge_.quiet) point_.memory.forget(where.first, where.second);
}

// Sets the phis, all at once, and forgets what is not needed any more.
void Walker::go(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  Point next;
  next.at = &*to.getFirstNonPHIIt();
  next.memory = point_.memory;
  next.phase = point_.phase;
  next.forked = point_.forked;
  for (const Instruction* needed : program_.live_in(to)) {
    const auto known = point_.values.find(program_.number(*needed));
    if (known != point_.values.end()) next.values.insert(*known);
  }
  std::vector<residual::Instruction> second;
  for (const llvm::PHINode& phi : to.phis()) {
    const Value value = operand(phi.getIncomingValueForBlock(&from));
    if (ended_) return;
    // Copied by way of registers of their own: a phi may be the source of another.
    const std::size_t before = result_.thread.code.size();
    Value taken = held(phi, value, phi.getType());
    for (std::size_t i = before; i < result_.thread.code.size(); ++i) {
      residual::Instruction& move = result_.thread.code[i];
      residual::Instruction last = move;
      move.target = registers_.fresh(result_.thread.widths[*move.target]);
      last.operands = {residual::register_operand(*move.target)};
      second.push_back(last);
    }
    next.values[program_.number(phi)] = std::move(taken);
  }
  for (residual::Instruction& move : second) emit(std::move(move));
  emit({.kind = Kind::jump, .label = label_of(std::move(next))});
}

std::uint32_t Walker::label_of(Point point) {
  std::string key = fmt::format("{:x},{:x}|", program_.number(*point.at), point.phase);
  for (const auto& [number, value] : point.values) {
    key += fmt::format("{:x}=", number);
    value.describe(key);
  }
  key += '|';
  point.memory.describe(key);
  const auto [label, fresh] = labels_.try_emplace(std::move(key), next_label_);
  if (fresh) {
    point.label = next_label_++;
    open_.push_back(std::move(point));
  }
  return label->second;
}

void Walker::stop(const Instruction& instruction, Stop kind, const std::string& what) {
  ended_ = true;
  const std::uint32_t place = program_.place(instruction);
  std::size_t number = 0;
  while (number < result_.stops.size() &&
         (result_.stops[number].what != what || result_.stops[number].place != place)) {
    ++number;
  }
  if (number == result_.stops.size()) result_.stops.push_back({kind, what, place});
  emit({.kind = Kind::stop, .label = static_cast<std::uint32_t>(number), .place = place});
}

residual::Instruction& Walker::emit(residual::Instruction instruction) {
  result_.thread.code.push_back(std::move(instruction));
  return result_.thread.code.back();
}

EvaluatedThread evaluate_thread(ResidualProgram& program, const SteadyAddresses& addresses,
                                const race::LaunchShape& launch, void** arguments, std::uint64_t block,
                                std::uint64_t thread, std::uint64_t shared_bytes, const SharedKnowledge& knowledge,
                                const ResidualLimits& limits) {
  EvaluatedThread result =
      Walker(program, addresses, launch, block, thread, shared_bytes, knowledge, limits).run(arguments);
  residual::tidy(result.thread);
  return result;
}

}  // namespace weakspot::race_jit
