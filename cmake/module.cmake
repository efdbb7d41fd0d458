# SPDX-License-Identifier: MIT
# weakspot_wing() and weakspot_module(): from folders of src/ to libraries and their test programs.
#
#   src/WING/NAME/**/*.cpp                 -> static library weakspot_NAME (main.cpp and *_main.cpp are left to programs)
#   src/WING/NAME/**/*_test.cpp            -> test_NAME, one GoogleTest program
#   src/WING/NAME/**/*_property_test.cpp   -> test_NAME_properties, GoogleTest and RapidCheck
#
# A part PART:TARGET of a module is the room PART/, or the sources PART.cpp and PART_*.cpp. It is built where the
# CMake target exists, and then WEAKSPOT_HAS_PART is 1 for the whole module, else 0.
#
# A room posix/ or bare/ is for that platform alone: a machine with files, processes and threads, or one without, which
# is a browser's. WEAKSPOT_PLATFORM says which it is. Modules that need the first link weakspot::posix.
#
# With CMAKE_UNITY_BUILD several files of a module are compiled at once, so names in their anonymous namespaces are unique
# within the module. A test file has a namespace of its own.
#
# Dependencies are public: a module sees what its dependencies link. tools/check_layers checks that it includes
# only what the table allows.

# Modules that do little per command: with sanitizers they are not optimised at all.
set(weakspot_unhurried cli compile console distil http lsp mcp optcheck project race_command report serve system workbench)

# Modules that the Python package is made of.
set(weakspot_shareable base json litmus model gen codegen stats questions core python)

# Modules whose speed people wait for. The others compile in three quarters of the time with fewer optimisations; in
# packages, which are for those who download, they are compiled for size and become a third smaller.
set(weakspot_hurried model race race_jit)

# Their rooms that do little: before a run and after it. They are units of their own, optimised as other modules are.
set(weakspot_race_cold explain finding known output request)
set(weakspot_race_jit_cold answer host nvcc)

# LLVM's headers cost more than the code compiled with them: the rooms that use them are one unit, in every preset. LLVM
# itself takes the time there, so that it is a cold unit.
set(weakspot_race_jit_llvm bitcode compile link lower ptx)

