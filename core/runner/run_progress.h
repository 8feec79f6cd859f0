// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/event.h"
#include "core/model/job.h"

namespace wb {

/// How far a run has come, by its events: what is under way, how long it may take, what the loss of the
/// worker means, and where another worker goes on. Knows no process and no clock.
class RunProgress {
 public:
  RunProgress(const Job& job, int lossesToQuarantine);

  /// True when it starts or ends something, so that patience() counts from now.
  bool take(const Event& event);
  /// A worker gets the job, new or to go on: nothing is under way until it says so.
  void handOver();

  /// Seconds that what is under way may take: of a case the side at work, all its turns in that case
  /// together.
  [[nodiscard]] double patience() const;
  /// Changes whenever another step begins, and with each side of a case: time is counted per purse.
  enum class Purse { common, reference, candidate, firstCall };
  [[nodiscard]] Purse purse() const;
  [[nodiscard]] std::uint64_t step() const { return step_; }  ///< number of the step under way
  /// The case under way as watchers are told of it; nullopt between cases.
  [[nodiscard]] std::optional<SideStarted> caseUnderWay() const;
  /// "compiling relu.cpp", "checking case 4 of relu.cpp", "between two steps of relu.cpp".
  [[nodiscard]] std::string activity() const;
  [[nodiscard]] bool timing() const { return underWay_ && underWay_->stage == Stage::time; }

  /// Why a worker was lost.
  struct Loss {
    Verdict verdict = Verdict::crashed;  ///< or hung
    std::string reason;                  ///< "segmentation fault (SIGSEGV)", "did not finish within 30.0 s"
    std::string lastWords;               ///< end of what it printed; may be empty
    bool deviceBroken = false;           ///< it said so itself, and ended in order
  };
  /// Whose code ran when the worker was lost.
  [[nodiscard]] Blame blame(const Loss& loss) const;
  /// "did not finish within 30.0 s": what to say of a step that has taken longer than patience().
  [[nodiscard]] std::string overdue() const;
  /// The events that the loss amounts to, already taken: what was lost, the verdict of the case under way,
  /// the failure of the compilation under way, the quarantine of a kernel that lost too many workers. After
  /// `tampered` no verdict on the kernel is left.
  std::vector<Event> lose(const Loss& loss);

  /// The worker says that it is done with the kernel under way, whatever that came to, and leaves.
  void leaveKernel();

  /// What an event has to do with what is under way.
  struct Fit {
    bool ignored = false;  ///< of a kernel that has failed: of no interest
    std::string misfit;    ///< a worker of ours would not say it now; what is wrong. "" where it fits
  };
  [[nodiscard]] Fit fit(const Event& event) const;

  /// Where another worker goes on; nullopt when nothing is left to do.
  [[nodiscard]] std::optional<Resume> rest() const;

 private:
  struct Row {
    CaseCheck check;
    bool checked = false, timed = false;  ///< nothing more to do in that stage
  };
  struct Kernel {
    bool compiled = false, failed = false;
    bool left = false;   ///< nothing of it is still to do
    int losses = 0;      ///< of workers, in its own code
    int ourLosses = 0;   ///< outside of it
    bool tunes = false;  ///< its language may compile or tune in a first call
    int referenceHangs = 0;
    std::optional<std::uint32_t> hung;  ///< first case in which it hung: from then on limits are short
    std::vector<Row> rows;
  };
  struct UnderWay {
    Stage stage;
    std::uint32_t index;
    bool operator==(const UnderWay&) const = default;
  };
  /// Who is at work on the case under way.
  struct Turn {
    std::optional<Side> side;
    bool first = false;         ///< the candidate's first call
    bool candidateRan = false;  ///< in this case, in this worker
  };

  bool start(std::uint32_t kernel, UnderWay what);
  bool turn(const SideStarted& event);
  bool finish(const StepDone& done);
  Row* rowOf(std::uint32_t kernel, std::uint32_t index);
  void leaveVoid(const Loss& loss, std::vector<Event>& events);
  [[nodiscard]] std::string shortened() const;
  [[nodiscard]] double sidePatience() const;
  [[nodiscard]] bool toTime(const Row& row) const;
  void verdictOfCase(const Loss& loss, std::vector<Event>& events) const;
  void quarantine(const Loss& loss, std::vector<Event>& events) const;
  void discredit(const Loss& loss, std::vector<Event>& events) const;
  [[nodiscard]] std::string misfitOfStart(const StepStarted& started) const;
  [[nodiscard]] std::string misfitOfResult(const StepDone& done) const;

  Stages stages_;
  Limits limits_;
  double capSeconds_;
  int lossesToQuarantine_;
  std::vector<std::string> names_;
  std::vector<Kernel> kernels_;
  std::uint32_t kernel_ = 0;  ///< the one being worked on
  std::optional<UnderWay> underWay_;
  std::optional<UnderWay> last_;  ///< what was under way last, or is
  bool endedInCrash_ = false;     ///< the last verdict was a crash: its device is broken
  bool started_ = false;          ///< JobStarted came
  bool preparing_ = true;         ///< handed over, and nothing heard yet
  Turn turn_;
  std::uint64_t step_ = 0;
  /// Case in which the reference was lost after the candidate had run: whose fault that was is to be proved
  /// by the reference alone.
  std::optional<std::uint32_t> suspect_;
};

/// A reason with the end of what the worker printed behind it.
[[nodiscard]] std::string saidLast(const std::string& text, const std::string& lastWords);

}  // namespace wb
