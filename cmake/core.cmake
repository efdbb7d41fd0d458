# SPDX-License-Identifier: MIT
# The core for a browser: the corpus inside the module wasm, and weakspot.wasm.

if(NOT TARGET weakspot_wasm)
  return()
endif()

set(embedded "${PROJECT_BINARY_DIR}/generated/wasm/embedded_corpus.inc")
file(GLOB_RECURSE corpus CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/corpus/*.litmus")
# A test that is gone changes no file that is left: the list is one of them.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/wasm/corpus_files.txt" CONTENT "${corpus}" @ONLY)
add_custom_command(OUTPUT "${embedded}"
  COMMAND "${CMAKE_COMMAND}" "-DCORPUS=${PROJECT_SOURCE_DIR}/corpus" "-DOUTPUT=${embedded}"
    -P "${PROJECT_SOURCE_DIR}/cmake/embed_corpus.cmake"
  DEPENDS ${corpus} "${PROJECT_BINARY_DIR}/generated/wasm/corpus_files.txt"
    "${PROJECT_SOURCE_DIR}/cmake/embed_corpus.cmake"
  COMMENT "Embedding the corpus"
  VERBATIM)
add_custom_target(weakspot_embedded_corpus DEPENDS "${embedded}")
add_dependencies(weakspot_wasm weakspot_embedded_corpus)

if(WEAKSPOT_PLATFORM STREQUAL "bare")
  add_executable(weakspot_core src/wasm/main.cpp)
  target_link_libraries(weakspot_core PRIVATE weakspot_wasm weakspot_flags)
  set_target_properties(weakspot_core PROPERTIES
    OUTPUT_NAME weakspot RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  # Where most of the time of a verdict goes is not compiled for size alone; the candidates are: 26 KB of a download.
  get_target_property(cold weakspot_model SOURCES)
  set(hot ${cold})
  list(FILTER hot INCLUDE REGEX "/model/(evaluate|relation)/|/model/judge\\.cpp$")
  list(REMOVE_ITEM cold ${hot})
  add_library(weakspot_hot OBJECT ${hot})
  target_compile_options(weakspot_hot PRIVATE -Os)
  target_link_libraries(weakspot_hot PRIVATE weakspot_litmus weakspot_flags)
  add_dependencies(weakspot_hot weakspot_build_info)
  set_target_properties(weakspot_hot PROPERTIES UNITY_BUILD_MODE GROUP)
  set_target_properties(weakspot_model PROPERTIES SOURCES "${cold}")
  target_sources(weakspot_model PRIVATE $<TARGET_OBJECTS:weakspot_hot>)
endif()
