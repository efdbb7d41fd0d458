# Warnings and sanitizers, as one interface target that every target of ours links privately.

add_library(weakspot_flags INTERFACE)

target_compile_options(weakspot_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wextra-semi -Wimplicit-fallthrough
  # A designated initialiser names what differs from the defaults: leaving the rest out is its point.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(weakspot_flags INTERFACE
    -Wduplicated-cond -Wlogical-op
    # False alarms on std::optional and std::variant, which we use everywhere.
    -Wno-maybe-uninitialized
    # Notes on AArch64 about what GCC 9 did.
    -Wno-psabi)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms inside std::string's operator+ (GCC bug 105651, mended in 13).
    target_compile_options(weakspot_flags INTERFACE -Wno-restrict)
  endif()
endif()
# GCC's flow-based warnings take a sanitizer's checks for paths of the program.
if(WEAKSPOT_WERROR AND NOT (WEAKSPOT_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"))
  target_compile_options(weakspot_flags INTERFACE -Werror)
endif()

# WEAKSPOT_SANITIZE is the list as the compiler takes it: "address,undefined" or "thread".
if(WEAKSPOT_SANITIZE)
  set(sanitize -fsanitize=${WEAKSPOT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${sanitize})
  add_link_options(${sanitize})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # Line tables are all a report needs, and compile much faster than full debug information.
    add_compile_options(-gline-tables-only)
    if(WEAKSPOT_SANITIZE MATCHES "undefined")
      # Checks at every pointer: a quarter of the time to compile, and what they see the address sanitizer mostly sees, too.
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
    # Of what the fuzzers test, not of the tests: it costs a third of the time to compile.
    set(WEAKSPOT_FUZZED -fsanitize=fuzzer-no-link)
    add_link_options(-fsanitize=fuzzer-no-link)
  endif()
endif()
