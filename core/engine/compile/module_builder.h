// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/ivalue.h>

#include <array>
#include <cstdint>
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

/// A kernel of CUDA that Python launches itself, always in the same shape.
struct LaunchedKernel {
  std::string text;
  /// The file's name in messages.
  std::string file;
  /// The kernel's name, "scale" or "scale<float>"; "" means the first one.
  std::string kernel;
  /// Further options of NVRTC.
  std::vector<std::string> options;
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{256, 1, 1};
  /// The bytes of dynamic shared memory.
  std::int64_t sharedBytes = 0;
};

/// The sources of a module in C++ and CUDA, as torch.utils.cpp_extension takes them.
struct ModuleSources {
  struct Part {
    std::string text;
    /// The path of the file; "" for a string of the Python source.
    std::string path;
    bool cuda = false;
  };
  std::string name;
  std::vector<Part> parts;
  /// The functions to bind, with their doc strings; nothing where the sources have PYBIND11_MODULE
  /// themselves.
  std::optional<std::vector<std::pair<std::string, std::string>>> functions;
  std::vector<std::string> hostFlags, cudaFlags, includePaths;
  /// CUDA's headers are needed though there is only C++.
  bool withCuda = false;
  /// Why torch must build it, where that is known already.
  std::string unfit;
  /// It is no module but one kernel, whose text is not among the parts.
  std::optional<LaunchedKernel> launched;
  // The place in Python where it was asked for.
  std::string callerPath, callerText;
  int callerLine = 0;
};

/// A function that a built module has for Python.
struct ModuleFunction {
  struct Parameter {
    /// The name; "" where none was given.
    std::string name;
    /// The types that it takes, as in standin/warpbench_function.h.
    std::string code;
    std::optional<c10::IValue> standard;
  };
  std::string name, doc;
  std::vector<Parameter> parameters;
  /// Replaces the arguments by the one result. Throws what the user's code throws.
  std::function<void(std::vector<c10::IValue>&)> call;
};

struct ModuleOutcome : BuiltCode {
  std::vector<ModuleFunction> functions;
  /// Why torch must build it itself, which onLog was told.
  std::string unfit;
  /// The message "Compiled for sm_90; not run: …", where there are no functions to call here.
  std::string notRun;
};

/// Builds such modules with Warpbench's compilers in place of torch's ninja and nvcc. May be called from
/// several threads.
class ModuleBuilder {
 public:
  virtual ~ModuleBuilder() = default;
  /// Uses these members of the request: device, architecture, canRun, deadline, stop, onDiagnostic, onLog.
  /// Messages name places of the Python source where the text is found in it. Errors: the text has errors
  /// (their sum, at the first one's place), no compiler, cancelled, too slow.
  virtual Result<ModuleOutcome> build(const ModuleSources& sources, const CompileRequest& request) = 0;
  /// Finds the compilers ahead of the first module; if that fails, building the first module says so.
  virtual void prepare(const std::function<void(const Log&)>& onLog) = 0;
};

[[nodiscard]] std::unique_ptr<ModuleBuilder> moduleBuilder(
    const std::filesystem::path& cache = cacheFolder());

}  // namespace wb
