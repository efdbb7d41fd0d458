# SPDX-License-Identifier: MIT
# Packages for Debian and an archive that can be unpacked anywhere; tools/package makes them, tools/release those of a
# release.
#
#   weakspot          the program with its manual, completion, models and, if it was made, the page
#   weakspot-doc      documents, the corpus and configurations as files
#   weakspot-race     weakspot race and weakspot-nvcc, which need LLVM
#   libweakspot-dev   the judge and the generator for other programs
#   python3-weakspot  the same and more for Python
#
# A component of the installation is a package.

if(NOT TARGET weakspot OR CMAKE_CROSSCOMPILING)
  return()
endif()

set(WEAKSPOT_MAINTAINER "The Weakspot authors <authors@weakspot.invalid>" CACHE STRING "Who answers for packages")
set(WEAKSPOT_PACKAGE_SUFFIX "" CACHE STRING "Behind the version of packages, as +deb12: releases have packages of their own")
set(package_version "${PROJECT_VERSION}${WEAKSPOT_PACKAGE_SUFFIX}")
set(packages weakspot doc)
set(package_of_weakspot weakspot)
set(package_of_doc weakspot-doc)
set(package_of_library libweakspot-dev)
if(TARGET weakspot_gen)
  list(APPEND packages library)
endif()
set(package_of_python python3-weakspot)
if(TARGET weakspot_extension)
  list(APPEND packages python)
endif()
set(package_of_race weakspot-race)
if(TARGET weakspot-nvcc)
  list(APPEND packages race)
endif()

install(DIRECTORY corpus configs examples/protocols DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples" COMPONENT doc)
install(DIRECTORY python/examples/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/examples/python" COMPONENT doc
  FILES_MATCHING PATTERN "*.py" PATTERN "*.ipynb")
# Documents lie as in the tree, so that their links lead somewhere.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md FOUND.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)
install(FILES bench/tables/README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}/bench/tables" COMPONENT doc)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc PATTERN "*.1" EXCLUDE)
install(DIRECTORY found DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc PATTERN "*.sh" PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
install(CODE "file(CREATE_LINK ../${package_of_doc}/copyright
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/LICENSE\" SYMBOLIC)" COMPONENT doc)
if(TARGET weakspot-nvcc)
  install(FILES deploy/debian/lintian-overrides DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides"
    RENAME weakspot-race COMPONENT race)
  install(PROGRAMS ci/gate DESTINATION "${CMAKE_INSTALL_DATADIR}/weakspot" COMPONENT race)
endif()

# What Debian asks of every package: who may do what with it, and what changed.
string(TIMESTAMP release_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(policy "${PROJECT_BINARY_DIR}/package")
configure_file(cmake/changelog.in "${policy}/changelog" @ONLY)
execute_process(COMMAND gzip -9nkf "${policy}/changelog")
configure_file(LICENSE "${policy}/copyright" COPYONLY)
foreach(component IN LISTS packages)
  install(FILES "${policy}/copyright" "${policy}/changelog.gz"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package_of_${component}}" COMPONENT ${component})
endforeach()

# The archive says what it needs of the system.
install(CODE "if(DEFINED ENV{WEAKSPOT_RELOCATABLE})
  configure_file(\"${PROJECT_SOURCE_DIR}/deploy/needs.md\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/README.md\" COPYONLY)
endif()" COMPONENT doc)

set(CPACK_GENERATOR "DEB;TXZ")
set(CPACK_PACKAGE_NAME weakspot)
set(CPACK_PACKAGE_CONTACT "${WEAKSPOT_MAINTAINER}")
set(CPACK_PACKAGE_FILE_NAME "weakspot-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/package_options.cmake")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/package_finish.cmake")
set(CPACK_COMPONENTS_ALL ${packages})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 1)  # with more of them, xz writes other bytes

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_VERSION "${package_version}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_WEAKSPOT_PACKAGE_NAME weakspot)
set(CPACK_COMPONENT_WEAKSPOT_DESCRIPTION "finds the weak spots of GPU memory
Weakspot reads or generates litmus tests, judges them by axiomatic memory
models, and runs them under stress on CPUs and GPUs (CUDA, Vulkan, OpenCL).
It classifies every outcome by the model, tunes stress, and runs conformance
suites and campaigns over many devices.")
# Libraries that are opened when they are needed; those that are linked are found by dpkg-shlibdeps.
set(CPACK_DEBIAN_WEAKSPOT_PACKAGE_DEPENDS "libsqlite3-0 (>= 3.37)")
set(CPACK_DEBIAN_WEAKSPOT_PACKAGE_RECOMMENDS weakspot-race)
set(CPACK_DEBIAN_WEAKSPOT_PACKAGE_SUGGESTS "weakspot-doc, libpq5, libvulkan1, ocl-icd-libopencl1, pocl-opencl-icd, mesa-vulkan-drivers")

set(CPACK_DEBIAN_DOC_PACKAGE_NAME weakspot-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_DOC_DESCRIPTION "documents of Weakspot
What the commands of weakspot do and what their results mean: tests, memory
models, runs, campaigns, races in CUDA programs, and formats.")

set(CPACK_DEBIAN_RACE_PACKAGE_NAME weakspot-race)
set(CPACK_COMPONENT_RACE_DESCRIPTION "finds synchronisation bugs of CUDA kernels without a GPU
The kernels of a file, or of a project built with weakspot-nvcc in place of
nvcc, are executed on the CPU. Data races, barrier divergence and redundant
barriers are reported with source lines and reasons.")
# clang-19 has the headers that belong to the compiler; g++ has the C++ library and the linker of host programs; the
# gate for changes is in Python.
set(CPACK_DEBIAN_RACE_PACKAGE_DEPENDS "weakspot (= ${package_version}), clang-19, g++, python3")
set(CPACK_DEBIAN_RACE_PACKAGE_RECOMMENDS git)
# Its manual page was in weakspot up to version 0.2.0.
set(CPACK_DEBIAN_RACE_PACKAGE_REPLACES "weakspot (<< ${package_version})")
set(CPACK_DEBIAN_RACE_PACKAGE_BREAKS "weakspot (<< ${package_version})")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libweakspot-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "judge and generator of litmus tests as a library
Headers and static libraries of Weakspot's readers, memory models, generator
and mutators, with a CMake package and a pkg-config file.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "libfmt-dev, zlib1g-dev")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-weakspot)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "litmus tests and memory models for Python
Tests are read, judged, explained, generated and mutated as Python objects;
runs on devices and analyses are the work of the program weakspot.")
# The extension is for one version of Python.
math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_minor})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  "${PROJECT_SOURCE_DIR}/deploy/debian/postinst;${PROJECT_SOURCE_DIR}/deploy/debian/prerm")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "weakspot, python3-numpy")

include(CPack)
