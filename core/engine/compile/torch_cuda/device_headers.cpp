// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/device_headers.h"

#include <string_view>

#include "core/engine/compile/embedded_header.h"
#include "core/engine/compile/nvrtc/prelude.h"

namespace wb {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

constexpr const char* standardNames[] = {
    "cassert",          "assert.h", "cstdint",     "stdint.h", "climits", "limits.h",
    "cfloat",           "float.h",  "cmath",       "math.h",   "cstddef", "stddef.h",
    "cstdio",           "stdio.h",  "cstdlib",     "stdlib.h", "cstring", "string.h",
    "limits",           "utility",  "algorithm",   "array",    "tuple",   "functional",
    "iterator",         "ostream",  "iosfwd",      "iostream", "sstream", "string",
    "initializer_list", "vector",   "type_traits", "bit",      "cuda.h",  "cuda_runtime.h"};

std::string textOf(std::string_view name) {
  for (const EmbeddedHeader& header : extensionHeaders())
    if (header.name == name) return std::string(header.text);
  return {};
}

Headers make() {
  Headers headers;
  for (const EmbeddedHeader& header : headersForNvrtc()) headers.emplace_back(header.name, header.text);
  for (const EmbeddedHeader& header : extensionHeaders()) headers.emplace_back(header.name, header.text);
  for (const char* name : standardNames)
    headers.emplace_back(name, "#pragma once\n#include \"warpbench_std.h\"\n");
  for (const auto& [name, standIn] : {std::pair{"torch/headeronly/util/Exception.h", "exception.h"},
                                      {"c10/util/Exception.h", "exception.h"},
                                      {"torch/headeronly/util/HeaderOnlyArrayRef.h", "array_ref.h"},
                                      {"ATen/cuda/DeviceUtils.cuh", "device_utils.h"},
                                      {"ATen/cuda/Atomic.cuh", "atomic.h"},
                                      {"ATen/native/cuda/KernelUtils.cuh", "atomic.h"},
                                      {"THC/THCAtomics.cuh", "atomic.h"}})
    headers.emplace_back(name, textOf(standIn));
  return headers;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& deviceHeaders() {
  static const Headers headers = make();
  return headers;
}

}  // namespace wb
