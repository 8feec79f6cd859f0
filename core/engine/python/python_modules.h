// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/compile/module_builder.h"

namespace wb {

/// What came of the modules that a Python source had built while it was loaded.
struct BuiltModules {
  std::string toolchain;       ///< ", clang++ 14.0.6, NVRTC 13.0" to be put behind Python's
  bool cached = false;         ///< there were some, and none was compiled
  std::string notRun;          ///< why one of them cannot run here
  std::optional<Error> error;  ///< of the last one that could not be built
  std::vector<Artifact> artifacts;
  std::vector<std::string> cubins;
};

/// Builds the modules (load_inline) of Python sources: those that a source asks for while it is loaded
/// belong to its request, later ones to nobody's, with the same device.
class PythonModules {
 public:
  void prepare(const std::function<void(const Log&)>& onLog);
  void begin(const CompileRequest& request);
  BuiltModules end();
  /// From any thread.
  Result<ModuleOutcome> build(const ModuleSources& sources);

 private:
  ModuleBuilder& builder();
  void note(const Result<ModuleOutcome>& outcome);

  std::mutex mutex_;
  std::unique_ptr<ModuleBuilder> builder_;
  KernelSource source_;  ///< that errors name; no folder of its own
  std::optional<CompileRequest> request_;
  BuiltModules built_;
  int count_ = 0, compiled_ = 0;
};

}  // namespace wb
