// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "core/engine/call.h"
#include "core/engine/recorded_time.h"
#include "core/engine/time/clocks/stopwatch.h"
#include "core/model/job.h"
#include "core/model/measurement.h"

namespace wb {

/// How long a sample must last for a clock to be trusted, in seconds.
struct SampleNeeds {
  /// A call that takes at least this long is a sample of its own.
  double single = 0;
  /// Shorter calls are repeated until a sample lasts this long …
  double batch = 0;
  /// … but at most so many times.
  int maxCalls = 1;
};

/// The same calls of each side over several input sets.
using Calls = std::span<const std::unique_ptr<PreparedCall>>;

/// Calls of both sides over as many sets as graphs of N calls and of 2 N need.
struct GraphSets {
  Calls reference, candidate;
  /// N.
  int calls = 0;
};

/// What is done between samples, outside every window.
class BetweenSamples {
 public:
  virtual ~BetweenSamples() = default;
  /// A sample of a side comes next: so many calls from set `first` on, round and round.
  virtual Result<void> before(bool candidate, std::size_t first, int calls) = 0;
  /// The side is in force, and the sample's calls from `from` on, up to `to`, come right after this.
  virtual Result<void> handOver(bool candidate, std::size_t first, int from, int to) {
    (void)candidate, (void)first, (void)from, (void)to;
    return {};
  }
  /// Its clock has stopped after so many seconds of this sample, at this moment.
  virtual void stopped(bool candidate, double seconds, const Moment& at) {
    (void)candidate, (void)seconds, (void)at;
  }
  /// Its clock has just stopped, and the side is still in force.
  virtual Result<void> ended(bool candidate, std::size_t first, int calls) {
    (void)candidate, (void)first, (void)calls;
    return {};
  }
  /// It has ended.
  virtual Result<void> after(bool candidate, std::size_t first, int calls) = 0;
  /// Of how many calls another sample is to be, which is like this one and has no time, so that nobody knows
  /// in which one somebody looks; 0 for none.
  virtual int again(bool candidate, int calls) {
    (void)candidate, (void)calls;
    return 0;
  }

  // For clocks of devices, which enqueue many calls before they wait for one. What is done is enqueued on
  // torch's default stream.
  /// Gives a set new contents before a side's next call on it.
  virtual Result<void> enqueueNew(bool candidate, std::size_t set) = 0;
  /// That call has been enqueued.
  virtual Result<void> enqueued(bool candidate, std::size_t set) = 0;
  /// Makes as many sets as graphs of N and of 2 N calls need in which no set comes twice, with the N that is
  /// nearest to `calls` for which there is memory. `Sides` that were given out hold the sets that they held.
  virtual Result<GraphSets> provide(int calls) = 0;
  /// Gives all sets new contents, where the calls are parts of one sequence.
  virtual Result<void> renewAll() = 0;
  /// After how many of its two turns in the block that comes next the candidate's answers are looked at,
  /// after which the block begins anew and counts; 0 where it only counts. Nobody can know beforehand.
  virtual int looksAfter(bool candidateFirst) = 0;
  /// The candidate's calls on the first so many sets were the last that ran since renewAll().
  virtual Result<void> replayed(std::size_t sets) = 0;
};

struct Sides {
  Calls reference, candidate;
  /// Called around a sample of the candidate, and before one of the reference: SideStates::enter. May be
  /// empty.
  std::function<void(bool candidate)> enter{};
  /// Called when the samples begin that count. May be empty.
  std::function<void()> counted{};
  /// May be null.
  BetweenSamples* between = nullptr;
  /// So many calls made a sample when the same case was timed before, which is tried first; 0 where it was
  /// not, or where the clock has a better way than single samples.
  int likelyCalls = 0;
  /// The calls run in processes of their own.
  bool areElsewhere = false;
  /// No sample that a clock takes between other work of ours has more calls.
  int mostCalls = std::numeric_limits<int>::max();
  [[nodiscard]] Calls of(bool isCandidate) const { return isCandidate ? candidate : reference; }
};

/// Puts a side's state in force around one of its samples.
class EnteredSide {
 public:
  EnteredSide(const Sides& sides, bool candidate) : sides_(sides), candidate_(candidate) {
    if (sides_.enter) sides_.enter(candidate_);
  }
  EnteredSide(const EnteredSide&) = delete;
  EnteredSide& operator=(const EnteredSide&) = delete;
  ~EnteredSide() {
    if (sides_.enter && candidate_) sides_.enter(false);
  }

