# SPDX-License-Identifier: MIT
# Read by cpack for each kind of package.

if(CPACK_GENERATOR STREQUAL "DEB")
  # Texts that name their own place name the right one.
  set(CPACK_SET_DESTDIR ON)
  set(CPACK_INSTALL_PREFIX /usr)
  # Each package begins its description with a summary of its own.
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
else()
  set(ENV{WEAKSPOT_RELOCATABLE} 1)
endif()
