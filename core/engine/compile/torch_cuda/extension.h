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
  /// Loads `object`. `complete`: everything it needs is there (the CUDA runtime); otherwise only the names of
  /// its kernels can be asked for. Errors: undefined symbols, no kernels' table.
  static Result<Extension> load(const std::filesystem::path& object, bool complete);

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
