// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/host/toolchain.h"
#include "core/model/event.h"

namespace wb {

/// Options that the precompiled header and every kernel share; a precompiled header is only good for the
/// same.
[[nodiscard]] std::vector<std::string> sharedOptions(const HostCompiler& compiler,
                                                     const TorchInstallation& torch);

/// Stand-in headers on disk, with their precompiled form if it could be made.
struct PrecompiledHeader {
  std::filesystem::path folder;      ///< of the headers, for -isystem
  std::vector<std::string> options;  ///< that make a compilation use it
  bool precompiled = false;
};

/// Hash of compiler, shared options, torch's version and the stand-in headers.
[[nodiscard]] std::string precompiledHeaderKey(const HostCompiler& compiler, const TorchInstallation& torch);

/// Makes what is not there yet in `cache`/pch/<precompiledHeaderKey>, once for all
/// processes: others wait on a lock. Some 10 s with clang++, 20 s with g++. Where only the precompiling
/// fails, the headers alone are given (kernels then take 8 s more each) and onLog says why. Errors: folder
/// not writable, stopped.
Result<PrecompiledHeader> ensurePrecompiledHeader(const HostCompiler& compiler,
                                                  const TorchInstallation& torch,
                                                  const std::filesystem::path& cache, std::stop_token stop,
                                                  const std::function<void(const Log&)>& onLog);

/// The stand-in headers alone, in the same folder.
Result<std::filesystem::path> ensureStandinHeaders(const TorchInstallation& torch,
                                                   const std::filesystem::path& cache);

/// Forgets a precompiled header that the compiler refused.
void discardPrecompiledHeader(const PrecompiledHeader& header);

}  // namespace wb
