# SPDX-License-Identifier: MIT
# weakspot_module(): from a folder of src/ to a library and its test programs.
#
#   src/NAME/**/*.cpp                 -> static library weakspot_NAME (main.cpp and *_main.cpp are left to programs)
#   src/NAME/**/*_test.cpp            -> test_NAME, one GoogleTest program
#   src/NAME/**/*_property_test.cpp   -> test_NAME_properties, GoogleTest and RapidCheck
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

# Modules that spend no time: what they do once per command compiles in three quarters of the time.
set(weakspot_unhurried cli compile distil http lsp mcp optcheck report serve workbench)

# Modules that the Python package is made of.
set(weakspot_shareable base litmus model gen codegen stats desk wasm python)

# Modules whose speed people wait for. In packages, which are for those who download, the others are compiled for size:
# they become a third smaller.
set(weakspot_hurried model race race_jit)

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
    if(room STREQUAL x86_64 OR "${parts}" MATCHES "(^|;)${room}:")
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
endfunction()

# One test program, which is a single ctest entry: listing the tests of every program would take longer than
# running them.
function(weakspot_test_program name label)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "SOURCES;LIBS")
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest_main weakspot_flags)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")  # support/*.h
  # The libraries under test have options of their own.
  if(label STREQUAL "unit")
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O0>)
    if(WEAKSPOT_SANITIZE)
      target_compile_options(${name} PRIVATE -O0)
    endif()
  else()
    # Oracles by brute force are part of these tests.
    target_compile_options(${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1200)
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

  set(folder "${PROJECT_SOURCE_DIR}/src/${name}")
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
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src;${PROJECT_BINARY_DIR}/generated>"
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
  if(name IN_LIST weakspot_unhurried)
    target_compile_options(${library} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    if(WEAKSPOT_SANITIZE)
      target_compile_options(${library} PRIVATE -O0)
    endif()
  endif()
  if(NOT name IN_LIST weakspot_hurried)
    target_compile_options(${library} PRIVATE $<$<CONFIG:Release>:-Os>)
    if(WEAKSPOT_PACKAGE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Only what becomes smaller by it is inlined: 1 %. Three optimisations pay for themselves in speed alone: 0.6 %.
      target_compile_options(${library} PRIVATE -finline-limit=2 --param=max-inline-insns-size=0
        --param=early-inlining-insns=4 -fno-gcse -fno-tree-pre -fno-ivopts)
      # Names of types, which nobody asks for: 50 KB. Exceptions have theirs.
      if(NOT name MATCHES "^(base|litmus|gen|python)$")
        target_compile_options(${library} PRIVATE -fno-rtti)
      endif()
    endif()
  endif()
  if(WEAKSPOT_PACKAGE AND NOT name STREQUAL "race_jit")
    target_compile_options(${library} PRIVATE -fomit-frame-pointer)  # 3 %; GCC keeps them on AArch64
  endif()
  add_dependencies(${library} weakspot_build_info)
  set_property(GLOBAL APPEND PROPERTY WEAKSPOT_MODULES ${name})

  if(WEAKSPOT_TESTS AND TARGET GTest::gtest_main)
    if(tests)
      weakspot_test_program(test_${name} unit SOURCES ${tests} LIBS ${library})
    endif()
    if(properties AND TARGET rapidcheck)
      weakspot_test_program(test_${name}_properties property
        SOURCES ${properties} LIBS ${library} rapidcheck)
    endif()
  endif()
endfunction()
