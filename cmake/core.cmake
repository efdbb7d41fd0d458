# SPDX-License-Identifier: MIT
# The corpus inside the module desk, and the core for a browser, weakspot.wasm.

if(NOT TARGET weakspot_desk)
  return()
endif()

set(embedded "${PROJECT_BINARY_DIR}/generated/desk/embedded_corpus.inc")
file(GLOB_RECURSE corpus CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/corpus/*.litmus")
# A test that is gone changes no file that is left: the list is one of them.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/desk/corpus_files.txt" CONTENT "${corpus}" @ONLY)
add_custom_command(OUTPUT "${embedded}"
  COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${PROJECT_SOURCE_DIR}/corpus" -DENDING=.litmus
    "-DOUTPUT=${embedded}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
  DEPENDS ${corpus} "${PROJECT_BINARY_DIR}/generated/desk/corpus_files.txt"
    "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
  COMMENT "Embedding the corpus"
  VERBATIM)
add_custom_target(weakspot_embedded_corpus DEPENDS "${embedded}")
add_dependencies(weakspot_desk weakspot_embedded_corpus)

if(WEAKSPOT_PLATFORM STREQUAL "bare" AND TARGET weakspot_wasm)
  add_executable(weakspot_core src/wasm/main.cpp)
  target_link_libraries(weakspot_core PRIVATE weakspot_wasm weakspot_flags)
  set_target_properties(weakspot_core PROPERTIES
    OUTPUT_NAME weakspot RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  # Where most of the time of a verdict goes is not compiled for size alone; the candidates are: 26 KB of a download.
  weakspot_hot_model("/model/(evaluate|relation)/|/model/judge\\.cpp$" -Os)
endif()
