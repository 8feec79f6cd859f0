// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// The loaded host's part of an extension. It stays loaded to the end of the process.
class Extension {
 public:
  /// Loads `object`. With `complete`, torch's CUDA libraries are loaded, and everything must be found.
  /// Otherwise there is no GPU; functions are then looked for when they are called, which never happens,
  /// since only the names of the kernels are needed. `torchLibraries` has the library with the few variables
  /// to which the object refers. Errors: undefined symbols, no table of kernels.
  static Result<Extension> load(const std::filesystem::path& object, bool complete,
                                const std::filesystem::path& torchLibraries);

  /// The instances of kernels that the host's code names, "ns::relu<float>", in the order of giveKernels().
  [[nodiscard]] const std::vector<std::string>& kernels() const { return kernels_; }

  /// Loads the binary on the current device; `loweredNames` are those of kernels(). Errors: those of the CUDA
  /// runtime.
  Result<void> giveKernels(const std::string& cubin, const std::vector<std::string>& loweredNames) const;

 private:
  void* library_ = nullptr;
  std::vector<std::string> kernels_;
};

}  // namespace wb
