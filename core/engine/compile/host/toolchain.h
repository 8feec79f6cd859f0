// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/engine/compile/placeless.h"

namespace wb {

/// What a compiler says of its target and its standard headers.
struct StandardLibrary {
  /// The processor's kind: "x86-64", "aarch64".
  std::string machine;
  /// The versions of the C library, "2.36", and of the C++ library, "libstdc++ 12".
  std::string c, cpp;
  /// Whether strings and lists are those of C++11, as torch has them.
  bool cxx11Abi = true;
};
/// Reads it from a compiler's macros ("#define __GLIBC__ 2", a line each).
[[nodiscard]] StandardLibrary libraryIn(std::string_view macros);

/// The system's C++ compiler.
struct HostCompiler {
  /// The path as it was called.
  std::string path;
  /// Which compiler it is: "clang++" or "g++".
  std::string tool;
  /// Its name and version: "clang++ 14.0.6".
  std::string version;
  /// Which compiler it is, for hashes: the first line of --version, whatever it was called by.
  std::string identity;
  /// What it compiles for and against.
  StandardLibrary library;
  /// The option for the linker, "-fuse-ld=mold", or "" for the default.
  std::string linker;
  bool clang = false;
  /// Options of code generation for everything that is compiled.
  std::vector<std::string> options;
};

/// Finds clang++ from 14 on (three times as fast as g++ here), else g++ from 11 on. `wanted` is a path or
/// name to use instead. Errors: none was found, or it is too old.
Result<HostCompiler> findHostCompiler(const std::string& wanted = {});
/// The compiler of kernels, $WARPBENCH_CXX or the best one. It is found once, since that starts programs, and
/// copies of this process know it too.
Result<HostCompiler> usualHostCompiler();

/// The header that kernels are compiled with, one of the stand-in headers.
inline constexpr std::string_view standardHeader = "warpbench_standin.h";

/// The LibTorch that this process runs with.
struct TorchInstallation {
  /// The folder …/site-packages/torch.
  std::filesystem::path root;
  /// "2.11.0+cu130"
  std::string version;
  /// Which torch it is, wherever it lies: its version and the commit that it was built from.
  std::string identity;
  /// The include folders of torch, its C++ frontend and CUDA, where they exist.
  std::vector<std::filesystem::path> includes;
  /// The header that is included ahead of every kernel, precompiled.
  std::string header{standardHeader};
};

/// The folders that a compiler is given for torch, by what is in them.
[[nodiscard]] std::vector<KnownFolder> knownFolders(const TorchInstallation& torch);

/// Finds it from the library that is loaded. Error: it has no headers beside it.
Result<TorchInstallation> findTorch();

}  // namespace wb
