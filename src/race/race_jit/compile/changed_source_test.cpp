// SPDX-License-Identifier: MIT
#include "race_jit/compile/changed_source.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
namespace {

std::string changed(const std::string& text, std::size_t place = 0) {
  return with_child_call(text, place).value_or("unchanged");
}

TEST(DeviceLaunches, BecomeCalls) {
  EXPECT_EQ(changed("child<<<1, 32>>>(p, 2);"), "__ws_child<decltype(&child), &child>(1, 32)(p, 2);");
  EXPECT_EQ(changed("  n::child<<<g, dim3(a, b), 0, s>>>(p);"),
            "  __ws_child<decltype(&n::child), &n::child>(g, dim3(a, b), 0, s)(p);");
  EXPECT_EQ(changed("child<T, 4> <<<1, f('\"', \">>>\")>>> (p);"),
            "__ws_child<decltype(&child<T, 4> ), &child<T, 4> >(1, f('\"', \">>>\")) (p);");
}

TEST(DeviceLaunches, KeepTheirLines) {
  EXPECT_EQ(changed("if (x)\n  child<<<1,\n           2>>>(p);"),
            "if (x)\n  __ws_child<decltype(&child), &child>(1,\n           2)(p);");
}

TEST(DeviceLaunches, AreInTheSameStatement) {
  EXPECT_EQ(changed("f(x); child<<<1, 2>>>(p);"), "unchanged");
  EXPECT_EQ(changed("f(x); child<<<1, 2>>>(p);", 6), "f(x); __ws_child<decltype(&child), &child>(1, 2)(p);");
  EXPECT_EQ(changed("a << b; x <<< 1;"), "unchanged");
}

TEST(MissingWords, AreInserted) {
  std::map<std::string, std::string> replaced = {{"a.cu", "using A = T::b<int>::c;\n"}};
  EXPECT_TRUE(insert_missing({{"a.cu", {{10, "typename "}, {13, "template "}}}}, replaced));
  EXPECT_EQ(replaced["a.cu"], "using A = typename T::template b<int>::c;\n");
  EXPECT_FALSE(insert_missing({{"missing.cu", {{1, "x"}}}}, replaced));
}

TEST(MissingWords, ArePercentsBeforeSpecialRegisters) {
  const std::string text = R"(asm("mov.u32 %0, %laneid; {mov.u32 %1, %tid.x;} // %%smid %l0" : "=r"(a % bc));)";
  std::map<std::string, std::string> replaced = {{"a.cu", text}};
  EXPECT_TRUE(insert_missing({{"a.cu", missing_percents(text, text.find("aneid"))}}, replaced));
  EXPECT_EQ(replaced["a.cu"], R"(asm("mov.u32 %0, %%laneid; {mov.u32 %1, %%tid.x;} // %%smid %l0" : "=r"(a % bc));)");
}

}  // namespace
}  // namespace weakspot::race_jit
