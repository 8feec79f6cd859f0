# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=file.cpp -P embed.cmake NAME=PATH …: a C++ source with each file's bytes as `const std::string_view NAME` in namespace
# wb::asset. Raw string literals: the compiler takes 200 KB of them at once, and a debugger shows them.
set(text "// Made by core/report/embed.cmake.\n#include \"core/report/assets.h\"\n\nnamespace wb::asset {\n")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(CMAKE_ARGV${i} MATCHES "^([A-Za-z]+)=(/.*)$")
    set(name "${CMAKE_MATCH_1}")
    file(READ "${CMAKE_MATCH_2}" content)
    if(content MATCHES "\\)WB_ASSET\"")
      message(FATAL_ERROR "${CMAKE_MATCH_2} holds the delimiter of its literal")
    endif()
    string(APPEND text "const std::string_view ${name} = R\"WB_ASSET(${content})WB_ASSET\";\n")
  endif()
endforeach()
string(APPEND text "}  // namespace wb::asset\n")
file(WRITE "${OUT}" "${text}")
