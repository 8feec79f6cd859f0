# SPDX-License-Identifier: Apache-2.0
# wb_library, wb_program and wb_test: one place for language level, warnings, sanitizers, precompiled headers and where
# things land.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# Not CMAKE_POSITION_INDEPENDENT_CODE, which says -fPIE for programs: they share their precompiled headers with
# libraries.
add_compile_options(-fPIC)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

find_program(WB_CCACHE ccache)
if(WB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Objects are shared between build folders: paths relative to the tree, no build folder in debug information. Which
  # headers an object rests on is what the compiler says, so that what is not in the cache is not preprocessed twice.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_DEPEND=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${WB_CCACHE})
endif()
find_program(WB_MOLD mold)
if(WB_MOLD AND NOT WB_SANITIZE)
  # Code on pages of its own, as other linkers have it: else mold 1.10 may begin the part that is made read-only after
  # loading on a page that is not there, where the size of the code happens to be so, and the program does not load.
  add_link_options(-fuse-ld=mold -Wl,-z,separate-code)
endif()

# What a target says otherwise of warnings stands in its property WB_WARNINGS, since it must come last.
add_library(wb_flags INTERFACE)
target_include_directories(wb_flags INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(wb_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  $<TARGET_PROPERTY:WB_WARNINGS>)
target_compile_definitions(wb_flags INTERFACE WB_VERSION="${PROJECT_VERSION}")
# Everywhere or nowhere: toml++'s functions have the same names with exceptions as without, and a program takes either.
target_compile_definitions(wb_flags INTERFACE TOML_EXCEPTIONS=0)
target_link_libraries(wb_flags INTERFACE wb_fmt)
if(WB_WERROR)
  target_compile_options(wb_flags INTERFACE -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # False alarms of g++ 12 in its own strings and vectors once they are inlined (GCC bugs 105651, 105329, 107852).
    target_compile_options(wb_flags INTERFACE -Wno-restrict -Wno-error=stringop-overflow -Wno-error=stringop-overread
                           -Wno-error=array-bounds -Wno-error=maybe-uninitialized)
  endif()
endif()
if(WB_SANITIZE)
  add_compile_options(-fsanitize=${WB_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WB_SANITIZE})
  if(WB_SANITIZE MATCHES thread)
    add_library(wb_known_to_tsan OBJECT "${CMAKE_CURRENT_LIST_DIR}/known_to_tsan.cpp")
    set(WB_KNOWN_TO_SANITIZER $<TARGET_OBJECTS:wb_known_to_tsan>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      target_compile_options(wb_flags INTERFACE -Wno-tsan)  # atomic_thread_fence in libstdc++'s own headers
    endif()
  endif()
endif()

include(precompiled)

# Files compiled by the dozen take a third of the time, and an edit of one compiles them all: on in what is built once.
option(WB_TOGETHER "Compile the files of a target together" OFF)
if(WB_TOGETHER)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(WB_HEADERS "${CMAKE_BINARY_DIR}/headers.json")
  execute_process(
    COMMAND ${Python3_EXECUTABLE} "${CMAKE_SOURCE_DIR}/packaging/cmake/together.py" "${CMAKE_SOURCE_DIR}"
    OUTPUT_FILE "${WB_HEADERS}" COMMAND_ERROR_IS_FATAL ANY)
endif()

# wb_together(TARGET): groups of its sources that can be compiled as one.
function(wb_together target)
  if(NOT WB_TOGETHER)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(files "")
  foreach(source IN LISTS sources)
    get_filename_component(source "${source}" ABSOLUTE)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${source}" NORMALIZE isMade)
    if(source MATCHES "\\.cpp$" AND EXISTS "${source}" AND NOT isMade)
      list(APPEND files "${source}")
    endif()
  endforeach()
  if(NOT files)
    return()
  endif()
  execute_process(
    COMMAND ${Python3_EXECUTABLE} "${CMAKE_SOURCE_DIR}/packaging/cmake/together.py" "${WB_HEADERS}" ${files}
    OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${lines}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([0-9]+) (.*)$" matched "${line}")
    set_source_files_properties("${CMAKE_MATCH_2}" PROPERTIES UNITY_GROUP ${target}_${CMAKE_MATCH_1})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# wb_library(NAME SOURCES a.cpp … DEPENDS lib …)
function(wb_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC wb_flags ${arg_DEPENDS})
  wb_precompile(${name})
  wb_together(${name})
endfunction()

# wb_program(NAME SOURCES a.cpp … DEPENDS lib …): lands in build/bin
function(wb_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES} ${WB_KNOWN_TO_SANITIZER})
  target_link_libraries(${name} PRIVATE wb_flags ${arg_DEPENDS})
  wb_precompile(${name})
  wb_together(${name})
endfunction()

# wb_test(NAME SOURCES a.cpp … DEPENDS lib … [LABELS gpu …] [TIMEOUT 300] [PREFIX gpu:] [MAIN] [WHOLE | SHARDS 4]): a
# GoogleTest program, one CTest test per case. PREFIX: what their names begin with, where another program has cases of
# the same names, which CTest would take for the same tests. MAIN: the sources have a main of their own. WHOLE: all
# cases in one process, one CTest test of the program's name, where a case takes less than loading LibTorch and leaves
# nothing behind in the process. SHARDS: the same in so many processes, NAME.1 and on, where all together take long.
function(wb_test name)
  cmake_parse_arguments(arg "MAIN;WHOLE" "TIMEOUT;SHARDS;PREFIX" "SOURCES;DEPENDS;LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  add_executable(${name} ${arg_SOURCES} ${WB_KNOWN_TO_SANITIZER})
  target_link_libraries(${name} PRIVATE wb_flags ${arg_DEPENDS} GTest::gmock)
  if(NOT arg_MAIN)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/bin")
  # Tests name only the members that matter to them.
  set_property(TARGET ${name} APPEND PROPERTY WB_WARNINGS -Wno-missing-field-initializers)
  wb_precompile(${name} tests)
  wb_together(${name})
  target_compile_definitions(${name} PRIVATE WB_SOURCE_DIR="${CMAKE_SOURCE_DIR}" WB_BINARY_DIR="${CMAKE_BINARY_DIR}")
  set(_properties TIMEOUT ${arg_TIMEOUT})
  if(arg_LABELS)  # an empty value would swallow the next word
    list(APPEND _properties LABELS "${arg_LABELS}")
  endif()
  if(arg_SHARDS)
    foreach(shard RANGE 1 ${arg_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${name}.${shard} COMMAND ${name})
      set_tests_properties(${name}.${shard} PROPERTIES ${_properties}
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${index}")
    endforeach()
    return()
  endif()
  if(arg_WHOLE)
    # What is skipped inside says so in the log alone: one skipped case must not hide another that failed.
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES ${_properties})
    return()
  endif()
  # Values of parameters would be raw bytes where a type has no words for itself; tests have names of their own.
  gtest_discover_tests(${name} TEST_PREFIX "${arg_PREFIX}" DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    NO_PRETTY_VALUES PROPERTIES ${_properties})
endfunction()
