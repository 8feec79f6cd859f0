// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/torch_cuda/torch_cuda_compiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/engine/compile/host/host_builder.h"
#include "core/engine/compile/host/shared_object_candidate.h"
#include "core/engine/compile/host/translation_unit.h"
#include "core/engine/compile/torch_cuda/device_build.h"
#include "core/engine/compile/torch_cuda/device_choice.h"
#include "core/engine/compile/torch_cuda/load_extension.h"
#include "core/engine/compile/torch_cuda/nvcc.h"
#include "core/engine/compile/torch_cuda/nvcc_artifacts.h"
#include "core/engine/compile/torch_cuda/split/splitter.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

/// Everything that is known of a request before anything is compiled.
struct Plan {
  FunctionDefinition function;
  c10::FunctionSchema schema;
  std::string path, architecture;
  Split split;
};

/// The file that a message is about. What was compiled may have been another copy of an included file.
const SplitFile* fileOf(const Split& split, const std::string& own, const std::string& named) {
  const auto isFile = [&](const SplitFile& each) { return named == (each.name.empty() ? own : each.path); };
  const auto isCopy = [&](const SplitFile& each) {
    return !each.name.empty() && fs::path(named).filename() == fs::path(each.path).filename();
  };
  auto found = std::ranges::find_if(split.files, isFile);
  if (found == split.files.end()) found = std::ranges::find_if(split.files, isCopy);
  return found == split.files.end() ? nullptr : &*found;
}

/// How many errors have been reported, and the place of the first one.
struct ReportedErrors {
  int errors = 0;
  Place first;
};

class TorchCudaCompiler final : public Compiler {
 public:
  explicit TorchCudaCompiler(const TorchCudaOptions& options)
      : prepareAlways_(options.prepareAlways),
        builder_(
            HostBuildOptions{options.compiler, options.cache, "warpbench_cuda.h", runtimeIncludes(), {}}) {}

  [[nodiscard]] std::string_view language() const override { return "torch_cuda"; }

  Result<Claim> claim(const KernelSource& source) override {
    Claim claim;
    claim.functions = possibleKernels(hostFunctions(source.text));
    return claim;
  }

  Result<void> prepare(const std::function<void(const Log&)>& onLog) override {
    if (!prepareAlways_ && driver() == nullptr) return {};
    return builder_.prepare(onLog);
  }

  Result<CompileOutcome> compile(const CompileRequest& request) override {
    WB_TRY(auto function, findKernel(hostFunctions(request.source.text), request.source.path, request.op));
    WB_TRY(auto schema, parsedSchema(request.schema));
    WB_DO(builder_.findTools(request.onLog));
    const Plan plan{std::move(function), std::move(schema),
                    request.source.path.empty() ? "kernel.cu" : request.source.path, architectureFor(request),
                    splitSource(request.source.text, request.source.path, readBeside)};
    if (!plan.split.unfit.empty()) return compileWhole(plan, request, plan.split.unfit);
    return compileApart(plan, request);
  }

 private:
  static void say(const Diagnostic& d, const CompileRequest& request, ReportedErrors& said) {
    if (d.severity == Severity::error && said.errors++ == 0) said.first = d.place;
    if (request.onDiagnostic) request.onDiagnostic(d);
  }

  static Error summary(const ReportedErrors& said, const CompileRequest& request) {
    return Error{
        Stage::compile,
        fmt::format("{} error{} in {}", said.errors, said.errors == 1 ? "" : "s", fileName(request.source)),
        "", said.first};
  }

  /// Reports the messages about the host's part, at the user's places.
  void sayHost(const HostBuilt& built, const TranslationUnit& unit, const Plan& plan,
               const CompileRequest& request, ReportedErrors& said) const {
    for (auto& d :
         readMessages(built.entry.output, builder_.compiler().tool, unit, request.source.text, plan.path)) {
      const SplitFile* const file = fileOf(plan.split, plan.path, d.place.file);
      if (file != nullptr && d.tool != "warpbench") {
        if (!file->name.empty()) d.place.file = file->path;
        const auto at = file->host.sourceOf({d.place.line, d.place.column});
        d.place.line = at.line;
        d.place.column = at.column;
      }
      say(d, request, said);
    }
  }

  [[nodiscard]] DeviceBuild deviceBuild(const Plan& plan, const CompileRequest& request,
                                        std::string toolchain) const {
    return {plan.split,
            plan.path,
            plan.architecture,
            std::move(toolchain),
            builder_.torch().root / "include",
            std::chrono::steady_clock::now() +
                std::chrono::milliseconds(static_cast<std::int64_t>(request.deadlineSeconds * 1e3)),
            request.stop,
            {},
            request.exchange,
            builder_.torch().identity};
  }

