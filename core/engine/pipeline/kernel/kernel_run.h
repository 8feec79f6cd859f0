// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "core/engine/cases/kernel_context.h"
#include "core/engine/compile/compiler.h"
#include "core/engine/cupti/modules.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/engine.h"
#include "core/engine/pipeline/engine_state.h"
#include "core/engine/pipeline/host_guard.h"
#include "core/engine/sides/turns.h"
#include "core/engine/time/measured_device.h"
#include "core/engine/time/time_stage.h"
#include "core/model/operators/catalogue.h"

namespace wb {

/// The code of a kernel's binaries, and what could not be disassembled.
struct Listings {
  std::vector<Listing> all;
  std::vector<std::string> failures;
};
[[nodiscard]] Listings disassembleAll(const BuiltCode& code, const std::string& ownFile);

/// The case with this number, where it is one of those that are timed.
[[nodiscard]] const Case* timedCase(const PlannedCases& cases, const StageWork& work, std::uint32_t number);

/// Takes one kernel of a job through its stages.
class KernelRun {
 public:
  KernelRun(EngineState& state, const Job& job, const KernelWork& work, const Engine::Emit& emit,
            std::stop_token stop);

  /// Does what the work names. Everything it comes to is said in events.
  void run();

  /// For which architecture a kernel is built ahead ("" for none of a GPU's), and who takes what is built.
  struct Ahead {
    std::string architecture;
    std::function<void(BuiltFile)> built;
  };
  /// Only builds the kernel. Error: it cannot be planned or compiled.
  Result<void> compileAhead(const Ahead& ahead);

 private:
  struct Plan {
    Compiler* compiler = nullptr;
    std::string language;
    /// The operator; without a name for a problem that is not compiled yet.
    OperatorEntry op;
    PlannedCases cases;
    /// Makes a problem's own inputs.
    std::function<Result<Stack>(std::uint64_t seed)> inputs;
    bool inputsVary = true;
    /// OwnReference::asKernel
    std::shared_ptr<Candidate> reference;
    /// It brings its own reference.
    bool isProblem = false;
    ProblemModels models;
  };
  struct Ready {
    /// The operator; nothing for a problem that cannot run here.
    std::optional<c10::OperatorHandle> op;
    std::unique_ptr<Candidate> candidate;
    BuiltCode code;
    Compiler* compiler = nullptr;
  };

  /// The GPU while one case is timed.
  struct TimingLock {
    std::optional<MeasuringLock> lock;
    /// How many seconds it was waited for alone.
    double waited = 0;
    /// Something was at work there that this worker's guests may have left.
    bool isDisturbed = false;
  };

