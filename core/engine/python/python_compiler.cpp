// SPDX-License-Identifier: Apache-2.0
#include "core/engine/python/python_compiler.h"

#include <algorithm>
#include <utility>

#include "core/base/files/paths.h"
#include "core/engine/compile/host/build_cache.h"
#include "core/engine/python/interpreter.h"
#include "core/engine/python/python_modules.h"
#include "core/engine/python/python_outline.h"

namespace wb {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class PythonCompiler : public Compiler {
 public:
  explicit PythonCompiler(std::string language) : language_(std::move(language)) {}
  [[nodiscard]] std::string_view language() const override { return language_; }

  Result<Claim> claim(const KernelSource& source) override {
    const PythonOutline outline = outlineOf(source.text);
    Claim claim;
    claim.functions = possiblePythonKernels(outline);
    const bool kernel = std::any_of(claim.functions.begin(), claim.functions.end(),
                                    [](const std::string& name) { return name.ends_with("_kernel_impl"); });
    claim.problem =
        !source.referenceText.empty() || contains(outline.classes, "ModelNew") ||
        (contains(outline.classes, "Model") && contains(outline.functions, "get_inputs") && !kernel);
    return claim;
  }

  Result<void> prepare(const std::function<void(const Log&)>& onLog) override {
    if (language_ == "python" && isInsidePython()) modules_.prepare(onLog);
    return {};
  }

  Result<LateCode> lateCode(const std::string& architecture) override {
    if (!interpreter_ || language_ != "triton") return LateCode{};
    return interpreter_->lateCode(architecture);
  }

  RuntimeTraces traces() override { return interpreter_ ? interpreter_->traces() : RuntimeTraces{}; }

  LeftBehind letGo() override { return interpreter_ ? interpreter_->letGo() : LeftBehind{}; }

  void referenceTells(bool whenCalled) override {
    if (interpreter_) interpreter_->referenceTells(whenCalled);
  }

  Result<CompileOutcome> compile(const CompileRequest& request) override {
    WB_DO(open());
    PythonScript script;
    script.path = request.source.path;
    script.text = request.source.text;
    script.language = language_;
    script.op = request.op;
    script.part = request.part;
    script.schema = request.schema;
    if (!request.op.empty()) script.functions = pythonKernelNames(request.op);
    script.referencePath = request.source.referencePath;
    script.referenceText = request.source.referenceText;
    script.device = request.device;
    script.inputBytes = request.inputBytes;
    script.modelSeed = request.modelSeed;
    script.problemSince = request.problemSince;
    script.rawArguments = request.rawArguments;
    script.folder = folder_;
    modules_.begin(request);
    Result<LoadedScript> loaded = interpreter_->load(script);
    BuiltModules built = modules_.end();
    CompileOutcome outcome;
    outcome.toolchain = interpreter_->versions();
    outcome.cached = built.cached;
    if (loaded) {
      outcome.candidate = std::move(loaded->candidate);
      outcome.reference = std::move(loaded->reference);
      outcome.models = std::move(loaded->models);
      Artifact artifact;
      artifact.name = loaded->function;
      outcome.artifacts.push_back(std::move(artifact));
    } else if (!built.notRun.empty()) {
      outcome.note = built.notRun;
    } else if (loaded.error().type == moduleErrorType && built.error) {
      return *std::move(built.error);
    } else {
      return std::move(loaded).error();
    }
    add(outcome, built);
    return outcome;
  }

 private:
  Result<void> open() {
    if (interpreter_) return {};
    WB_TRY(auto opened, openInterpreter());
    WB_TRY(auto place, usableCacheFolder(cacheFolder()));
    folder_ = place.folder / "python";
    interpreter_ = std::move(opened);
    interpreter_->buildModulesWith([this](const ModuleSources& sources) { return modules_.build(sources); });
    return {};
  }

  std::string language_;
  PythonModules modules_;
  std::unique_ptr<Interpreter> interpreter_;
  std::filesystem::path folder_;
};

}  // namespace

std::unique_ptr<Compiler> pythonCompiler(std::string language) {
  return std::make_unique<PythonCompiler>(std::move(language));
}

}  // namespace wb
