// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace wb {

/// What a machine builds kernels with, and what for. Where two have the same, but for the host, what one has
/// built can be loaded by the other.
struct BuildFacts {
  /// The machine's own name, by which places on one machine are known.
  std::string host;
  /// The processor's kind: "x86-64".
  std::string machine;
  /// The compiler's first line: "Debian clang version 14.0.6"; "" where there is none that can be used.
  std::string compiler;
  /// The versions of the C library and of the C++ library: "2.36", "libstdc++ 12".
  std::string cLibrary, cppLibrary;
  /// torch with its build and ABI: "2.11.0+cu130 of 70d99e99…, C++11 ABI".
  std::string torch;
  /// The compiler of CUDA, "NVRTC 13.0"; "" where there is none.
  std::string cudaCompiler;
  /// The GPU's architecture, "sm_90"; "" of a place without one.
  std::string architecture;
  bool operator==(const BuildFacts&) const = default;
};

/// Whether a library is of a newer version than another one, or another library: "libstdc++ 14" than
/// "libstdc++ 12", "2.36" than "2.9". Of one whose version is not known nothing is.
[[nodiscard]] bool isNewerLibrary(const std::string& library, const std::string& than);

/// A built kernel, or a part of one, on its way from the machine that has built it to one that will load it.
/// It is code that will be run: it is taken from a worker's runner, and by nobody else.
struct BuiltFile {
  /// What it was made of, as a hash. Whoever takes it computes that anew from what it would build itself.
  std::string key;
  /// What its cache knows beside it: messages of the compiler, and what it depends on. The paths in it are
  /// changed on the way.
  std::string about;
  std::string content;
  /// The content's hash.
  std::string hash;
  bool operator==(const BuiltFile&) const = default;
};

/// Larger ones stay where they are: a message, in which it is a third longer, must not hold up the channel.
inline constexpr std::size_t largestBuiltFile = std::size_t{24} << 20;

}  // namespace wb
