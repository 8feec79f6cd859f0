// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/files/paths.h"
#include "core/engine/compile/compiler.h"

namespace wb {

/// Sources of a module in C++ and CUDA, as torch.utils.cpp_extension takes them.
struct ModuleSources {
  struct Part {
    std::string text;
    std::string path;  ///< of the file; "" for a string of the Python source
    bool cuda = false;
  };
  std::string name;
  std::vector<Part> parts;
  /// Functions to bind, with their doc strings; nothing where the sources have PYBIND11_MODULE themselves.
  std::optional<std::vector<std::pair<std::string, std::string>>> functions;
  std::vector<std::string> hostFlags, cudaFlags, includePaths;
  bool withCuda = false;  ///< CUDA's headers for C++ alone
  std::string unfit;      ///< why torch must build it, where that is known already
  // Where in Python it was asked for:
  std::string callerPath, callerText;
  int callerLine = 0;
};

/// A function that a built module has for Python.
struct ModuleFunction {
  struct Parameter {
    std::string name;  ///< "" where none was given
    std::string code;  ///< what it takes: standin/warpbench_function.h
    std::optional<c10::IValue> standard;
  };
  std::string name, doc;
  std::vector<Parameter> parameters;
  /// Replaces the arguments by the one result. Throws what the user's code throws.
  std::function<void(std::vector<c10::IValue>&)> call;
};

struct ModuleOutcome {
  std::vector<ModuleFunction> functions;
  std::string unfit;   ///< why torch must build it itself; onLog was told
  std::string notRun;  ///< "Compiled for sm_90; not run: …": there are no functions to call here
  std::string toolchain;
  bool cached = false;
  std::vector<Artifact> artifacts;
  std::vector<std::string> cubins;  ///< device code, for the listing
};

/// Builds such modules with Warpbench's compilers in place of torch's ninja and nvcc. May be called from
/// several threads.
class ModuleBuilder {
 public:
  virtual ~ModuleBuilder() = default;
  /// Uses of the request: device, architecture, canRun, deadline, stop, onDiagnostic, onLog. Messages name
  /// places of the Python source where the text is found in it. Errors: the text has errors (the sum of them,
  /// at the first one's place), no compiler, cancelled, too slow.
  virtual Result<ModuleOutcome> build(const ModuleSources& sources, const CompileRequest& request) = 0;
  /// Finds the compilers, ahead of the first module; what fails is said by that.
  virtual void prepare(const std::function<void(const Log&)>& onLog) = 0;
};

[[nodiscard]] std::unique_ptr<ModuleBuilder> moduleBuilder(
    const std::filesystem::path& cache = cacheFolder());

}  // namespace wb
