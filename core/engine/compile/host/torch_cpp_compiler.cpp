// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/host/torch_cpp_compiler.h"

#include <fmt/format.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <utility>

#include "core/engine/compile/host/host_builder.h"
#include "core/engine/compile/host/shared_object_candidate.h"
#include "core/engine/compile/host/translation_unit.h"
#include "core/engine/reference/exception_text.h"

namespace wb {
namespace {

class TorchCppCompiler : public Compiler {
 public:
  explicit TorchCppCompiler(const TorchCppOptions& options)
      : builder_(HostBuildOptions{options.compiler, options.cache, std::string{standardHeader}, {}, {}}) {}

  [[nodiscard]] std::string_view language() const override { return "torch_cpp"; }
  Result<Claim> claim(const KernelSource& source) override { return Claim{"", possibleKernels(source.text)}; }
  Result<void> prepare(const std::function<void(const Log&)>& onLog) override {
    return builder_.prepare(onLog);
  }
  Result<CompileOutcome> compile(const CompileRequest& request) override;

 private:
  std::pair<int, Place> report(const std::string& output, const TranslationUnit& unit,
                               const CompileRequest& request) const;
  Result<CompileOutcome> load(const BuildCache::Entry& entry, const TranslationUnit& unit,
                              const CompileRequest& request, c10::FunctionSchema schema) const;

  HostBuilder builder_;
};

Result<CompileOutcome> TorchCppCompiler::compile(const CompileRequest& request) {
  WB_TRY(auto function, findKernel(request.source.text, request.source.path, request.op));
  WB_TRY(auto schema, parsedSchema(request.schema));
  WB_DO(builder_.findTools(request.onLog));
  const auto unit = makeTranslationUnit(request.source.text, std::move(function), schema);
  if (unit.wholeTorch && request.onLog)
    request.onLog(
        Log{"compiler", "The source uses torch's C++ frontend: its headers take some 10 s to compile"});
  WB_TRY(const auto built, builder_.build({unit.text, {}, {}}, request));
  const auto [errors, first] = report(built.entry.output, unit, request);
  if (!built.ok) return buildFailure(built, builder_.compiler().version, request.source, errors, first);
  auto outcome = load(built.entry, unit, request, std::move(schema));
  if (outcome) outcome->cached = built.cached;
  return outcome;
}

/// Reports what the compiler printed, and gives the number of errors and the first one's place.
std::pair<int, Place> TorchCppCompiler::report(const std::string& output, const TranslationUnit& unit,
                                               const CompileRequest& request) const {
  std::pair<int, Place> errors{0, {}};
  for (const auto& d :
       readMessages(output, builder_.compiler().tool, unit, request.source.text, request.source.path)) {
    if (d.severity == Severity::error && errors.first++ == 0) errors.second = d.place;
    if (request.onDiagnostic) request.onDiagnostic(d);
  }
  return errors;
}

Result<CompileOutcome> TorchCppCompiler::load(const BuildCache::Entry& entry, const TranslationUnit& unit,
                                              const CompileRequest& request,
                                              c10::FunctionSchema schema) const {
  CompileOutcome outcome;
  outcome.toolchain = builder_.compiler().version;
  if (request.loadElsewhere) {
    WB_DO(request.loadElsewhere({entry.object, unit.function.name}));
  } else if (request.canRun) {
    auto candidate = loadSharedObject(entry.object, unit.function.name, std::move(schema));
    if (!candidate) {
      auto error = candidate.error();
      error.place.file = request.source.path;
      if (request.onDiagnostic)
        request.onDiagnostic(Diagnostic{Severity::error, error.text, "", error.place, "warpbench"});
      return error;
    }
    outcome.candidate = *std::move(candidate);
  }
  addHostObject(outcome, unit.function.name, entry.object);
  return outcome;
}

}  // namespace

std::unique_ptr<Compiler> torchCppCompiler(const TorchCppOptions& options) {
  return std::make_unique<TorchCppCompiler>(options);
}

}  // namespace wb
