// SPDX-License-Identifier: MIT
#include "race/compile_commands.h"

#include <gtest/gtest.h>

namespace weakspot::race::compile_commands_test {
namespace {

using Words = std::vector<std::string>;

TEST(CompileCommands, WordsOfACommand) {
  EXPECT_EQ(split_command("nvcc  -c a.cu"), (Words{"nvcc", "-c", "a.cu"}));
  EXPECT_EQ(split_command(R"(cc -DX=\"y\" '-I a b' "c\"d" "")"), (Words{"cc", "-DX=\"y\"", "-I a b", "c\"d", ""}));
  EXPECT_EQ(split_command(""), Words{});
}

TEST(CompileCommands, FlagsThatMatter) {
  const char* text = R"([
    {"directory": "/p/build", "file": "../other.cu", "command": "nvcc -DOTHER ../other.cu"},
    {"directory": "/p/build", "file": "../src/a.cu",
     "command": "nvcc -forward-unknown-to-host-compiler -Iinc -I /abs -DN=4 -D M -isystem=sys --std=c++14 -gencode arch=x -gencode arch=compute_80,code=sm_80 --generate-code=arch=compute_90a,code=[sm_90a] -O3 -x cu -c ../src/a.cu -o a.o"},
    {"directory": "/p", "file": "/p/b.cu", "arguments": ["clang++", "-std=c++20", "-include", "pre.h", "-UX", "--offload-arch=sm_75", "-Xcompiler=-DY,-Wall", "-ptx", "-c", "b.cu"]}
  ])";
  const base::Result<FileFlags> a = flags_of_file(text, "cc.json", "/p/src/a.cu");
  ASSERT_TRUE(a);
  EXPECT_EQ(architecture_name(newest_of(a->architectures).value()), "sm_90a");
  EXPECT_EQ(a->words, (Words{"-I/p/build/inc", "-I/abs", "-DN=4", "-DM", "-isystem", "/p/build/sys", "-std=c++14"}));
  const base::Result<FileFlags> b = flags_of_file(text, "cc.json", "/p/b.cu");
  ASSERT_TRUE(b);
  EXPECT_EQ(architecture_name(newest_of(b->architectures).value()), "sm_75");
  EXPECT_EQ(b->words, (Words{"-std=c++20", "-include", "pre.h", "-UX", "-DY"}));
}

TEST(CompileCommands, Mistakes) {
  EXPECT_EQ(base::render(flags_of_file("{}", "cc.json", "a.cu").errors()),
            "cc.json: error: expected a list of compile commands\n");
  EXPECT_EQ(base::render(flags_of_file("[1, {\"file\": 2}]", "cc.json", "a.cu").errors()),
            "cc.json: error: no command for 'a.cu'\n");
}

}  // namespace
}  // namespace weakspot::race::compile_commands_test
