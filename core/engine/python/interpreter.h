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

/// A kernel in Python as the interpreter gets it.
struct PythonScript {
  std::string path, text;
  /// The language: "python" or "triton".
  std::string language;
  /// The names that the kernel may have, best first.
  std::vector<std::string> functions;
  /// The resolved schema name; "" for a problem.
  std::string op;
  /// CompileRequest::part, and the schema that goes with a candidate alone.
  ProblemPart part = ProblemPart::both;
  std::string schema;
  /// The file with the problem's Model, if it is another one.
  std::string referencePath, referenceText;
  /// The device: "cpu", "cuda:0".
  std::string device;
  /// CompileRequest::inputBytes.
  std::int64_t inputBytes = 0;
  /// CompileRequest::modelSeed.
  std::int64_t modelSeed = 0;
  /// CompileRequest::problemSince.
  std::int64_t problemSince = 0;
  /// CompileRequest::rawArguments.
  bool rawArguments = false;
  /// The folder into which sources are written that are in no file.
  std::filesystem::path folder;
};

struct LoadedScript {
  std::unique_ptr<Candidate> candidate;
  /// The name under which it was found.
  std::string function;
  /// The reference of a problem.
  std::optional<OwnReference> reference;
  /// Its models, as far as they are loaded here.
  ProblemModels models;
};

/// The type of the exception that is raised for a module which could not be built
/// (resources/python/warpbench_extensions.py).
inline constexpr std::string_view moduleErrorType = "<class 'warpbench_extensions.BuildError'>";

/// The Python interpreter that this process runs in, behind libwarpbench_python.so: nothing outside that
/// library knows Python's headers. Sources are executed as modules of their own; tensors go in and out
/// without copies. Calls take the interpreter's lock themselves.
class Interpreter {
 public:
  virtual ~Interpreter() = default;
  /// Errors have the place in the user's file, and the type and traceback of what was raised.
  virtual Result<LoadedScript> load(const PythonScript& script) = 0;
  /// Builds the modules of `torch.utils.cpp_extension.load_inline` and `load`. It is called from now on, from
  /// any of Python's threads, without the interpreter's lock.
  using BuildModule = std::function<Result<ModuleOutcome>(const ModuleSources&)>;
  virtual void buildModulesWith(BuildModule build) = 0;
  /// The code of the Triton kernels that the last script launched so far.
  virtual Result<LateCode> lateCode(const std::string& architecture) = 0;
  /// What kernels have patched; puts the environment variables back.
  [[nodiscard]] virtual RuntimeTraces traces() = 0;
  /// As Compiler::letGo.
  [[nodiscard]] virtual LeftBehind letGo() = 0;
  /// As Compiler::referenceTells.
  virtual void referenceTells(bool whenCalled) = 0;
  /// "Python 3.11.2, Triton 3.6.0 (interpreted)"
  [[nodiscard]] virtual std::string versions() = 0;
};

/// Whether this worker was started inside Python.
[[nodiscard]] bool isInsidePython();

/// Opens the bridge. Errors: this worker was not started inside Python, or the bridge does not fit this
/// torch.
Result<std::unique_ptr<Interpreter>> openInterpreter();

}  // namespace wb

/// The one function that libwarpbench_python.so exports.
extern "C" wb::Interpreter* warpbench_interpreter(std::string* failure);