# Takes the sources that match the pattern out of the model, and compiles them with options of their own. They remain a
# part of its library.
function(weakspot_hot_model pattern)
  get_target_property(cold weakspot_model SOURCES)
  set(hot ${cold})
  list(FILTER hot INCLUDE REGEX "${pattern}")
  list(REMOVE_ITEM cold ${hot})
  add_library(weakspot_hot OBJECT ${hot})
  target_compile_options(weakspot_hot PRIVATE ${ARGN})
  target_link_libraries(weakspot_hot PRIVATE weakspot_litmus weakspot_flags)
  add_dependencies(weakspot_hot weakspot_build_info)
  get_target_property(shared weakspot_model POSITION_INDEPENDENT_CODE)
  set_target_properties(weakspot_hot PROPERTIES UNITY_BUILD_MODE GROUP)
  if(shared)
    set_target_properties(weakspot_hot PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(weakspot_hot PRIVATE -fno-semantic-interposition)
  endif()
  set_target_properties(weakspot_model PROPERTIES SOURCES "${cold}")
  target_sources(weakspot_model PRIVATE $<TARGET_OBJECTS:weakspot_hot>)
endfunction()

# The most sources that neighbouring rooms may have together to be compiled at once. Code becomes smallest with few.
set(WEAKSPOT_UNIT_FILES 30 CACHE STRING "with CMAKE_UNITY_BUILD: rooms are compiled together up to so many files")

# Says which sources of a library are compiled at once: whole rooms with their neighbours. A third of a
# compiler's time goes into what every unit needs of other libraries. Parts are units of their own, as their libraries
# have headers with macros, and files for x86-64 are apart from their twins for AArch64. Modules without rooms and parts
# are compiled in batches.
function(weakspot_units library sources folder parts)
  set(rooms "")
  foreach(source IN LISTS sources)
    file(RELATIVE_PATH place "${folder}" "${source}")
    set(room top)
    if(place MATCHES "x86_64[a-z_]*\\.cpp$")
      set(room x86_64)
    elseif(place MATCHES "^([a-z0-9_]+)/")
      set(room ${CMAKE_MATCH_1})
    elseif(place MATCHES "^([a-z0-9]+)" AND "${parts}" MATCHES "(^|;)${CMAKE_MATCH_1}:")
      string(REGEX MATCH "^[a-z0-9]+" room "${place}")
    endif()
    list(APPEND rooms ${room})
    list(APPEND room_${room} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES rooms)
  if(rooms STREQUAL "top")
    return()
  endif()
  list(SORT rooms)
  set(unit 1)
  set(size 0)
  foreach(room IN LISTS rooms)
    if(room IN_LIST ${library}_cold)
      set(group cold)
    elseif(room IN_LIST ${library}_llvm)
      set(group llvm)
    elseif(room STREQUAL x86_64 OR "${parts}" MATCHES "(^|;)${room}:")
      set(group ${room})
    else()
      list(LENGTH room_${room} count)
      math(EXPR size "${size} + ${count}")
      if(size GREATER WEAKSPOT_UNIT_FILES AND NOT size EQUAL count)
        math(EXPR unit "${unit} + 1")
        set(size ${count})
      endif()
      set(group ${unit})
    endif()
    set_source_files_properties(${room_${room}} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${library} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(group IN ITEMS cold llvm)
    set_source_files_properties("${PROJECT_BINARY_DIR}/CMakeFiles/${library}.dir/Unity/unity_${group}_cxx.cxx"
      PROPERTIES COMPILE_OPTIONS $<$<CONFIG:RelWithDebInfo>:-O1>)
  endforeach()
endfunction()

# Modules whose unit tests compute much themselves: codegen's interpret programs.
set(weakspot_laborious codegen)

# Test programs that take longest, which begin first.
set(weakspot_longest test_backend test_campaign test_codegen test_gen test_model test_optcheck test_questions)

# What nearly all units read; tests read GoogleTest as well.
set(weakspot_common_headers <fmt/format.h> <algorithm> <filesystem> <functional> <map> <memory> <optional> <set> <string>
  <variant> <vector>)

# Compiles the common headers and those given once for all targets that ask with the same options: one to two seconds
# less for each unit. The options of the target are complete by then. Not for packages, whose bytes must not depend on
# it, nor for caches of compilers, which do not know when such headers change, nor for single files (the preset dev),
# which show what they forgot to include.
function(weakspot_compiled_headers target)
  if(NOT CMAKE_UNITY_BUILD OR WEAKSPOT_PACKAGE OR NOT WEAKSPOT_PLATFORM STREQUAL "posix" OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(shared ${target} POSITION_INDEPENDENT_CODE)
  string(MD5 group "${type} ${options} ${shared} ${ARGN}")
  get_property(first GLOBAL PROPERTY WEAKSPOT_HEADERS_${group})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${weakspot_common_headers} ${ARGN})
    set_property(GLOBAL PROPERTY WEAKSPOT_HEADERS_${group} ${target})
  endif()
endfunction()

# One test program, which is a single ctest entry: listing the tests of every program would take longer than
# running them.
function(weakspot_test_program name label)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "LABORIOUS" "" "SOURCES;LIBS")
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest_main weakspot_flags)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")  # support/*.h
  # The libraries under test have options of their own.
  if(label STREQUAL "unit" AND NOT ARG_LABORIOUS)
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
    if(WEAKSPOT_SANITIZE)
      target_compile_options(${name} PRIVATE -O0)
    endif()
    weakspot_compiled_headers(${name} <gtest/gtest.h>)
  else()
    # Oracles by brute force are part of these tests.
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    if(label STREQUAL "property")
      weakspot_compiled_headers(${name} <gtest/gtest.h> <rapidcheck.h>)
    endif()
  endif()
  target_link_options(${name} PRIVATE ${WEAKSPOT_TEST_LINKER})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  set_property(GLOBAL APPEND PROPERTY WEAKSPOT_TEST_PROGRAMS ${name})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1200)
  if(label STREQUAL "property" OR name IN_LIST weakspot_longest)
    set_tests_properties(${name} PROPERTIES COST 100)
  endif()
endfunction()

set(WEAKSPOT_WING "" CACHE STRING "Build this wing alone, with the wings it needs; empty: all")

# Opens a wing: modules that follow are in src/NAME. With WEAKSPOT_WING, only the tests of that wing are built.
macro(weakspot_wing name)
  set(weakspot_wing ${name})
  set(weakspot_wing_folder "${PROJECT_SOURCE_DIR}/src/${name}")
endmacro()

