# SPDX-License-Identifier: MIT
# Writes texts as the bytes of a C++ array, compressed, which base::PackedTexts reads:
#
#   cmake -DFOLDER=FOLDER -DENDING=.litmus -DOUTPUT=FILE -P embed_texts.cmake
#
# A text is named by its path under the folder, without the ending. A program that carries its texts needs no file of
# ours where it runs.

include("${CMAKE_CURRENT_LIST_DIR}/write_if_changed.cmake")

string(ASCII 1 end)
file(GLOB_RECURSE paths "${FOLDER}/*${ENDING}")
list(SORT paths)
string(LENGTH "${ENDING}" ending)
set(texts "")
foreach(path IN LISTS paths)
  file(RELATIVE_PATH name "${FOLDER}" "${path}")
  string(LENGTH "${name}" length)
  math(EXPR length "${length} - ${ending}")
  string(SUBSTRING "${name}" 0 ${length} name)
  file(READ "${path}" content)
  string(APPEND texts "${name}${end}${content}${end}")
endforeach()
file(WRITE "${OUTPUT}.texts" "${texts}")
file(ARCHIVE_CREATE OUTPUT "${OUTPUT}.gz" PATHS "${OUTPUT}.texts" FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
# Without gzip's header, which has the time, and the sum after the data.
file(SIZE "${OUTPUT}.gz" size)
math(EXPR size "${size} - 18")
file(READ "${OUTPUT}.gz" bytes OFFSET 10 LIMIT ${size} HEX)
file(REMOVE "${OUTPUT}.texts" "${OUTPUT}.gz")
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
cmake_path(GET FOLDER FILENAME folder)
weakspot_write_if_changed("${OUTPUT}" "// Written by the build from ${folder}/: ${ENDING}, compressed.\n\n${bytes}\n")
