// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// The system's C++ compiler.
struct HostCompiler {
  std::string path;      ///< as called
  std::string tool;      ///< "clang++" or "g++"
  std::string version;   ///< "clang++ 14.0.6"
  std::string identity;  ///< first line of --version: for hashes
  std::string linker;    ///< "-fuse-ld=mold", or "" for the default
  bool clang = false;
  std::vector<std::string> options;  ///< of code generation, for everything that is compiled
};

/// clang++ from 14 on (three times as fast as g++ here), else g++ from 11 on. `wanted`: a path or name to use
/// instead. Errors: none found, too old.
Result<HostCompiler> findHostCompiler(const std::string& wanted = {});

/// The header that kernels are compiled with, one of the stand-in headers.
inline constexpr std::string_view standardHeader = "warpbench_standin.h";

/// The LibTorch that this process runs with.
struct TorchInstallation {
  std::filesystem::path root;                   ///< …/site-packages/torch
  std::string version;                          ///< "2.11.0+cu130"
  std::vector<std::filesystem::path> includes;  ///< torch's, its C++ frontend's and CUDA's, where they exist
  std::string header{standardHeader};           ///< ahead of every kernel, precompiled
};

/// Found from the loaded library itself. Errors: no headers beside it.
Result<TorchInstallation> findTorch();

}  // namespace wb
