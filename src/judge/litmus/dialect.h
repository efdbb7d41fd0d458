// SPDX-License-Identifier: MIT
// The languages litmus tests are written in, and the two doors: read and print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/names.h"
#include "base/result.h"
#include "litmus/test.h"

namespace weakspot::litmus {

enum class Dialect : std::uint8_t {
  canonical,
  ptx2015,
  ptx,
  vulkan,
  opencl,
  c11,
  aarch64,
  x86_64,
  riscv,
  linux_kernel,
  json
};

inline constexpr Dialect kDialects[] = {Dialect::canonical, Dialect::ptx2015,      Dialect::ptx,     Dialect::vulkan,
                                        Dialect::opencl,    Dialect::c11,          Dialect::aarch64, Dialect::x86_64,
                                        Dialect::riscv,     Dialect::linux_kernel, Dialect::json};

// The first words of tests. A dialect that has several is printed with the first.
inline constexpr base::Named<Dialect> kFirstWords[] = {
    {"weakspot", Dialect::canonical}, {"GPU_PTX", Dialect::ptx2015}, {"PTX", Dialect::ptx},
    {"Vulkan", Dialect::vulkan},      {"VULKAN", Dialect::vulkan},   {"OPENCL", Dialect::opencl},
    {"OpenCL", Dialect::opencl},      {"C", Dialect::c11},           {"AArch64", Dialect::aarch64},
    {"X86_64", Dialect::x86_64},      {"X86", Dialect::x86_64},      {"RISCV", Dialect::riscv},
};

std::string_view to_string(Dialect dialect);  // weakspot ptx-2015 ... x86-64 riscv linux json
std::optional<Dialect> dialect_named(std::string_view name);

// Reads all tests of a text. A single mistake fails the whole text, with every mistake in it. The first word of each
// test tells its dialect.
base::Result<std::vector<LitmusTest>> read_tests(const base::Source& source);

// The tests of a file. A file whose name starts with '@' (such as @all) is an index: one path per line, relative
// to the index, '#' starts a comment, and an entry may be an index itself.
base::Result<std::vector<LitmusTest>> read_test_file(const std::string& path);

bool is_index(const std::string& path);
// The files of an index in order, with those of the indexes it lists; and the mistakes in it.
struct IndexFiles {
  std::vector<std::string> files;
  base::Diagnostics errors;
};
IndexFiles files_of_index(const std::string& path);

// The test as the dialect can hold it: registers renamed to the dialect's, guards turned into branches where there
// are no predicates, `arch` set. Fails, naming the first thing that the dialect cannot express, rather than change the
// meaning of the test. Tests that were read from the dialect stay as they are.
base::Result<LitmusTest> adapt(const LitmusTest& test, Dialect dialect);

// The text of adapt(test, dialect), which reads back as exactly that value.
base::Result<std::string> print(const LitmusTest& test, Dialect dialect);

// The dialect that tests of the architecture are written in; the canonical form for generic ones.
Dialect dialect_of(Arch arch);

// The instructions of each thread, one line each, as the test was written: in the canonical form or in the dialect of
// its architecture. The canonical form also serves a test that its dialect cannot hold.
std::vector<std::vector<std::string>> instruction_texts(const LitmusTest& test);

// Identifies what the test is, whatever it is called: a hash of its canonical text without name, description,
// expectations and info.
base::Hash128 hash_of(const LitmusTest& test);

}  // namespace weakspot::litmus
