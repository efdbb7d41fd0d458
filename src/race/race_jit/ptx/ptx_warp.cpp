// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_warp.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "race_jit/hooks/hooks.h"
#include "race_jit/ptx/ptx_matrix.h"

namespace weakspot::race_jit {
namespace {

using llvm::Type;
using llvm::Value;
namespace intrinsic = llvm::Intrinsic;

class WarpLowering {
 public:
  WarpLowering(const PtxInstruction& instruction, const PtxTools& with)
      : instruction_(instruction), with_(with), builder_(with.builder) {}

  bool lower() {
    const std::string& name = instruction_.opcode.front();
    if (name == "shfl") return shuffle();
    if (name == "vote") return vote();
    if (name == "match") return match();
    if (name == "redux") return reduce();
    if (name == "elect") return elect();
    if (name == "ldmatrix") return load_matrix();
    if (name == "stmatrix") return store_matrix();
    if (name == "movmatrix") return move_matrix();
    if (name == "mma") return has("sync") && multiply();
    return with_.assign(0, with_.hook("weakspot_activemask", word(), {}));
  }

 private:
  bool has(std::string_view part) const { return instruction_.has(part); }
  std::size_t operands() const { return instruction_.operands.size(); }
  Type* word() { return builder_.getInt32Ty(); }
  Type* wide() { return builder_.getInt64Ty(); }
  Value* number(int n) { return builder_.getInt32(static_cast<std::uint32_t>(n)); }

  // What lanes answer together; null if an argument is.
  Value* ask(Value* mask, int kind, Value* value) {
    return with_.hook("weakspot_vote", word(), {mask, number(kind), value});
  }
  // The value that another lane of a whole warp sends.
  Value* from_any_lane(Value* sent, Value* from) {
    return with_.hook("weakspot_shuffle", wide(),
                      {builder_.getInt32(~0u), number(kShuffleIndex), sent, from, number(32)});
  }
  std::function<Value*(Value*, Value*)> exchange() {
    return [this](Value* sent, Value* from) { return from_any_lane(sent, from); };
  }

  // d, a, b, c, mask, with a predicate after d where the text has one: whether the lane that is read exists.
  bool shuffle() {
    const int mode = has("idx") ? kShuffleIndex : has("up") ? kShuffleUp : has("down") ? kShuffleDown : kShuffleXor;
    const std::size_t first = operands() == 6 ? 2 : 1;
    if (operands() != first + 4) return false;
    Value *sent = with_.value(first, wide()), *lane = with_.value(first + 1, word());
    Value *clamp = with_.value(first + 2, word()), *mask = with_.value(first + 3, word());
    if (clamp == nullptr || lane == nullptr || mask == nullptr || sent == nullptr) return false;
    lane = builder_.CreateAnd(lane, 31);
    Value* width = builder_.CreateSub(number(32), builder_.CreateAnd(builder_.CreateLShr(clamp, 8), 31));
    Value* result = with_.hook("weakspot_shuffle", wide(), {mask, number(mode), sent, lane, width});
    if (first == 2 && !with_.assign(1, shuffle_in_range(builder_, mode, with_.lane(), lane, clamp))) return false;
    return with_.assign(0, ptx_resized(builder_, result, 32));
  }

  bool vote() {
    if (!has("sync")) return false;  // among lanes that happen to be active
    const int kind = has("all") ? kVoteAll : has("any") ? kVoteAny : has("uni") ? kVoteUniform : kVoteBallot;
    return with_.assign(0, ask(with_.value(2, word()), kind, with_.value(1, wide())));
  }

  // match.any.sync.b32 d, a, mask; match.all.sync.b32 d|p, a, mask
  bool match() {
    const std::size_t first = operands() - 2;
    if (operands() != 3 && operands() != 4) return false;
    Type* type = builder_.getIntNTy(8 * std::max(ptx_type_size(instruction_), 1u));
    Value* given = with_.value(first, type);
    if (given == nullptr) return false;
    Value* lanes =
        ask(with_.value(first + 1, word()), has("all") ? kMatchAll : kMatchAny, ptx_resized(builder_, given, 64));
    if (lanes == nullptr || !with_.assign(0, lanes)) return false;
    return first == 1 || with_.assign(1, builder_.CreateZExt(builder_.CreateIsNotNull(lanes), word()));
  }

  // redux.sync.max.s32 d, a, mask
  bool reduce() {
    static constexpr std::pair<std::string_view, WarpKind> kKinds[] = {
        {"add", kReduceAdd}, {"min", kReduceMinSigned}, {"max", kReduceMaxSigned},
        {"and", kReduceAnd}, {"or", kReduceOr},         {"xor", kReduceXor}};
    const auto* found =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& kind) { return has(kind.first); });
    Value *given = with_.value(1, word()), *mask = with_.value(2, word());
    if (found == std::end(kKinds) || operands() != 3 || given == nullptr || mask == nullptr) return false;
    if (instruction_.opcode.back() == "f32") return reduce_real(given, mask, found->second);
    int kind = found->second;
    if (has("u32") && kind == kReduceMinSigned) kind = kReduceMinUnsigned;
    if (has("u32") && kind == kReduceMaxSigned) kind = kReduceMaxUnsigned;
    return with_.assign(0, ask(mask, kind, ptx_resized(builder_, given, 64)));
  }

