# SPDX-License-Identifier: MIT
# The schemas of what commands print, inside the module cli.

if(NOT TARGET weakspot_cli)
  return()
endif()

set(embedded "${PROJECT_BINARY_DIR}/generated/cli/embedded_schemas.inc")
file(GLOB schemas CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/schemas/*.schema.json")
# A schema that is gone changes no file that is left: the list is one of them.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/cli/schema_files.txt" CONTENT "${schemas}" @ONLY)
add_custom_command(OUTPUT "${embedded}"
  COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${PROJECT_SOURCE_DIR}/docs/schemas" -DENDING=.schema.json
    "-DOUTPUT=${embedded}" -P "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
  DEPENDS ${schemas} "${PROJECT_BINARY_DIR}/generated/cli/schema_files.txt"
    "${PROJECT_SOURCE_DIR}/cmake/embed_texts.cmake"
  COMMENT "Embedding the schemas"
  VERBATIM)
add_custom_target(weakspot_embedded_schemas DEPENDS "${embedded}")
add_dependencies(weakspot_cli weakspot_embedded_schemas)
