# SPDX-License-Identifier: Apache-2.0
# Precompiled headers: one for everything without torch and Qt, one with torch's, one with Qt's, each made once and used
# by many targets. Beside headers of others they hold those of ours that nearly every file includes: what a run says and
# what it is asked, whose variants take a compiler a second in each file. The set `others` is without ours, for headers
# that have to stand alone. A folder chooses by setting WB_PRECOMPILED (core, torch, qt, others or OFF) before it makes
# its targets.
option(WB_PCH "Precompile the headers of others" ON)
set(WB_PRECOMPILED core)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  # A time inside the file would make every new one look different to ccache.
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()

set(WB_CORE_HEADERS
    <algorithm> <array> <atomic> <chrono> <cmath> <condition_variable> <cstdint> <cstring> <deque> <filesystem>
    <fstream> <functional> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream> <string>
    <string_view> <thread> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h> <fmt/ranges.h>
    <nlohmann/json.hpp>)
set(WB_OUR_HEADERS "${CMAKE_SOURCE_DIR}/core/base/enum.h" "${CMAKE_SOURCE_DIR}/core/base/result.h"
    "${CMAKE_SOURCE_DIR}/core/model/event.h" "${CMAKE_SOURCE_DIR}/core/model/report.h")

# A test's own code runs once and is not shipped: it is compiled as it stands, which takes less than half the time.
set(WB_TEST_OPTIONS -O0)

# OTHERS_ONLY leaves ours out. What is in a set is made by a target of its own that others reuse. Tests have a set
# beside each, with GoogleTest's headers and what many of them include more (IN_TESTS).
function(wb_precompiled_headers set)
  cmake_parse_arguments(arg "OTHERS_ONLY" "" "HEADERS;IN_TESTS;DEPENDS;OPTIONS" ${ARGN})
  if(NOT WB_PCH)
    return()
  endif()
  set(source "${CMAKE_BINARY_DIR}/precompiled_${set}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// SPDX-License-Identifier: Apache-2.0\n")
  add_library(wb_precompiled_${set} OBJECT "${source}")
  target_link_libraries(wb_precompiled_${set} PRIVATE wb_flags Threads::Threads ${arg_DEPENDS})
  target_compile_options(wb_precompiled_${set} PRIVATE ${arg_OPTIONS})
  set(ours ${WB_OUR_HEADERS})
  if(arg_OTHERS_ONLY)
    set(ours "")
  endif()
  target_precompile_headers(wb_precompiled_${set} PRIVATE ${WB_CORE_HEADERS} ${arg_HEADERS} ${ours})
  if(WB_TESTS AND NOT set MATCHES _tests AND NOT arg_OTHERS_ONLY)
    wb_precompiled_headers(${set}_tests
      DEPENDS ${arg_DEPENDS} GTest::gmock
      HEADERS ${arg_HEADERS} ${arg_IN_TESTS} <gmock/gmock.h> <gtest/gtest.h>
      OPTIONS ${WB_TEST_OPTIONS})
  endif()
endfunction()

# wb_precompile(TARGET [tests])
function(wb_precompile target)
  set(set wb_precompiled_${WB_PRECOMPILED})
  if("${ARGN}" STREQUAL tests)
    string(APPEND set _tests)
    target_compile_options(${target} PRIVATE ${WB_TEST_OPTIONS})
  endif()
  if(TARGET ${set})
    target_precompile_headers(${target} REUSE_FROM ${set})
  endif()
endfunction()
