# SPDX-License-Identifier: MIT
# The toolchain of the preset `wasm`: Debian's clang with wasi-libc and a libc++ for it, without exceptions and threads.
#
# The host's headers must not be on the path, so features.cmake takes header-only libraries from a folder of links.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(WEAKSPOT_PLATFORM bare)

find_program(WEAKSPOT_WASM_CLANG NAMES clang++-19 clang++ REQUIRED)
find_program(WEAKSPOT_WASM_AR NAMES llvm-ar-19 llvm-ar REQUIRED)
find_program(WEAKSPOT_WASM_RANLIB NAMES llvm-ranlib-19 llvm-ranlib REQUIRED)
set(CMAKE_CXX_COMPILER "${WEAKSPOT_WASM_CLANG}")
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR "${WEAKSPOT_WASM_AR}" CACHE FILEPATH "")
set(CMAKE_RANLIB "${WEAKSPOT_WASM_RANLIB}" CACHE FILEPATH "")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .wasm)

set(CMAKE_INSTALL_LIBDIR lib)
# A page's core has one thread and never ends, and it is optimised as a whole: each makes the download smaller.
set(CMAKE_CXX_FLAGS_INIT
  "-fno-exceptions -fno-rtti -ffunction-sections -fdata-sections -flto -fno-threadsafe-statics -fno-c++-static-destructors")
# A reactor: a library that is initialised once and then called. The stack is that of C++; deep searches recurse. Few
# functions are inlined: that is 8 KB less to download, and no slower. Equal functions are one.
string(CONCAT CMAKE_EXE_LINKER_FLAGS_INIT
  "-mexec-model=reactor -Wl,--gc-sections,--strip-all,-z,stack-size=1048576 -Wl,-mllvm,-inline-threshold=-50 "
  "-Wl,-mllvm,-enable-merge-functions")