 private:
  const Sides& sides_;
  bool candidate_;
};

/// The side of a sample, and the set with which it begins.
struct Turn {
  bool candidate = false;
  std::size_t first = 0;
};

/// One sample, in seconds per call.
struct Sampled {
  double seconds = 0;
  /// The host's time to enqueue it, where that is another one; 0 when unknown.
  double host = 0;
  /// How often the system took a processor from one of this process's threads meanwhile to give it to others.
  /// It is counted only where the work runs on processors.
  long interrupted = 0;
  /// When its clock stopped, where that is known.
  Moment stopped{};
};

/// What samples mean: which of the three times they are (core/model/measurement.h), and how exact.
struct Meaning {
  std::string time = "call";
  CacheState caches = CacheState::unknown;
  /// In seconds: the tick, and the time of an empty kernel by the same clock; 0 when unknown.
  double tick = 0, empty = 0;
  /// The clock rounds each single call to so many seconds; 0 where it reads a sample of several as a whole.
  double callTick = 0;
};

/// The times beside the headline in seconds per call; 0 where they are not known.
struct OtherTimes {
  BothSides kernel, kernelHot, step, call, host, events;
  std::string disagree, note;
};

/// A clock, which tells how long a call takes: the wall clock on the CPU; records and events of the device on
/// a GPU.
class Clock {
 public:
  virtual ~Clock() = default;
  /// How a sample of so many calls is taken: "wall clock", "CUPTI's records", "CUDA graphs of 140 and 280
  /// calls".
  [[nodiscard]] virtual std::string description(int callsPerSample) const = 0;
  [[nodiscard]] virtual Meaning meaning(int callsPerSample) const;
  [[nodiscard]] virtual SampleNeeds needs() const = 0;
  /// Samples `calls` runs in a row: `rotation[first]`, the next one, and so on, round and round. Errors: what
  /// a call or the device said.
  virtual Result<Sampled> sample(Calls rotation, std::size_t first, int calls) = 0;
  /// Takes a sample of one side in its state, with what is done before and after.
  Result<Sampled> sample(const Sides& sides, const Turn& turn, int calls);
  /// Takes four samples, one after the other.
  virtual Result<std::array<Sampled, 4>> block(const Sides& sides, const std::array<Turn, 4>& turns,
                                               int calls);
  /// Prepares the clock's best way to sample these calls (of about `seconds` each), for block(). Gives the
  /// number of calls of a sample; 0 where the clock knows no better way than sample(). An error says why the
  /// better way does not work for these calls; then everything is as before.
  virtual Result<int> batch(const Sides& sides, double seconds);
  /// Ends what batch() began. The calls must still exist.
  virtual void endBatch() {}
  /// The number of the last block's draw. Blocks of the same memory, or of the same graph, err alike and have
  /// the same number. `first` is the set of the block's first turn.
  [[nodiscard]] virtual std::size_t drawOf(std::size_t first) const { return first; }
  /// Measures the other times of the calls that block() sampled (`headline` seconds per call), in about
  /// `budget` seconds at most; of 0 it measures no more than the host's. Ends what batch() began where it
  /// must.
  virtual Result<OtherTimes> others(const Sides& sides, const BothSides& headline, double budget);
  /// What a call takes on the device by its records, with the cache emptied before it: the median of a few.
  /// `before` is done before each, outside its window; it may be empty. 0 where the clock has no records.
  virtual Result<RecordedTime> recorded(PreparedCall& call, const std::function<Result<void>()>& before) {
    (void)call, (void)before;
    return RecordedTime{};
  }
  /// Empties the cache that cold calls find empty. Does nothing where the clock does not tell cold from hot.
  virtual Result<void> evict();
  /// The device's conditions, at most a few milliseconds old; nothing where they are not known.
  virtual std::optional<Conditions> conditions() { return std::nullopt; }
  /// The joules that the device has used so far; nothing where that is not known.
  virtual std::optional<double> joules() { return std::nullopt; }
  /// The seconds since some moment, for budgets and limits; this is real time except in tests.
  [[nodiscard]] virtual double now() const;

  /// A measurement has just ended, so the device needs no long warm-up for some time.
  void used() { lastUse_ = now(); }
  [[nodiscard]] bool awake() const;

 private:
  Result<Sampled> sampleOnce(const Sides& sides, const Turn& turn, int calls);
  std::optional<double> lastUse_;
};

/// The clock on the wall.
[[nodiscard]] std::unique_ptr<Clock> wallClock(const SampleNeeds& needs = {20e-6, 20e-6, 4096});
/// The clock on the wall for calls that are only enqueued on a GPU, by another process. `finish` waits for
/// them within a sample; `ended` is called as soon as the clock has stopped.
[[nodiscard]] std::unique_ptr<Clock> enqueuedClock(const SampleNeeds& needs,
                                                   std::function<Result<void>()> finish,
                                                   std::function<void()> ended);
/// The clock of a GPU. A call that is one launch on the device is timed as *kernel* by CUPTI's records of it.
/// A buffer of at least twice the L2 cache is written before each call, which makes it cold; several short
/// calls make one sample. A call of several short launches, between which recording widens the gaps, is timed
/// as *step*: the slope between graphs of N and of 2 N calls, which are recorded anew again and again.
/// Without CUPTI a long call is timed by events around it, with the gaps of the launch. Clocks, power and
/// temperature come from NVML where it exists.
Result<std::unique_ptr<Clock>> deviceClock(int device);

/// Times the calls in interleaved ABBA blocks (or mirrored ones, drawn at random from `seed`) until the
/// interval's half-width is at most plan.targetHalfWidth of the ratio, or the limit is reached. Both sides
/// are the same calls over several input sets, of which each sample uses the next. Warms up
/// until block times and the device's clock are steady. Blocks in which that clock changed by over 2 % are
/// left out, unless they are over a fifth, which the note then says. It does not use torch except in the
/// calls, so that tests use fake calls and a fake clock. A stop ends it early with what there is, or as an
/// error when that is nothing. Errors: those of calls and clock, times that are not positive, no calls.
Result<CaseTiming> timeCase(const Sides& sides, Clock& clock, const TimingPlan& plan, std::uint64_t seed,
                            std::stop_token stop);

}  // namespace wb
