// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_tensor.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <optional>
#include <utility>

#include "race_jit/hooks/hooks.h"
#include "race_jit/tensor/tensor_memory.h"

namespace weakspot::race_jit {
namespace {

using llvm::Type;
using llvm::Value;

class TensorLowering {
 public:
  TensorLowering(const PtxInstruction& instruction, const PtxTools& with)
      : instruction_(instruction), with_(with), builder_(with.builder) {}

  bool lower() {
    if (instruction_.opcode.size() < 2) return false;
    const std::string& name = instruction_.opcode[1];
    if (name == "alloc") {
      return operands() == 2 && has_only({"cta_group::1", "sync", "aligned", "shared::cta", "b32"}) &&
             act("weakspot_tmem_alloc", {pointer(0), with_.value(1, word())});
    }
    if (name == "dealloc") {
      return operands() == 2 && has_only({"cta_group::1", "sync", "aligned", "b32"}) &&
             act("weakspot_tmem_dealloc", {with_.value(0, word()), with_.value(1, word())});
    }
    if (name == "relinquish_alloc_permit") {
      return has_only({"cta_group::1", "sync", "aligned"}) && act("weakspot_tmem_relinquish", {});
    }
    if (name == "ld" || name == "st") return lower_registers(name == "st");
    if (name == "wait::ld" || name == "wait::st") {
      return has_only({"sync", "aligned"}) && act("weakspot_tmem_wait", {number(name == "wait::st" ? 1 : 0)});
    }
    if (name == "fence::before_thread_sync" || name == "fence::after_thread_sync") {
      return has_only({}) && act("weakspot_tmem_fence", {number(name == "fence::after_thread_sync" ? 1 : 0)});
    }
    if (name == "commit") return lower_commit();
    if (name == "cp") return lower_copy();
    return name == "mma" && lower_product();
  }

 private:
  bool has(std::string_view word) const { return instruction_.has(word); }
  // Whether none but these words follow the name: newer editions of the manual add some.
  bool has_only(std::initializer_list<std::string_view> words) const {
    return std::all_of(instruction_.opcode.begin() + 2, instruction_.opcode.end(), [&](const std::string& word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    });
  }
  std::size_t operands() const { return instruction_.operands.size(); }
  Type* word() { return builder_.getInt32Ty(); }
  Type* wide() { return builder_.getInt64Ty(); }
  Value* number(std::uint32_t n) { return builder_.getInt32(n); }
  Value* pointer(std::size_t index) { return with_.value(index, builder_.getPtrTy()); }
  bool act(const char* name, std::vector<Value*> arguments) {
    return with_.hook(name, builder_.getVoidTy(), std::move(arguments)) != nullptr;
  }
  bool is_address(std::size_t index) const {
    return index < operands() && instruction_.operands[index].kind == PtxOperand::Kind::address;
  }

  // An address in tensor memory, which is a number.
  Value* place(std::size_t index) {
    if (!is_address(index)) return nullptr;
    PtxOperand base = instruction_.operands[index];
    const auto offset = static_cast<std::uint32_t>(base.number);
    base.kind = base.base_is_name ? PtxOperand::Kind::name : PtxOperand::Kind::assembly;
    Value* from = with_.operand(base, word());
    return from == nullptr ? nullptr : builder_.CreateAdd(from, number(offset));
  }

  std::optional<TensorShape> shape() const {
    static constexpr std::pair<std::string_view, TensorShape> kShapes[] = {{"32x32b", TensorShape::lanes32_words1},
                                                                           {"16x64b", TensorShape::lanes16_words2},
                                                                           {"16x128b", TensorShape::lanes16_words4},
                                                                           {"16x256b", TensorShape::lanes16_words8}};
    for (const auto& [name, made] : kShapes) {
      if (has(name)) return made;
    }
    return std::nullopt;
  }

  // .x1 to .x128, by powers of two; nothing else begins with x.
  std::string_view repeats() const {
    for (const std::string& part : instruction_.opcode) {
      if (part.starts_with("x")) return part;
    }
    return {};
  }
  // The number behind x; 0 if there is none.
  std::uint32_t times() const {
    const std::string_view part = repeats();
    std::uint32_t n = 0;
    const char* end = part.data() + part.size();
    return !part.empty() && std::from_chars(part.data() + 1, end, n).ptr == end ? n : 0;
  }

