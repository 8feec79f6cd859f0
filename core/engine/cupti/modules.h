// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace wb {

/// A binary that was loaded into the device's context, whoever loaded it: raw CUDA, an extension, Triton.
struct LoadedModule {
  /// PC samples name the binary by this number.
  std::uint64_t crc = 0;
  std::string cubin;
};

/// A binary that Warpbench has already.
[[nodiscard]] std::shared_ptr<const LoadedModule> moduleOf(const std::string& cubin);

/// Keeps a copy of each binary that is loaded while it lives. CUPTI allows one subscriber per process, so
/// there is one of these at a time.
class ModuleWatch {
 public:
  /// Errors: no CUPTI, or another profiler is attached.
  static Result<std::unique_ptr<ModuleWatch>> start();
  ~ModuleWatch();
  ModuleWatch(const ModuleWatch&) = delete;
  ModuleWatch& operator=(const ModuleWatch&) = delete;
  /// What was loaded since the start, latest last; when there is too much of it, the oldest is forgotten.
  [[nodiscard]] std::vector<std::shared_ptr<const LoadedModule>> modules() const;

 private:
  ModuleWatch();
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

}  // namespace wb
