// SPDX-License-Identifier: Apache-2.0
// This file measures the times beside the headline.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/engine/time/clocks/device_clock.h"
#include "core/engine/time/clocks/two_clocks.h"
#include "core/engine/time/steadiness.h"

namespace wb {
namespace {

constexpr CUstream legacyStream = nullptr;  // the legacy default stream
constexpr int mostRepeats = 64, mostSteps = 9;
constexpr double repeatSeconds = 60e-6;  // what a look takes beside the call itself
constexpr double longStep = 5e-3;        // of a longer call, one more costs what it takes
constexpr int eventTries = 12;           // of a side, so that a call that always waits costs little more
constexpr double wakingSeconds = 30e-3;
constexpr std::size_t ownCalls = 9;
constexpr double recordedInAll = 60e-3;  // of a long call there are fewer records

double& of(BothSides& sides, bool candidate) {
  return candidate ? sides.candidate : sides.reference;
}

double medianOf(const std::vector<double>& values) {
  return values.empty() ? 0 : median(values);
}

}  // namespace

Result<OtherTimes> DeviceClock::others(const Sides& sides, const BothSides& headline, double budget) {
  const double longer = std::max(headline.reference, headline.candidate);
  const int repeats =
      static_cast<int>(std::clamp(budget / (12 * (longer + repeatSeconds)), 1.0, double{mostRepeats}));
  OtherTimes other;
  other.note = note_;
  if (way_ == Way::graphs) WB_DO(finishGraphs(sides));
  if (budget <= 0) {
    WB_DO(hostAlone(sides, other));
    return other;
  }
  Result<void> done = recordOthers(sides, repeats, other);
  recorder_.reset();
  if (done) done = eventOthers(sides, repeats, other);
  if (done && way_ != Way::graphs && longer < longStep)
    done = stepOthers(sides, std::min(headline.reference, headline.candidate), repeats, other);
  if (done) done = callOthers(sides, repeats, other);
  if (!done) return std::move(done).error();
  for (bool candidate : {false, true}) {
    const BothSides& records = way_ == Way::records ? headline : other.kernel;
    const std::string why =
        whyClocksDiffer({candidate ? records.candidate : records.reference, of(other.events, candidate),
                         work_.tick(), launches_[candidate ? 1 : 0], slowed_});
    if (!why.empty() && other.disagree.empty())
      other.disagree = (candidate ? "candidate: " : "reference: ") + why;
  }
  return other;
}

/// Measures how long a call keeps the host, which whoever watches calls has to know.
Result<void> DeviceClock::hostAlone(const Sides& sides, OtherTimes& other) {
  recorder_.reset();
  for (const bool candidate : {false, true}) {
    WB_TRY(const Sampled taken, sample(sides.of(candidate), 0, 1));
    of(other.host, candidate) = taken.host;
  }
  return {};
}

/// Measures by records: once more with the same inputs, and cold where the headline is something else.
Result<void> DeviceClock::recordOthers(const Sides& sides, int repeats, OtherTimes& other) {
  if (!recorder_) {
    const bool known = launches_[0] > 0 && launches_[1] > 0;
    if (!known || !noRecords_.empty() || !openRecords(Kinds::concurrent)) return {};
  }
  for (bool candidate : {false, true}) {
    const Calls calls = sides.of(candidate);
    const auto hot = record([&](std::size_t call) { return calls[call / 2 % calls.size()]->run(); },
                            2 * static_cast<std::size_t>(repeats), false, {});
    if (!hot) return hot.error();
    const bool single = launches_[candidate ? 1 : 0] == 1;  // with several, launches wait for the host
    std::vector<double> times;
    for (std::size_t call = 1; call < hot->size(); call += 2) times.push_back((*hot)[call].seconds);
    if (single) of(other.kernelHot, candidate) = medianOf(times);
    if (way_ == Way::records) continue;
    const auto cold = record([&](std::size_t call) { return calls[call % calls.size()]->run(); },
                             static_cast<std::size_t>(repeats), true, {});
    if (!cold) return cold.error();
    times.clear();
    for (const RecordedCall& call : *cold) times.push_back(call.seconds);
    of(other.kernel, candidate) = medianOf(times);
  }
  return {};
}

/// Measures by events, which know nothing of CUPTI. Around a call they include gaps of its launch, and they
/// include the same gaps around a small kernel of Warpbench's own. So what events say of that kernel is
/// subtracted, and what records say of it is added.
Result<void> DeviceClock::eventOthers(const Sides& sides, int repeats, OtherTimes& other) {
  std::array<std::vector<double>, 2> times, hosts, waiting;
  std::vector<double> small;
  std::array<int, 2> tries{eventTries, eventTries};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (bool candidate : {false, true}) {
      const Calls calls = sides.of(candidate);
      const std::size_t side = candidate ? 1 : 0;
      WB_TRY(auto taken, sampleAhead(calls, static_cast<std::size_t>(repeat) % calls.size(), tries[side]));
      // Where the device was idle before the host was done, events hold the wait for the host.
      (wasBusy_ ? times : waiting)[side].push_back(taken.seconds);
      hosts[side].push_back(taken.host);
    }
    if (!work_.hasKernels()) continue;
    Result<void> done = keepBusy(1);
    if (done) done = events_.record(0, legacyStream);
    if (done) done = work_.smallKernel();
    if (done) done = events_.record(1, legacyStream);
    if (done) done = events_.wait(1);
    if (!done) return done;
    WB_TRY(auto seconds, events_.between(0, 1));
    small.push_back(seconds);
  }
  const double smallByEvents = medianOf(small);
  for (bool candidate : {false, true}) {
    const std::size_t side = candidate ? 1 : 0;
    of(other.host, candidate) = medianOf(hosts[side]);
    // A call that always keeps the host for longer is not left unmeasured, or it could hide what it does.
    const std::vector<double>& taken = times[side].empty() ? waiting[side] : times[side];
    if (smallByEvents > 0 && own_.small > 0)
      of(other.events, candidate) = medianOf(taken) - smallByEvents + own_.small;
  }
  return {};
}

