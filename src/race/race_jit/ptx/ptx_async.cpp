// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_async.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

#include "race/not_modelled.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/hooks/tensor_copies.h"
#include "race_jit/machine/matrix_reads.h"
#include "race_jit/ptx/ptx_atomics.h"

namespace weakspot::race_jit {
namespace {

using llvm::Type;
using llvm::Value;

bool has_start(const PtxInstruction& instruction, std::string_view start) {
  return std::any_of(instruction.opcode.begin() + 1, instruction.opcode.end(),
                     [&](const std::string& word) { return word.starts_with(start); });
}

class AsyncLowering {
 public:
  AsyncLowering(const PtxInstruction& instruction, const PtxTools& with)
      : instruction_(instruction), with_(with), builder_(with.builder) {}

  bool lower() {
    const std::string& name = instruction_.opcode.front();
    if (name == "fence") return lower_fence();
    if (name == "mbarrier") return lower_mbarrier();
    if (name == "griddepcontrol") {
      return !has("wait") || act("weakspot_grid_wait", {});
    }
    if (name == "wgmma") return lower_matrix();
    if (name == "tensormap") return lower_map();
    if (name == "st") return lower_store();
    if (name == "red") return lower_update();
    return instruction_.has("bulk") ? lower_bulk() : lower_copy();
  }

 private:
  bool has(std::string_view word) const { return instruction_.has(word); }
  std::size_t operands() const { return instruction_.operands.size(); }
  Type* word() { return builder_.getInt32Ty(); }
  Type* wide() { return builder_.getInt64Ty(); }
  Value* number(std::uint32_t n) { return builder_.getInt32(n); }
  Value* pointer(std::size_t index) { return with_.value(index, builder_.getPtrTy()); }
  Value* null() { return llvm::ConstantPointerNull::get(builder_.getPtrTy()); }
  bool act(const char* name, std::vector<Value*> arguments) {
    return with_.hook(name, builder_.getVoidTy(), std::move(arguments)) != nullptr;
  }

  bool lower_fence() {
    if (has("mbarrier_init")) return act("weakspot_fence", {number(kDeviceScope), number(kReleaseFence)});
    if (has_start(instruction_, "tensormap")) {
      const bool acquires = has("acquire");
      if (!acquires && !has("release")) return false;
      if (acquires && operands() != 2) return false;
      return act("weakspot_map_fence", {number(scope()), acquires ? pointer(0) : null(),
                                        acquires ? with_.value(1, wide()) : builder_.getInt64(0)});
    }
    // Both directions of the form that names them order writes of threads before with copies behind.
    std::uint32_t spaces = kProxyGlobal | kProxyShared;
    if (has("global")) spaces = kProxyGlobal;
    if (has_start(instruction_, "shared") || has_start(instruction_, "sync_restrict")) spaces = kProxyShared;
    return act("weakspot_proxy_fence", {number(spaces)});
  }

  std::uint32_t scope() const { return static_cast<std::uint32_t>(ptx_scope(instruction_)); }

