# SPDX-License-Identifier: MIT
# Writes base/build_info.h; run at build time (cmake -P), so that it has the revision of the build and not
# of the last configuration. The file is written only when its content changes.

set(REVISION "")
find_program(GIT git)
if(GIT AND EXISTS "${SOURCE_DIR}/.git")
  execute_process(
    COMMAND "${GIT}" -C "${SOURCE_DIR}" describe --always --dirty --abbrev=10
    OUTPUT_VARIABLE REVISION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/build_info.h.in" "${OUTPUT}" @ONLY)
