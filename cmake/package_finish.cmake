# SPDX-License-Identifier: MIT
# Run by cpack between installing and packing: manual pages and documents of more than 4 KB are compressed, as Debian
# wants them.

find_program(GZIP gzip)
file(GLOB_RECURSE texts "${CPACK_TEMPORARY_DIRECTORY}/*.1" "${CPACK_TEMPORARY_DIRECTORY}/*.md")
set(compressed "")
foreach(text IN LISTS texts)
  file(SIZE "${text}" size)
  if(text MATCHES "/man/man1/[^/]*\\.1$" OR (text MATCHES "/share/doc/.*\\.md$" AND size GREATER 4096))
    list(APPEND compressed "${text}")
  endif()
endforeach()
if(GZIP AND compressed AND CPACK_GENERATOR STREQUAL "DEB")
  execute_process(COMMAND "${GZIP}" -9nf ${compressed} COMMAND_ERROR_IS_FATAL ANY)
endif()