  // tensormap.cp_fenceproxy [to], [from], 128 and tensormap.replace.tile.FIELD [map], [which,] value
  bool lower_map() {
    if (has("cp_fenceproxy")) {
      return operands() == 3 && act("weakspot_map_copy", {pointer(0), pointer(1), number(scope())});
    }
    // A map of zeros becomes one by its fields, of which the rank is always set.
    struct Field {
      const char* name;
      std::size_t offset, size, count;
    };
    static constexpr Field kFields[] = {{"global_address", offsetof(TensorMapBits, address), 8, 1},
                                        {"global_dim", offsetof(TensorMapBits, last), 4, 5},
                                        {"global_stride", offsetof(TensorMapBits, strides), 8, 4},
                                        {"box_dim", offsetof(TensorMapBits, box), 2, 5},
                                        {"element_stride", offsetof(TensorMapBits, steps), 1, 5},
                                        {"rank", offsetof(TensorMapBits, rank), 1, 1},
                                        {"elemtype", offsetof(TensorMapBits, type), 1, 1},
                                        {"interleave_layout", offsetof(TensorMapBits, interleave), 1, 1},
                                        {"swizzle_mode", offsetof(TensorMapBits, swizzle), 1, 1},
                                        {"fill_mode", offsetof(TensorMapBits, fill), 1, 1}};
    const auto* field =
        std::find_if(std::begin(kFields), std::end(kFields), [&](const Field& one) { return has(one.name); });
    if (!has("replace") || field == std::end(kFields)) return false;
    const bool indexed = field->count > 1;
    if (operands() != (indexed ? 3u : 2u)) return false;
    const std::optional<std::int64_t> which = indexed ? constant(1, 0) : 0;
    Value *map = pointer(0), *given = with_.value(indexed ? 2 : 1, wide());
    if (!which || static_cast<std::size_t>(*which) >= field->count || map == nullptr || given == nullptr) return false;
    auto store = [&](std::size_t offset, Value* value) {
      builder_.CreateStore(value, builder_.CreateConstGEP1_64(builder_.getInt8Ty(), map, offset));
    };
    const std::string_view name = field->name;
    if (name == "global_dim") given = builder_.CreateSub(given, builder_.getInt64(1));
    if (name == "rank") {
      given = builder_.CreateAdd(given, builder_.getInt64(1));
      store(offsetof(TensorMapBits, mark), builder_.getInt64(kTensorMapMark));
    }
    if (name == "elemtype" && (given = element_type()) == nullptr) return false;
    store(field->offset + static_cast<std::size_t>(*which) * field->size,
          ptx_resized(builder_, given, static_cast<unsigned>(8 * field->size)));
    return true;
  }

  // The number of a type in CUtensorMapDataType, by that of the instruction.
  Value* element_type() {
    static constexpr std::uint64_t kTypes[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12};
    const std::optional<std::int64_t> type = constant(1, -1);
    return !type || static_cast<std::uint64_t>(*type) >= std::size(kTypes) ? nullptr : builder_.getInt64(kTypes[*type]);
  }

  std::uint32_t gate_flags() const {
    std::uint32_t flags = 0;
    if (has("relaxed")) flags |= kGateRelaxed;
    if (has("cta")) flags |= kGateBlock;
    if (has("cluster")) flags |= kGateCluster;
    if (has("arrive_drop")) flags |= kGateDrop;
    if (has("blocking")) flags |= kGateBlocking;
    return flags;
  }

  bool lower_mbarrier() {
    const bool waits = has("test_wait") || has("try_wait");
    if (has("init")) return act("weakspot_mbarrier_init", {pointer(0), with_.value(1, word())});
    if (has("inval")) return true;
    if (has("arrive") || has("arrive_drop")) return lower_arrive();
    if (waits) return lower_wait();
    if (!has("expect_tx") && !has("complete_tx")) return false;
    Value* bytes = with_.value(1, wide());
    if (bytes != nullptr && has("complete_tx")) bytes = builder_.CreateNeg(bytes);
    return act("weakspot_mbarrier_bytes", {pointer(0), bytes});
  }

  // state, [gate], count; with expect_tx the last is the number of bytes.
  bool lower_arrive() {
    if (operands() < 2) return false;
    Value* last = operands() > 2 ? with_.value(2, word()) : number(1);
    const bool expects = has("expect_tx");
    Value* state =
        with_.hook("weakspot_mbarrier_arrive", wide(),
                   {pointer(1), expects ? number(1) : last, expects ? last : number(0), number(gate_flags())});
    return with_.assign(0, state);
  }

  bool lower_wait() {
    Value* phase = with_.value(2, wide());
    if (phase != nullptr && has("parity")) {
      phase = builder_.CreateSub(builder_.getInt64(kParityPhase), builder_.CreateAnd(phase, 1));
    }
    return with_.assign(0, with_.hook("weakspot_mbarrier_wait", word(), {pointer(1), phase, number(gate_flags())}));
  }