  Result<CompileOutcome> compileApart(const Plan& plan, const CompileRequest& request) {
    WB_TRY(auto toolchain, nvrtcName());
    const auto build = deviceBuild(plan, request, toolchain);
    auto unit = makeTranslationUnit(plan.split.files[0].host.text(), plan.function, plan.schema);
    unit.text += "WARPBENCH_CUDA_ENTRY_POINTS\n";
    HostUnit host{unit.text, {}, {}};
    for (const auto& file : plan.split.files)
      if (!file.name.empty())
        host.files.emplace_back(file.name, fmt::format("#line 1 \"{}\"\n{}", file.path, file.host.text()));
    for (const auto& file : plan.split.files) host.paths.push_back({file.path, labelOf(file, plan.path)});
    WB_TRY(const auto parts, buildParts(builder_, host, build, request));
    const auto& [built, checked] = parts;
    if (!checked.lacking.empty()) return compileWhole(plan, request, "NVRTC: " + checked.lacking);
    ReportedErrors said;
    for (const auto& d : checked.diagnostics) say(d, request, said);
    sayHost(built, unit, plan, request, said);
    if (!built.ok)
      return buildFailure(built, builder_.compiler().version, request.source, said.errors, said.first);
    if (said.errors > 0) return summary(said, request);
    return finishApart(plan, request, build, built, checked.diagnostics);
  }

  /// Goes on when the host's part is built: compiles the kernels that it names, and loads both.
  Result<CompileOutcome> finishApart(const Plan& plan, const CompileRequest& request,
                                     const DeviceBuild& build, const HostBuilt& built,
                                     const std::vector<Diagnostic>& known) {
    CompileOutcome outcome;
    outcome.toolchain = builder_.compiler().version + ", " + build.toolchain;
    auto device = loadExtension({builder_, built, build, request, plan.function.name},
                                [&](const fs::path& object) -> Result<void> {
                                  auto candidate = loadSharedObject(object, plan.function.name, plan.schema);
                                  if (!candidate) return notLoaded(candidate.error(), request);
                                  outcome.candidate = *std::move(candidate);
                                  return {};
                                });
    if (!device) return device.error();
    if (!device->ok && !device->lacking.empty())
      return compileWhole(plan, request, "NVRTC: " + device->lacking);
    ReportedErrors said;
    for (const auto& d : device->diagnostics)
      if (std::find(known.begin(), known.end(), d) == known.end()) say(d, request, said);
    if (!device->ok) return summary(said, request);
    outcome.cached = built.cached && device->cached;
    outcome.artifacts = std::move(device->artifacts);
    if (!device->cubin.empty()) outcome.cubins.push_back({std::move(device->cubin)});
    addHostObject(outcome, plan.function.name, built.entry.object);
    if (!canRunOnDevice(request)) outcome.note = whyNotRun(request);
    return outcome;
  }

  Result<CompileOutcome> compileWhole(const Plan& plan, const CompileRequest& request,
                                      const std::string& why) {
    const auto nvcc = findNvcc(builder_.torch());
    if (!nvcc) {
      Error error = nvcc.error();
      error.text = fmt::format("{} needs nvcc, since {}; {}", fileName(request.source), why, error.text);
      return error;
    }
    const auto unit = makeTranslationUnit(request.source.text, plan.function, plan.schema);
    if (request.onLog)
      request.onLog(Log{
          "compiler",
          fmt::format("{} compiles the whole file, some 30 s, since {}. See `CUDA extensions` in the help.",
                      nvcc->version, why)});
    WB_TRY(const auto built, buildWithNvcc(*nvcc, builder_, {unit.text, {}, {}}, plan.architecture, request));
    ReportedErrors said;
    for (auto& d : readMessages(built.entry.output, "nvcc", unit, request.source.text, plan.path)) {
      // Users cannot change torch's own headers.
      if (d.severity == Severity::error || d.place.file == plan.path) say(d, request, said);
    }
    if (!built.ok) return buildFailure(built, nvcc->version, request.source, said.errors, said.first);
    CompileOutcome outcome;
    outcome.toolchain = nvcc->version;
    outcome.cached = built.cached;
    outcome.artifacts = nvccArtifacts(built.entry.output, plan.architecture);
    addHostObject(outcome, plan.function.name, built.entry.object);
    outcome.note = fmt::format("Compiled by nvcc as a whole, since {}.", why);
    if (!canRunOnDevice(request)) {
      outcome.note += " " + whyNotRun(request);
      return outcome;
    }
    if (request.loadElsewhere) {
      WB_DO(request.loadElsewhere({built.entry.object, plan.function.name}));
      return outcome;
    }
    auto candidate = loadSharedObject(built.entry.object, plan.function.name, plan.schema);
    if (!candidate) return notLoaded(candidate.error(), request);
    outcome.candidate = *std::move(candidate);
    return outcome;
  }

  static Error notLoaded(Error error, const CompileRequest& request) {
    error.place.file = request.source.path;
    if (request.onDiagnostic)
      request.onDiagnostic(Diagnostic{Severity::error, error.text, "", error.place, "warpbench"});
    return error;
  }

  bool prepareAlways_;
  HostBuilder builder_;
};

}  // namespace

std::unique_ptr<Compiler> torchCudaCompiler(const TorchCudaOptions& options) {
  return std::make_unique<TorchCudaCompiler>(options);
}

}  // namespace wb
