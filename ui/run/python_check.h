// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace wb {

/// What a Python interpreter says of itself.
struct PythonFacts {
  std::filesystem::path path;
  std::string version;  ///< "3.11.2"
  std::string torch;    ///< "2.11.0+cu130"
  std::string triton;   ///< "3.6.0"; "" without
};

/// The version of torch that the worker is built for, as its first two numbers: "2.11".
inline constexpr const char* wantedTorch = "2.11";

/// Asks the interpreter `given` ("": the one findPython() finds) for its version and its torch's, without
/// importing torch. Starts a process: not for the UI thread. Errors of stage `setup`: none found, no such
/// program, not a Python, no torch, another torch.
Result<PythonFacts> askPython(const std::string& given, const std::stop_token& stop = {});

/// "Python 3.11.2 · torch 2.11.0+cu130 · Triton 3.6.0"
[[nodiscard]] std::string describe(const PythonFacts& facts);

}  // namespace wb
