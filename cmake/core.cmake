# SPDX-License-Identifier: MIT
# The core for a browser, weakspot.wasm.

if(WEAKSPOT_PLATFORM STREQUAL "bare" AND TARGET weakspot_core)
  add_executable(weakspot_browser src/faces/core/main.cpp)
  target_link_libraries(weakspot_browser PRIVATE weakspot_core weakspot_flags)
  set_target_properties(weakspot_browser PROPERTIES
    OUTPUT_NAME weakspot RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  # Where most of the time of a verdict goes is not compiled for size alone; the candidates are: 26 KB of a download.
  weakspot_hot_model("/model/(evaluate|relation)/|/model/judge\\.cpp$" -Os)
endif()
