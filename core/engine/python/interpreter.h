// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/compile/compiler.h"
#include "core/engine/compile/module_builder.h"

namespace wb {

/// A kernel in Python as it is given to the interpreter.
struct PythonScript {
  std::string path, text;
  std::string language;                      ///< "python", "triton"
  std::vector<std::string> functions;        ///< names the kernel may have, best first
  std::string op;                            ///< resolved schema name; "" for a problem
  std::string referencePath, referenceText;  ///< file with the problem's Model, if it is another one
  std::string device;                        ///< "cpu", "cuda:0"
  std::int64_t inputBytes = 0;               ///< CompileRequest's
  bool rawArguments = false;                 ///< too
  std::filesystem::path folder;              ///< where sources that are on no disk are written
};

struct LoadedScript {
  std::unique_ptr<Candidate> candidate;
  std::string function;                   ///< the name it was found under
  std::optional<OwnReference> reference;  ///< of a problem
};

/// Type of the exception that a module which could not be built raises
/// (resources/python/warpbench_extensions.py).
inline constexpr std::string_view moduleErrorType = "<class 'warpbench_extensions.BuildError'>";

/// The Python interpreter that this process runs in, behind libwarpbench_python.so: nothing outside of that
/// library knows Python's headers. Sources are executed as modules of their own; tensors go in and out
/// without copies. Calls take the interpreter's lock themselves.
class Interpreter {
 public:
  virtual ~Interpreter() = default;
  /// Errors carry place (of the user's file), type and trace of what was raised.
  virtual Result<LoadedScript> load(const PythonScript& script) = 0;
  /// What `torch.utils.cpp_extension.load_inline` and `load` call from now on, from any of Python's threads,
  /// without the interpreter's lock.
  using BuildModule = std::function<Result<ModuleOutcome>(const ModuleSources&)>;
  virtual void buildModulesWith(BuildModule build) = 0;
  /// What kernels have patched; puts the environment back.
  [[nodiscard]] virtual RuntimeTraces traces() = 0;
  [[nodiscard]] virtual std::string versions() = 0;  ///< "Python 3.11.2, Triton 3.6.0 (interpreted)"
};

/// This worker was started inside Python.
[[nodiscard]] bool isInsidePython();

/// Opens the bridge. Errors: this worker was not started inside Python, the bridge does not fit this torch.
Result<std::unique_ptr<Interpreter>> openInterpreter();

}  // namespace wb

/// The one function that libwarpbench_python.so exports.
extern "C" wb::Interpreter* warpbench_interpreter(std::string* failure);
