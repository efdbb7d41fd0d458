# SPDX-License-Identifier: MIT
# weakspot-nvcc, and a folder laid out like that of a CUDA toolkit: the compiler, headers, and the runtime that programs
# are linked with. docs/nvcc.md
#
# The runtime is one shared library for every program and library of a process, whatever it was linked as: what is
# called libcudart.so and libcudart_static.a are texts that name it. It has no name of its own, so that programs
# remember its path and need no run path.

file(RELATIVE_PATH toolkit_folder
  "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}/weakspot/toolkit")
target_compile_definitions(weakspot_race_jit PRIVATE "WEAKSPOT_TOOLKIT_FOLDER=\"${toolkit_folder}\"")
# Programs that are built cannot use a runtime with a sanitizer that they do not have.
if(WEAKSPOT_SANITIZE)
  return()
endif()

set(jit "${PROJECT_SOURCE_DIR}/src/race/race_jit")
file(GLOB runtime_sources CONFIGURE_DEPENDS "${jit}/host/*.cpp" "${jit}/driver/*.cpp")
list(FILTER runtime_sources EXCLUDE REGEX "(_test|/host_program|/device_service)\\.cpp$")
# What the runtime needs of other places, compiled again as code for a shared library.
list(APPEND runtime_sources "${jit}/storage/arena.cpp" "${jit}/search/arguments.cpp" "${jit}/bitcode/signature.cpp")
foreach(source common/base/check common/base/diagnostic common/base/hash common/base/rng common/base/sort
    common/base/source common/base/wording common/base/posix/file common/base/texts/nearest common/base/texts/printable
    race/race/request/npy race/race/request/request)
  list(APPEND runtime_sources "${PROJECT_SOURCE_DIR}/src/${source}.cpp")
endforeach()

set(toolkit "${PROJECT_BINARY_DIR}/toolkit")
set(installed_toolkit "${CMAKE_INSTALL_FULL_LIBDIR}/weakspot/toolkit")

add_library(weakspot-cudart SHARED ${runtime_sources})
target_include_directories(weakspot-cudart PRIVATE
  "${PROJECT_SOURCE_DIR}/src/common" "${PROJECT_SOURCE_DIR}/src/race" "${PROJECT_BINARY_DIR}/generated" "${PROJECT_SOURCE_DIR}/cuda")
target_link_libraries(weakspot-cudart PRIVATE fmt::fmt-header-only weakspot_flags)
target_compile_options(weakspot-cudart PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)  # it hands requests on
target_link_options(weakspot-cudart PRIVATE
  "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/cudart.map" "LINKER:-z,defs")
