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
    WB_TRY(CompileOutcome outcome, built(request));
    LoadOrder order{.language = std::string(language()),
                    .op = request.op,
                    .schema = request.schema,
                    .device = request.device,
                    .object = outcome.object.string(),
                    .function = outcome.function,
                    .source = request.source,
                    .deadlineSeconds = request.deadlineSeconds,
                    .inputBytes = request.inputBytes};
    bool random = false;
    if (request.op.empty()) {
      WB_TRY(outcome.reference, problem(request, order));
      order.part = ProblemPart::candidate;
      order.schema = outcome.reference->schema;
    } else {
      WB_TRY(const c10::OperatorHandle op, findOperator(request.op));
      random = op.hasTag(at::Tag::nondeterministic_seeded);
    }
    session_->allow(request.deadlineSeconds, formatSeconds(request.deadlineSeconds), request.stop);
    Result<LoadedInGuest> loaded = session_->load(order);
    if (!loaded) return notLoaded(request, std::move(loaded).error());
    if (outcome.artifacts.empty()) {
      Artifact artifact;
      artifact.name = loaded->function;
      outcome.artifacts.push_back(std::move(artifact));
    }
    if (outcome.toolchain.empty()) outcome.toolchain = loaded->toolchain;
    outcome.note = loaded->note;
    outcome.candidate = guestCandidate(session_, random);
    return outcome;
  }

 private:
  /// What the judge compiles itself: languages that are built before they are loaded.
  Result<CompileOutcome> built(const CompileRequest& request) {
    if (language() != "torch_cpp") return CompileOutcome{};
    CompileRequest textOnly = request;
    textOnly.canRun = false;
    return real_.compile(textOnly);
  }

  /// The reference of a problem, in its own guest. Where it has a file of its own, that guest knows no other.
  Result<OwnReference> problem(const CompileRequest& request, LoadOrder order) {
    order.part = ProblemPart::reference;
    if (!order.source.referenceText.empty()) {
      order.source.path = std::exchange(order.source.referencePath, {});
      order.source.text = std::exchange(order.source.referenceText, {});
    }
    reference_->allow(request.deadlineSeconds, formatSeconds(request.deadlineSeconds), request.stop);
    Result<OwnReference> loaded = problemInGuest(reference_, order);
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
      if (language() == "torch_cpp" && request.onDiagnostic)
        request.onDiagnostic(Diagnostic{Severity::error, error.text, "", error.place, "warpbench"});
    }
    return error;
  }

  Compiler& real_;
  std::shared_ptr<GuestSession> session_, reference_;
};

}  // namespace

std::unique_ptr<Compiler> guestCompiler(Compiler& real, std::shared_ptr<GuestSession> session,
                                        std::shared_ptr<GuestSession> reference) {
  return std::make_unique<GuestCompiler>(real, std::move(session), std::move(reference));
}

}  // namespace wb
