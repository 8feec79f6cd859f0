// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/call.h"
#include "core/model/event.h"
#include "core/model/job.h"

namespace wb {

/// What a source says of itself before it is compiled.
struct Claim {
  std::string op;  ///< operator's name as written in the header; "" when only the functions tell
  std::vector<std::string>
      functions;  ///< functions that may be the kernel, best first: "relu_kernel_impl" before "relu"
  /// It brings its own reference and inputs (class Model, get_inputs): no operator of ATen's is looked for.
  bool problem = false;
};

struct CompileRequest {
  const KernelSource& source;
  std::string op;      ///< resolved schema name
  std::string schema;  ///< its schema's text
  std::vector<std::string>
      dtypes;          ///< abbreviations of the planned cases' dtypes: what raw CUDA compiles `scalar_t` for
  std::string device;  ///< "cpu", "cuda:0"
  std::string architecture;  ///< "sm_90" of the device; without a GPU what to compile for anyway
  bool canRun = true;        ///< false: compile only, no GPU here
  double deadlineSeconds = 120;
  std::stop_token stop;
  std::function<void(const Diagnostic&)> onDiagnostic;
  std::function<void(const Log&)> onLog;
  /// What a problem's own inputs may take on this device together, bytes.
  std::int64_t inputBytes = std::numeric_limits<std::int64_t>::max();
  bool rawArguments =
      false;  ///< as BackendBench: a Python kernel gets what the case spells, nothing converted
};

/// What a kernel that brings its own reference (Claim::problem) is measured against.
struct OwnReference {
  std::string op;           ///< an operator that the compiler registered with torch's dispatcher
  std::string schema;       ///< its schema's text
  std::vector<Case> cases;  ///< with `values` "own"
  std::function<Result<Stack>(std::uint64_t seed)> inputs;
};

struct CompileOutcome {
  std::unique_ptr<Candidate> candidate;  ///< null: it compiles, but cannot run here; `note` says why
  std::string toolchain;                 ///< "clang++ 14.0.6"
  bool cached = false;
  std::string note;
  std::vector<Artifact> artifacts;
  std::vector<std::string> cubins{};      ///< device code that it made itself, for the listing
  std::optional<OwnReference> reference;  ///< of a problem
};

/// What a kernel did to its language's own runtime.
struct RuntimeTraces {
  std::vector<std::string> changed;  ///< and was put back
  std::vector<std::string> patched;  ///< functions and modules that others use too; they stay as they are
};

/// Turns one language into candidates. Plug point: one file and one row in pipeline/compilers.cpp.
class Compiler {
 public:
  virtual ~Compiler() = default;
  [[nodiscard]] virtual std::string_view language() const = 0;
  /// Reads the source's own claim. Errors are those of its header (with place).
  virtual Result<Claim> claim(const KernelSource& source) = 0;
  /// Compiles and loads. Compiler messages go to onDiagnostic as they are parsed; the error then sums up ("2
  /// errors in relu.cpp").
  virtual Result<CompileOutcome> compile(const CompileRequest& request) = 0;
  /// What can be done ahead of the first job (the precompiled header). Nothing by default.
  virtual Result<void> prepare(const std::function<void(const Log&)>& onLog) {
    (void)onLog;
    return {};
  }
  /// What the kernels that were compiled and run since the process began left behind. Nothing by default.
  virtual RuntimeTraces traces() { return {}; }
};

}  // namespace wb
