// SPDX-License-Identifier: MIT
// The bytes were made by assemblers: GNU as for AArch64, clang for x86-64.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "optcheck/cpu/decoded.h"

namespace weakspot::optcheck::decode_test {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string registers(const char* name, const std::vector<Register>& all) {
  return all.empty() ? "" : fmt::format(" {}={}", name, fmt::join(all, ","));
}

// "ldr x7, [x5, #16]: load 8 rlx base=5 +16 writes=7"
std::string described(const CpuDecoded& code) {
  std::string text = code.text + ":";
  if (const std::optional<Event>& event = code.event) {
    text += fmt::format(" {}", to_string(event->kind));
    if (event->kind != EventKind::fence) text += fmt::format(" {} {}", event->bytes, to_string(event->order));
    if (event->op) text += fmt::format(" {}", to_string(*event->op));
    if (event->exclusive) text += " exclusive";
  }
  if (code.address) {
    text += fmt::format(" base={}", code.address->base);
    if (code.address->index) text += fmt::format(" index={}", *code.address->index);
    if (code.address->displacement != 0) text += fmt::format(" {:+}", code.address->displacement);
  }
  text += registers("data", code.step.data) + registers("if", code.step.condition) + registers("to", code.step.writes);
  if (code.sum) {
    text += fmt::format(" sum={}{:+}", fmt::join(code.sum->added, ","), code.sum->constant);
    if (code.sum->left) text += fmt::format(" {}*{}", *code.sum->left, code.sum->right.value_or(0));
    if (code.sum->insert) text += fmt::format(" at {}", *code.sum->insert);
  }
  if (code.status) text += fmt::format(" status={}", *code.status);
  return text + (code.step.falls_through ? "" : " ends");
}

std::string read(const base::Result<std::vector<CpuDecoded>>& code, std::size_t bytes) {
  if (!code) return base::messages(code.errors());
  EXPECT_EQ(code->size(), 1u);
  EXPECT_EQ(code->front().length, bytes);
  return described(code->front());
}

TEST(DecodeAArch64, Instructions) {
  const std::pair<std::uint32_t, const char*> cases[] = {
      {0xb9000091, "str w17, [x4]: store 4 rlx base=4 data=17"},
      {0xf94008a7, "ldr x7, [x5, #16]: load 8 rlx base=5 +16 to=7"},
      {0x38616843, "ldrb w3, [x2, x1]: load 1 rlx base=2 index=1 to=3"},
      {0xb89fc3e3, "ldrsw x3, [sp, #-4]: load 4 rlx base=32 -4 to=3"},
      {0x88dffc01, "ldar w1, [x0]: load 4 acq base=0 to=1"},
      {0xc89ffc41, "stlr x1, [x2]: store 8 rel base=2 data=1"},
      {0xb8bfc001, "ldapr w1, [x0]: load 4 acqpc base=0 to=1"},
      {0x885ffc01, "ldaxr w1, [x0]: load 4 acq exclusive base=0 to=1"},
      {0x4802fc01, "stlxrh w2, w1, [x0]: store 2 rel exclusive base=0 data=1 to=2 status=2"},
      {0xb8210002, "ldadd w1, w2, [x0]: read-modify-write 4 rlx add base=0 data=1 to=2"},
      {0xf8e10002, "ldaddal x1, x2, [x0]: read-modify-write 8 acqrel add base=0 data=1 to=2"},
      {0xb8a11002, "ldclra w1, w2, [x0]: read-modify-write 4 acq and base=0 data=1 to=2"},
      {0xb8613002, "ldsetl w1, w2, [x0]: read-modify-write 4 rel or base=0 data=1 to=2"},
      {0xb821201f, "ldeor w1, wzr, [x0]: read-modify-write 4 rlx xor base=0 data=1"},
      {0xb8e16002, "ldumaxal w1, w2, [x0]: read-modify-write 4 acqrel max base=0 data=1 to=2"},
      {0xb8215002, "ldsmin w1, w2, [x0]: read-modify-write 4 rlx min base=0 data=1 to=2"},
      {0xb8e18002, "swpal w1, w2, [x0]: read-modify-write 4 acqrel exch base=0 data=1 to=2"},
      {0x88e1fc02, "casal w1, w2, [x0]: read-modify-write 4 acqrel cas base=0 data=1,2 to=1"},
      {0x08a17c02, "casb w1, w2, [x0]: read-modify-write 1 rlx cas base=0 data=1,2 to=1"},
      {0xd5033bbf, "dmb ish: fence"},
      {0xd50339bf, "dmb ishld: fence"},
      {0xd5033f9f, "dsb sy: fence"},
      {0xd5033fdf, "isb: fence"},
      {0xd2a24683, "mov x3, #305397760: to=3 sum=+305397760"},
      {0x12800003, "mov w3, #4294967295: to=3 sum=+4294967295"},
      {0xf2c00023, "movk x3, #1, lsl #32: data=3 to=3 sum=+1 at 32"},
      {0x910043e3, "add x3, sp, #16: data=32 to=3 sum=32+16"},
      {0x7100147f, "subs wzr, w3, #5: data=3 to=33"},
      {0x8b030041, "add x1, x2, x3: data=2,3 to=1 sum=2,3+0"},
      {0x32001fe1, "orr w1, wzr, #0xff: to=1 sum=+255"},
      {0x2a0203e1, "mov w1, w2: data=2 to=1 sum=2+0"},
      {0x4a020041, "eor w1, w2, w2: data=2,2 to=1"},
      {0x6a030041, "ands w1, w2, w3: data=2,3 to=1,33"},
      {0x9b037c41, "madd x1, x2, x3, xzr: data=2,3 to=1 sum=+0 2*3"},
      {0x1a833041, "csel w1, w2, w3, lo: data=2,3,33 to=1"},
      {0x1ac32041, "lsl w1, w2, w3: data=2,3 to=1"},
      {0xd3431c41, "ubfm x1, x2, #3, #7: data=2 to=1"},
      {0x14000004, "b 0x10: ends"},
      {0x54000041, "b.ne 0x8: if=33"},
      {0x35000043, "cbnz w3, 0x8: if=3"},
      {0xd65f03c0, "ret: ends"},
      {0xf8408441, "the AArch64 instruction 0xf8408441 at 0x0 is not known"},  // ldr x1, [x2], #8
      {0x1e620820, "the AArch64 instruction 0x1e620820 at 0x0 is not known"},  // fmul d0, d1, d2
      {0xd63f0000, "the AArch64 instruction 0xd63f0000 at 0x0 is not known"},  // blr x0
  };
  for (const auto& [word, expected] : cases) {
    const Bytes bytes = {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8),
                         static_cast<std::uint8_t>(word >> 16), static_cast<std::uint8_t>(word >> 24)};
    EXPECT_EQ(read(decode_aarch64(bytes), 4), expected);
  }
}