set_target_properties(weakspot-cudart PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY "${toolkit}/lib64" NO_SONAME ON
  LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/cudart.map")
add_dependencies(weakspot-cudart weakspot_build_info)

add_executable(weakspot-nvcc src/race/race_jit/nvcc_main.cpp)
target_link_libraries(weakspot-nvcc PRIVATE weakspot_race_jit weakspot_flags)
set_target_properties(weakspot-nvcc PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
add_dependencies(weakspot-nvcc weakspot-cudart weakspot-race)
# The same program, which goes by its name.
foreach(name weakspot-hipcc weakspot-hip-clang)
  file(CREATE_LINK weakspot-nvcc "${PROJECT_BINARY_DIR}/${name}" SYMBOLIC)
  install(PROGRAMS "${PROJECT_BINARY_DIR}/${name}" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT race)
endforeach()

# A toolkit in `folder`, but for the runtime.
function(weakspot_toolkit folder nvcc race headers)
  file(MAKE_DIRECTORY "${folder}/bin" "${folder}/lib64/stubs" "${folder}/nvvm/libdevice")
  file(CREATE_LINK "${nvcc}" "${folder}/bin/nvcc" SYMBOLIC)
  file(CREATE_LINK "${nvcc}" "${folder}/bin/weakspot-nvcc" SYMBOLIC)
  # The package that CMake's language HIP asks for: the compiler adds all that is needed.
  file(WRITE "${folder}/lib/cmake/hip-lang/hip-lang-config.cmake"
    "add_library(hip-lang::device INTERFACE IMPORTED)\nset(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)\n")
  # The package of the runtime, for files in C++ that call it.
  file(WRITE "${folder}/lib/cmake/hip/hip-config.cmake" [[
get_filename_component(weakspot_toolkit "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
foreach(name host device amdhip64)
  if(NOT TARGET hip::${name})
    add_library(hip::${name} INTERFACE IMPORTED)
    set_target_properties(hip::${name} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${weakspot_toolkit}/include"
      INTERFACE_LINK_LIBRARIES "${weakspot_toolkit}/lib64/libcudart.so")
  endif()
endforeach()
]])
  file(WRITE "${folder}/lib/cmake/hip/hip-config-version.cmake" [[
set(PACKAGE_VERSION 6.2.0)
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
]])
  foreach(name hipcc weakspot-hipcc weakspot-hip-clang)
    file(CREATE_LINK "${nvcc}" "${folder}/bin/${name}" SYMBOLIC)
  endforeach()
  file(CREATE_LINK "${race}" "${folder}/bin/weakspot-race" SYMBOLIC)
  file(CREATE_LINK "${headers}" "${folder}/include" SYMBOLIC)
  # Of these everything that there is is in the headers or in the runtime.
  foreach(library libcudadevrt.a libcurand.a libcurand_static.a libculibos.a libcuda.a stubs/libcuda.a
      libcublas.a libcublas_static.a libcublasLt.a libcublasLt_static.a libcusparse.a libcusparse_static.a libcufft.a
      libcufft_static.a libcufft_static_nocallback.a libc10_cuda.a libtorch_cuda.a libnvToolsExt.a)
    file(WRITE "${folder}/lib64/${library}" "!<arch>\n")
  endforeach()
  # Libraries and tools that programs find by themselves where 'weakspot race -- PROGRAM' leads them, and nowhere else.
  file(MAKE_DIRECTORY "${folder}/driver")
  foreach(library libcuda.so.1 libcuda.so libcudart.so.11.0 libcudart.so.12 libcudart.so.13 libcudart.so
      libnvrtc.so.11.2 libnvrtc.so.12 libnvrtc.so.13 libnvrtc.so)
    file(CREATE_LINK "../lib64/libweakspot-cudart.so" "${folder}/driver/${library}" SYMBOLIC)
  endforeach()
  file(CREATE_LINK "../bin/nvcc" "${folder}/driver/ptxas" SYMBOLIC)
  file(WRITE "${folder}/version.json" "{\"cuda\": {\"name\": \"CUDA SDK\", \"version\": \"12.5.40\"}}\n")
endfunction()

weakspot_toolkit("${toolkit}" "${PROJECT_BINARY_DIR}/weakspot-nvcc" "${PROJECT_BINARY_DIR}/weakspot-race"
  "${WEAKSPOT_CUDA_HEADERS}")
foreach(library libcudart.so libcudart_static.a)
  file(WRITE "${toolkit}/lib64/${library}" "/* weakspot */\nINPUT(${toolkit}/lib64/libweakspot-cudart.so)\n")
endforeach()
file(RELATIVE_PATH to_bin "${installed_toolkit}/bin" "${CMAKE_INSTALL_FULL_BINDIR}")
file(RELATIVE_PATH to_headers "${installed_toolkit}" "${CMAKE_INSTALL_FULL_DATADIR}/weakspot/cuda")
weakspot_toolkit("${PROJECT_BINARY_DIR}/installed-toolkit" "${to_bin}/weakspot-nvcc" "${to_bin}/weakspot-race"
  "${to_headers}")
install(TARGETS weakspot-nvcc COMPONENT race)
install(TARGETS weakspot-cudart
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/weakspot/toolkit/lib64" COMPONENT race)
install(DIRECTORY "${PROJECT_BINARY_DIR}/installed-toolkit/" DESTINATION "${CMAKE_INSTALL_LIBDIR}/weakspot/toolkit"
  COMPONENT race)
# Where it is installed is known only then; an archive that can be moved names the library beside the text.
install(CODE "
  set(libraries \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/weakspot/toolkit/lib64\")
  set(runtime \"\${libraries}/libweakspot-cudart.so\")
  if(DEFINED ENV{WEAKSPOT_RELOCATABLE})
    set(runtime libweakspot-cudart.so)
  endif()
  foreach(library libcudart.so libcudart_static.a)
    file(WRITE \"\$ENV{DESTDIR}\${libraries}/\${library}\" \"/* weakspot */\\nINPUT(\${runtime})\\n\")
  endforeach()" COMPONENT race)
install(FILES docs/weakspot-nvcc.1 docs/weakspot-hipcc.1 docs/weakspot-hip-clang.1
  DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT race)