  void takeGiven();
  /// Who has built what was used, in a sentence; "" where all was built here.
  std::string builtElsewhere();
  /// Runs all stages except the plan.
  void stages(Plan& planned);
  [[nodiscard]] const StageWork* workOf(Stage stage) const;
  Result<Plan> plan();
  Result<Compiler*> compilerFor(const std::string& language) const;
  Result<std::string> language() const;
  Result<Ready> compile(Plan& plan);
  void leaveToItsDevice(const Plan& plan, CompileOutcome& outcome) const;
  static void adopt(Plan& plan, OwnReference reference);
  Result<CompileOutcome> build(const Plan& plan, const KernelSource& source, ProblemPart part);
  /// How long is waited for others that use the GPU.
  [[nodiscard]] double waitSeconds() const;
  /// The GPU as it is used beside others who do not measure.
  struct SharedUse {
    std::optional<MeasuringLock> lock;
    /// How many seconds were spent waiting for those who measure.
    double waited = 0;
  };
  /// Waits until nobody measures on the GPU, and keeps others from it.
  [[nodiscard]] MeasuringLock use() const;
  /// Waits until nobody uses the GPU, and keeps others from it.
  [[nodiscard]] Result<MeasuringLock> useAlone() const;
  /// Lets those go first who wait for it. In all no longer than waitSeconds(): there is one limit for all of
  /// a kernel's questions, and it is not the kernel's fault that many want the GPU.
  void letOthers(SharedUse& shared) const;
  void letOthers(SharedUse& shared, std::chrono::steady_clock::time_point& until) const;
  void check(const KernelContext& kernel, const PlannedCases& cases, const StageWork& work);
  void checkOne(const KernelContext& kernel, const Case& definition, std::uint32_t index);
  void askThere(const KernelContext& kernel);
  void askLast(const KernelContext& kernel, const Plan& planned);
  [[nodiscard]] Remark askNow(const KernelContext& kernel, const Case& definition, std::uint32_t index,
                              const CaseCheck& check, std::chrono::steady_clock::time_point& until,
                              SharedUse& shared, bool isBrief);
  void sayElsewhere();
  void sayUnasked();
  void sayNotes(const Plan& plan);
  void sayChanges(const std::string& changes);
  void time(const KernelContext& kernel, const PlannedCases& cases, const StageWork& work);
  void timeOne(const KernelContext& kernel, const Case& definition, std::uint32_t index);
  Result<void> beginAlone(std::uint32_t index, TimingLock& held);
  TimeOutcome timeAlone(const KernelContext& kernel, const Case& definition, std::uint32_t index,
                        TimingLock& held);
  void checkAgain(const KernelContext& kernel, const Case& definition, TimeOutcome& outcome);
  void sayTiming(CaseTiming timing, std::uint32_t index);
  void profile(const KernelContext& kernel, const Ready& ready, const PlannedCases& cases,
               const StageWork& work);
  void profileOne(const KernelContext& kernel, const Case& definition, std::uint32_t index,
                  std::vector<std::shared_ptr<const LoadedModule>>& modules);
  [[nodiscard]] CacheState cachesFor(std::uint32_t index) const;
  [[nodiscard]] std::vector<std::uint32_t> casesToProfile(const PlannedCases& cases,
                                                          const StageWork& work) const;
  void watchModules();
  /// Which architecture of a GPU is compiled for.
  [[nodiscard]] std::string architecture() const;
  /// The kernel is compiled for another architecture than the device's, and not run.
  [[nodiscard]] bool isForAnotherDevice() const;
  void list(Listings listings);
  void fail(const Error& error);
  void takeRemark(CaseCheck& check);
  void beginCompile(const Plan& plan);
  void learnPaces(const Plan& plan);
  void learnPacesOf(const KernelContext& kernel, const PlannedCases& cases);
  [[nodiscard]] KernelSource problemSource() const;
  void knowReferenceProcess();
  void loadReferenceFirst(const Plan& plan);
  Result<ReferenceApart> referenceApart(const Plan& plan, bool random);
  LeftBehind letGo(Plan& planned);
  void startCase(Stage stage, std::uint32_t index);
  void say(const Event& event) { emit_(event); }
  [[nodiscard]] bool goOn() const { return !stop_.stop_requested() && !state_.poisoned && !isDiscredited_; }
  [[nodiscard]] const KernelSource& source() const { return job_.kernels[kernel_]; }

  /// How built files pass from and to other machines.
  BuildExchange exchange_;
  const Ahead* ahead_ = nullptr;
  EngineState& state_;
  const Job& job_;
  const KernelWork& work_;
  std::uint32_t kernel_;
  const Engine::Emit& emit_;
  std::stop_token stop_;
  Turns turns_{[this](std::optional<Side> side, bool first) {
    say(SideStarted{kernel_, case_, side, first, 0});
  }};
  /// What it is judged by, and the guard, where the kernel's code runs in this process.
  std::optional<SealedJob> sealed_;
  std::optional<HostGuard> guard_;
  /// The guest, where the kernel's code runs in a process of its own.
  std::unique_ptr<StrictKernel> strict_;
  /// Its reference is timed in a process of its own as well, where the kernel seems to be faster.
  bool asksApart_ = false, isAskingThere_ = false;
  /// No verdict on it can be believed, so that nothing more is done with it.
  bool isDiscredited_ = false;
  std::optional<Result<ReferenceApart>> referenceApart_;
  /// The case that was started last.
  std::uint32_t case_ = 0;
  bool hasBegunCase_ = false;
  /// What the kernel is asked beyond its job, and for how long.
  FurtherQuestions further_;
  bool referenceDraws_ = false;
  /// The cases in which it handed its work to ATen before anybody's eyes.
  std::set<std::uint32_t> delegated_;
  /// The cases that may be asked about when all else is done, as they were checked.
  std::map<std::uint32_t, CaseCheck> toAsk_;
  /// The cases that were checked for so long that no more was asked about them, and what the kernel's own
  /// call took then.
  std::map<std::uint32_t, double> unasked_;
  /// The seconds of the case whose check took longest.
  double slowestCheck_ = 0;
  /// What it does wrong beside its cases.
  std::set<std::string> elsewhere_;
  bool hasSaidStrides_ = false, hasSaidNote_ = false, hasBegun_ = false;
  std::vector<std::uint32_t> passed_;
  /// The compiler has said an error of this kernel's source.
  bool hasSaidError_ = false;
  /// The reference's seconds of the timed cases.
  std::map<std::uint32_t, double> referenceSeconds_;
  /// The state of the caches for their headline times.
  std::map<std::uint32_t, CacheState> headlines_;
  /// The watch, while a job is profiled.
  std::unique_ptr<ModuleWatch> watch_;
  /// The functions of the candidate that were profiled.
  std::vector<std::string> ran_;
};

}  // namespace wb