  // tcgen05.ld... {registers}, [from] and tcgen05.st... [to], {registers}
  bool lower_registers(bool stores) {
    const std::optional<TensorShape> made = shape();
    const bool known = has_only({"sync", "aligned", "32x32b", "16x64b", "16x128b", "16x256b", repeats(),
                                 stores ? "unpack::16b" : "pack::16b", "b32"});
    if (!made || operands() != 2 || !known) return false;
    const std::vector<PtxOperand> registers = ptx_elements(instruction_.operands[stores ? 1 : 0]);
    const unsigned each = *made == TensorShape::lanes16_words8 ? 4 : *made == TensorShape::lanes16_words4 ? 2 : 1;
    if (registers.size() != std::size_t{each} * times() || registers.size() > 128) return false;
    for (std::size_t i = 0; stores && i < registers.size(); ++i) {
      const auto which = static_cast<std::uint32_t>(i);
      if (!act("weakspot_tmem_set", {number(which), with_.operand(registers[i], word())})) return false;
    }
    const std::uint32_t packed = has(stores ? "unpack::16b" : "pack::16b") ? 1 : 0;
    if (!act(stores ? "weakspot_tmem_store" : "weakspot_tmem_load",
             {place(stores ? 0 : 1), number(static_cast<std::uint32_t>(*made)),
              number(static_cast<std::uint32_t>(registers.size())), number(packed)})) {
      return false;
    }
    for (std::size_t i = 0; !stores && i < registers.size(); ++i) {
      Value* loaded = with_.hook("weakspot_tmem_get", word(), {number(static_cast<std::uint32_t>(i))});
      if (!with_.assign_to(registers[i], loaded)) return false;
    }
    return true;
  }

  // tcgen05.commit... [gate][, mask]
  bool lower_commit() {
    const bool multicast = has("multicast::cluster");
    const bool known =
        has_only({"cta_group::1", "mbarrier::arrive::one", "shared::cluster", "multicast::cluster", "b64"});
    if (!known || operands() != (multicast ? 2u : 1u)) return false;
    return act("weakspot_tmem_commit", {pointer(0), multicast ? with_.value(1, word()) : number(0)});
  }

  // tcgen05.cp... [to], descriptor
  bool lower_copy() {
    struct Shape {
      const char* name;
      std::uint32_t rows, columns;
    };
    static constexpr Shape kShapes[] = {{"128x256b", 128, 8}, {"128x128b", 128, 4}, {"32x128b", 32, 4}};
    const auto* made =
        std::find_if(std::begin(kShapes), std::end(kShapes), [&](const Shape& one) { return has(one.name); });
    const bool known = has_only({"cta_group::1", "128x256b", "128x128b", "32x128b", "warpx4"});
    if (made == std::end(kShapes) || operands() != 2 || !known) return false;
    return act("weakspot_tmem_copy", {place(0), with_.value(1, wide()), number(made->rows), number(made->columns)});
  }

  // tcgen05.mma... [sums], left or [left], right, descriptor, [{lanes to leave out},] whether to add[, scale]
  bool lower_product() {
    static constexpr std::pair<std::string_view, TensorKind> kKinds[] = {{"kind::f16", kTensorHalf},
                                                                         {"kind::tf32", kTensorTf32},
                                                                         {"kind::f8f6f4", kTensorFloat8},
                                                                         {"kind::i8", kTensorInteger}};
    const auto* kind =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& one) { return has(one.first); });
    if (kind == std::end(kKinds) || operands() < 5) return false;
    if (!has_only({"cta_group::1", kind->first, "collector::a::fill", "collector::a::discard"})) return false;
    std::size_t next = 4;
    Value* disabled = number(0);
    if (instruction_.operands[next].kind == PtxOperand::Kind::vector) {
      for (const PtxOperand& mask : instruction_.operands[next].elements) {
        Value* bits = with_.operand(mask, word());
        if (bits == nullptr) return false;
        disabled = builder_.CreateOr(disabled, bits);
      }
      ++next;
    }
    if (next >= operands() || operands() > next + 2) return false;
    Value* scale = operands() > next + 1 ? with_.value(next + 1, word()) : number(0);
    const bool in_tensor = is_address(1);
    Value* left = in_tensor ? place(1) : with_.value(1, wide());
    if (left == nullptr) return false;
    if (in_tensor) left = builder_.CreateZExt(left, wide());
    return act("weakspot_tmem_product",
               {place(0), left, with_.value(2, wide()), with_.value(3, word()), number(kind->second),
                number(in_tensor ? 1 : 0), with_.value(next, word()), scale, disabled});
  }

  const PtxInstruction& instruction_;
  const PtxTools& with_;
  PtxBuilder& builder_;
};

}  // namespace

bool is_ptx_tensor(const PtxInstruction& instruction) { return instruction.opcode.front() == "tcgen05"; }

bool lower_ptx_tensor(const PtxInstruction& instruction, const PtxTools& with) {
  return TensorLowering(instruction, with).lower();
}

}  // namespace weakspot::race_jit
