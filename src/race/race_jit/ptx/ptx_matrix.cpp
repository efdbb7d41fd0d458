// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_matrix.h"

#include <llvm/IR/Intrinsics.h>

#include <limits>
#include <optional>

#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

using llvm::Value;

std::vector<Value*> matrix_fragments(PtxBuilder& builder, Value* row, Value* lane, unsigned count, bool transposed,
                                     const std::function<Value*(Value*, Value*)>& from_lane) {
  // The word at `index` of a row of matrix i: which lane wants which word is known to the receiver alone.
  auto word = [&](unsigned i, Value* of_row, Value* index) {
    Value* found = builder.getInt64(0);
    for (unsigned w = 0; w < 4; ++w) {
      Value* sent = builder.CreateZExt(builder.CreateExtractElement(row, w), builder.getInt64Ty());
      Value* got = from_lane(sent, builder.CreateAdd(of_row, builder.getInt32(8 * i)));
      found = builder.CreateSelect(builder.CreateICmpEQ(index, builder.getInt32(w)), got, found);
    }
    return builder.CreateTrunc(found, builder.getInt32Ty());
  };
  Value* quad = builder.CreateLShr(lane, 2);
  Value* inside = builder.CreateAnd(lane, 3);
  // The half word in column lane / 4 of row 2 * (lane % 4), or of the next.
  auto half = [&](unsigned i, unsigned next) {
    Value* at = word(i, builder.CreateOr(builder.CreateShl(inside, 1), next), builder.CreateLShr(quad, 1));
    Value* shift = builder.CreateShl(builder.CreateAnd(quad, 1), 4);
    return builder.CreateAnd(builder.CreateLShr(at, shift), 0xffff);
  };
  std::vector<Value*> fragments;
  for (unsigned i = 0; i < count; ++i) {
    if (!transposed) {
      fragments.push_back(word(i, quad, inside));
      continue;
    }
    Value* low = half(i, 0);
    fragments.push_back(builder.CreateOr(low, builder.CreateShl(half(i, 1), 16)));
  }
  return fragments;
}

Value* transposed_word(PtxBuilder& builder, Value* word, Value* row, Value* column,
                       const std::function<Value*(Value*, Value*)>& from_lane) {
  Value* shift = builder.CreateShl(builder.CreateAnd(row, 1), 4);
  Value* made = nullptr;
  for (unsigned next = 0; next < 2; ++next) {
    Value* of_row = builder.CreateOr(builder.CreateShl(column, 1), next);
    Value* lane = builder.CreateOr(builder.CreateShl(of_row, 2), builder.CreateLShr(row, 1));
    Value* got = ptx_resized(builder, from_lane(ptx_resized(builder, word, 64), lane), 32);
    Value* half = builder.CreateAnd(builder.CreateLShr(got, shift), 0xffff);
    made = next == 0 ? half : builder.CreateOr(made, builder.CreateShl(half, 16));
  }
  return made;
}

Value* matrix_row(PtxBuilder& builder, const std::vector<Value*>& words, Value* lane, bool transposed,
                  const std::function<Value*(Value*, Value*)>& from_lane) {
  Value *row = builder.CreateAnd(lane, 7), *matrix = builder.CreateLShr(lane, 3);
  Value* all = llvm::PoisonValue::get(llvm::FixedVectorType::get(builder.getInt32Ty(), 4));
  for (unsigned w = 0; w < 4; ++w) {
    Value* found = builder.getInt32(0);
    for (unsigned i = 0; i < words.size(); ++i) {
      Value* place = builder.CreateOr(builder.CreateShl(row, 2), w);
      Value* got = transposed ? transposed_word(builder, words[i], row, builder.getInt32(w), from_lane)
                              : ptx_resized(builder, from_lane(ptx_resized(builder, words[i], 64), place), 32);
      found = builder.CreateSelect(builder.CreateICmpEQ(matrix, builder.getInt32(i)), got, found);
    }
    all = builder.CreateInsertElement(all, found, w);
  }
  return all;
}

