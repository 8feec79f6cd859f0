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

/// The options that the precompiled header and every kernel share; a precompiled header can be used only with
/// the options that it was made with.
[[nodiscard]] std::vector<std::string> sharedOptions(const HostCompiler& compiler,
                                                     const TorchInstallation& torch);

/// The stand-in headers on disk, with their precompiled form if it could be made.
struct PrecompiledHeader {
  /// The folder of the headers, for -isystem.
  std::filesystem::path folder;
  /// The options that make a compilation use it.
  std::vector<std::string> options;
  bool precompiled = false;
};

/// A hash of compiler, shared options, torch's version and the stand-in headers, at the places where they
/// are: a precompiled header is good there alone.
[[nodiscard]] std::string precompiledHeaderKey(const HostCompiler& compiler, const TorchInstallation& torch);
/// The same for what is built with them, which is good wherever they are.
[[nodiscard]] std::string standardHeadersKey(const HostCompiler& compiler, const TorchInstallation& torch);

/// Makes what does not exist yet in `cache`/pch/<precompiledHeaderKey>, once for all processes: others wait
/// on a lock. It takes about 10 s with clang++, 20 s with g++. Where only the precompiling fails, the headers
/// alone are given (each kernel then takes 8 s more), and onLog says why. Errors: the folder cannot be
/// written, stopped.
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
