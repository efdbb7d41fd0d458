// SPDX-License-Identifier: MIT
#include "race_jit/driver/triton_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "system/temporary_folder.h"

namespace weakspot::race_jit::driver::triton_cache_test {
namespace {

namespace fs = std::filesystem;

class TritonCache : public testing::Test {
 protected:
  void SetUp() override {
    write("ABC/kernel.cubin", "machine code");
    write("ABC/kernel.ptx", "of ABC");
    write("DEF/kernel.cubin", std::string("machine CODE\0\0", 14));
    write("DEF/kernel.ptx", "of DEF");
    write("DEF/alone.cubin", "lonely");
  }
  void write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    ASSERT_TRUE(base::write_file(path.string(), text, base::Durable::no).ok());
  }
  std::string beside(std::string_view machine_code) const {
    return ptx_beside(machine_code, {folder_.path() / "missing", folder_.path()}).value_or("none");
  }

  base::TemporaryFolder folder_;
};

TEST_F(TritonCache, MachineCodeLeadsToItsText) {
  EXPECT_EQ(beside("machine code"), "of ABC");
  EXPECT_EQ(beside("machine CODE"), "of DEF");  // the file is padded
}

TEST_F(TritonCache, OtherCodeHasNone) {
  for (const char* code : {"", "machine", "machine code and more", "another file", "lonely"}) {
    EXPECT_EQ(beside(code), "none") << code;
  }
}

TEST_F(TritonCache, VariablesSayWhereItIs) {
  const std::string home = getenv("HOME") != nullptr ? getenv("HOME") : "/";
  setenv("HOME", "/home/someone", 1);
  unsetenv("TRITON_HOME");
  unsetenv("TRITON_CACHE_DIR");
  EXPECT_EQ(triton_caches(), std::vector<fs::path>{"/home/someone/.triton/cache"});
  setenv("TRITON_HOME", "/scratch", 1);
  EXPECT_EQ(triton_caches(), std::vector<fs::path>{"/scratch/.triton/cache"});
  setenv("TRITON_CACHE_DIR", "/fast/triton", 1);
  EXPECT_EQ(triton_caches(), std::vector<fs::path>{"/fast/triton"});
  unsetenv("TRITON_CACHE_DIR");
  unsetenv("TRITON_HOME");
  setenv("HOME", home.c_str(), 1);
}

}  // namespace
}  // namespace weakspot::race_jit::driver::triton_cache_test
