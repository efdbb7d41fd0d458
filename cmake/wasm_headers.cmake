# SPDX-License-Identifier: MIT
# Header-only libraries of the host for a compiler that must not see the host's other headers: a folder of links.

set(links "${PROJECT_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${links}")

# weakspot_linked_headers(NAME HEADER TARGET [SUFFIX]): links the folder that HEADER begins with.
function(weakspot_linked_headers name header target)
  find_path(WEAKSPOT_${name}_INCLUDE ${header}
    PATHS /usr/include /usr/local/include PATH_SUFFIXES ${ARGN} NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(WEAKSPOT_${name}_INCLUDE)
  weakspot_feature(${name} "${WEAKSPOT_${name}_INCLUDE}" "everything (required)")
  if(WEAKSPOT_${name}_INCLUDE)
    string(REGEX MATCH "^[^/]+" folder ${header})
    file(CREATE_LINK "${WEAKSPOT_${name}_INCLUDE}/${folder}" "${links}/${folder}" SYMBOLIC)
    add_library(weakspot_${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(weakspot_${name} SYSTEM INTERFACE "${links}")
    add_library(${target} ALIAS weakspot_${name})
  endif()
endfunction()

weakspot_linked_headers(fmt fmt/format.h fmt::fmt)
weakspot_linked_headers(boost_math boost/math/special_functions/beta.hpp weakspot::boost_math)
weakspot_linked_headers(eigen Eigen/Core weakspot::eigen eigen3)
weakspot_linked_headers(spirv_headers spirv/unified1/spirv.hpp11 weakspot::spirv_headers)
if(TARGET weakspot_fmt)
  target_compile_definitions(weakspot_fmt INTERFACE FMT_HEADER_ONLY FMT_EXCEPTIONS=0)
  set(fmt_FOUND TRUE)
endif()
if(TARGET weakspot_boost_math)
  # The second leaves out a mutex, which Boost.Math includes but does not use without threads.
  target_compile_definitions(weakspot_boost_math INTERFACE
    BOOST_NO_EXCEPTIONS BOOST_SMART_PTR_DETAIL_LIGHTWEIGHT_MUTEX_HPP_INCLUDED)
endif()
