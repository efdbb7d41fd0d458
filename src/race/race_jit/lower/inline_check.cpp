// SPDX-License-Identifier: MIT
#include "race_jit/lower/inline_check.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include <bit>
#include <cstddef>
#include <type_traits>

#include "race_jit/hooks/context.h"
#include "race_jit/lower/lower.h"

namespace weakspot::race_jit {
namespace {

using llvm::BasicBlock;
using llvm::Type;
using llvm::Value;

// Calls after which the bounds are unchanged: no other thread has run and nothing was synchronised.
bool keeps_time(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) return false;
  const llvm::StringRef name = callee->getName();
  return callee->isIntrinsic() || name.starts_with("__nv_") || name == "weakspot_context" ||
         (name == "weakspot_access" && call.hasFnAttr("weakspot-plain"));
}

}  // namespace

Guess guess_space(const Value* pointer) {
  if (pointer->getType()->getPointerAddressSpace() == 3) return Guess::shared;
  llvm::SmallVector<const Value*, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  for (const Value* object : objects) {
    if (object->getName().starts_with("shared.")) return Guess::shared;
  }
  return Guess::global;
}

struct InlineCheck::Cell {
  Value* address[3];
  Value *write, *read, *other_read;
};

InlineCheck::InlineCheck(llvm::Function& function) : function_(function) {
  context_ = llvm::cast<llvm::Instruction>(current_context(function));
  start_ = context_->getNextNode();
  Type* pointer = llvm::PointerType::get(function.getContext(), 0);
  Type* word = Type::getInt64Ty(function.getContext());
  state_ = invariant(pointer, offsetof(ThreadContext, state), "weakspot.state");
  bounds_ = invariant(pointer, offsetof(ThreadContext, bounds), "weakspot.bounds");
  shared_ = invariant(word, offsetof(ThreadContext, shared), "weakspot.shared");
  shared_words_ = invariant(word, offsetof(ThreadContext, shared_words), "weakspot.shared_words");
  shared_cells_ = invariant(pointer, offsetof(ThreadContext, shared_cells), "weakspot.shared_cells");
  windows_ = invariant(pointer, offsetof(ThreadContext, windows), "weakspot.windows");
  now_ = variable("weakspot.now");
  shared_settled_ = variable("weakspot.shared_settled");
  stale_ = variable("weakspot.stale");
  foreign_ = variable("weakspot.foreign");
  settled_ = variable("weakspot.settled");
  own_end_ = variable("weakspot.own_end");
  count_ = variable("weakspot.count");
  Builder builder(start_);
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  reload(builder);
  builder.CreateStore(builder.getInt64(0), count_);
}

llvm::AllocaInst* InlineCheck::variable(const char* name) {
  Builder builder(&*function_.getEntryBlock().getFirstInsertionPt());
  return builder.CreateAlloca(builder.getInt64Ty(), nullptr, name);
}

Value* InlineCheck::field(Builder& builder, Value* object, std::uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), object, offset);
}

Value* InlineCheck::invariant(Type* type, std::uint64_t context_offset, const char* name) {
  Builder builder(start_);
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  llvm::LoadInst* load = builder.CreateLoad(type, field(builder, context_, context_offset), name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(function_.getContext(), {}));
  return load;
}

Value* InlineCheck::get(Builder& builder, llvm::AllocaInst* variable) {
  return builder.CreateLoad(builder.getInt64Ty(), variable);
}

void InlineCheck::reload(Builder& builder) {
  auto copy = [&](Value* object, std::uint64_t offset, llvm::AllocaInst* to) {
    builder.CreateStore(builder.CreateLoad(builder.getInt64Ty(), field(builder, object, offset)), to);
  };
  static_assert(std::is_standard_layout_v<race::ThreadState> && std::is_standard_layout_v<race::Bounds>);
  copy(state_, offsetof(race::ThreadState, now), now_);
  copy(bounds_, offsetof(race::Bounds, shared_settled), shared_settled_);
  copy(bounds_, offsetof(race::Bounds, stale), stale_);
  copy(bounds_, offsetof(race::Bounds, foreign), foreign_);
  copy(bounds_, offsetof(race::Bounds, settled), settled_);
  copy(bounds_, offsetof(race::Bounds, own_end), own_end_);
}