/// Measures the step. Not every call can be recorded into a graph; such a call has no step.
Result<void> DeviceClock::stepOthers(const Sides& sides, double seconds, int repeats, OtherTimes& other) {
  if (!openGraphs(sides, seconds)) return deviceBroken() ? synchronize(Stage::time) : Result<void>();
  const std::array<Turn, 4> turns{Turn{false, 0}, Turn{true, 0}, Turn{true, 0}, Turn{false, 0}};
  std::array<std::vector<double>, 2> times;
  Result<void> done;
  for (int repeat = 0; repeat < std::min(repeats, mostSteps) && done; ++repeat) {
    done = renewForGraphs(sides);
    if (!done) break;
    const auto samples = batch_->block(turns);
    if (!samples) done = samples.error();
    for (std::size_t i = 0; done && i < turns.size(); ++i)
      times[turns[i].candidate ? 1 : 0].push_back((*samples)[i].seconds);
  }
  if (auto ended = batch_->finish(); done && !ended) done = std::move(ended).error();
  if (done) other.step = {medianOf(times[0]), medianOf(times[1])};
  return done;
}

Result<RecordedTime> DeviceClock::recorded(PreparedCall& call, const std::function<Result<void>()>& before) {
  // A device that has slept is slow at first.
  for (const double start = now(); !awake() && now() - start < wakingSeconds;) {
    WB_DO(work_.evict());
    WB_DO(synchronize(Stage::time));
  }
  used();
  forgetAhead();
  WB_DO(openRecords(Kinds::concurrent));
  Around around;
  if (before) around.before = [&](std::size_t) { return before(); };
  const auto run = [&](std::size_t) { return call.run(); };
  const auto first = record(run, 1, true, around);
  if (!first) return first.error();
  const double each = std::max(first->front().seconds, 1e-6);
  const auto repeats =
      static_cast<std::size_t>(std::clamp(recordedInAll / each, 1.0, static_cast<double>(ownCalls - 1)));
  const auto calls = record(run, repeats, true, around);
  recorder_.reset();
  if (!calls) return calls.error();
  std::vector<double> busy, spans;
  for (const RecordedCall& taken : *calls) {
    busy.push_back(taken.busy);
    spans.push_back(taken.seconds);
  }
  return RecordedTime{median(std::move(busy)), median(std::move(spans))};
}

Result<double> DeviceClock::callSeconds(PreparedCall& call) {
  WB_DO(synchronize(Stage::time));
  const auto begin = std::chrono::steady_clock::now();
  WB_DO(call.run());
  WB_DO(synchronize(Stage::time));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Result<void> DeviceClock::callOthers(const Sides& sides, int repeats, OtherTimes& other) {
  std::array<std::vector<double>, 2> times;
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (bool candidate : {false, true}) {
      const Calls calls = sides.of(candidate);
      WB_TRY(auto seconds, callSeconds(*calls[static_cast<std::size_t>(repeat) % calls.size()]));
      times[candidate ? 1 : 0].push_back(seconds);
    }
  other.call = {medianOf(times[0]), medianOf(times[1])};
  return {};
}

}  // namespace wb