  // The bits of floats in the order of whole numbers: those of negative ones turned round, and what is not a number at
  // the end that loses, or wins with .NaN.
  bool reduce_real(Value* bits, Value* mask, int kind) {
    if (kind != kReduceMinSigned && kind != kReduceMaxSigned) return false;
    if (has("abs")) bits = builder_.CreateAnd(bits, 0x7fffffff);
    auto turned = [&](Value* v) {
      return builder_.CreateXor(v, builder_.CreateAnd(builder_.CreateAShr(v, 31), 0x7fffffff));
    };
    auto no_number = [&](Value* v) {
      return builder_.CreateICmpUGT(builder_.CreateAnd(v, 0x7fffffff), builder_.getInt32(0x7f800000));
    };
    const bool at_top = (kind == kReduceMaxSigned) == has("NaN");
    Value* end = builder_.getInt32(at_top ? 0x7fffffff : 0x80000000);
    Value* key = builder_.CreateSelect(no_number(bits), end, turned(bits));
    Value* made = ask(mask, kind, ptx_resized(builder_, key, 64));
    if (made == nullptr) return false;
    made = turned(made);
    return with_.assign(0, builder_.CreateSelect(no_number(made), builder_.getInt32(0x7fffffff), made));
  }

  // elect.sync leader|is_leader, mask: the first lane of the mask, always the same one as PTX asks for.
  bool elect() {
    Value* mask = with_.value(2, word());
    if (ask(mask, kVoteAny, builder_.getInt64(1)) == nullptr) return false;
    Value* leader = builder_.CreateBinaryIntrinsic(intrinsic::cttz, mask, builder_.getFalse());
    if (!with_.assign(0, leader)) return false;
    return with_.assign(1, builder_.CreateZExt(builder_.CreateICmpEQ(with_.lane(), leader), word()));
  }

  bool assign_all(const std::vector<PtxOperand>& to, const std::vector<Value*>& made) {
    if (made.empty() || made.size() != to.size()) return false;
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (!with_.assign_to(to[i], made[i])) return false;
    }
    return true;
  }
  // The words of a vector; none if one is missing.
  std::vector<Value*> words_of(const PtxOperand& operand) {
    std::vector<Value*> words;
    for (const PtxOperand& element : ptx_elements(operand)) {
      words.push_back(with_.operand(element, word()));
      if (words.back() == nullptr) return {};
    }
    return words;
  }
  bool is_of_half_words() const { return has("m8n8") && has("b16") && operands() == 2; }

  // ldmatrix {r...}, [row]: lane l reads the row l % 8 of matrix l / 8, and the lanes exchange what they read.
  bool load_matrix() {
    if (!is_of_half_words()) return false;
    const std::vector<PtxOperand> to = ptx_elements(instruction_.operands[0]);
    const unsigned count = static_cast<unsigned>(to.size());
    Value *lane = with_.lane(), *own = with_.value(1, wide());
    if (own == nullptr) return false;
    // Lanes that give no row read one again.
    Value* row = from_any_lane(own, builder_.CreateAnd(lane, 8 * count - 1));
    auto* words = llvm::FixedVectorType::get(word(), 4);
    Value* read = builder_.CreateLoad(words, builder_.CreateIntToPtr(row, builder_.getPtrTy()));
    return assign_all(to, matrix_fragments(builder_, read, lane, count, has("trans"), exchange()));
  }

  // stmatrix [row], {r...}: the other way round. Lanes that give no row write to a place of their own.
  bool store_matrix() {
    if (!is_of_half_words()) return false;
    const std::vector<Value*> words = words_of(instruction_.operands[1]);
    Value *lane = with_.lane(), *to = with_.value(0, builder_.getPtrTy());
    if (words.empty() || to == nullptr) return false;
    Value* row = matrix_row(builder_, words, lane, has("trans"), exchange());
    if (words.size() < 4) {
      llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
      llvm::IRBuilder<> front(&entry, entry.getFirstInsertionPt());
      Value* own = front.CreateAlloca(row->getType());
      const auto rows = static_cast<int>(8 * words.size());
      to = builder_.CreateSelect(builder_.CreateICmpULT(lane, number(rows)), to, own);
    }
    builder_.CreateStore(row, to);
    return true;
  }

  bool move_matrix() {
    Value *lane = with_.lane(), *given = with_.value(1, word());
    if (!is_of_half_words() || !has("trans") || given == nullptr) return false;
    return with_.assign(
        0, transposed_word(builder_, given, builder_.CreateLShr(lane, 2), builder_.CreateAnd(lane, 3), exchange()));
  }

  // mma.sync: registers of the result, of both factors, and of what is added.
  bool multiply() {
    if (operands() != 4) return false;
    std::vector<Value*> parts[3];
    for (std::size_t i = 0; i < 3; ++i) {
      parts[i] = words_of(instruction_.operands[i + 1]);
      if (parts[i].empty()) return false;
    }
    return assign_all(ptx_elements(instruction_.operands[0]),
                      matrix_product(builder_, instruction_, parts[0], parts[1], parts[2], with_.lane(), exchange()));
  }

  const PtxInstruction& instruction_;
  const PtxTools& with_;
  PtxBuilder& builder_;
};

}  // namespace

bool is_ptx_warp(const PtxInstruction& instruction) {
  static constexpr std::string_view kNames[] = {"shfl",     "vote",     "match",     "redux", "elect",
                                                "ldmatrix", "stmatrix", "movmatrix", "mma",   "activemask"};
  return std::find(std::begin(kNames), std::end(kNames), instruction.opcode.front()) != std::end(kNames);
}

bool lower_ptx_warp(const PtxInstruction& instruction, const PtxTools& with) {
  return WarpLowering(instruction, with).lower();
}

}  // namespace weakspot::race_jit
