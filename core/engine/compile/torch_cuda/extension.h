// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// The host's part of an extension, loaded. It stays loaded to the end of the process.
class Extension {
 public:
  /// Loads `object`. `complete`: torch's CUDA libraries are loaded, and everything must be found. Otherwise,
  /// where there is no GPU, functions are looked for when they are called, which is never: only the names of
  /// its kernels are asked for; `torchLibraries` has the library with the few variables that it refers to.
  /// Errors: undefined symbols, no kernels' table.
  static Result<Extension> load(const std::filesystem::path& object, bool complete,
                                const std::filesystem::path& torchLibraries);

  /// Instances of kernels that the host's code names: "ns::relu<float>". In the order of giveKernels().
  [[nodiscard]] const std::vector<std::string>& kernels() const { return kernels_; }

  /// Loads the binary on the current device; `loweredNames` are those of kernels(). Errors: the CUDA
  /// runtime's.
  Result<void> giveKernels(const std::string& cubin, const std::vector<std::string>& loweredNames) const;

 private:
  void* library_ = nullptr;
  std::vector<std::string> kernels_;
};

}  // namespace wb
