// SPDX-License-Identifier: Apache-2.0
#include "core/base/process/plain_environment.h"

#include <algorithm>
#include <array>

namespace wb {

bool isPlainVariable(std::string_view name) {
  constexpr std::array plain{
      "PATH",   "HOME", "USER", "LOGNAME",     "SHELL",           "LANG",       "LANGUAGE", "TZ",
      "TMPDIR", "CC",   "CXX",  "CUDAHOSTCXX", "LD_LIBRARY_PATH", "VIRTUAL_ENV"};
  constexpr std::array families{"LC_",   "XDG_",    "WARPBENCH_", "CUDA",  "CUPTI_", "NVIDIA_", "TORCH",
                                "ATEN_", "TRITON_", "PYTHON",     "OMP_",  "GOMP_",  "KMP_",    "MKL_",
                                "DNNL_", "ONEDNN_", "OPENBLAS_",  "ASAN_", "TSAN_",  "UBSAN_",  "LSAN_"};
  constexpr std::array secrets{"TOKEN", "KEY", "SECRET", "PASS", "CREDENTIAL"};
  const auto begins = [&](const char* beginning) { return name.starts_with(beginning); };
  const auto has = [&](const char* word) { return name.find(word) != std::string_view::npos; };
  return (std::find(plain.begin(), plain.end(), name) != plain.end() ||
          std::any_of(families.begin(), families.end(), begins)) &&
         std::none_of(secrets.begin(), secrets.end(), has);
}

}  // namespace wb
