// SPDX-License-Identifier: MIT
#include "prove/repair/forms.h"

#include <gtest/gtest.h>

#include "prove/repair/cuda_places.h"

namespace weakspot::prove::forms_test {
namespace {

// The forms, weakest first, the written one in brackets; the empty one is not seen.
std::string told(const std::optional<Forms>& forms) {
  if (!forms) return "none";
  std::string text;
  for (std::size_t i = 0; i < forms->all.size(); ++i) {
    text += (text.empty() ? "" : " ") + (i == forms->written ? "[" + forms->all[i].text + "]" : forms->all[i].text);
  }
  return text;
}

TEST(Forms, OfCuda) {
  EXPECT_EQ(told(order_forms("memory_order_relaxed", false, AccessRole::load)),
            "[memory_order_relaxed] memory_order_acquire");
  EXPECT_EQ(told(order_forms("memory_order_release", false, AccessRole::update)),
            "memory_order_relaxed memory_order_acquire [memory_order_release] memory_order_acq_rel");
  EXPECT_EQ(told(order_forms("__NV_ATOMIC_SEQ_CST", false, AccessRole::store)),
            "__NV_ATOMIC_RELAXED __NV_ATOMIC_RELEASE [__NV_ATOMIC_SEQ_CST]");
  EXPECT_EQ(told(order_forms("relaxed", true, AccessRole::store)), "[relaxed] release");
  EXPECT_EQ(told(order_forms("relaxed", false, AccessRole::store)), "none");
  EXPECT_EQ(told(scope_forms("thread_scope_block")), "[thread_scope_block] thread_scope_device");
  EXPECT_EQ(told(scope_forms("atomicAdd_system")), "atomicAdd_block atomicAdd [atomicAdd_system]");
  EXPECT_EQ(told(scope_forms("atomicity")), "none");
  EXPECT_EQ(told(fence_function_forms("__threadfence")), "__threadfence_block(); [__threadfence();]");
}

TEST(Forms, OfPtx) {
  EXPECT_EQ(told(ptx_forms("fence.acq_rel.gpu")), "fence.acq_rel.cta fence.sc.cta [fence.acq_rel.gpu] fence.sc.gpu");
  EXPECT_EQ(told(ptx_forms("membar.gl")), "fence.acq_rel.cta fence.sc.cta fence.acq_rel.gpu [membar.gl]");
  EXPECT_EQ(
      told(ptx_forms("ld.relaxed.gpu.global.u32")),
      "ld.relaxed.cta.global.u32 ld.acquire.cta.global.u32 [ld.relaxed.gpu.global.u32] ld.acquire.gpu.global.u32");
  EXPECT_EQ(told(ptx_forms("st.global.u32")), "[st.global.u32] st.relaxed.gpu.global.u32 st.release.gpu.global.u32");
  EXPECT_EQ(told(ptx_forms("ld.volatile.global.u32")), "[ld.volatile.global.u32] ld.acquire.sys.global.u32");
  EXPECT_EQ(told(ptx_forms("ld.global.nc.u32")), "none");
  EXPECT_EQ(told(ptx_forms("ld.param.u64")), "none");
  EXPECT_EQ(told(ptx_forms("bar.sync")), "none");
}

TEST(Forms, TheLastIsTheStrongest) {
  for (const char* opcode :
       {"fence.acq_rel.sys", "fence.sc.cta", "membar.sys", "atom.add.global.u32", "atom.acquire.sys.global.add.u32",
        "red.release.cta.global.add.u32", "ld.weak.global.u32"}) {
    const std::optional<Forms> forms = ptx_forms(opcode);
    ASSERT_TRUE(forms) << opcode;
    for (const Form& form : forms->all) EXPECT_TRUE(at_most_as_strong(form, forms->all.back())) << opcode << form.text;
  }
}

TEST(Forms, InstructionsAreFoundInText) {
  const std::string text = R"("{\n\t@p ld.acquire.gpu.u32 %0, [%1]; // fence.sc.gpu;\n fence.acq_rel.gpu;\n}")";
  std::string found;
  for (const SourcePlace& place : ptx_words(text, 0)) found += text.substr(place.begin, place.end - place.begin) + "|";
  EXPECT_EQ(found, "ld.acquire.gpu.u32|");  // the comment goes on to the end of the line
}

}  // namespace
}  // namespace weakspot::prove::forms_test
