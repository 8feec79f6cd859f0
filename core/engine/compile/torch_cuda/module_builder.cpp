// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/module_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "core/engine/compile/host/bound_module.h"
#include "core/engine/compile/text/source_scan.h"
#include "core/engine/compile/torch_cuda/device_choice.h"
#include "core/engine/compile/torch_cuda/load_extension.h"
#include "core/engine/compile/torch_cuda/module_unit.h"
#include "core/engine/compile/torch_cuda/nvcc.h"
#include "core/engine/compile/torch_cuda/nvcc_artifacts.h"

namespace wb {
namespace fs = std::filesystem;
namespace {

/// One module that is being built.
struct Work {
  const ModuleSources& sources;
  const CompileRequest& request;
  const ModuleFlags& flags;
  const ModuleUnit& unit;
  HostBuilder& builder;
};

/// Messages about a module, which are kept until it is known whether they are about the user's code.
using Messages = std::vector<Diagnostic>;

bool hasErrors(const Messages& messages) {
  return std::any_of(messages.begin(), messages.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

ModuleOutcome unfit(const ModuleSources& sources, const CompileRequest& request, std::string why) {
  if (request.onLog)
    request.onLog(Log{"compiler", fmt::format("torch builds '{}' itself, which takes a minute, since {}",
                                              sources.name, why)});
  ModuleOutcome outcome;
  outcome.unfit = std::move(why);
  return outcome;
}

void addOnce(Messages& all, const Messages& more) {
  for (const auto& d : more)
    if (std::find(all.begin(), all.end(), d) == all.end()) all.push_back(d);
}

/// Tells the messages. Where there are errors among them, gives the error that sums them up, with their texts
/// as its trace.
Result<void> tell(const Work& work, const Messages& messages) {
  constexpr int mostListed = 10;
  int errors = 0;
  Error error{Stage::compile, ""};
  for (const auto& said : messages) {
    const Diagnostic d = work.unit.atUsersPlace(said);
    if (work.request.onDiagnostic) work.request.onDiagnostic(d);
    if (d.severity != Severity::error) continue;
    if (errors++ == 0) error.place = d.place;
    if (errors <= mostListed) error.trace += fmt::format("{}: error: {}\n", text(d.place), d.message);
  }
  if (errors == 0) return {};
  error.text =
      fmt::format("{} error{} in the sources of '{}'", errors, errors == 1 ? "" : "s", work.sources.name);
  return error;
}

/// Loads what was built; errors are at the place of the call.
Result<void> loadInto(ModuleOutcome& outcome, const Work& work, const fs::path& object) {
  auto functions = loadBoundModule(object);
  if (functions) {
    outcome.functions = *std::move(functions);
    return {};
  }
  Error error = std::move(functions).error();
  error.place = {work.sources.callerPath, work.sources.callerLine, 0};
  return error;
}

/// Finds out why a build failed: because of the user's code, or because only torch can build it.
Result<ModuleOutcome> failed(const Work& work, const HostBuilt& built, const std::string& version,
                             const Messages& messages) {
  if (auto why = work.unit.whyUnfit(messages); !why.empty())
    return unfit(work.sources, work.request, std::move(why));
  WB_DO(tell(work, messages));
  KernelSource source;
  source.path = work.sources.callerPath;
  return buildFailure(built, version, source, 0, {});
}

/// Builds C++ alone.
Result<ModuleOutcome> buildHost(const Work& work) {
  WB_TRY(const auto built, work.builder.build(work.unit.host(), work.request));
  const auto messages = work.unit.read(built.entry.output, work.builder.compiler().tool, false);
  if (!built.ok) return failed(work, built, work.builder.compiler().version, messages);
  (void)tell(work, messages);
  ModuleOutcome outcome;
  WB_DO(loadInto(outcome, work, built.entry.object));
  outcome.toolchain = work.builder.compiler().version;
  outcome.cached = built.cached;
  addHostObject(outcome, work.sources.name, built.entry.object);
  return outcome;
}

/// Builds everything with nvcc.
Result<ModuleOutcome> buildWhole(const Work& work, const std::string& why) {
  const auto nvcc = findNvcc(work.builder.torch());
  if (!nvcc) {
    Error error = nvcc.error();
    error.text = fmt::format("'{}' needs nvcc, since {}; {}", work.sources.name, why, error.text);
    return error;
  }
  if (work.request.onLog)
    work.request.onLog(
        Log{"compiler", fmt::format("{} compiles '{}', some 30 s, since {}. See `CUDA extensions` in the "
                                    "help.",
                                    nvcc->version, work.sources.name, why)});
  const std::string architecture = architectureFor(work.request);
  WB_TRY(const auto built, buildWithNvcc(*nvcc, work.builder, work.unit.whole(), architecture, work.request));
  auto messages = work.unit.read(built.entry.output, "nvcc", true);
  // Torch's own headers are nobody's to mend.
  std::erase_if(messages, [](const Diagnostic& d) {
    return d.severity != Severity::error && fs::path(d.place.file).is_absolute();
  });
  if (!built.ok) return failed(work, built, nvcc->version, messages);
  (void)tell(work, messages);
  ModuleOutcome outcome;
  outcome.toolchain = nvcc->version;
  outcome.cached = built.cached;
  outcome.artifacts = nvccArtifacts(built.entry.output, architecture);
  addHostObject(outcome, work.sources.name, built.entry.object);
  if (!canRunOnDevice(work.request)) {
    outcome.notRun = whyNotRun(work.request);
    return outcome;
  }
  WB_DO(loadInto(outcome, work, built.entry.object));
  return outcome;
}

/// Builds with the host's compiler and NVRTC at the same time.
Result<ModuleOutcome> buildApart(const Work& work, const DeviceBuild& device) {
  WB_TRY(const auto parts, buildParts(work.builder, work.unit.host(), device, work.request));
  const auto& [built, checked] = parts;
  if (!checked.lacking.empty()) return buildWhole(work, "NVRTC: " + checked.lacking);
  Messages messages = checked.diagnostics;
  addOnce(messages, work.unit.read(built.entry.output, work.builder.compiler().tool, false));
  if (!built.ok || hasErrors(messages)) return failed(work, built, work.builder.compiler().version, messages);
  ModuleOutcome outcome;
  WB_TRY(auto loaded, loadExtension({work.builder, built, device, work.request},
                                    [&](const fs::path& object) { return loadInto(outcome, work, object); }));
  if (!loaded.ok && !loaded.lacking.empty()) return buildWhole(work, "NVRTC: " + loaded.lacking);
  addOnce(messages, loaded.diagnostics);
  WB_DO(tell(work, messages));
  outcome.toolchain = work.builder.compiler().version + ", " + device.toolchain;
  outcome.cached = built.cached && loaded.cached;
  outcome.artifacts = std::move(loaded.artifacts);
  addHostObject(outcome, work.sources.name, built.entry.object);
  if (!loaded.cubin.empty()) outcome.cubins.push_back({std::move(loaded.cubin)});
  if (!canRunOnDevice(work.request)) outcome.notRun = whyNotRun(work.request);
  return outcome;
}

Result<ModuleOutcome> buildCuda(const Work& work) {
  if (!work.unit.split()->unfit.empty()) return buildWhole(work, work.unit.split()->unfit);
  WB_TRY(auto toolchain, nvrtcName());
  const DeviceBuild device{
      *work.unit.split(),
      work.unit.cudaLabel(),
      architectureFor(work.request),
      std::move(toolchain),
      work.builder.torch().root / "include",
      std::chrono::steady_clock::now() +
          std::chrono::milliseconds(static_cast<std::int64_t>(work.request.deadlineSeconds * 1e3)),
      work.request.stop,
      work.flags.device,
      work.request.exchange,
      work.builder.torch().identity};
  return buildApart(work, device);
}

/// Why torch must build it, where that is known without compiling anything.
std::string knownUnfit(const ModuleSources& sources) {
  if (!sources.unfit.empty()) return sources.unfit;
  bool binds = sources.functions.has_value();
  int cudaFiles = 0;
  for (const auto& part : sources.parts) {
    for (const std::string_view macro : {"TORCH_LIBRARY", "TORCH_LIBRARY_FRAGMENT", "TORCH_LIBRARY_IMPL"})
      if (mentions(part.text, macro)) return fmt::format("it has {}", macro);
    binds = binds || mentions(part.text, "PYBIND11_MODULE");
    if (part.cuda && !part.path.empty()) ++cudaFiles;
  }
  if (!binds) return "it binds no functions";
  if (cudaFiles > 1) return "it has several .cu files";
  return {};
}

class LocalModuleBuilder final : public ModuleBuilder {
 public:
  explicit LocalModuleBuilder(fs::path cache) : cache_(std::move(cache)) {}

  Result<ModuleOutcome> build(const ModuleSources& sources, const CompileRequest& request) override {
    const std::lock_guard lock(mutex_);
    if (auto why = knownUnfit(sources); !why.empty()) return unfit(sources, request, std::move(why));
    const bool cuda = sources.withCuda || std::any_of(sources.parts.begin(), sources.parts.end(),
                                                      [](const auto& part) { return part.cuda; });
    auto builder = builderFor(cuda, {}, request.onLog);
    if (!builder) return builder.error();
    const ModuleFlags flags = readFlags(sources, (*builder)->compiler().clang);
    if (!flags.unfit.empty()) return unfit(sources, request, flags.unfit);
    if (!flags.codeGeneration.empty()) builder = builderFor(cuda, flags.codeGeneration, request.onLog);
    if (!builder) return builder.error();
    const ModuleUnit unit(sources, flags);
    const Work work{sources, request, flags, unit, **builder};
    return unit.split() ? buildCuda(work) : buildHost(work);
  }

  void prepare(const std::function<void(const Log&)>& onLog) override {
    const std::lock_guard lock(mutex_);
    (void)builderFor(false, {}, onLog);
    (void)builderFor(true, {}, onLog);
  }

 private:
  /// The builder for a way of generating code; each has a precompiled header.
  Result<HostBuilder*> builderFor(bool cuda, const std::vector<std::string>& options,
                                  const std::function<void(const Log&)>& onLog) {
    const std::string key = fmt::format("{} {}", cuda, fmt::join(options, " "));
    const auto [there, isNew] = builders_.try_emplace(
        key, cuda ? HostBuildOptions{"", cache_, "warpbench_cuda.h", runtimeIncludes(), options}
                  : HostBuildOptions{"", cache_, std::string{standardHeader}, {}, options});
    WB_DO(there->second.findTools(onLog));
    return &there->second;
  }

  fs::path cache_;
  std::mutex mutex_;
  std::map<std::string, HostBuilder> builders_;
};

}  // namespace

std::unique_ptr<ModuleBuilder> moduleBuilder(const fs::path& cache) {
  return std::make_unique<LocalModuleBuilder>(cache);
}

}  // namespace wb
