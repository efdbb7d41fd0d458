# SPDX-License-Identifier: MIT
# Writes the memory models as C++ text: cmake -DMODELS=FOLDER -DOUTPUT=FILE -P embed_models.cmake
#
# A program linked with the library carries the models, so that it needs no file of ours where it runs.

include("${CMAKE_CURRENT_LIST_DIR}/write_if_changed.cmake")

file(GLOB paths "${MODELS}/*.cat")
list(SORT paths)
set(text "// Written by the build from models/*.cat.\n\n")
foreach(path IN LISTS paths)
  cmake_path(GET path STEM name)
  file(READ "${path}" content)
  string(APPEND text "{\"${name}\", R\"cat-file(${content})cat-file\"},\n")
endforeach()
weakspot_write_if_changed("${OUTPUT}" "${text}")
