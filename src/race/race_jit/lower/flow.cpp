// SPDX-License-Identifier: MIT
#include "race_jit/lower/flow.h"

#include <fmt/format.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "race_jit/hooks/hooks.h"
#include "race_jit/lower/site_table.h"
#include "race_jit/lower/uniform.h"

namespace weakspot::race_jit {
namespace {

constexpr unsigned kAtomicOp = 1, kAtomicScope = 3, kAtomicOrder = 4;  // arguments of weakspot_atomic

// A constant argument of a call; -1 if it is not one.
std::int64_t flow_number(const llvm::CallInst& call, unsigned argument) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
  return number == nullptr ? -1 : number->getSExtValue();
}

bool is_wide_scope(std::int64_t scope) { return scope == kDeviceScope || scope == kSystemScope; }

// The value, perhaps after arithmetic, is compared.
bool is_compared(const llvm::Value& value, int depth = 0) {
  return depth < 8 && std::any_of(
                          value.user_begin(), value.user_end(),
                          [&](const llvm::User* user) {
                            if (llvm::isa<llvm::CmpInst>(user) || llvm::isa<llvm::SwitchInst>(user) ||
                                llvm::isa<llvm::BranchInst>(user)) {
                              return true;
                            }
                            const bool carries = llvm::isa<llvm::CastInst>(user) ||
                                                 llvm::isa<llvm::BinaryOperator>(user) ||
                                                 llvm::isa<llvm::PHINode>(user) || llvm::isa<llvm::SelectInst>(user);
                            return carries && is_compared(*user, depth + 1);
                          });
}

void describe_atomic(const llvm::CallInst& call, FlowNode& node) {
  const std::int64_t operation = flow_number(call, kAtomicOp), order = flow_number(call, kAtomicOrder);
  node.op = operation == kLoad    ? FlowOp::strong_read
            : operation == kStore ? FlowOp::strong_write
                                  : FlowOp::strong_update;
  node.wide = is_wide_scope(flow_number(call, kAtomicScope));
  node.acquires = order >= 0 && (order & kAcquireOrder) != 0;
  node.releases = order >= 0 && (order & kReleaseOrder) != 0;
  node.decides = is_compared(call);
}

// Barriers count if all threads of their reach meet there.
void describe_hook(const llvm::CallInst& call, llvm::StringRef name, FlowNode& node) {
  auto barrier = [&](BarrierOf reach) {
    node.op = FlowOp::barrier;
    node.reach = reach;
  };
  if (name == "weakspot_barrier" || name == "weakspot_barrier_reduce") barrier(BarrierOf::block);
  if (name == "weakspot_cluster_barrier") barrier(BarrierOf::cluster);
  if (name == "weakspot_grid_barrier") barrier(BarrierOf::grid);
  if (name == "weakspot_syncwarp") {
    const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    if (mask != nullptr && mask->isMinusOne()) barrier(BarrierOf::warp);
  }
  if (name == "weakspot_fence") {
    node.op = FlowOp::fence;
    node.wide = is_wide_scope(flow_number(call, 0));
  }
  if (name == "weakspot_atomic") describe_atomic(call, node);
  if (name.starts_with("weakspot_") && call.arg_size() > 0) {
    node.site = static_cast<race::SiteId>(std::max<std::int64_t>(flow_number(call, call.arg_size() - 1), 0));
  }
}

const llvm::Value* strong_pointer(const llvm::Instruction& instruction, FlowNode& node) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load != nullptr && load->isVolatile()) {
    node = {.op = FlowOp::strong_read, .wide = true, .decides = is_compared(*load)};
    return load->getPointerOperand();
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store != nullptr && store->isVolatile()) {
    node = {.op = FlowOp::strong_write, .wide = true};
    return store->getPointerOperand();
  }
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* hook = call == nullptr ? nullptr : call->getCalledFunction();
  if (hook == nullptr) return nullptr;
  describe_hook(*call, hook->getName(), node);
  return node.op >= FlowOp::strong_read ? call->getArgOperand(0) : nullptr;
}

// The values that an address is computed from: equal for equal expressions.
std::vector<const llvm::Value*> address_parts(const llvm::Value* pointer) {
  if (pointer == nullptr) return {};
  pointer = pointer->stripPointerCasts();
  const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
  if (element == nullptr) return {pointer};
  std::vector<const llvm::Value*> parts;
  for (const llvm::Value* part : element->operands()) {
    const auto* widened = llvm::dyn_cast<llvm::CastInst>(part);
    parts.push_back(widened == nullptr ? part : widened->getOperand(0));
  }
  return parts;
}

