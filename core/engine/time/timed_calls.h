// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/call_elsewhere.h"
#include "core/engine/cases/contents.h"
#include "core/engine/cases/kernel_context.h"
#include "core/engine/check/shared_memory.h"
#include "core/engine/device/carried_bytes.h"
#include "core/engine/time/cross_checks/after_the_clock.h"
#include "core/engine/time/cross_checks/answer_digest.h"
#include "core/engine/time/timer.h"
#include "core/engine/time/watched_calls.h"
#include "core/model/measurement.h"

namespace wb {

/// What the reference comes to in a process in which no kernel has ever been.
struct ReferenceThere {
  /// The seconds of one of its calls, of a few samples a quick one, without what an order to
  /// that process takes.
  double seconds = 0;
  /// Whether that process was given all sets that were timed. Of fewer the caches hold more.
  bool hasAllSets = true;
  /// What one takes in this process on the same copies, right after; 0 where that was not looked at.
  double here = 0;
  /// The same with one thread, where that process has no other.
  double hereAlone = 0;
  /// Its answer is the one that the reference gives in this process.
  bool isSame = true;
};

/// What the sets of a case may take.
struct SetRoom {
  /// Results included.
  std::int64_t bytesPerSet = 0;
  /// Of the device.
  std::int64_t cacheBytes = 0;
  std::int64_t mostSets = 0;
};

/// The calls of one case that are timed, and what is done between samples so that no answer from before is an
/// answer now. Both sides take turns on the same sets of inputs; where the operator writes to its arguments,
/// each side has its own.
///
/// The rule: the sets that a sample uses, of either side, get new contents for it, outside every window, and
/// it uses none of them twice; as all inputs of a sample of several calls exist before its first call, one
/// number of each call's inputs changes within the window, just before the call. Of the candidate's calls
/// some are chosen at random, as evenly over the whole measurement as for a lottery, the last of a sample
/// more often than others. They are chosen when the sample has ended, by numbers that the processor makes at
/// that moment: nothing that a kernel could read during its call says which. Their answers are copied at
/// once, before a thread that works on could finish, and compared after the timing with what the reference
/// makes of the same contents. Now and then a sample follows that has no time and ends after fewer calls than
/// all others, the last of which is chosen: a kernel cannot leave its work to the last call of a sample.
///
/// On a GPU calls are enqueued one after the other, and each gets new contents by a kernel that is enqueued
/// before it, outside its window; where calls are parts of graphs, each has a set of its own, all sets get
/// new contents before each block, and the reference's are others, since its answers lie where the
/// candidate's will. An answer is copied by what is enqueued after its call, or after a graph.
class TimedCalls final : public BetweenSamples {
 public:
  /// `known`: what was seen of the same kernel in such calls before.
  TimedCalls(const KernelContext& kernel, Contents contents, std::uint64_t seed,
             std::optional<SeenInCalls> known = {});

  /// Prepares so many sets for both sides; a clock that records graphs may want more, for which there is
  /// `room`. Errors: what preparing says; a call that may not be compared.
  Result<void> prepare(const Literal& call, const OutputPlan& plan, std::int64_t sets, const SetRoom& room);
  /// Runs the reference once to learn which memory its results share.
  Result<void> learnSharing();
  /// Learns how fast contents are made new, while nobody else uses the device.
  Result<void> learnPace();
  [[nodiscard]] Sides sides();
  [[nodiscard]] PreparedCall& reference(std::size_t set) const { return *reference_[set]; }
  [[nodiscard]] PreparedCall& candidate(std::size_t set) const { return *candidate_[set]; }

  Result<void> before(bool candidate, std::size_t first, int calls) override;
  Result<void> handOver(bool candidate, std::size_t first, int from, int to) override;
  void stopped(bool candidate, double seconds, const Moment& at) override;
  Result<void> ended(bool candidate, std::size_t first, int calls) override;
  Result<void> after(bool candidate, std::size_t first, int calls) override;
  int again(bool candidate, int calls) override;
  Result<void> enqueueNew(bool candidate, std::size_t set) override;
  Result<void> enqueued(bool candidate, std::size_t set) override;
  Result<GraphSets> provide(int calls) override;
  Result<void> renewAll() override;
  int looksAfter(bool candidateFirst) override;
  Result<void> replayed(std::size_t sets) override;

