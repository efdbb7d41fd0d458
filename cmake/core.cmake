# SPDX-License-Identifier: MIT
# The core for a browser: the corpus inside the module wasm, and weakspot.wasm.

if(NOT TARGET weakspot_wasm)
  return()
endif()

set(embedded "${PROJECT_BINARY_DIR}/generated/wasm/embedded_corpus.inc")
file(GLOB_RECURSE corpus CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/corpus/*.litmus")
add_custom_command(OUTPUT "${embedded}"
  COMMAND "${CMAKE_COMMAND}" "-DCORPUS=${PROJECT_SOURCE_DIR}/corpus" "-DOUTPUT=${embedded}"
    -P "${PROJECT_SOURCE_DIR}/cmake/embed_corpus.cmake"
  DEPENDS ${corpus} "${PROJECT_SOURCE_DIR}/cmake/embed_corpus.cmake"
  COMMENT "Embedding the corpus"
  VERBATIM)
add_custom_target(weakspot_embedded_corpus DEPENDS "${embedded}")
add_dependencies(weakspot_wasm weakspot_embedded_corpus)

if(WEAKSPOT_PLATFORM STREQUAL "bare")
  add_executable(weakspot_core src/wasm/main.cpp)
  target_link_libraries(weakspot_core PRIVATE weakspot_wasm weakspot_flags)
  set_target_properties(weakspot_core PROPERTIES
    OUTPUT_NAME weakspot RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  # Where the time of a verdict goes; the rest is compiled for size.
  target_compile_options(weakspot_model PRIVATE -O2)
endif()