  // cp.async [to], [from], size[, bytes of the source]
  bool lower_copy() {
    if (has("commit_group")) return act("weakspot_async_commit", {});
    if (has("wait_all")) return act("weakspot_async_wait_all", {});
    if (has("wait_group")) return act("weakspot_async_wait", {with_.value(0, word())});
    if (has("mbarrier")) {
      Value* gate = pointer(0);
      if (!act("weakspot_async_tell", {gate})) return false;
      // Without noinc, the gate expects one more arrival, which happens here.
      return !has("noinc") || with_.hook("weakspot_gate_arrive", wide(), {gate, number(1), number(0)}) != nullptr;
    }
    Value* size = with_.value(2, wide());
    Value* given = operands() > 3 ? with_.value(3, wide()) : size;
    return act("weakspot_async_copy", {pointer(0), pointer(1), size, given});
  }

  // cp[.reduce].async.bulk.TO.FROM... [to], [from], size[, [gate][, mask]][, policy]
  bool lower_bulk() {
    if (has("commit_group")) return act("weakspot_bulk_commit", {});
    if (has("wait_group")) {
      return act("weakspot_bulk_wait", {with_.value(0, word()), number(has("read") ? 1 : 0)});
    }
    if (has("cp_mask")) return false;
    if (has("tensor")) return lower_tensor();
    const bool counted = has_start(instruction_, "mbarrier");
    if (!counted && !has("bulk_group")) return false;
    if (operands() < (counted ? 4u : 3u)) return false;
    Value* gate = counted ? pointer(3) : null();
    Value* size = with_.value(2, wide());
    if (has("reduce")) {
      const int operation = ptx_atomic_operation(instruction_);
      const unsigned element = ptx_type_size(instruction_);
      if (operation < 0 || element == 0) return false;
      return act("weakspot_bulk_reduce",
                 {pointer(0), pointer(1), size, gate, number(static_cast<std::uint32_t>(operation)), number(element)});
    }
    const bool multicast = has_start(instruction_, "multicast");
    if (multicast && operands() < 5) return false;
    Value* mask = multicast ? with_.value(4, word()) : number(0);
    return act("weakspot_bulk_copy", {pointer(0), pointer(1), size, gate, mask});
  }

  // cp[.reduce].async.bulk.tensor.Nd...: [to], [map, {coordinates}], [gate][, mask] or [map, {coordinates}], [from]
  bool lower_tensor() {
    for (const char* other : {"im2col", "tile::gather4", "tile::scatter4", "im2col_no_offs"}) {
      if (has_start(instruction_, other)) return false;
    }
    const bool loads = has_start(instruction_, "mbarrier");
    if ((!loads && !has("bulk_group")) || operands() < (loads ? 3u : 2u)) return false;
    const PtxOperand& tensor = instruction_.operands[loads ? 1 : 0];
    if (tensor.elements.empty() || tensor.elements.size() > 5) return false;
    std::vector<Value*> arguments = {pointer(loads ? 1 : 0)};
    for (std::size_t i = 0; i < 5; ++i) {
      arguments.push_back(i < tensor.elements.size() ? with_.operand(tensor.elements[i], word()) : number(0));
    }
    if (loads) {
      const bool multicast = has_start(instruction_, "multicast");
      if (multicast && operands() < 4) return false;
      arguments.insert(arguments.begin(), pointer(0));
      arguments.push_back(pointer(2));
      arguments.push_back(multicast ? with_.value(3, word()) : number(0));
      return act("weakspot_tensor_load", std::move(arguments));
    }
    const int operation = has("reduce") ? ptx_atomic_operation(instruction_) : kStore;
    if (operation < 0) return false;
    arguments.push_back(pointer(1));
    arguments.push_back(number(static_cast<std::uint32_t>(operation)));
    return act("weakspot_tensor_store", std::move(arguments));
  }