  /// No side is at work any more.
  void rest() { turns_.rest(); }
  /// The verdict on the timed calls; nothing where all that was looked at is right.
  std::optional<CaseCheck> wrong();
  /// Has the reference work there on copies of this measurement's sets, and here, too, where it was not given
  /// all of them or what was timed is not below the `most` seconds that it may take here.
  Result<ReferenceThere> referenceThere(const ReferenceApart& apart, const Literal& call,
                                        const OutputPlan& plan, const CaseTiming& timed,
                                        const std::function<double(double there)>& most);
  /// Looks at both sides once more where too little was seen of them. No answer is compared after this.
  void finishWatch() {
    watched_.finish(*reference_.front(), *candidate_.front(), [this] { renewOne(true, sets_.front()); });
    rest();
  }
  /// More than a quarter of the candidate's results had no pages of their own when they were looked at, and
  /// the reference's had.
  [[nodiscard]] bool givesPagesLater() const { return pages_[1].areMissing() && !pages_[0].areMissing(); }
  /// Says that the candidate's samples go on after their clock has stopped; "" where they do not.
  [[nodiscard]] std::string goesOnAfterTheClock() const { return afterTheClock_.words(); }
  /// The bytes of all memory on the host that one of the reference's calls in this process takes.
  [[nodiscard]] const std::vector<std::size_t>& allocated() const { return allocated_; }
  /// What was seen of calls like those that were timed.
  [[nodiscard]] SeenInCalls seen() const { return watched_.seen(); }
  void candidateTakes(double seconds) { watched_.candidateTakes(seconds); }
  void referenceTakes(double seconds) { watched_.referenceTakes(seconds); }
  /// Whether wrong() looked at calls out of the whole measurement.
  [[nodiscard]] bool lookedThroughout() const;
  /// Whether the sets of the graphs' calls take more than the cache; nothing where there were no
  /// graphs.
  [[nodiscard]] std::optional<bool> areGraphsCold() const { return areGraphsCold_; }

 private:
  Result<void> add();
  Result<void> learnDeviceRoom();
  class Call;
  struct Set;
  Result<std::unique_ptr<PreparedCall>> referenceOf(Set& set);
  /// What a call was given.
  struct Drawn {
    std::vector<std::vector<std::uint64_t>> seeds;
    LateChange late;
  };
  /// A call whose answer was kept: what it was given, and what came out.
  struct Kept {
    std::vector<std::vector<std::uint64_t>> seeds;
    LateChange late;
    Stack answer;
    /// Of the answer when it was kept, where the kernel's code could write to it later.
    std::optional<AnswerDigest> digest;
    at::Tensor generator;
    /// The set that still holds what it was given; null where contents are new since.
    PreparedCall* reference = nullptr;
    /// The calls of the same sample before it, of a random operator: they have drawn from the generator too.
    std::vector<Drawn> before{};
  };
  struct Set {
    InputCopy given;
    /// The reference's arguments, where the operator may change them, the reference runs elsewhere, or calls
    /// are parts of graphs.
    std::optional<InputCopy> own;
    Call* candidate = nullptr;
    Call* reference = nullptr;
  };
  struct Chosen {
    std::size_t place = 0;
    int call = 0;
    at::Tensor generator{};
    /// What it gave, where that was looked at as soon as the clock stopped.
    std::optional<Stack> results{};
  };
  InputCopy& inputs(Set& set, bool candidate) const { return candidate || !set.own ? set.given : *set.own; }
  void choose(bool candidate, int calls);
  [[nodiscard]] bool cutsNext(bool candidate);
  [[nodiscard]] std::uint64_t drawUnforeseen();
  void drawAnew();
  void makeMemoryPresent(int calls) const;
  [[nodiscard]] bool mayWrite();
  void writeToLast(bool candidate, std::size_t first, int calls);
  void writeToResultsOf(const Set& set, bool candidate);
  void writeOnDevice(const Set& set, bool candidate);
  Result<void> keep(Set& set, LateChange late, std::vector<Drawn> before);
  Result<void> pretend(Set& set, const LateChange& late);
  [[nodiscard]] std::string damaged(const Set& set, const LateChange& late);
  [[nodiscard]] std::vector<Drawn> drawnBefore(std::size_t first) const;
  void lookAtMemory(const Stack& results);
  void lookAtPages(const Stack& results, bool candidate);
  [[nodiscard]] Stack answer(const Stack& results, const InputCopy& inputs) const;
  /// Whether all samples are taken between before() and after(): on a CPU, and from outside.
  [[nodiscard]] bool renewsBefore() const {
    return kernel_.device == "cpu" || kernel_.timedReference != nullptr;
  }
  [[nodiscard]] std::int64_t roomFor(int calls, double seconds) const;
  void renew(bool candidate, std::size_t first, int calls, std::int64_t room);
  [[nodiscard]] bool handsOver(std::size_t sets) const;
  Result<void> stage(bool candidate, std::size_t first, std::size_t sets);
  /// Gives a set inputs that nobody has met, before a call that is not timed.
  void renewOne(bool candidate, Set& set);
  void forget(Set& set);
  void keepLastAnswers();
  [[nodiscard]] std::string damagedSet();
  [[nodiscard]] std::string memoryTwice();
  Result<Stack> expected(const Kept& kept, InputCopy& inputs) const;
  [[nodiscard]] bool once() const { return isRandom_ || !mutable_.empty(); }
  [[nodiscard]] bool allRight(std::size_t from, std::size_t to);
  [[nodiscard]] CaseCheck judged(const Kept& kept);
  void judgeDoubtful(const std::vector<std::size_t>& doubtful);
  void found(Verdict verdict, std::string message);
  Result<bool> answersAlike(PreparedCall& there, InputCopy& given);
  Result<double> sampled(Calls calls, int callsPerSample, bool isLong,
                         const std::function<void(std::size_t set)>& renew,
                         const std::function<void()>& wake);

