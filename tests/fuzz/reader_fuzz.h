// SPDX-License-Identifier: MIT
// The checks of every reader's fuzz target. The target of a dialect is the one line
//
//   WEAKSPOT_FUZZ_READER(vulkan, "Vulkan t\n")
//
// where the text is put before inputs that do not start like a test of any dialect, so that the fuzzer does not spend
// its time on the first line.
//
// Any input may be refused. A test that is read must be well formed, and must read back the same from the canonical
// form, from JSON, and from the dialect of the target if that can hold it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/source.h"
#include "litmus/dialect.h"
#include "litmus/normalize.h"

namespace weakspot::fuzz {

inline bool starts_like_a_test(std::string_view text) {
  for (std::string_view word : {"weakspot ", "GPU_PTX ", "PTX ", "Vulkan ", "VULKAN ", "OPENCL ", "OpenCL ", "C ",
                                "AArch64 ", "X86_64 ", "X86 ", "RISCV ", "{", "["}) {
    if (text.starts_with(word)) return true;
  }
  return false;
}

[[noreturn]] inline void fail(std::string_view what, const std::string& printed, const std::string& more = {}) {
  std::fprintf(stderr, "%.*s\n%s\n%s\n", static_cast<int>(what.size()), what.data(), printed.c_str(), more.c_str());
  std::abort();
}

inline void check_reads_back(const litmus::LitmusTest& test, litmus::Dialect dialect) {
  base::Result<litmus::LitmusTest> adapted = litmus::adapt(test, dialect);
  if (!adapted) return;
  const std::string printed = *litmus::print(test, dialect);
  base::Result<std::vector<litmus::LitmusTest>> read = litmus::read_tests(base::Source("printed", printed));
  if (!read) fail("what was printed does not read", printed, base::render(read.errors()));
  if (read->size() != 1 || !(read->front() == *adapted)) {
    fail("what was printed reads as something else", printed,
         *litmus::print(read->front(), litmus::Dialect::canonical));
  }
}

inline void check_reader(litmus::Dialect dialect, std::string_view header, std::string_view data) {
  std::string text(data);
  if (!starts_like_a_test(data)) text.insert(0, header);
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("input", text));
  if (!tests) {
    if (tests.errors().empty() || base::render(tests.errors()).empty()) std::abort();
    return;
  }
  for (const litmus::LitmusTest& test : *tests) {
    litmus::LitmusTest again = test;
    litmus::normalize(again);
    if (!(again == test) || !litmus::validate(test).empty()) fail("what was read is not in normal form", text);
    for (litmus::Dialect into : {litmus::Dialect::canonical, litmus::Dialect::json, dialect}) {
      check_reads_back(test, into);
    }
  }
}

}  // namespace weakspot::fuzz

#define WEAKSPOT_FUZZ_READER(dialect, header)                                         \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    const std::string_view text(reinterpret_cast<const char*>(data), size);           \
    weakspot::fuzz::check_reader(weakspot::litmus::Dialect::dialect, header, text);   \
    return 0;                                                                         \
  }
