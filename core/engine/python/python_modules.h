// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/engine/compile/module_builder.h"

namespace wb {

/// What became of the modules that a Python source had built while it was loaded.
struct BuiltModules : BuiltCode {
  /// Why one of them cannot run here.
  std::string notRun;
  /// The error of the last one that could not be built.
  std::optional<Error> error;
};

/// Builds the modules (load_inline) of Python sources. Those that a source asks for while it is loaded belong
/// to its request; later ones belong to no request and are built for the same device.
class PythonModules {
 public:
  void prepare(const std::function<void(const Log&)>& onLog);
  void begin(const CompileRequest& request);
  BuiltModules end();
  /// Builds a module; may be called by any thread.
  Result<ModuleOutcome> build(const ModuleSources& sources);

 private:
  ModuleBuilder& builder();
  void note(const Result<ModuleOutcome>& outcome);

  std::mutex mutex_;
  std::unique_ptr<ModuleBuilder> builder_;
  /// The source that errors name; it has no folder of its own.
  KernelSource source_;
  std::optional<CompileRequest> request_;
  BuiltModules built_;
  int count_ = 0, compiled_ = 0;
};

}  // namespace wb