  const KernelContext& kernel_;
  Contents contents_;
  Literal call_;
  OutputPlan plan_;
  std::mt19937_64 random_;
  /// This outlives the calls.
  TimedTurns turns_;
  bool isRandom_ = false;
  std::vector<Set> sets_;
  /// Samples go round the first so many of them; graphs may have needed more.
  std::size_t rotation_ = 0;
  std::vector<std::unique_ptr<PreparedCall>> candidate_, reference_;
  /// The arguments that are changed: those of which the schema says so, and those that the reference changes
  /// all the same, such as the running statistics of native_batch_norm.
  std::vector<std::size_t> mutable_;
  InputCopy scratch_;
  /// Where contents are made that are handed over later, and memory of the host for those of each set of a
  /// sample; both are empty where nothing is.
  InputCopy staged_;
  std::vector<std::vector<CarriedBytes>> handed_;
  /// So many sets of the sample have contents to be handed over.
  std::size_t stagedSets_ = 0;
  /// What the reference's results share memory with.
  SharedArguments atensShared_;
  std::vector<std::size_t> allocated_;
  double bytesPerSecond_ = 0;
  /// So many bytes of a set are new for each call on a GPU.
  std::int64_t deviceRoom_ = 0;
  SetRoom room_;
  /// The blocks of graphs that were looked at.
  std::uint64_t looks_ = 0;
  std::optional<bool> areGraphsCold_;
  double began_ = 0;
  /// What the last sample of either side took, in all.
  std::array<double, 2> lastSeconds_{};
  std::size_t mostKept_ = 0;
  /// For so many answers there is memory, and time, to compare them at once.
  std::size_t mostTogether_ = 0;
  struct PagesSeen {
    int results = 0, without = 0;
    [[nodiscard]] bool areMissing() const { return 4 * without > results; }
  };
  /// Of either side.
  std::array<PagesSeen, 2> pages_{};
  AfterTheClock afterTheClock_;
  std::array<std::uint64_t, 2> samples_{};
  std::optional<Chosen> chosen_;
  std::random_device unforeseen_;
  /// Of a random operator, before the sample of the candidate's that was begun last.
  at::Tensor generator_;
  /// The next sample, or the one under way, is one in which somebody looks at what runs; or one that ends
  /// before its time.
  bool isLookedAt_ = false, isCut_ = false;
  std::vector<Kept> kept_;
  /// Answers of the reference, which nobody looks at.
  std::vector<Stack> pretended_;
  std::optional<CaseCheck> found_;
  WatchedCalls watched_;
  /// Whether each call of a problem's reference gives memory of its own, as far as that is known.
  std::optional<bool> givesFresh_;
};

/// A call that says whose turn it is, makes the late change, and remembers whether it ran since its inputs
/// were made.
class TimedCalls::Call : public PreparedCall, public WrappedCall {
 public:
  /// `watched`: who looks at some of the calls themselves; null where nobody does.
  Call(std::unique_ptr<PreparedCall> call, Side side, TimedTurns& turns, WatchedCalls* watched = nullptr)
      : call_(std::move(call)), side_(side), turns_(turns), watched_(watched) {}
  Result<void> run() override {
    ran = hasRun = hasResults = true;
    turns_.begin(side_);
    late.apply();
    return watched_ == nullptr ? call_->run() : watched_->runOnGpu(*call_);
  }
  Result<Stack> outputs() override { return call_->outputs(); }
  void poisonOutputs() override { call_->poisonOutputs(); }
  [[nodiscard]] std::string notComparable() const override { return call_->notComparable(); }
  [[nodiscard]] PreparedCall& inner() override { return *call_; }

  LateChange late;
  bool ran = false, hasRun = false;
  /// Those of the last run, to which nobody has written.
  bool hasResults = false;

 private:
  std::unique_ptr<PreparedCall> call_;
  Side side_;
  TimedTurns& turns_;
  WatchedCalls* watched_;
};

}  // namespace wb
