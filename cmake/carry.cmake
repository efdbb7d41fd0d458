# SPDX-License-Identifier: MIT
# Texts that a module carries, so that a program needs no file of ours where it runs.

# Writes the files under the folder that end so, compressed, into MODULE/embedded_WHAT.inc, which base::PackedTexts
# reads.
function(weakspot_carry module what folder ending)
  set(made "${PROJECT_BINARY_DIR}/generated/${module}")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*${ending}")
  # A file that is gone changes none that is left: the list is one of them.
  file(CONFIGURE OUTPUT "${made}/${what}_files.txt" CONTENT "${files}" @ONLY)
  add_custom_command(OUTPUT "${made}/embedded_${what}.inc"
    COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${PROJECT_SOURCE_DIR}/${folder}" "-DENDING=${ending}"
      "-DOUTPUT=${made}/embedded_${what}.inc" -P "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
    DEPENDS ${files} "${made}/${what}_files.txt" "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
    COMMENT "Embedding ${what}"
    VERBATIM)
  add_custom_target(weakspot_embedded_${what} DEPENDS "${made}/embedded_${what}.inc")
  add_dependencies(weakspot_${module} weakspot_embedded_${what})
endfunction()

if(TARGET weakspot_model)
  weakspot_carry(model models models .cat)
endif()
if(TARGET weakspot_race)
  weakspot_carry(race classes docs/classes .md)
endif()
if(TARGET weakspot_questions)
  weakspot_carry(questions corpus corpus .litmus)
endif()
if(TARGET weakspot_workbench)
  weakspot_carry(workbench suites configs/suites .json)
endif()
if(TARGET weakspot_cli)
  weakspot_carry(cli schemas docs/schemas .schema.json)
endif()
