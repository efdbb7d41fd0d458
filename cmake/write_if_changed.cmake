# SPDX-License-Identifier: MIT
# weakspot_write_if_changed(FILE TEXT): a file that stays as it is keeps its time, so nothing is compiled again.

function(weakspot_write_if_changed file text)
  if(EXISTS "${file}")
    file(READ "${file}" before)
  endif()
  if(NOT "${before}" STREQUAL "${text}")
    file(WRITE "${file}" "${text}")
  endif()
endfunction()
