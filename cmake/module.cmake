# weakspot_module(): from a folder of src/ to a library and its test programs.
#
#   src/NAME/*.cpp                 -> static library weakspot_NAME (main.cpp is left to the program)
#   src/NAME/*_test.cpp            -> test_NAME, one GoogleTest program
#   src/NAME/*_property_test.cpp   -> test_NAME_properties, GoogleTest and RapidCheck
#
# Dependencies are public: a module sees what its dependencies link, and tools/check_layers sees to it
# that it includes only what the table allows.

# One test program. Each is a single ctest entry: asking every program for its list of tests costs more
# than running them.
function(weakspot_test_program name label)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "SOURCES;LIBS")
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest_main weakspot_flags)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")  # support/*.h
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1200)
endfunction()

function(weakspot_module name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "DEPS;LIBS;DOORS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weakspot_module(${name}): unknown words ${ARG_UNPARSED_ARGUMENTS}")
  endif()

  set(folder "${PROJECT_SOURCE_DIR}/src/${name}")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  file(GLOB tests CONFIGURE_DEPENDS "${folder}/*_test.cpp")
  file(GLOB properties CONFIGURE_DEPENDS "${folder}/*_property_test.cpp")
  if(tests)
    list(REMOVE_ITEM sources ${tests})
  endif()
  if(properties)
    list(REMOVE_ITEM tests ${properties})
  endif()
  list(REMOVE_ITEM sources "${folder}/main.cpp")
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
  target_include_directories(${library} PUBLIC
    "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(${library} PUBLIC ${deps} ${ARG_LIBS} PRIVATE weakspot_flags)
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
