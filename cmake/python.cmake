# SPDX-License-Identifier: MIT
# The Python package weakspot in build/python, from src/faces/python and python/weakspot; tools/wheel packs it
# once it is installed.

if(NOT TARGET weakspot_python OR WEAKSPOT_SANITIZE)
  return()
endif()

pybind11_add_module(weakspot_extension MODULE NO_EXTRAS src/faces/python/main.cpp)
target_link_libraries(weakspot_extension PRIVATE weakspot_python weakspot_flags)
# Only what Python looks for is visible: another module's libraries never meet ours.
target_link_options(weakspot_extension PRIVATE LINKER:--exclude-libs,ALL ${WEAKSPOT_CXX_LIBRARY})
set(python_package "${PROJECT_BINARY_DIR}/python/weakspot")
set_target_properties(weakspot_extension PROPERTIES
  OUTPUT_NAME _weakspot LIBRARY_OUTPUT_DIRECTORY "${python_package}" UNITY_BUILD OFF)
file(GLOB python_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/weakspot/*")
add_custom_command(TARGET weakspot_extension POST_BUILD
  COMMAND "${CMAKE_COMMAND}" -E copy_if_different ${python_sources} "${python_package}"
  VERBATIM)

# Debian looks here; the version of Python is in the extension's name.
set(WEAKSPOT_PYTHON_DIR "lib/python3/dist-packages" CACHE STRING "Where the Python package is installed")
install(TARGETS weakspot_extension LIBRARY DESTINATION "${WEAKSPOT_PYTHON_DIR}/weakspot" COMPONENT python)
install(FILES ${python_sources} DESTINATION "${WEAKSPOT_PYTHON_DIR}/weakspot" COMPONENT python)