# Whether modules of the open wing are built: WEAKSPOT_WING names it, or a wing that needs it. The table lists wings
# after those they need, so what the asked wing needs is read ahead of time from the file.
function(weakspot_wing_wanted wanted)
  set(${wanted} TRUE PARENT_SCOPE)
  if(WEAKSPOT_WING AND NOT weakspot_wing STREQUAL WEAKSPOT_WING)
    file(STRINGS "${PROJECT_SOURCE_DIR}/cmake/modules.cmake" row REGEX "^weakspot_wing\\(${WEAKSPOT_WING}[ )]")
    if(NOT row MATCHES "[ (]${weakspot_wing}[ )]")
      set(${wanted} FALSE PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(weakspot_module name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "DEPS;LIBS;PARTS;DOORS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weakspot_module(${name}): unknown words ${ARG_UNPARSED_ARGUMENTS}")
  endif()

  if(WEAKSPOT_PACKAGE)
    # Each release of Debian has another libfmt.so.
    list(TRANSFORM ARG_LIBS REPLACE "^fmt::fmt$" fmt::fmt-header-only)
  endif()

  weakspot_wing_wanted(wanted)
  if(NOT wanted)
    return()
  endif()
  set(folder "${weakspot_wing_folder}/${name}")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS "${folder}/*_test.cpp")
  file(GLOB_RECURSE properties CONFIGURE_DEPENDS "${folder}/*_property_test.cpp")
  foreach(platform IN ITEMS posix bare)
    if(NOT platform STREQUAL WEAKSPOT_PLATFORM)
      foreach(list IN ITEMS sources tests properties)
        list(FILTER ${list} EXCLUDE REGEX "/${name}/${platform}/")
      endforeach()
    endif()
  endforeach()
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()
  if(properties)
    list(REMOVE_ITEM tests ${properties})
  endif()
  list(FILTER sources EXCLUDE REGEX "/${name}/([a-z]+_)?main\\.cpp$")

  set(part_libs "")
  set(part_definitions "")
  foreach(part IN LISTS ARG_PARTS)
    string(REGEX MATCH "^([a-z0-9]+):(.+)$" matched "${part}")
    set(part ${CMAKE_MATCH_1})
    set(target ${CMAKE_MATCH_2})
    string(TOUPPER ${part} upper)
    if(TARGET ${target})
      list(APPEND part_libs ${target})
      list(APPEND part_definitions WEAKSPOT_HAS_${upper}=1)
    else()
      list(APPEND part_definitions WEAKSPOT_HAS_${upper}=0)
      set_property(GLOBAL APPEND PROPERTY WEAKSPOT_LEFT_OUT "${name}/${part} (needs ${target})")
      foreach(list IN ITEMS sources tests properties)
        list(FILTER ${list} EXCLUDE REGEX "/${name}/${part}(/.*|_[a-z0-9_]*)?\\.cpp$")
      endforeach()
    endif()
  endforeach()
  if(NOT sources)
    return()
  endif()

  foreach(lib IN LISTS ARG_LIBS)
    if(NOT TARGET ${lib})
      set_property(GLOBAL APPEND PROPERTY WEAKSPOT_LEFT_OUT "${name} (needs ${lib})")
      return()
    endif()
  endforeach()
  set(deps "")
  foreach(dep IN LISTS ARG_DEPS)
    if(TARGET weakspot_${dep})
      list(APPEND deps weakspot_${dep})
    endif()
  endforeach()

  set(library weakspot_${name})
  add_library(${library} STATIC ${sources})
  weakspot_units(${library} "${sources}" "${folder}" "${ARG_PARTS}")
  target_include_directories(${library} PUBLIC
    "$<BUILD_INTERFACE:${weakspot_wing_folder};${PROJECT_BINARY_DIR}/generated>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/weakspot>")
  target_link_libraries(${library} PUBLIC ${deps} ${ARG_LIBS} ${part_libs} PRIVATE $<BUILD_INTERFACE:weakspot_flags>)
  target_compile_definitions(${library} PUBLIC ${part_definitions})
  if(name IN_LIST weakspot_shareable AND pybind11_FOUND)
    set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${library} PRIVATE -fno-semantic-interposition)  # functions are inlined as ever
  endif()
  if(name IN_LIST WEAKSPOT_FUZZED_MODULES)
    target_compile_options(${library} PRIVATE ${WEAKSPOT_FUZZED})
  endif()
  if(WEAKSPOT_SANITIZE AND name IN_LIST weakspot_unhurried)
    target_compile_options(${library} PRIVATE -O0)
  endif()
  if(NOT name IN_LIST weakspot_hurried)
    target_compile_options(${library} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1> $<$<CONFIG:Release>:-Os>)
  endif()
  if(WEAKSPOT_PACKAGE AND NOT name STREQUAL "race_jit")
    target_compile_options(${library} PRIVATE -fomit-frame-pointer)  # 3 %; GCC keeps them on AArch64
  endif()
  if(NOT name IN_LIST weakspot_hurried)
    weakspot_compiled_headers(${library})
  endif()
  add_dependencies(${library} weakspot_build_info)
  set_property(GLOBAL APPEND PROPERTY WEAKSPOT_MODULES ${name})

  if(WEAKSPOT_WING AND NOT weakspot_wing STREQUAL WEAKSPOT_WING)
    return()
  endif()
  if(WEAKSPOT_TESTS AND TARGET GTest::gtest_main)
    if(tests)
      set(laborious "")
      if(name IN_LIST weakspot_laborious)
        set(laborious LABORIOUS)
      endif()
      weakspot_test_program(test_${name} unit ${laborious} SOURCES ${tests} LIBS ${library})
    endif()
    if(properties AND TARGET rapidcheck)
      weakspot_test_program(test_${name}_properties property
        SOURCES ${properties} LIBS ${library} rapidcheck)
    endif()
  endif()
endfunction()
