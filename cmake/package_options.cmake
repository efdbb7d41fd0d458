# SPDX-License-Identifier: MIT
# Read by cpack for each kind of package.

if(CPACK_GENERATOR STREQUAL "DEB")
  # Texts that name their own place name the right one.
  set(CPACK_SET_DESTDIR ON)
  set(CPACK_INSTALL_PREFIX /usr)
else()
  set(ENV{WEAKSPOT_RELOCATABLE} 1)
endif()
