// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace wb {

/// What a Python interpreter says about itself.
struct PythonFacts {
  std::filesystem::path path;
  /// The version of Python: "3.11.2".
  std::string version;
  /// The version of torch: "2.11.0+cu130".
  std::string torch;
  /// The version of Triton, "3.6.0"; "" without it.
  std::string triton;
};

/// The version of torch that the worker is built for, as its first two numbers: "2.11".
inline constexpr const char* wantedTorch = "2.11";

/// Asks the interpreter `given` ("" is the one that findPython() finds) for its version and its torch's,
/// without importing torch. This starts a process, so it is not for the UI thread. Errors of stage `setup`:
/// none was found, there is no such program, it is not a Python, it has no torch or another torch.
Result<PythonFacts> askPython(const std::string& given, const std::stop_token& stop = {});

/// "Python 3.11.2 · torch 2.11.0+cu130 · Triton 3.6.0"
[[nodiscard]] std::string describe(const PythonFacts& facts);

}  // namespace wb
