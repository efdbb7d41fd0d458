# SPDX-License-Identifier: MIT
# Toolchain file of the asan-ubsan preset: takes the newest clang that compiles this project's C++ and links a fuzz
# target, because that build has the fuzzers. Without one, or if CXX names a compiler, the compiler stays the same, and
# the fuzzers are left out unless it has libFuzzer.

get_property(inside_check GLOBAL PROPERTY IN_TRY_COMPILE)
if(inside_check OR DEFINED CMAKE_CXX_COMPILER OR DEFINED ENV{CXX})
  return()
endif()

set(probe "${CMAKE_BINARY_DIR}/prefer_clang_probe")
file(WRITE "${probe}.cpp"
  "#include <string>\n"
  "#if __clang_major__ < 16\n"
  "#error this clang cannot capture structured bindings\n"
  "#endif\n"
  "extern \"C\" int LLVMFuzzerTestOneInput(const char* p, std::size_t n) {\n"
  "  return std::string(p, n) == \"never\" ? -1 : 0;\n"
  "}\n")
foreach(suffix -22 -21 -20 -19 -18 -17 -16 "")
  find_program(clang_candidate "clang++${suffix}" NO_CACHE)
  if(clang_candidate)
    execute_process(
      COMMAND "${clang_candidate}" -std=c++20 -fsanitize=fuzzer,address,undefined
        "${probe}.cpp" -o "${probe}.out"
      RESULT_VARIABLE probe_result OUTPUT_QUIET ERROR_QUIET)
    if(probe_result EQUAL 0)
      set(CMAKE_CXX_COMPILER "${clang_candidate}")
      break()
    endif()
  endif()
  unset(clang_candidate)
endforeach()
