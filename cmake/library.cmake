# SPDX-License-Identifier: MIT
# The judge and the generator as a library for other programs: headers, static libraries, a CMake package and a
# pkg-config file.
#
#   find_package(weakspot CONFIG REQUIRED)
#   target_link_libraries(mine PRIVATE weakspot::model weakspot::gen)

include(CMakePackageConfigHelpers)

set(public_modules base json litmus model gen)  # lowest layer first

foreach(module IN LISTS public_modules)
  if(NOT TARGET weakspot_${module})
    return()
  endif()
endforeach()

# In packages only what judging spends its time in is compiled for speed.
if(WEAKSPOT_PACKAGE)
  weakspot_hot_model("/model/(evaluate|execution|progress|relation)/|/model/judge\\.cpp$" -fomit-frame-pointer)
  target_compile_options(weakspot_model PRIVATE -Os)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/weakspot")
set(archives "")
foreach(module IN LISTS public_modules)
  set_target_properties(weakspot_${module} PROPERTIES EXPORT_NAME ${module})
  install(TARGETS weakspot_${module} EXPORT weakspot_targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library)
  file(GLOB folder "${PROJECT_SOURCE_DIR}/src/*/${module}")
  install(DIRECTORY "${folder}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/weakspot"
    COMPONENT library FILES_MATCHING PATTERN "*.h")
  list(PREPEND archives "-lweakspot_${module}")
endforeach()
list(JOIN archives " " archives)

install(EXPORT weakspot_targets NAMESPACE weakspot:: DESTINATION "${package_dir}" COMPONENT library)
configure_package_config_file(cmake/weakspot-config.cmake.in
  "${PROJECT_BINARY_DIR}/package/weakspot-config.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/weakspot-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
# Relative to the file itself, so that the installed tree can be moved.
file(RELATIVE_PATH pc_includedir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
configure_file(cmake/weakspot.pc.in "${PROJECT_BINARY_DIR}/package/weakspot.pc" @ONLY)
install(FILES
  "${PROJECT_BINARY_DIR}/package/weakspot-config.cmake"
  "${PROJECT_BINARY_DIR}/package/weakspot-config-version.cmake"
  DESTINATION "${package_dir}" COMPONENT library)
install(FILES "${PROJECT_BINARY_DIR}/package/weakspot.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT library)