InlineCheck::Cell InlineCheck::load_cell(Builder& builder, Value* cells, Value* index, unsigned words, unsigned word) {
  static_assert(sizeof(race::Cell) == 24 && offsetof(race::Cell, read) == 8 && offsetof(race::Cell, other_read) == 16);
  Cell cell{};
  Value* group = builder.CreateGEP(llvm::ArrayType::get(builder.getInt64Ty(), 3 * words), cells, index);
  for (unsigned i = 0; i < 3; ++i) cell.address[i] = field(builder, group, 24 * word + 8 * i);
  cell.write = builder.CreateLoad(builder.getInt64Ty(), cell.address[0]);
  cell.read = builder.CreateLoad(builder.getInt64Ty(), cell.address[1]);
  cell.other_read = builder.CreateLoad(builder.getInt64Ty(), cell.address[2]);
  return cell;
}

// Bits `and_without` are to be clear.
Value* InlineCheck::same_thread(Builder& builder, Value* entry, std::uint64_t and_without) {
  Value* difference = builder.CreateXor(entry, get(builder, now_));
  return builder.CreateIsNull(builder.CreateAnd(difference, race::kThreadBits | and_without));
}

Value* InlineCheck::is_foreign(Builder& builder, Value* entry) {
  return builder.CreateICmpULT(builder.CreateSub(entry, get(builder, stale_)), get(builder, foreign_));
}

// Whether an access of the current thread has nothing to learn from the entry.
Value* InlineCheck::harmless(Builder& builder, Value* entry, Guess space) {
  if (space == Guess::shared) {
    Value* settled = builder.CreateICmpULT(entry, get(builder, shared_settled_));
    return builder.CreateOr(settled, same_thread(builder, entry, race::kStrongBit));
  }
  Value* settled = builder.CreateICmpULT(entry, get(builder, settled_));
  Value* own = builder.CreateAnd(same_thread(builder, entry), builder.CreateICmpULT(entry, get(builder, own_end_)));
  return builder.CreateAnd(builder.CreateNot(is_foreign(builder, entry)), builder.CreateOr(settled, own));
}

Value* InlineCheck::may_pass(Builder& builder, const Cell& cell, const PlainAccess& access) {
  Value* pass = harmless(builder, cell.write, access.space);
  if (access.write) {
    pass = builder.CreateAnd(pass, harmless(builder, cell.read, access.space));
    return builder.CreateAnd(pass, harmless(builder, cell.other_read, access.space));
  }
  if (access.space == Guess::shared) return pass;
  // If the bounds do not tell the readers, the detector remembers this one.
  pass = builder.CreateAnd(pass, builder.CreateICmpULT(cell.read, get(builder, own_end_)));
  return builder.CreateAnd(pass, builder.CreateICmpULT(cell.other_read, get(builder, own_end_)));
}

// Same as Detector::Current::check() and remember_read(). An entry of an earlier launch counts as none.
void InlineCheck::remember(Builder& builder, const Cell& cell, const PlainAccess& access) {
  Value* entry = builder.CreateOr(get(builder, now_), builder.getInt64(access.site));
  if (access.write) {
    builder.CreateStore(entry, cell.address[0]);
    builder.CreateStore(builder.getInt64(0), cell.address[1]);
    builder.CreateStore(builder.getInt64(0), cell.address[2]);
    return;
  }
  Value* keep = same_thread(builder, cell.read);
  if (access.space == Guess::global) {
    keep = builder.CreateOr(keep, is_foreign(builder, cell.other_read));
    keep = builder.CreateAnd(keep, builder.CreateNot(is_foreign(builder, cell.read)));
  }
  builder.CreateStore(entry, cell.address[1]);
  builder.CreateStore(builder.CreateSelect(keep, cell.other_read, cell.read), cell.address[2]);
}

