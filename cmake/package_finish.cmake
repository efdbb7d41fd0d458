# SPDX-License-Identifier: MIT
# Run by cpack between installing and packing: manual pages are compressed, as Debian wants them.

find_program(GZIP gzip)
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/*.1")
list(FILTER pages INCLUDE REGEX "/man/man1/[^/]*\\.1$")
if(GZIP AND pages AND CPACK_GENERATOR STREQUAL "DEB")
  execute_process(COMMAND "${GZIP}" -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