namespace {

// The form of elements in a register, and the way to add up products.
struct Elements {
  unsigned parts = 0;  // in a register
  enum class Kind { half, bfloat, tf32, e4m3, e5m2, signed_byte, unsigned_byte } kind = Kind::half;
  bool is_integer() const { return kind == Kind::signed_byte || kind == Kind::unsigned_byte; }
};

std::optional<Elements> elements_named(const std::string& word) {
  using Kind = Elements::Kind;
  if (word == "f16") return Elements{2, Kind::half};
  if (word == "bf16") return Elements{2, Kind::bfloat};
  if (word == "tf32") return Elements{1, Kind::tf32};
  if (word == "e4m3") return Elements{4, Kind::e4m3};
  if (word == "e5m2") return Elements{4, Kind::e5m2};
  if (word == "s8") return Elements{4, Kind::signed_byte};
  if (word == "u8") return Elements{4, Kind::unsigned_byte};
  return std::nullopt;
}

Value* element(PtxBuilder& builder, const Elements& elements, Value* word, unsigned part) {
  using Kind = Elements::Kind;
  const unsigned bits = 32 / elements.parts;
  // The low bits of the float do not count; CUTLASS leaves the last step of a rounding to that.
  if (elements.kind == Kind::tf32)
    return builder.CreateBitCast(builder.CreateAnd(word, 0xffffe000), builder.getFloatTy());
  Value* cut = builder.CreateTrunc(builder.CreateLShr(word, bits * part), builder.getIntNTy(bits));
  // Sums of whole numbers are wider than their result, which may be the nearest that it has.
  if (elements.kind == Kind::signed_byte) return builder.CreateSExt(cut, builder.getInt64Ty());
  if (elements.kind == Kind::unsigned_byte) return builder.CreateZExt(cut, builder.getInt64Ty());
  if (elements.kind == Kind::e4m3 || elements.kind == Kind::e5m2) {
    return ptx_call(builder, "weakspot_tiny_to_float", builder.getFloatTy(),
                    {cut, builder.getInt32(elements.kind == Kind::e4m3 ? 3 : 2)});
  }
  return ptx_call(builder, elements.kind == Kind::half ? "weakspot_half_to_float" : "weakspot_bfloat_to_float",
                  builder.getFloatTy(), {cut});
}

Value* add_product(PtxBuilder& builder, const Elements& elements, Value* sum, Value* a, Value* b) {
  if (elements.is_integer()) return builder.CreateAdd(sum, builder.CreateMul(a, b));
  return builder.CreateFAdd(sum, builder.CreateFMul(a, b));
}

// Four sums of a lane: rows lane / 4 and eight further down, columns 2 * (lane % 4) and the next. As registers they are
// four words, or two with halves.
std::vector<Value*> sums_of(PtxBuilder& builder, const std::vector<Value*>& words, bool integers) {
  std::vector<Value*> sums;
  for (Value* word : words) {
    if (words.size() == 2) {
      for (unsigned part = 0; part < 2; ++part) sums.push_back(element(builder, {2, Elements::Kind::half}, word, part));
    } else {
      sums.push_back(integers ? builder.CreateSExt(word, builder.getInt64Ty())
                              : builder.CreateBitCast(word, builder.getFloatTy()));
    }
  }
  return sums;
}
std::vector<Value*> registers_of(PtxBuilder& builder, const std::vector<Value*>& sums, bool halves, bool saturates) {
  llvm::Type* word = builder.getInt32Ty();
  std::vector<Value*> made;
  for (std::size_t i = 0; i < sums.size(); i += halves ? 2 : 1) {
    if (sums[i]->getType()->isIntegerTy()) {
      Value* sum = sums[i];
      if (saturates) {
        Value* least = llvm::ConstantInt::getSigned(sum->getType(), std::numeric_limits<std::int32_t>::min());
        Value* most = llvm::ConstantInt::getSigned(sum->getType(), std::numeric_limits<std::int32_t>::max());
        sum = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, sum, least);
        sum = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, sum, most);
      }
      made.push_back(builder.CreateTrunc(sum, word));
      continue;
    }
    if (!halves) {
      made.push_back(builder.CreateBitCast(sums[i], word));
      continue;
    }
    auto bits = [&](Value* sum) {
      return builder.CreateZExt(ptx_call(builder, "weakspot_float_to_half", builder.getInt16Ty(), {sum}), word);
    };
    Value* low = bits(sums[i]);
    made.push_back(builder.CreateOr(low, builder.CreateShl(bits(sums[i + 1]), 16)));
  }
  return made;
}

}  // namespace

