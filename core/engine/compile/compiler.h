// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/call.h"
#include "core/engine/compile/build_exchange.h"
#include "core/engine/compile/built_code.h"
#include "core/engine/reference/problem_models.h"
#include "core/model/event.h"
#include "core/model/job.h"

namespace wb {

/// What a source says of itself before it is compiled.
struct Claim {
  /// The operator's name as the header gives it; "" when only the functions tell.
  std::string op;
  /// The functions that may be the kernel, best first: "relu_kernel_impl" before "relu".
  std::vector<std::string> functions;
  /// The source brings its own reference and inputs (class Model, get_inputs), so no operator of ATen's is
  /// looked for.
  bool problem = false;
};

/// What is loaded of a problem (Claim::problem): all of it, or one side alone, where the other is in another
/// process.
enum class ProblemPart { both, reference, candidate };

/// A C++ text of which a shared object is to be built, in the words of host/host_builder.h.
struct TextToBuild {
  std::string header, text;
  std::vector<std::pair<std::string, std::string>> files;
  std::vector<std::string> options;
};

/// What came of it.
struct BuiltText {
  /// The shared object; "" where the compiler refused the text.
  std::string object;
  /// What the compiler printed, and how it ended where it refused.
  std::string output, ending;
  bool cached = false;
};

/// The kernels that a loaded object has named, compiled.
struct NamedKernels {
  std::string cubin;
  /// Their names in it, in the order in which they were named.
  std::vector<std::string> loweredNames;
};

/// What was built of a source, for the process that loads it.
struct BuiltObject {
  std::filesystem::path object;
  /// The function in it.
  std::string function;
  /// Otherwise there is no device for it, and it is loaded for the kernels that it names alone.
  bool runs = true;
  /// Compiles the kernels ("ns::relu<float>") that the object names when it is loaded, within so many
  /// seconds; absent where it names none. Whoever names them need not be trusted. Errors: they are no kernels
  /// of the source, or do not compile.
  std::function<Result<NamedKernels>(const std::vector<std::string>& names, double seconds)> kernels{};
};

struct CompileRequest {
  const KernelSource& source;
  /// The resolved schema name; "" for a problem.
  std::string op;
  /// Its schema's text; of a problem only where the candidate is loaded alone.
  std::string schema;
  /// The abbreviations of the planned cases' dtypes, for which raw CUDA compiles `scalar_t`.
  std::vector<std::string> dtypes;
  /// The device: "cpu", "cuda:0".
  std::string device;
  /// The device's architecture, "sm_90"; without a GPU, the one to compile for all the same.
  std::string architecture;
  /// When this is false there is no GPU: the source is only compiled.
  bool canRun = true;
  double deadlineSeconds = 120;
  std::stop_token stop;
  std::function<void(const Diagnostic&)> onDiagnostic;
  std::function<void(const Log&)> onLog;
  /// How many bytes a problem's own inputs may take together on this device.
  std::int64_t inputBytes = std::numeric_limits<std::int64_t>::max();
  /// A Python kernel gets what the case spells, and nothing is converted, as in BackendBench.
  bool rawArguments = false;
  /// Programs that compile the source run inside walls.
  bool walls = false;
  ProblemPart part = ProblemPart::both;
  /// What the parameters of a problem's models are drawn from. Not negative.
  std::int64_t modelSeed = 0;
  /// Since when no file may have been changed that a problem reads beside its own, in nanoseconds since 1970;
  /// 0 where that is not looked at.
  std::int64_t problemSince = 0;
  /// Has another process build a text, which may keep what is built; nothing where that one does not want to.
  /// Absent where there is no such process.
  std::function<std::optional<BuiltText>(const TextToBuild&)> buildElsewhere{};
  /// Has another process load what was built, in the place of this one, which loads nothing then and has no
  /// candidate. For languages that are built before they are loaded: torch C++ and CUDA extensions.
  std::function<Result<void>(const BuiltObject&)> loadElsewhere{};
  /// How built files come from other machines and go to them; null where they do not.
  const BuildExchange* exchange = nullptr;
};

/// The reference of a kernel that brings its own (Claim::problem).
struct OwnReference {
  /// An operator that the compiler registered with torch's dispatcher.
  std::string op;
  /// Its schema's text.
  std::string schema;
  /// The cases; their `values` are "own".
  std::vector<Case> cases;
  std::function<Result<Stack>(std::uint64_t seed)> inputs;
  /// Whether another seed makes other inputs.
  bool inputsVary = true;
  /// Its inputs that it changes in place, "a0, a2".
  std::string changes{};
  /// The reference itself, called as a kernel is called and not through the dispatcher; null where it is in
  /// another process.
  std::shared_ptr<Candidate> asKernel{};
};

struct CompileOutcome : BuiltCode {
  /// This is null where the kernel compiles but cannot run here, as `note` says, or is loaded elsewhere.
  std::unique_ptr<Candidate> candidate;
  std::string note;
  /// The reference of a problem, unless the candidate was loaded alone.
  std::optional<OwnReference> reference;
  /// A problem's models.
  ProblemModels models;
};

/// Code that a language made while the kernel ran.
struct LateCode {
  /// What compilers wrote on the way; SASS comes from the binaries.
  std::vector<Listing> texts;
  std::vector<DeviceCode> cubins;
};

/// What a kernel did to its language's own runtime.
struct RuntimeTraces {
  /// What was changed and has been put back.
  std::vector<std::string> changed;
  /// The functions and modules, used by others too, that were replaced; they stay replaced.
  std::vector<std::string> patched;
};

/// What is left in the language's runtime of a kernel that has gone.
struct LeftBehind {
  /// What would reach the next kernel in this process: "math.pi".
  std::vector<std::string> words;
  /// New files where each runtime looks for what it runs.
  std::vector<std::string> files;
};

/// Turns one language into candidates. A new language needs one file and one row in pipeline/compilers.cpp.
class Compiler {
 public:
  virtual ~Compiler() = default;
  [[nodiscard]] virtual std::string_view language() const = 0;
  /// Reads what the source says of itself. Errors are those of its header (with place).
  virtual Result<Claim> claim(const KernelSource& source) = 0;
  /// Compiles and loads. Compiler messages go to onDiagnostic as they are parsed; the error then sums up ("2
  /// errors in relu.cpp").
  virtual Result<CompileOutcome> compile(const CompileRequest& request) = 0;
  /// Does what can be done ahead of the first job (the precompiled header). Nothing by default.
  virtual Result<void> prepare(const std::function<void(const Log&)>& onLog) {
    (void)onLog;
    return {};
  }
  /// The code of what the last kernel launched so far, where its language compiles at the first launch;
  /// without a GPU, as it would be for this architecture. Nothing by default.
  virtual Result<LateCode> lateCode(const std::string& architecture) {
    (void)architecture;
    return LateCode{};
  }
  /// What the kernels that were compiled and run since the process began left behind. Nothing by default.
  virtual RuntimeTraces traces() { return {}; }
  /// The last kernel is done, and nobody holds what compile() gave: lets go of the rest of it, so that what
  /// its objects do when they go away is done now, and not while another kernel runs. Nothing by default.
  virtual LeftBehind letGo() { return {}; }
  /// Whether a problem's reference says so when anybody calls it, which takes a few microseconds: it may only
  /// while nothing of it is timed. Nothing by default.
  virtual void referenceTells(bool whenCalled) { (void)whenCalled; }
};

}  // namespace wb
