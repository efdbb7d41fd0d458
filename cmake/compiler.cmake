# SPDX-License-Identifier: MIT
# Warnings and sanitizers, as one interface target that each of our targets links privately.

add_library(weakspot_flags INTERFACE)

target_compile_options(weakspot_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wextra-semi -Wimplicit-fallthrough
  # Designated initialisers name only what differs from the defaults.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects its garbage less often: 6 % less time, for 150 MB more per compiler.
  add_compile_options(--param=ggc-min-heapsize=1048576 --param=ggc-min-expand=200)
  target_compile_options(weakspot_flags INTERFACE
    -Wduplicated-cond -Wlogical-op
    # False alarms on std::optional and std::variant, which we use everywhere.
    -Wno-maybe-uninitialized
    # Notes on AArch64 about an ABI change in GCC 9.
    -Wno-psabi)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms inside std::string's operator+ (GCC bug 105651, fixed in 13).
    target_compile_options(weakspot_flags INTERFACE -Wno-restrict)
  endif()
endif()
if(WEAKSPOT_PLATFORM STREQUAL "bare")
  # Words of 32 bits count what is in a memory of 32 bits.
  target_compile_options(weakspot_flags INTERFACE -Wno-shorten-64-to-32)
endif()
# GCC's flow-based warnings mistake a sanitizer's checks for paths of the program.
if(WEAKSPOT_WERROR AND NOT (WEAKSPOT_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"))
  target_compile_options(weakspot_flags INTERFACE -Werror)
endif()

# LLVM's linker, if there is one. Ubuntu's GCC has an option for the linker's plugin that it does not know.
set(llvm_linker "")
find_program(WEAKSPOT_SMALL_LINKER ld.lld HINTS /usr/lib/llvm-19/bin)
mark_as_advanced(WEAKSPOT_SMALL_LINKER)
if(WEAKSPOT_SMALL_LINKER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_path(GET WEAKSPOT_SMALL_LINKER PARENT_PATH linkers)
  set(llvm_linker "-B${linkers}" -fuse-ld=lld -fno-use-linker-plugin)
endif()

# Packages have only what is used, and say nothing of the place where they were built.
if(WEAKSPOT_PACKAGE)
  add_compile_options(-ffunction-sections -fdata-sections "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/="
    "-ffile-prefix-map=${PROJECT_BINARY_DIR}/=build/")
  add_link_options(LINKER:--gc-sections LINKER:--as-needed LINKER:-O2)
  # LLVM's linker packs relocations for glibc 2.36 and newer, and folds functions of the same code.
  if(llvm_linker)
    add_link_options(${llvm_linker} LINKER:-z,pack-relative-relocs)
    set(WEAKSPOT_FOLD LINKER:--icf=all)  # for programs that do not tell functions apart by their addresses
  endif()
elseif(NOT WEAKSPOT_SANITIZE)
  set(WEAKSPOT_TEST_LINKER ${llvm_linker})  # it links them in a quarter of the time
endif()

# Not for weakspot-race: programs under test share its C++ library, which must belong to the system's headers.
if(WEAKSPOT_SELF_CONTAINED)
  set(WEAKSPOT_CXX_LIBRARY -static-libstdc++ -static-libgcc)
endif()

# WEAKSPOT_SANITIZE is the list for -fsanitize=: "address,undefined" or "thread".
if(WEAKSPOT_SANITIZE)
  set(sanitize -fsanitize=${WEAKSPOT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Reports need only line tables, which compile much faster than full debug information.
    add_compile_options(-gline-tables-only)
    # clang's own linker takes a fifth of the time for a program with a sanitizer in it.
    string(REGEX MATCH "^[0-9]+" major "${CMAKE_CXX_COMPILER_VERSION}")
    find_program(WEAKSPOT_LLD "ld.lld-${major}")
    if(WEAKSPOT_LLD)
      add_link_options("--ld-path=${WEAKSPOT_LLD}")
    endif()
    # Small units compile in three fifths of the time, and instrumented code gains little from inlining.
    add_compile_options("SHELL:-mllvm -inline-threshold=25")
    if(WEAKSPOT_SANITIZE MATCHES "undefined")
      # These checks at every pointer take a quarter of the compile time; the address sanitizer finds most of the same.
      add_compile_options(-fno-sanitize=alignment,null,object-size,pointer-overflow,vptr)
    endif()
  endif()
endif()

# libFuzzer comes with clang's runtime libraries, which distributions package apart from clang.
set(WEAKSPOT_HAVE_LIBFUZZER FALSE)
if(WEAKSPOT_FUZZ AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-fsanitize=fuzzer")
  check_cxx_source_compiles(
    "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }"
    WEAKSPOT_LIBFUZZER_LINKS)
  unset(CMAKE_REQUIRED_FLAGS)
  if(WEAKSPOT_LIBFUZZER_LINKS)
    set(WEAKSPOT_HAVE_LIBFUZZER TRUE)
    # Only for the code that fuzzers test: it costs a seventh of the compile time.
    set(WEAKSPOT_FUZZED -fsanitize=fuzzer-no-link)
    set(WEAKSPOT_FUZZED_MODULES base json litmus model campaign analysis)
    add_link_options(-fsanitize=fuzzer-no-link)
  endif()
endif()