  // st.async ... [to], value or {values}, [gate]
  bool lower_store() {
    const unsigned size = ptx_type_size(instruction_);
    if (operands() != 3 || size == 0 || size > 8 || !has_start(instruction_, "mbarrier")) {
      return false;
    }
    const PtxOperand& given = instruction_.operands[1];
    const bool is_vector = given.kind == PtxOperand::Kind::vector;
    const std::vector<PtxOperand> elements = is_vector ? given.elements : std::vector<PtxOperand>{given};
    Value* to = pointer(0);
    if (to == nullptr) return false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      Value* place = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), to, i * size);
      if (!act("weakspot_bulk_store", {place, with_.operand(elements[i], wide()), number(size), pointer(2)})) {
        return false;
      }
    }
    return true;
  }

  // red.async ... [to], value, [gate]
  bool lower_update() {
    const int operation = ptx_atomic_operation(instruction_);
    const unsigned size = ptx_type_size(instruction_);
    if (operands() != 3 || operation < 0 || size == 0 || !has_start(instruction_, "mbarrier")) {
      return false;
    }
    return act("weakspot_bulk_update", {pointer(0), with_.value(1, wide()),
                                        number(static_cast<std::uint32_t>(operation)), number(size), pointer(2)});
  }

  // The number of columns in a shape, m64n128k16; 0 if there is none.
  std::uint32_t columns() const {
    for (const std::string& part : instruction_.opcode) {
      std::uint32_t n = 0;
      if (part.starts_with("m64n")) std::from_chars(part.data() + 4, part.data() + part.size(), n);
      if (n != 0) return n;
    }
    return 0;
  }

  static std::optional<MatrixElement> element_named(const std::string& word) {
    static constexpr std::pair<std::string_view, MatrixElement> kNames[] = {
        {"f16", MatrixElement::half},  {"bf16", MatrixElement::bfloat}, {"tf32", MatrixElement::tf32},
        {"e4m3", MatrixElement::e4m3}, {"e5m2", MatrixElement::e5m2},   {"s8", MatrixElement::s8},
        {"u8", MatrixElement::u8}};
    for (const auto& [name, element] : kNames) {
      if (word == name) return element;
    }
    return std::nullopt;
  }

  // An operand that must be a constant, and is `otherwise` if it is not there.
  std::optional<std::int64_t> constant(std::size_t index, std::int64_t otherwise) {
    if (index >= operands()) return otherwise;
    const auto* found = llvm::dyn_cast_or_null<llvm::ConstantInt>(with_.value(index, wide()));
    if (found == nullptr) return std::nullopt;
    const auto number = static_cast<std::int64_t>(found->getZExtValue());
    return number == 0xffffffff ? -1 : number;  // of 32 bits
  }

  // ... shape.sum.left.right; operands: sums, left, right, whether to add[, signs of both[, directions of those in
  // memory]].
  std::optional<MatrixKind> matrix_kind() {
    const std::vector<std::string>& words = instruction_.opcode;
    const std::optional<MatrixElement> left = element_named(words[words.size() - 2]);
    const std::optional<MatrixElement> right = element_named(words.back());
    const std::string& sum = words[words.size() - 3];
    if (!left || !right || (sum != "f32" && sum != "f16" && sum != "s32")) return std::nullopt;
    MatrixKind kind;
    kind.left = *left;
    kind.right = *right;
    kind.sum = sum == "f32" ? MatrixSum::f32 : sum == "f16" ? MatrixSum::f16 : MatrixSum::s32;
    kind.left_in_registers = instruction_.operands[1].kind == PtxOperand::Kind::vector;
    const std::optional<std::int64_t> signs[] = {constant(4, 1), constant(5, 1)};
    const std::optional<std::int64_t> across_left = kind.left_in_registers ? 0 : constant(6, 0);
    const std::optional<std::int64_t> across_right = constant(kind.left_in_registers ? 6 : 7, 0);
    if (!signs[0] || !signs[1] || !across_left || !across_right) return std::nullopt;
    kind.minus_left = *signs[0] == -1;
    kind.minus_right = *signs[1] == -1;
    kind.left_across = *across_left != 0;
    kind.right_across = *across_right != 0;
    return kind;
  }

  // wgmma
  bool lower_matrix() {
    if (has("fence")) return true;
    if (has("commit_group")) return act("weakspot_matrix_commit", {});
    if (has("wait_group")) return act("weakspot_matrix_wait", {with_.value(0, word())});
    if (!has("mma_async") || has("sp") || has("satfinite") || operands() < 4 || columns() % 8 != 0) return false;
    const std::optional<MatrixKind> kind = matrix_kind();
    if (!kind || columns() == 0 || columns() > 256) return false;
    const std::vector<PtxOperand> sums = ptx_elements(instruction_.operands[0]);
    const std::vector<PtxOperand> left = ptx_elements(instruction_.operands[1]);
    if (sums.size() != columns() / (kind->sum == MatrixSum::f16 ? 4 : 2)) return false;
    if (kind->left_in_registers && left.size() != 4) return false;
    auto set = [&](std::size_t index, const PtxOperand& given) {
      return act("weakspot_matrix_set", {number(static_cast<std::uint32_t>(index)), with_.operand(given, word())});
    };
    for (std::size_t i = 0; i < sums.size(); ++i) {
      // Registers that are only written have no value yet.
      if (with_.operand(sums[i], word()) != nullptr && !set(i, sums[i])) return false;
    }
    for (std::size_t i = 0; i < left.size() && kind->left_in_registers; ++i) {
      if (!set(kMatrixRegisters + i, left[i])) return false;
    }
    Value* first = kind->left_in_registers ? builder_.getInt64(0) : with_.value(1, wide());
    if (!act("weakspot_matrix_product",
             {first, with_.value(2, wide()), number(kind->packed()), number(columns()), with_.value(3, word())})) {
      return false;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      Value* sum = with_.hook("weakspot_matrix_get", word(), {number(static_cast<std::uint32_t>(i))});
      if (!with_.assign_to(sums[i], sum)) return false;
    }
    return true;
  }

  const PtxInstruction& instruction_;
  const PtxTools& with_;
  PtxBuilder& builder_;
};

