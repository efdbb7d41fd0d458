# SPDX-License-Identifier: MIT
# The library that 'weakspot capture' has loaded before a program's own. docs/capture.md

if(WEAKSPOT_SANITIZE OR NOT TARGET ZLIB::ZLIB)
  return()
endif()

set(recorder_sources src/race/race_jit/recorder_main.cpp)
# What it needs of other places, compiled again as code for a shared library.
foreach(source race/race_jit/driver/image race/race_jit/driver/triton_cache race/race_jit/recorder/reach
    race/race_jit/recorder/real_driver race/capture/write_capture race/race/request/request race/race/request/npy
    race/race/request/architecture race/race/ptx_text/locations race/race/ptx_text/module_reader
    race/race/ptx_text/numbers race/race/ptx_text/operand_reader race/race/ptx_text/register_reader
    race/race/ptx_text/scopes race/race/ptx_text/tokens common/json/json common/base/check common/base/diagnostic
    common/base/sort common/base/source common/base/wording common/base/posix/file common/base/texts/nearest
    common/base/texts/printable)
  list(APPEND recorder_sources "src/${source}.cpp")
endforeach()
add_library(weakspot-capture SHARED ${recorder_sources})
target_include_directories(weakspot-capture PRIVATE
  "${PROJECT_SOURCE_DIR}/src/common" "${PROJECT_SOURCE_DIR}/src/race" "${PROJECT_BINARY_DIR}/generated")
target_link_libraries(weakspot-capture PRIVATE fmt::fmt-header-only ZLIB::ZLIB weakspot_flags ${CMAKE_DL_LIBS})
target_link_options(weakspot-capture PRIVATE
  "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/capture.map" "LINKER:-z,defs")
set_target_properties(weakspot-capture PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}" UNITY_BUILD OFF
  LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/capture.map")
add_dependencies(weakspot-capture weakspot_build_info)
file(RELATIVE_PATH recorder_folder "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}/weakspot")
if(TARGET weakspot_cli)
  target_compile_definitions(weakspot_cli PRIVATE "WEAKSPOT_RECORDER_FOLDER=\"${recorder_folder}\"")
endif()
install(TARGETS weakspot-capture DESTINATION "${CMAKE_INSTALL_LIBDIR}/weakspot")