Value* InlineCheck::access(llvm::Instruction& at, const PlainAccess& access,
                           llvm::function_ref<Value*(Builder&)> slow) {
  llvm::LLVMContext& context = function_.getContext();
  BasicBlock* head = at.getParent();
  BasicBlock* done = head->splitBasicBlock(&at, "checked");
  BasicBlock* look = BasicBlock::Create(context, "look", &function_, done);
  BasicBlock* pass = BasicBlock::Create(context, "pass", &function_, done);
  BasicBlock* ask = BasicBlock::Create(context, "ask", &function_);
  llvm::MDNode* likely = llvm::MDBuilder(context).createBranchWeights(2000, 1);
  head->getTerminator()->eraseFromParent();

  Builder builder(head);
  builder.SetCurrentDebugLocation(at.getDebugLoc());
  builder.CreateStore(builder.CreateAdd(get(builder, count_), builder.getInt64(1)), count_);
  if (access.note_site) {
    builder.CreateStore(builder.getInt16(access.site), field(builder, context_, offsetof(ThreadContext, site)));
  }
  if (access.note_write) {
    builder.CreateStore(builder.getInt8(1), field(builder, context_, offsetof(ThreadContext, wrote)));
  }
  Value *begin = shared_, *limit = shared_words_, *cells = shared_cells_;
  if (access.space == Guess::global) {
    auto load = [&](Type* type, std::uint64_t offset) {
      return builder.CreateLoad(type, field(builder, windows_, access.site * sizeof(SiteWindow) + offset));
    };
    begin = load(builder.getInt64Ty(), offsetof(SiteWindow, begin));
    limit = load(builder.getInt64Ty(), offsetof(SiteWindow, words));
    cells = load(builder.getPtrTy(), offsetof(SiteWindow, cells));
  }
  // If the address is not aligned, its low bits, rotated to the top, make the index too large.
  const unsigned shift = 2 + static_cast<unsigned>(std::countr_zero(access.words));
  Value* offset = builder.CreateSub(builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()), begin);
  Value* index =
      builder.CreateIntrinsic(llvm::Intrinsic::fshr, {builder.getInt64Ty()}, {offset, offset, builder.getInt64(shift)});
  if (access.words > 1) limit = builder.CreateLShr(limit, shift - 2);
  builder.CreateCondBr(builder.CreateICmpULT(index, limit), look, ask, likely);

  builder.SetInsertPoint(look);
  std::vector<Cell> loaded;
  Value* passes = builder.getTrue();
  for (unsigned i = 0; i < access.words; ++i) {
    loaded.push_back(load_cell(builder, cells, index, access.words, i));
    passes = builder.CreateAnd(passes, may_pass(builder, loaded.back(), access));
  }
  builder.CreateCondBr(passes, pass, ask, likely);

  builder.SetInsertPoint(pass);
  for (const Cell& cell : loaded) remember(builder, cell, access);
  builder.CreateBr(done);

  builder.SetInsertPoint(ask);
  Value* redirected = slow(builder);
  // The call may have found out that a barrier is needed.
  for (auto [variable, at_offset] : {std::pair(shared_settled_, offsetof(race::Bounds, shared_settled)),
                                     std::pair(settled_, offsetof(race::Bounds, settled))}) {
    builder.CreateStore(builder.CreateLoad(builder.getInt64Ty(), field(builder, bounds_, at_offset)), variable);
  }
  builder.CreateBr(done);

  builder.SetInsertPoint(&at);
  llvm::PHINode* result = builder.CreatePHI(access.pointer->getType(), 2);
  result->addIncoming(access.pointer, pass);
  result->addIncoming(redirected, ask);
  return result;
}

void InlineCheck::finish() {
  std::vector<llvm::Instruction*> calls, ends;
  for (llvm::Instruction& instruction : llvm::instructions(function_)) {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      if (!keeps_time(*call)) calls.push_back(&instruction);
    } else if (llvm::isa<llvm::ReturnInst>(instruction)) {
      ends.push_back(&instruction);
    }
  }
  auto hand_over_count = [&](llvm::Instruction* before) {
    Builder builder(before);
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    Value* total = field(builder, context_, offsetof(ThreadContext, accesses));
    Value* sum = builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), total), get(builder, count_));
    builder.CreateStore(sum, total);
    builder.CreateStore(builder.getInt64(0), count_);
  };
  for (llvm::Instruction* end : ends) hand_over_count(end);
  for (llvm::Instruction* call : calls) {
    hand_over_count(call);
    if (call->isTerminator()) continue;
    Builder builder(call->getNextNode());
    builder.SetCurrentDebugLocation(llvm::DebugLoc());
    reload(builder);
  }
}

}  // namespace weakspot::race_jit
