// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/guest_compiler.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "core/base/quantity.h"
#include "core/engine/guest/guest_candidate.h"
#include "core/engine/guest/guest_problem.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

class GuestCompiler final : public Compiler {
 public:
  GuestCompiler(Compiler& real, std::shared_ptr<GuestSession> session,
                std::shared_ptr<GuestSession> reference)
      : real_(real), session_(std::move(session)), reference_(std::move(reference)) {}

  [[nodiscard]] std::string_view language() const override { return real_.language(); }
  Result<Claim> claim(const KernelSource& source) override { return real_.claim(source); }

  Result<CompileOutcome> compile(const CompileRequest& request) override {
    LoadOrder order{.language = std::string(language()),
                    .op = request.op,
                    .schema = request.schema,
                    .device = request.device,
                    .source = request.source,
                    .deadlineSeconds = request.deadlineSeconds,
                    .inputBytes = request.inputBytes,
                    .modelSeed = request.modelSeed};
    std::optional<OwnReference> reference;
    bool random = false;
    if (request.op.empty()) {
      WB_TRY(ProblemThere there, problem(request, order));
      if (!there.reference) {
        CompileOutcome onlyCompiled;
        onlyCompiled.note = std::move(there.notRun);
        onlyCompiled.toolchain = std::move(there.toolchain);
        return onlyCompiled;
      }
      reference = std::move(there.reference);
      order.part = ProblemPart::candidate;
      order.schema = reference->schema;
    } else {
      WB_TRY(const c10::OperatorHandle op, findOperator(request.op));
      random = op.hasTag(at::Tag::nondeterministic_seeded);
    }
    WB_TRY(CompileOutcome outcome, isBuiltHere() ? built(request, order) : loadedFromText(request, order));
    if (reference) outcome.models = {modelInGuest(reference_), modelInGuest(session_)};
    outcome.reference = std::move(reference);
    if (runs_) outcome.candidate = guestCandidate(session_, random);
    return outcome;
  }

 private:
  /// Whether the judge compiles it, and a guest loads what was built of it.
  [[nodiscard]] bool isBuiltHere() const { return language() == "torch_cpp" || language() == "torch_cuda"; }

  Result<CompileOutcome> built(const CompileRequest& request, LoadOrder& order) {
    runs_ = false;
    CompileRequest apart = request;
    apart.loadElsewhere = [&](const BuiltObject& object) -> Result<void> {
      order.object = object.object.string();
      order.function = object.function;
      order.runs = object.runs;
      order.namesKernels = object.kernels != nullptr;
      auto kernels = order.namesKernels ? std::make_shared<KernelAnswers>(object.kernels) : nullptr;
      const Result<LoadedInGuest> loaded = load(request, order, kernels);
      // What compiles them is the compiler's, which goes on now.
      if (kernels) kernels->close();
      if (!loaded) return loaded.error();
      runs_ = object.runs;
      return {};
    };
    return real_.compile(apart);
  }

  Result<CompileOutcome> loadedFromText(const CompileRequest& request, const LoadOrder& order) {
    WB_TRY(LoadedInGuest loaded, load(request, order, nullptr));
    runs_ = !loaded.isOnlyCompiled;
    CompileOutcome outcome;
    Artifact artifact;
    artifact.name = std::move(loaded.function);
    outcome.artifacts.push_back(std::move(artifact));
    outcome.toolchain = std::move(loaded.toolchain);
    outcome.note = std::move(loaded.note);
    return outcome;
  }

  Result<LoadedInGuest> load(const CompileRequest& request, const LoadOrder& order,
                             const std::shared_ptr<KernelAnswers>& kernels) {
    session_->allow(request.deadlineSeconds, formatSeconds(request.deadlineSeconds), request.stop);
    Result<LoadedInGuest> loaded = session_->load(order, kernels);
    if (loaded) return loaded;
    // Where it was refused its kernels, their compiler says why.
    if (kernels && kernels->refused()) return loaded;
    return notLoaded(request, std::move(loaded).error());
  }

  /// The reference of a problem, in its own guest. Where it has a file of its own, that guest knows no other.
  Result<ProblemThere> problem(const CompileRequest& request, LoadOrder order) {
    order.part = ProblemPart::reference;
    if (!order.source.referenceText.empty()) {
      order.source.path = std::exchange(order.source.referencePath, {});
      order.source.text = std::exchange(order.source.referenceText, {});
    }
    reference_->allow(request.deadlineSeconds, formatSeconds(request.deadlineSeconds), request.stop);
    Result<ProblemThere> loaded = problemInGuest(reference_, order);
    const std::optional<GuestLoss> loss = loaded ? std::nullopt : reference_->takeLoss();
    if (!loss) return loaded;
    return Error{Stage::compile,
                 fmt::format("the process of the problem's reference was lost ({})", loss->how),
                 "the problem's own code runs while it is loaded"};
  }

  /// The error of a kernel that did not load, said as if it had been loaded here.
  Error notLoaded(const CompileRequest& request, Error error) {
    if (const std::optional<GuestLoss> loss = session_->takeLoss()) {
      const std::string file = std::filesystem::path(request.source.path).filename().string();
      error.stage = Stage::compile;
      error.text =
          fmt::format("The kernel's process {} while loading {}",
                      loss->verdict == Verdict::hung ? loss->how : "was lost (" + loss->how + ")", file);
      error.hint =
          "code that runs while the kernel is loaded, such as the initialisation of globals, counts as "
          "compiling";
      return error;
    }
    if (error.stage == Stage::compile && error.place.file.empty()) {
      error.place.file = request.source.path;
      if (isBuiltHere() && request.onDiagnostic)
        request.onDiagnostic(Diagnostic{Severity::error, error.text, "", error.place, "warpbench"});
    }
    return error;
  }

  Compiler& real_;
  std::shared_ptr<GuestSession> session_, reference_;
  /// The kernel that was compiled last was loaded to be run.
  bool runs_ = false;
};

}  // namespace

std::unique_ptr<Compiler> guestCompiler(Compiler& real, std::shared_ptr<GuestSession> session,
                                        std::shared_ptr<GuestSession> reference) {
  return std::make_unique<GuestCompiler>(real, std::move(session), std::move(reference));
}

}  // namespace wb