// Relative where it lies below the working folder, as source_path().
std::string near_path(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path path = file;
  const std::filesystem::path near = path.lexically_relative(std::filesystem::current_path(ignored));
  return near.empty() || near.string().starts_with("..") ? file : near.string();
}

}  // namespace

std::vector<NodeId> Flow::before(NodeId node) const {
  if (nodes[node].begins == FlowNode::kInside) return {node - 1};
  return leading_to[nodes[node].begins];
}

std::vector<std::vector<NodeId>> Flow::followers() const {
  std::vector<std::vector<NodeId>> all(nodes.size());
  for (NodeId node = 0; node < nodes.size(); ++node) {
    for (const NodeId one : before(node)) all[one].push_back(node);
  }
  return all;
}

FlowReader::FlowReader(const llvm::Module& module, const std::vector<std::string>& own_folders) {
  const llvm::NamedMDNode* files = module.getNamedMetadata("weakspot.statements");
  for (unsigned i = 0; files != nullptr && i < files->getNumOperands(); ++i) {
    const llvm::MDNode& one = *files->getOperand(i);
    const std::string path = llvm::cast<llvm::MDString>(one.getOperand(0))->getString().str();
    if (std::any_of(own_folders.begin(), own_folders.end(),
                    [&](const std::string& folder) { return path.starts_with(folder); })) {
      continue;
    }
    const std::string file = near_path(path);
    std::istringstream list(llvm::cast<llvm::MDString>(one.getOperand(1))->getString().str());
    unsigned first = 0, last = 0, room = 0;
    for (char end = 0; list >> first >> last >> room >> end;) {
      for (unsigned line = first; line <= last; ++line) by_line_[{file, line}].push_back(statements_.size());
      statements_.push_back({file, first, last, (room & 1) != 0, (room & 2) != 0});
    }
  }
}

const std::vector<std::size_t>& FlowReader::statements_at(const std::string& file, unsigned line) {
  static const std::vector<std::size_t> kNone;
  const auto found = by_line_.find({file, line});
  return found == by_line_.end() ? kNone : found->second;
}

// Finds where the statements of a function begin and end among its nodes.
class FlowReader::Spots {
 public:
  Spots(FlowReader& reader, llvm::Function& function)
      : reader_(reader),
        dominators_(function),
        after_(function),
        parted_(parted_blocks(function, false)),
        parted_lanes_(parted_blocks(function, true)) {}

  // The next instruction in the order of the code; `node` is the last one at or before it, `before` the last before it.
  void add(const llvm::Instruction& instruction, NodeId before, NodeId node) {
    const llvm::DILocation* at = instruction.getDebugLoc();
    if (at == nullptr || llvm::isa<llvm::PHINode>(instruction)) return;
    for (const Key& key : keys_of(at)) {
      auto [found, fresh] = uses_.try_emplace(key, Use{&instruction, before, {}});
      found->second.last[instruction.getParent()] = {&instruction, node};
    }
  }
  // The node with which the block begins.
  void begin(const llvm::BasicBlock& block, NodeId node) { begins_[&block] = node; }

  std::vector<FlowSpot> take() {
    std::map<race::Gap, FlowSpot> spots;
    std::set<race::Gap> unclear;
    for (const auto& [key, use] : uses_) {
      const Statement& statement = reader_.statements_[key.first];
      if (statement.room_before) keep({statement.file, statement.first, false}, head(use), spots, unclear);
      if (statement.room_after) keep({statement.file, statement.last, true}, end(use), spots, unclear);
    }
    std::vector<FlowSpot> all;
    for (auto& [gap, spot] : spots) {
      if (!unclear.contains(gap)) all.push_back(std::move(spot));
    }
    return all;
  }

 private:
  using Key = std::pair<std::size_t, const llvm::DILocation*>;  // a statement, and the call that it was inlined at
  struct Last {
    const llvm::Instruction* instruction = nullptr;
    NodeId node = 0;
  };
  struct Use {
    const llvm::Instruction* first = nullptr;
    NodeId before = 0;
    std::map<const llvm::BasicBlock*, Last> last;  // by basic block
  };
  struct Position {
    const llvm::BasicBlock* block = nullptr;  // null: not known
    NodeId behind = 0;
  };