TEST(DecodeX86, Instructions) {
  const std::pair<Bytes, const char*> cases[] = {
      {{0x8b, 0x07}, "mov eax, [rdi]: load 4 rlx base=7 to=0"},
      {{0x48, 0x89, 0x47, 0x08}, "mov [rdi + 8], rax: store 8 rlx base=7 +8 data=0"},
      {{0x45, 0x8b, 0x0c, 0x08}, "mov r9d, [r8 + rcx]: load 4 rlx base=8 index=1 to=9"},
      {{0x88, 0x06}, "mov [rsi], al: store 1 rlx base=6 data=0"},
      {{0xc7, 0x87, 0x80, 0, 0, 0, 1, 0, 0, 0}, "mov [rdi + 128], 1: store 4 rlx base=7 +128"},
      {{0x66, 0xc7, 0x07, 1, 0}, "mov [rdi], 1: store 2 rlx base=7"},
      {{0x0f, 0xb7, 0x07}, "movzx eax, [rdi]: load 2 rlx base=7 to=0"},
      {{0x48, 0x63, 0x07}, "movsxd rax, [rdi]: load 4 rlx base=7 to=0"},
      {{0x87, 0x07}, "xchg [rdi], eax: read-modify-write 4 sc exch base=7 data=0 to=0"},
      {{0xf0, 0x0f, 0xc1, 0x07}, "lock xadd [rdi], eax: read-modify-write 4 sc add base=7 data=0 to=0,33"},
      {{0xf0, 0x0f, 0xb1, 0x0f}, "lock cmpxchg [rdi], ecx: read-modify-write 4 sc cas base=7 data=1,0 to=0,33"},
      {{0x0f, 0xae, 0xf0}, "mfence: fence"},
      {{0x48, 0x89, 0xf8}, "mov rax, rdi: data=7 to=0 sum=7+0"},
      {{0xb8, 7, 0, 0, 0}, "mov eax, 7: to=0 sum=+7"},
      {{0x48, 0x01, 0xc8}, "add rax, rcx: data=0,1 to=0,33 sum=0,1+0"},
      {{0x48, 0x83, 0xec, 0x08}, "sub rsp, 8: data=4 to=4,33 sum=4-8"},
      {{0x66, 0x81, 0xc1, 0x00, 0x02}, "add cx, 512: data=1 to=1,33 sum=1+512"},
      {{0x31, 0xc0}, "xor eax, eax: data=0,0 to=0,33"},
      {{0x83, 0xe1, 0x00}, "and ecx, 0: data=1 to=1,33"},
      {{0x83, 0xf8, 0x05}, "cmp eax, 5: data=0 to=33"},
      {{0x85, 0xc9}, "test ecx, ecx: data=1,1 to=33"},
      {{0x48, 0x6b, 0xc1, 0x18}, "imul rax, rcx, 24: data=1 to=0,33 sum=+0 1*0"},
      {{0x48, 0x8d, 0x44, 0x0f, 0x04}, "lea rax, [rdi + rcx + 4]: data=7,1 to=0 sum=7,1+4"},
      {{0xd3, 0xe0}, "shift eax: data=0,1 to=0,33"},
      {{0xf7, 0xd9}, "neg ecx: data=1 to=1,33"},
      {{0x0f, 0x44, 0xc1}, "cmove eax, ecx: data=0,1,33 to=0"},
      {{0x0f, 0x92, 0xc0}, "setb al: data=33 to=0"},
      {{0x53}, "push rbx: store 8 rlx base=4 data=3"},
      {{0x41, 0x5c}, "pop r12: load 8 rlx base=4 to=12"},
      {{0x75, 0x03}, "jne 0x5: if=33"},
      {{0xeb, 0xfe}, "jmp 0x0: ends"},
      {{0xc3}, "ret: ends"},
      {{0x01, 0x07}, "the x86-64 instruction that begins with 0x01 at 0x0 is not known"},              // add [rdi], eax
      {{0x0f, 0xc1, 0x07}, "the x86-64 instruction that begins with 0x0f at 0x0 is not known"},        // without lock
      {{0x8b, 0x04, 0x8f}, "the x86-64 instruction that begins with 0x8b at 0x0 is not known"},        // scaled
      {{0x8b, 0x05, 0, 0, 0, 0}, "the x86-64 instruction that begins with 0x8b at 0x0 is not known"},  // rip-relative
      {{0x48, 0x8b}, "the x86-64 instruction that begins with 0x48 at 0x0 is not known"},              // cut off
  };
  for (const auto& [bytes, expected] : cases) EXPECT_EQ(read(decode_x86_64(bytes), bytes.size()), expected);
}

}  // namespace
}  // namespace weakspot::optcheck::decode_test
