# SPDX-License-Identifier: MIT
# Writes the schemas of docs/schemas as C++ text: cmake -DSCHEMAS=FOLDER -DOUTPUT=FILE -P embed_schemas.cmake
#
# The program prints them, so that a script has those of the program it talks to.

include("${CMAKE_CURRENT_LIST_DIR}/write_if_changed.cmake")

file(GLOB paths "${SCHEMAS}/*.schema.json")
list(SORT paths)
set(text "// Written by the build from docs/schemas.\n\n")
foreach(path IN LISTS paths)
  cmake_path(GET path FILENAME name)
  string(REGEX REPLACE "\\.schema\\.json$" "" name "${name}")
  file(READ "${path}" content)
  string(APPEND text "{\"${name}\", R\"schema(${content})schema\"},\n")
endforeach()
weakspot_write_if_changed("${OUTPUT}" "${text}")
