# SPDX-License-Identifier: MIT
# Writes the corpus as C++ text: cmake -DCORPUS=FOLDER -DOUTPUT=FILE -P embed_corpus.cmake

include("${CMAKE_CURRENT_LIST_DIR}/write_if_changed.cmake")

file(GLOB_RECURSE paths "${CORPUS}/*.litmus")
list(SORT paths)
set(text "// Written by the build from corpus/.\n\n")
foreach(path IN LISTS paths)
  file(RELATIVE_PATH inside "${CORPUS}" "${path}")
  cmake_path(GET inside PARENT_PATH folder)
  cmake_path(GET inside STEM LAST_ONLY name)
  file(READ "${path}" content)
  string(APPEND text "{\"${folder}\", \"${name}\", R\"test-file(${content})test-file\"},\n")
endforeach()
weakspot_write_if_changed("${OUTPUT}" "${text}")
