// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/kernel/kernel_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "core/base/text.h"
#include "core/engine/cases/device_room.h"
#include "core/engine/check/check_stage.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/compile/text/source_notes.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/machine/target_facts.h"
#include "core/engine/pipeline/declared_device.h"
#include "core/engine/pipeline/kernel/drawn_to_ask.h"
#include "core/engine/pipeline/operator_choice.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/seed.h"
#include "core/engine/sides/process/thread_team.h"
#include "core/model/languages.h"
#include "core/suites/literals/editable_call.h"
#include "core/suites/literals/literal_parser.h"
#include "core/suites/trace_file.h"

namespace wb {
namespace {

/// The architecture for which raw CUDA is compiled where there is no GPU, since messages and figures are
/// useful all the same.
constexpr const char* architectureWithoutGpu = "sm_90";

/// Forks of this process in which a kernel is asked further questions may take so long together.
constexpr double mostForkSeconds = 4;
/// The reference is asked about so long where no kernel has been, and longer where a few cases take long.
constexpr double mostSecondsThere = 1.5;
/// The check of a case that is asked more about may take so long, since it takes as long again. There is more
/// time on a CPU, where a busy machine makes it long, and for a kernel on a GPU that compiles itself when it
/// is called; a strict judge has most.
constexpr double mostCheckSeconds = 2, mostCheckSecondsCompiling = 4, mostCheckSecondsStrictly = 30;
/// So much of what a kernel leaves behind is named.
constexpr std::size_t mostLeftNamed = 6;
/// The bits of a seed that a report shows, so that it can be given again.
constexpr std::uint64_t shownBits = 0xffffffff;

/// Whether a case gives a tensor that is not contiguous.
bool hasStrides(const Case& definition) {
  const Result<EditableCall> call = editCall(definition.args);
  return call && std::any_of(call->tensors.begin(), call->tensors.end(), [](const TensorLiteral& each) {
           return each.strided && each.stride != contiguousStrides(each.shape);
         });
}

/// Whether user code runs on the host: nothing of raw CUDA's source does, and ATen has none.
bool runsUserCode(const std::string& language) {
  return language != "aten" && language != "raw_cuda";
}

}  // namespace

KernelRun::KernelRun(EngineState& state, const Job& job, const KernelWork& work, const Engine::Emit& emit,
                     std::stop_token stop)
    : state_(state),
      job_(job),
      work_(work),
      kernel_(work.kernel),
      emit_(emit),
      stop_(std::move(stop)),
      passed_(work.passed) {}

const StageWork* KernelRun::workOf(Stage stage) const {
  const auto found = std::find_if(work_.stages.begin(), work_.stages.end(),
                                  [stage](const StageWork& each) { return each.stage == stage; });
  return found == work_.stages.end() ? nullptr : &*found;
}

void KernelRun::startCase(Stage stage, std::uint32_t index) {
  case_ = index;
  hasBegunCase_ = true;
  // To find its torch takes a new guest seconds, which are no part of the case's time.
  if (strict_) strict_->revive();
  // A guest that was ended before has memory of the device, and disturbs what is timed, until it is gone.
  if (state_.guests.parent) state_.guests.parent->ended()->await();
  turns_.newCase();
  say(StepStarted{stage, kernel_, index});
  if (strict_) strict_->beginCase(stage);
}

void KernelRun::run() {
  giveBackMemory(state_.options.device);
  Result<Plan> planned = plan();
  if (!planned) return fail(planned.error());
  const bool isShared = runsUserCode(planned->language) && !strict_;
  // What it is forked from must not have seen the kernel's code.
  const bool checks = workOf(Stage::check) != nullptr && !job_.checking.likeBackendBench;
  asksApart_ = isShared && state_.referenceProcess && (checks || workOf(Stage::time) != nullptr);
  asksApart_ = asksApart_ && state_.referenceProcess->begin(planned->isProblem);
  // A problem's file is code of somebody's, which may crash or take long.
  if (isShared && planned->isProblem) beginCompile(*planned);
  if (isShared) learnPaces(*planned);
  double& team = state_.measuredDevice.teamSeconds;
  if (asksApart_ && state_.options.device == "cpu" && team == 0) team = teamSeconds();
  if (isShared) {
    sealed_.emplace(job_, kernel_);
    // A problem's are not known yet.
    if (!planned->isProblem) sealed_->seal(planned->cases);
    guard_.emplace(state_, *planned->compiler, planned->op.name, turns_, job_, *sealed_);
  }
  if (asksApart_) knowReferenceProcess();
  if (asksApart_) loadReferenceFirst(*planned);
  stages(*planned);
  if (asksApart_) {
    knowReferenceProcess();
    state_.referenceProcess->rest();
  }
  // After a question that its GPU does not survive this process ends, and to look at it might wait for ever.
  if (!guard_ || state_.poisoned || state_.spoiled) return;
  const LeftBehind behind = letGo(*planned);
  // What this kernel leaves behind must not be taken for the next kernel's doing.
  const bool isLastHere = !behind.words.empty() || workIn(job_).kernels.back().kernel == kernel_;
  const HostGuard::Verdict left = guard_->end(source().referencePath, isLastHere, behind.files);
  state_.spoiled = left.spoiled || !behind.words.empty();
  // Many an honest kernel is so, as each is that torch.compile compiles.
  if (!left.spoiled && !behind.words.empty())
    say(Log{"worker", fmt::format("{} leaves {} in Python: what comes next runs in a fresh process",
                                  source().path, listed(behind.words, mostLeftNamed))});
  for (const std::string& warning : left.warnings)
    say(Diagnosed{kernel_, {Severity::warning, warning, {}, {source().path, 0, 0}, "warpbench"}});
}

/// What its objects do when they go away they do now, and not while the next kernel runs.
LeftBehind KernelRun::letGo(Plan& planned) {
  planned.models = {};
  planned.reference.reset();
  planned.inputs = {};
  // A worker that this ends was ended by the kernel.
  const SideTurn turn(hasBegunCase_ ? &turns_ : nullptr, Side::candidate);
  const auto itsOwn = guard_->enter();
  return planned.compiler->letGo();
}

void KernelRun::stages(Plan& planned) {
  const StageWork* profiling = workOf(Stage::profile);
  // Device code that the compiler hands over needs no watch, and none is kept where it would only take time.
  if (profiling != nullptr && planned.language != "raw_cuda" && planned.language != "aten" && !strict_)
    watchModules();
  Result<Ready> ready = compile(planned);
  if (!ready) {
    // A stop while it compiles is not a failure of the kernel.
    if (!stop_.stop_requested()) fail(ready.error());
    return;
  }
  if (!ready->candidate) {  // it compiles and cannot run here, as its note says
    if (profiling != nullptr && job_.profile.listing) list(disassembleAll(ready->code, source().path));
    return;
  }

  const bool onGpu = cudaIndex(state_.options.device) >= 0;
  KernelContext kernel{job_,
                       *ready->op,
                       *ready->candidate,
                       state_.options.device,
                       state_.secret,
                       stop_,
                       mutableArguments(ready->op->schema()),
                       planned.inputs,
                       guard_ ? &guard_->states() : nullptr,
                       &turns_};
  if (guard_) kernel.ownForkWorked = [this](double seconds) { guard_->forkOfOursWorked(seconds); };
  kernel.ownInputsVary = planned.inputsVary;
  kernel.problemReference = planned.reference.get();
  kernel.referenceDraws = &referenceDraws_;
  kernel.models = planned.models;
  if (asksApart_)
    kernel.referenceApart = [this, &planned, random = isRandom(*ready->op)] {
      return referenceApart(planned, random);
    };
  if (guard_ && onGpu)
    kernel.referenceBefore = [this](const Case& definition) { return state_.paces.of(definition); };
  int tellingCases = WrongElements::mostCases;
  kernel.tellingCases = &tellingCases;
  further_.seed = mixSeeds(state_.secret, 1) & shownBits;
  const Language* const language = findLanguage(planned.language);
  const bool compilesItself = onGpu && language != nullptr && language->needsPython;
  further_.mostCheckSeconds = strict_                    ? mostCheckSecondsStrictly
                              : compilesItself || !onGpu ? mostCheckSecondsCompiling
                                                         : mostCheckSeconds;
  further_.forkSeconds = guard_ ? mostForkSeconds : 0;
  further_.thereSeconds = mostSecondsThere;
  further_.forked = drawnToAsk(planned.cases, mixSeeds(state_.secret, 2));
  // A strict judge asks for some strides that are not the suite's.
  const std::vector<Case>& all = planned.cases.cases;
  further_.asksStrides = strict_ || std::none_of(all.begin(), all.end(), hasStrides);
  if (source().language != "aten") kernel.further = &further_;
  if (sealed_) kernel.sealed = &*sealed_;
  if (const StageWork* checking = workOf(Stage::check)) {
    check(kernel, planned.cases, *checking);
  } else if (!job_.stages.has(Stage::check) && !work_.compiled) {
    passed_ = planned.cases.numbers;
  }
  std::sort(passed_.begin(), passed_.end());
  const StageWork* timing = workOf(Stage::time);
  const bool counts = profiling != nullptr && cudaIndex(state_.options.device) >= 0;
  if ((timing != nullptr || counts) && strict_ && goOn()) {
    Result<Candidate*> reference = strict_->reference(planned.op.name);
    if (!reference) return fail(reference.error());
    kernel.timedReference = *reference;
    kernel.enter = strict_->entering();
    kernel.counted = [this] { strict_->forgetSamples(); };
    strict_->measureLike(state_.measuredDevice);
  }
  if (timing != nullptr && goOn()) time(kernel, planned.cases, *timing);
  if (profiling != nullptr && goOn()) profile(kernel, *ready, planned.cases, *profiling);
  if (goOn()) askLast(kernel, planned);
  // To unload its code would wait for a launch that does not end. This process ends soon.
  if (state_.spoiled) (void)ready->candidate.release();
}

void KernelRun::fail(const Error& error) {
  // Where the compiler has said its errors one by one, their sum would only be counted as one more.
  if (error.place.line > 0 && !work_.compiled && !hasSaidError_)
    say(Diagnosed{
        kernel_,
        {Severity::error, error.text, {}, error.place, error.type.empty() ? "warpbench" : "Python"}});
  say(StageFailed{kernel_, error});
}

Result<std::string> KernelRun::language() const {
  if (!source().language.empty()) return source().language;
  if (const Language* found = detectLanguage(source().path, source().text)) return std::string(found->id);
  return Error{Stage::job, fmt::format("{}: no kernel language takes this file", source().path),
               "the end of its name tells the language: .cpp, .cu or .py; for others it has to be chosen"};
}

Result<Compiler*> KernelRun::compilerFor(const std::string& id) const {
  for (const auto& compiler : state_.compilers)
    if (compiler->language() == id) return compiler.get();
  return Error{Stage::job, fmt::format("there is no kernel language '{}'", id),
               "`warpbench list languages` shows them"};
}

Result<KernelRun::Plan> KernelRun::plan() {
  Plan plan;
  WB_TRY(std::string id, language());
  plan.language = id;
  WB_TRY(Compiler* const compiler, compilerFor(plan.language));
  plan.compiler = compiler;
  WB_TRY(const Claim claim, plan.compiler->claim(source()));
  plan.isProblem = claim.problem && source().op.empty();
  if (job_.strict) {
    if (auto refused = whyNotStrict(job_)) return *refused;
  }
  if (job_.strict && !needsNoGuest(plan.language) && (ahead_ == nullptr || plan.language == "torch_cuda")) {
    WB_DO(openGuests(state_.guests, state_.target));
    const bool more = workIn(job_).kernels.back().kernel != kernel_;
    strict_ = std::make_unique<StrictKernel>(state_.guests, *plan.compiler, plan.isProblem, job_, kernel_,
                                             state_.options.device, more, stop_);
    plan.compiler = &strict_->compiler();
  }
  if (plan.isProblem) return plan;
  if (work_.planned) {
    WB_TRY(plan.op, resolveOperator(work_.planned->op, state_.operators));
    plan.cases = *work_.planned;
    return plan;
  }
  WB_TRY(plan.op, chooseOperator(source(), claim, job_.cases, state_.operators));
  WB_TRY(std::vector<Case> cases, casesOf(plan.op, job_.suite, job_.cases));
  plan.cases = allCases(plan.op.name, std::move(cases));
  return plan;
}

std::string KernelRun::architecture() const {
  if (!job_.profile.architecture.empty()) return job_.profile.architecture;
  if (ahead_ != nullptr) return ahead_->architecture.empty() ? architectureWithoutGpu : ahead_->architecture;
  return cudaIndex(state_.options.device) >= 0 ? state_.target.architecture : architectureWithoutGpu;
}

bool KernelRun::isForAnotherDevice() const {
  return cudaIndex(state_.options.device) >= 0 && architecture() != state_.target.architecture;
}

/// Where a problem's reference is loaded alone, `source` is the problem's, and what there is to say of it is
/// said when it is loaded with the kernel.
Result<CompileOutcome> KernelRun::build(const Plan& plan, const KernelSource& source, ProblemPart part) {
  const Language* language = findLanguage(plan.language);
  const bool onGpu = cudaIndex(state_.options.device) >= 0;
  const bool isKernel = part != ProblemPart::reference;
  const CompileRequest request{
      source,
      plan.op.name,
      plan.op.schema,
      plan.cases.dtypes,
      state_.options.device,
      architecture(),
      ahead_ == nullptr && (!(language && language->needsGpu) || (onGpu && !isForAnotherDevice())),
      job_.limits.compileSeconds,
      stop_,
      [this, isKernel](const Diagnostic& diagnostic) {
        if (work_.compiled || ahead_ != nullptr || !isKernel) return;
        hasSaidError_ = hasSaidError_ || diagnostic.severity == Severity::error;
        say(Diagnosed{kernel_, diagnostic});
      },
      [this, isKernel](const Log& log) {
        if (isKernel) say(log);
      },
      roomForInputs(job_.limits, state_.options.device),
      job_.checking.likeBackendBench,
      job_.sandbox || job_.strict,
      part,
      state_.modelSeed,
      ahead_ == nullptr && state_.problems ? state_.problems->began() : 0,
      {},
      {},
      &exchange_};
  try {
    // A kernel's code runs while it is loaded, too.
    const auto apart = guard_ ? guard_->enter() : nullptr;
    return plan.compiler->compile(request);
  } catch (...) {
    return Error{Stage::compile, exceptionText()};
  }
}

/// Puts a problem's reference in the place of ATen's operator.
void KernelRun::adopt(Plan& plan, OwnReference reference) {
  plan.op.name = std::move(reference.op);
  plan.op.schema = std::move(reference.schema);
  plan.inputs = std::move(reference.inputs);
  plan.inputsVary = reference.inputsVary;
  plan.reference = std::move(reference.asKernel);
  for (Case& each : reference.cases)
    if (const Result<Literal> call = parseLiteral(each.args)) describeArguments(each, *call);
  plan.cases = allCases(plan.op.name, std::move(reference.cases));
}

/// Leaves out the cases of a kernel for another device, since it would follow pointers into the wrong memory
/// here.
void KernelRun::leaveToItsDevice(const Plan& plan, CompileOutcome& outcome) const {
  const std::string why = whyNotOn(state_.options.device, source().text, plan.language);
  if (why.empty() || !outcome.candidate) return;
  outcome.candidate.reset();
  outcome.note = why;
}

/// Says what somebody may want to look at in the source; these are notes and no verdict.
void KernelRun::sayNotes(const Plan& plan) {
  const bool isPython = plan.language == "python" || plan.language == "triton";
  const auto notes = isPython ? notesOnPython : notesOnCpp;
  for (const Diagnostic& note : notes(source().text, source().path)) say(Diagnosed{kernel_, note});
  if (plan.isProblem && source().referenceText.empty())
    say(Diagnosed{
        kernel_,
        {Severity::note,
         "Model is in the kernel's own file: whoever wrote the kernel has written what it is compared "
         "with, too. A problem in a file of its own (--problem) is out of reach. This is no verdict.",
         "advisory",
         {source().path, 0, 0},
         "warpbench"}});
}

/// Many a model begins with an activation that works in place, and its kernels need not.
void KernelRun::sayChanges(const std::string& changes) {
  if (changes.empty()) return;
  const std::string message = fmt::format(
      "Model changes its inputs {} in place. What a kernel leaves there is not compared: what counts "
      "is what Model returns. This is no verdict.",
      changes);
  say(Diagnosed{kernel_, {Severity::note, message, "advisory", {source().path, 0, 0}, "warpbench"}});
}

/// This is said even where a lost worker had compiled it, since the kernel is loaded anew and its code may
/// run meanwhile.
void KernelRun::beginCompile(const Plan& plan) {
  if (std::exchange(hasBegun_, true)) return;
  say(StepStarted{Stage::compile, kernel_, std::nullopt});
  if (!work_.compiled) sayNotes(plan);
}

Result<KernelRun::Ready> KernelRun::compile(Plan& plan) {
  beginCompile(plan);
  const auto start = std::chrono::steady_clock::now();
  takeGiven();
  WB_TRY(CompileOutcome outcome, build(plan, source(), ProblemPart::both));
  if (outcome.reference) {
    if (!work_.compiled) sayChanges(outcome.reference->changes);
    adopt(plan, *std::move(outcome.reference));
  }
  if (outcome.reference && sealed_) sealed_->seal(plan.cases);
  plan.models = std::move(outcome.models);
  leaveToItsDevice(plan, outcome);
  std::optional<c10::OperatorHandle> op;
  if (!plan.op.name.empty()) {
    WB_TRY(c10::OperatorHandle found, findOperator(plan.op.name));
    op = found;
  }
  if (!work_.compiled) {
    Compiled compiled;
    compiled.op = plan.op.name;
    compiled.schema = plan.op.schema;
    compiled.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    compiled.cached = outcome.cached;
    compiled.toolchain = outcome.toolchain;
    compiled.note = outcome.note;
    if (const std::string where = builtElsewhere(); !where.empty())
      compiled.note += (compiled.note.empty() ? "" : " ") + where;
    compiled.artifacts = outcome.artifacts;
    compiled.cases = plan.cases.cases;
    compiled.runs = outcome.candidate != nullptr;
    say(StepDone{Stage::compile, kernel_, std::nullopt, std::move(compiled)});
  }
  if (guard_ && outcome.reference) guard_->hasOwnReference();
  if (guard_ && outcome.candidate)
    outcome.candidate = keptApart(std::move(outcome.candidate), guard_->states());
  return Ready{op, std::move(outcome.candidate), static_cast<BuiltCode&&>(outcome), plan.compiler};
}

double KernelRun::waitSeconds() const {
  return job_.limits.caseSeconds / 2 + job_.limits.waitSeconds;
}

MeasuringLock KernelRun::use() const {
  return MeasuringLock::share(state_.measuredDevice.uuid, waitSeconds(), stop_);
}

Result<MeasuringLock> KernelRun::useAlone() const {
  return MeasuringLock::acquire(state_.measuredDevice.uuid, waitSeconds(), stop_);
}

void KernelRun::letOthers(SharedUse& shared) const {
  const double left = waitSeconds() - shared.waited;
  if (shared.lock && left <= 0) return;
  shared.lock.reset();
  shared.lock.emplace(MeasuringLock::share(state_.measuredDevice.uuid, std::max(0.0, left), stop_));
  shared.waited += shared.lock->waited();
}

}  // namespace wb
