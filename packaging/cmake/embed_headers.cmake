# SPDX-License-Identifier: Apache-2.0
# Headers that kernels are compiled with travel inside the program: it must run on machines without this source tree.

# wb_embed_headers(FUNCTION FOLDER HEADERS a.h …): a source FUNCTION.cpp in the build folder that defines
# `std::span<const EmbeddedHeader> wb::FUNCTION()`, the headers of FOLDER under the names given here.
function(wb_embed_headers function folder)
  cmake_parse_arguments(arg "" "" "HEADERS" ${ARGN})
  set(_rows "")
  foreach(_header ${arg_HEADERS})
    file(READ "${folder}/${_header}" _text)
    # A literal has 64 KiB at most for some compilers: these have less.
    string(APPEND _rows "    EmbeddedHeader{\"${_header}\", R\"wbheader(${_text})wbheader\"},\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${_header}")
  endforeach()
  file(CONFIGURE OUTPUT ${function}.cpp @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
// Made by packaging/cmake/embed_headers.cmake.
#include \"core/engine/compile/embedded_header.h\"

#include <array>
#include <span>

namespace wb {

std::span<const EmbeddedHeader> ${function}() {
  static constexpr std::array headers{
${_rows}  };
  return headers;
}

}  // namespace wb
")
endfunction()