std::string_view bare_text(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

// Takes "NAME:" from the front of a statement.
bool take_label(std::string_view& statement) {
  std::size_t end = 0;
  while (end < statement.size() && (std::isalnum(static_cast<unsigned char>(statement[end])) != 0 ||
                                    std::string_view("_$%{}=").find(statement[end]) != std::string_view::npos)) {
    ++end;
  }
  if (end == 0 || end >= statement.size() || statement[end] != ':' || statement.substr(end).starts_with("::")) {
    return false;
  }
  statement = bare_text(statement.substr(end + 1));
  return true;
}

bool is_branch(std::string_view statement) {
  if (statement.starts_with("@")) {
    statement = bare_text(statement.substr(std::min(statement.find_first_of(" \t"), statement.size())));
  }
  return statement.starts_with("bra ") || statement.starts_with("bra.") || statement.starts_with("bra\t");
}

}  // namespace

bool is_ptx_async(const PtxInstruction& instruction) {
  const std::string& name = instruction.opcode.front();
  if (name == "mbarrier" || name == "griddepcontrol" || name == "wgmma" || name == "tensormap") return true;
  if (name == "fence") {
    return has_start(instruction, "mbarrier_init") ||
           (instruction.has("proxy") && (has_start(instruction, "async") || has_start(instruction, "tensormap")));
  }
  if (name == "cp") return instruction.has("async") && !instruction.has("prefetch");
  return (name == "st" || name == "red") && instruction.has("async");
}

bool lower_ptx_async(const PtxInstruction& instruction, const PtxTools& with) {
  return AsyncLowering(instruction, with).lower();
}

std::string without_wait_loop(std::string_view source) {
  const std::string text = ptx_without_comments(source);
  std::string result;
  unsigned branches = 0, waits = 0, labels = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    std::string_view statement = bare_text(std::string_view(text).substr(at, end - at));
    at = end + 1;
    while (statement.starts_with("{") || statement.starts_with("}")) statement = bare_text(statement.substr(1));
    while (take_label(statement)) {
      ++labels;
      while (statement.starts_with("{") || statement.starts_with("}")) statement = bare_text(statement.substr(1));
    }
    if (statement.empty()) continue;
    if (is_branch(statement)) {
      ++branches;
      continue;
    }
    if (statement.starts_with(".reg")) continue;
    for (const std::string_view wait : {"mbarrier.try_wait.", "mbarrier.test_wait."}) {
      if (!statement.starts_with(wait)) continue;
      ++waits;
      result += std::string(wait) + "blocking.";
      statement.remove_prefix(wait.size());
    }
    result += std::string(statement) + ";";
  }
  // One wait that branches go round, and nothing else that could be skipped or repeated but moves of constants.
  const bool is_loop = waits == 1 && branches > 0 && labels > 0;
  return is_loop ? result : std::string(source);
}

}  // namespace weakspot::race_jit