std::vector<Value*> matrix_product(PtxBuilder& builder, const PtxInstruction& instruction,
                                   const std::vector<Value*>& left, const std::vector<Value*>& right,
                                   const std::vector<Value*>& added, Value* lane,
                                   const std::function<Value*(Value*, Value*)>& from_lane) {
  const std::vector<std::string>& words = instruction.opcode;
  if (words.size() < 9 || !instruction.has("row") || !instruction.has("col")) return {};
  const std::string &d = words[words.size() - 4], &a = words[words.size() - 3], &b = words[words.size() - 2];
  const std::optional<Elements> elements = elements_named(a), others = elements_named(b);
  const std::size_t blocks = right.size();
  if (!elements || !others || elements->parts != others->parts || elements->is_integer() != others->is_integer())
    return {};
  if ((elements->parts < 4 && a != b) || d != words.back() || blocks < 1 || blocks > 2 || left.size() != 2 * blocks)
    return {};
  if (!instruction.has("m16n8k" + std::to_string(blocks * 4 * elements->parts))) return {};
  if (instruction.has("satfinite") && !elements->is_integer()) return {};
  const bool halves = d == "f16";
  if (added.size() != (halves ? 2u : 4u) || (d == "s32") != elements->is_integer()) return {};
  Value *row = builder.CreateAnd(lane, 28), *pair = builder.CreateShl(builder.CreateAnd(lane, 3), 3);
  std::vector<Value*> sums = sums_of(builder, added, elements->is_integer());
  auto both = [&](Value* low, Value* high) {
    llvm::Type* twice = builder.getInt64Ty();
    return builder.CreateOr(builder.CreateZExt(low, twice), builder.CreateShl(builder.CreateZExt(high, twice), 32));
  };
  auto half_of = [&](Value* sent, unsigned which) {
    return builder.CreateTrunc(builder.CreateLShr(sent, 32 * which), builder.getInt32Ty());
  };
  Value* columns = both(right[0], right[blocks - 1]);
  for (unsigned inside = 0; inside < 4; ++inside) {
    Value* got[2];
    for (unsigned j = 0; j < 2; ++j)
      got[j] = from_lane(columns, builder.CreateAdd(pair, builder.getInt32(4 * j + inside)));
    for (unsigned block = 0; block < blocks; ++block) {
      Value* rows = from_lane(both(left[2 * block], left[2 * block + 1]), builder.CreateOr(row, inside));
      for (unsigned part = 0; part < elements->parts; ++part) {
        for (unsigned i = 0; i < 4; ++i) {
          Value* x = element(builder, *elements, half_of(rows, i / 2), part);
          Value* y = element(builder, *others, half_of(got[i % 2], block), part);
          sums[i] = add_product(builder, *elements, sums[i], x, y);
        }
      }
    }
  }
  return registers_of(builder, sums, halves, instruction.has("satfinite"));
}

Value* shuffle_in_range(PtxBuilder& builder, int mode, Value* lane, Value* by, Value* clamp) {
  Value* segment = builder.CreateAnd(builder.CreateLShr(clamp, 8), 31);
  Value* outside = builder.CreateNot(segment);
  Value* distance = builder.CreateAnd(by, 31);
  Value* least = builder.CreateAnd(lane, segment);
  Value* bound = builder.CreateOr(least, builder.CreateAnd(builder.CreateAnd(clamp, 31), outside));
  Value* from = mode == kShuffleUp     ? builder.CreateSub(lane, distance)
                : mode == kShuffleDown ? builder.CreateAdd(lane, distance)
                : mode == kShuffleXor  ? builder.CreateXor(lane, distance)
                                       : builder.CreateOr(least, builder.CreateAnd(distance, outside));
  Value* inside = mode == kShuffleUp ? builder.CreateICmpSGE(from, bound) : builder.CreateICmpSLE(from, bound);
  return builder.CreateZExt(inside, builder.getInt32Ty());
}

}  // namespace weakspot::race_jit
