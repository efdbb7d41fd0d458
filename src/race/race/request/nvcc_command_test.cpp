// SPDX-License-Identifier: MIT
#include "race/nvcc_command.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"

namespace weakspot::race::nvcc_command_test {
namespace {

using Words = std::vector<std::string>;

NvccCommand parsed(const Words& words) {
  base::Result<NvccCommand> command = parse_nvcc(words);
  EXPECT_TRUE(command.ok());
  return command ? *command : NvccCommand{};
}

TEST(NvccCommandLine, ReadsAllSpellingsOfAnOption) {
  for (const Words& words : {Words{"-o", "x"}, {"-ox"}, {"-o=x"}, {"--output-file", "x"}, {"--output-file=x"}}) {
    EXPECT_EQ(parsed(words).output, "x");
  }
  for (const Words& words : {Words{"-I", "a"}, {"-Ia"}, {"-I=a"}, {"--include-path=a"}}) {
    EXPECT_EQ(parsed(words).language_flags, Words{"-Ia"});
  }
  EXPECT_EQ(parsed({"-isystem=/usr/x"}).language_flags, (Words{"-isystem", "/usr/x"}));
  EXPECT_EQ(parsed({"-std", "c++14"}).language_flags, Words{"-std=c++14"});
  EXPECT_EQ(parsed({"-DA=b,c"}).language_flags, Words{"-DA=b,c"});
}

TEST(NvccCommandLine, TakesSourcesForHipAsHipccDoes) {
  const Words words = {"--offload-arch=gfx90a:xnack-", "-mno-wavefrontsize64", "a.cpp", "b.hip", "c.c", "d.cu"};
  const base::Result<NvccCommand> command = parse_nvcc(words, {.folder = {}, .hip = true});
  ASSERT_TRUE(command);
  EXPECT_EQ(command->gpu, "gfx90a");
  EXPECT_EQ(command->wave, 32u);
  Words languages;
  for (const NvccInput& source : command->sources) languages.push_back(source.language);
  EXPECT_EQ(languages, (Words{"hip", "hip", "c", "hip"}));
  EXPECT_EQ(parsed({"a.cpp"}).sources.front().language, "c++");
  EXPECT_EQ(parsed({"-x", "hip", "a.cpp"}).sources.front().language, "hip");
  EXPECT_FALSE(parse_nvcc({"-fgpu-rdc", "a.cpp"}, {.folder = {}, .hip = true}));
}

TEST(NvccCommandLine, LeavesOutWhatIsForMachineCode) {
  const NvccCommand command = parsed({"-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90",
                                      "-arch=sm_70", "-Xptxas", "-v", "-lineinfo", "--maxrregcount=32", "-G",
                                      "--threads", "4", "-Wno-deprecated-gpu-targets", "--expt-extended-lambda"});
  EXPECT_TRUE(command.sources.empty());
  EXPECT_TRUE(command.link_words.empty());
  EXPECT_TRUE(command.host_flags.empty());
  EXPECT_TRUE(command.language_flags.empty());
}

TEST(NvccCommandLine, TakesTheNewestArchitecture) {
  for (const Words& words : {Words{"-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_90a,code=sm_90a"},
                             {"--generate-code=arch=compute_90a,code=[sm_90a,compute_90a]", "-arch=sm_70"},
                             {"-arch", "sm_90a", "-code=sm_90a"},
                             {"--gpu-architecture=compute_90a", "-arch=native"}}) {
    EXPECT_EQ(architecture_name(newest_of(parsed(words).architectures).value()), "sm_90a");
  }
  EXPECT_TRUE(parsed({"-arch=sm_52", "-arch=all"}).architectures.empty());
  EXPECT_FALSE(parse_nvcc({"-arch=sm_95"}));
}

TEST(NvccCommandLine, KeepsTheOrderOfLinking) {
  const NvccCommand command = parsed({"a.cu", "b.o", "-lx", "c.cpp", "-L", "d", "libe.a", "-Xlinker", "-rpath,/f"});
  EXPECT_EQ(command.link_words, (Words{"#0", "b.o", "-lx", "#1", "-Ld", "libe.a", "-Wl,-rpath", "-Wl,/f"}));
  ASSERT_EQ(command.sources.size(), 2u);
  EXPECT_EQ(command.sources[0].language, "cu");
  EXPECT_EQ(command.sources[1].language, "c++");
}

TEST(NvccCommandLine, GivesTheHostCompilerItsOwn) {
  const NvccCommand command =
      parsed({"-Xcompiler=-Wall,-fPIC", "-Xcompiler", "\"-DX=1\" '-fno-plt'", "-O3", "-g",
              "-forward-unknown-to-host-compiler", "-ffast-math", "-Werror", "all-warnings", "-Xcompiler=-DY"});
  EXPECT_EQ(command.host_flags, (Words{"-Wall", "-fPIC", "-fno-plt", "-O3", "-g", "-ffast-math", "-Werror"}));
  EXPECT_EQ(command.language_flags, (Words{"-DX=1", "-DY"}));
}

TEST(NvccCommandLine, LeavesOpenMpOut) {
  const NvccCommand command =
      parsed({"-Xcompiler", "-fopenmp", "-fopenmp=libomp", "-Xcompiler=-fopenmp,-Wall", "a.cu"});
  EXPECT_EQ(command.host_flags, Words{"-Wall"});
  EXPECT_EQ(command.link_words, Words{"#0"});
}

TEST(NvccCommandLine, KnowsPhases) {
  EXPECT_EQ(parsed({"-c", "a.cu"}).phase, NvccPhase::compile);
  EXPECT_FALSE(parsed({"-c", "a.cu"}).relocatable);
  EXPECT_TRUE(parsed({"-dc", "a.cu"}).relocatable);
  EXPECT_TRUE(parsed({"-rdc=true", "-c", "a.cu"}).relocatable);
  EXPECT_TRUE(parsed({"--relocatable-device-code", "true", "a.cu"}).relocatable);
  EXPECT_EQ(parsed({"-dlink", "a.o"}).phase, NvccPhase::device_link);
  EXPECT_EQ(parsed({"a.cu"}).phase, NvccPhase::link);
  EXPECT_EQ(parsed({"-x", "cu", "a.cpp"}).sources.front().language, "cu");
}

TEST(NvccCommandLine, RefusesWhatItCannotMake) {
  EXPECT_FALSE(parse_nvcc({"-ptx", "a.cu"}).ok());
  EXPECT_FALSE(parse_nvcc({"-c", "a.cu", "b.cu", "-o", "x"}).ok());
  EXPECT_FALSE(parse_nvcc({"a.cu", "-o"}).ok());
  EXPECT_FALSE(parse_nvcc({"@/no/such/file"}).ok());
}

TEST(NvccCommandLine, ReadsResponseFiles) {
  const std::string folder = ::testing::TempDir();
  const std::string inner = folder + "weakspot_nvcc_inner", outer = folder + "weakspot_nvcc_outer";
  ASSERT_TRUE(base::write_file(inner, "-DX=\\\"a\\\" '-I/with blank'\n").ok());
  ASSERT_TRUE(base::write_file(outer, "--options-file " + inner + " b.cu").ok());
  const NvccCommand command = parsed({"@" + outer});
  EXPECT_EQ(command.language_flags, (Words{"-DX=\"a\"", "-I/with blank"}));
  EXPECT_EQ(command.sources.size(), 1u);
  const base::Result<NvccCommand> relative = parse_nvcc({"@weakspot_nvcc_inner"}, {.folder = folder});
  ASSERT_TRUE(relative);
  EXPECT_EQ(relative->language_flags, command.language_flags);
  ASSERT_TRUE(base::write_file(inner, "@" + inner).ok());
  EXPECT_FALSE(parse_nvcc({"@" + inner}).ok());
}

TEST(NvccCommandLine, ForgivesMistakesThatAreNotOurs) {
  const base::Result<NvccCommand> command =
      parse_nvcc({"-arch=sm_95", "-ptx", "@/no/such/file", "-DX", "-isystem/usr/x"}, {.forgiving = true});
  ASSERT_TRUE(command);
  EXPECT_EQ(command->language_flags, (Words{"-DX", "-isystem", "/usr/x"}));
}

TEST(NvccCommandLine, CountsTheWordsOfAnOption) {
  const struct {
    Words words;
    std::size_t count;
  } cases[] = {
      {{"-std=c++20", "a.cu"}, 1},
      {{"-arch", "sm_90", "a.cu"}, 2},
      {{"-gencode", "arch=compute_90"}, 2},
      {{"-isystem", "x"}, 2},
      {{"-O2", "a.cu"}, 1},
      {{"--expt-relaxed-constexpr", "a.cu"}, 1},
      {{"-Xcompiler", "-Wall"}, 2},
      {{"-m64", "a.cu"}, 1},
      {{"-lcublas", "a.cu"}, 1},
      {{"@words", "a.cu"}, 1},
      {{"a.cu", "-O2"}, 0},
      {{"--launch", "grid=1"}, 0},
      {{"-mutant", "a.cu"}, 0},
      {{"-", "a.cu"}, 0},
      {{"-arch"}, 1},
  };
  for (const auto& [words, count] : cases) EXPECT_EQ(nvcc_option_words(words, 0), count) << words[0];
}

}  // namespace
}  // namespace weakspot::race::nvcc_command_test