  const std::vector<Key>& keys_of(const llvm::DILocation* place) {
    auto [found, fresh] = keys_.try_emplace(place);
    for (const llvm::DILocation* at = place; fresh && at != nullptr; at = at->getInlinedAt()) {
      auto [file, unknown] = files_.try_emplace(at->getFile());
      if (unknown) file->second = source_path(*at->getFile());
      for (const std::size_t statement : reader_.statements_at(file->second, at->getLine())) {
        found->second.emplace_back(statement, at->getInlinedAt());
      }
    }
    return found->second;
  }

  // Before everything that belongs to the statement.
  Position head(const Use& use) const {
    const llvm::BasicBlock* block = use.first->getParent();
    for (const auto& [other, last] : use.last) {
      if (!dominators_.dominates(block, other)) return {};
    }
    return {block, use.before};
  }

  // Where all ways out of the statement come together.
  Position end(const Use& use) const {
    const llvm::BasicBlock* met = use.last.begin()->first;
    for (const auto& [block, last] : use.last) {
      if (met != nullptr) met = after_.findNearestCommonDominator(met, block);
    }
    while (met != nullptr) {
      const auto last = use.last.find(met);
      if (last == use.last.end()) return {met, begins_.at(met)};
      if (!last->second.instruction->isTerminator()) return {met, last->second.node};
      const llvm::DomTreeNode* node = after_.getNode(met);
      met = node == nullptr || node->getIDom() == nullptr ? nullptr : node->getIDom()->getBlock();
    }
    return {};
  }

  void keep(const race::Gap& gap, const Position& position, std::map<race::Gap, FlowSpot>& spots,
            std::set<race::Gap>& unclear) const {
    if (position.block == nullptr) {
      unclear.insert(gap);
      return;
    }
    FlowSpot& spot = spots.try_emplace(gap, FlowSpot{.gap = gap, .behind = {}}).first->second;
    spot.behind.insert(position.behind);
    spot.all_threads = spot.all_threads && !parted_.contains(position.block);
    spot.all_lanes = spot.all_lanes && !parted_lanes_.contains(position.block);
  }

  FlowReader& reader_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree after_;
  std::unordered_set<const llvm::BasicBlock*> parted_, parted_lanes_;
  std::map<Key, Use> uses_;
  std::unordered_map<const llvm::BasicBlock*, NodeId> begins_;
  std::unordered_map<const llvm::DILocation*, std::vector<Key>> keys_;
  std::unordered_map<const llvm::DIFile*, std::string> files_;
};

Flow FlowReader::read(llvm::Function& function, std::unordered_map<const llvm::Instruction*, NodeId>& instructions) {
  Flow flow;
  Spots spots(*this, function);
  std::unordered_map<const llvm::BasicBlock*, std::uint32_t> numbers;
  std::vector<NodeId> last;
  for (const llvm::BasicBlock& block : function) {
    const auto number = static_cast<std::uint32_t>(numbers.size());
    numbers.emplace(&block, number);
    spots.begin(block, static_cast<NodeId>(flow.nodes.size()));
    flow.nodes.push_back({.begins = number});
    for (const llvm::Instruction& instruction : block) {
      const auto before = static_cast<NodeId>(flow.nodes.size() - 1);
      if (instruction.mayReadOrWriteMemory()) {
        instructions.emplace(&instruction, static_cast<NodeId>(flow.nodes.size()));
        FlowNode node;
        const llvm::Value* pointer = strong_pointer(instruction, node);
        if (pointer != nullptr) {
          const std::string name = variable_name(pointer);
          const void* object = llvm::getUnderlyingObject(pointer, 0);
          node.memory =
              memory_.try_emplace(name.empty() ? fmt::format(".{}", object) : name, memory_.size() + 1).first->second;
        }
        if (pointer == nullptr) pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (std::vector<const llvm::Value*> parts = address_parts(pointer); !parts.empty()) {
          node.address = addresses_.try_emplace(std::move(parts), addresses_.size() + 1).first->second;
        }
        flow.nodes.push_back(node);
      }
      spots.add(instruction, before, static_cast<NodeId>(flow.nodes.size() - 1));
    }
    last.push_back(static_cast<NodeId>(flow.nodes.size() - 1));
  }
  flow.leading_to.resize(numbers.size());
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      flow.leading_to[numbers[next]].push_back(last[numbers[&block]]);
    }
  }
  flow.spots = spots.take();
  return flow;
}

}  // namespace weakspot::race_jit
