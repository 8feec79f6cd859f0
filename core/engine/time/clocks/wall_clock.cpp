// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "core/engine/time/clocks/calls_alone.h"
#include "core/engine/time/timer.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// So much more than the quick clock, in seconds and as a share, the system's own may show.
constexpr double readingSeconds = 1e-6, readingShare = 0.01;
/// So many calls are made alone, of long ones a few.
constexpr int callsAlone = 9, longCallsAlone = 3;
constexpr double longCall = 5e-3;
/// A measurement has at least so many samples of either side.
constexpr std::size_t latestSamples = 8;

/// The same clock, read by the system itself. That takes a little longer than Steady::now(), which reads the
/// processor's time stamp in this process, where user code can have the processor ask it what time it is
/// (PR_SET_TSC).
double secondsOfSystem() {
  timespec now{};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The quick clock's time, unless the system saw more pass.
double believed(double quick, double system) {
  return system > quick * (1 + readingShare) + readingSeconds ? system : quick;
}

/// The interruptions of all threads, since an operator that waits for all of its threads waits for the one
/// that was interrupted.
long interruptions() {
  rusage usage{};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/// While it lives, each call of a sample is waited for.
class Apart {
 public:
  explicit Apart(bool& is) : is_(is) { is_ = true; }
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;
  ~Apart() { is_ = false; }

 private:
  bool& is_;
};

class WallClock final : public Clock {
 public:
  WallClock(const SampleNeeds& needs, std::function<Result<void>()> finish)
      : needs_(needs), finish_(std::move(finish)) {}

  [[nodiscard]] std::string description(int) const override { return "wall clock"; }
  [[nodiscard]] SampleNeeds needs() const override { return needs_; }

  Result<Sampled> sample(Calls rotation, std::size_t first, int calls) override {
    if (isApart_) return sampleLast(rotation, first, calls);
    std::size_t next = first;
    const long before = interruptions();
    const double startOfSystem = secondsOfSystem();
    const auto start = Steady::now();
    for (int call = 0; call < calls; ++call) {
      WB_DO(rotation[next]->run());
      if (++next == rotation.size()) next = 0;
    }
    double host = 0;
    if (finish_) {
      host = std::chrono::duration<double>(Steady::now() - start).count();
      WB_DO(finish_());
      if (calls > 1) noteEnqueued(rotation, host / calls);
    }
    const double system = secondsOfSystem() - startOfSystem;
    const double seconds = believed(std::chrono::duration<double>(Steady::now() - start).count(), system);
    return Sampled{seconds / calls, host / calls, interruptions() - before};
  }

  /// Calls that are only enqueued could run beside each other, which a sample of many does not show.
  Result<OtherTimes> others(const Sides& sides, const BothSides& headline, double) override {
    OtherTimes other;
    other.host = {hostOf(sides.reference), hostOf(sides.candidate)};
    if (other.host.candidate == 0 || sides.candidate.size() < 2) return other;
    WB_TRY(const auto alone, callsOneByOne(sides, std::max(headline.reference, headline.candidate)));
    const auto of = [&](bool candidate) {
      return EnqueuedCalls{candidate ? headline.candidate : headline.reference,
                           candidate ? other.host.candidate : other.host.reference,
                           alone[candidate ? 1 : 0].alone, alone[candidate ? 1 : 0].waited};
    };
    if (std::string why = besideEachOther(of(true), of(false)); !why.empty())
      return Error{Stage::time, std::move(why), {}, {}};
    return other;
  }

 private:
  [[nodiscard]] double hostOf(Calls calls) const {
    const auto found = enqueued_.find(calls.data());
    return found == enqueued_.end() ? 0 : *std::min_element(found->second.begin(), found->second.end());
  }

  /// A side of another case may lie where one did.
  void noteEnqueued(Calls calls, double seconds) {
    std::deque<double>& latest = enqueued_[calls.data()];
    latest.push_back(seconds);
    if (latest.size() > latestSamples) latest.pop_front();
  }

  /// The last of some calls, each of which is waited for before the next one: a GPU that turns to another
  /// process, as to this one that has just written inputs, takes over 100 µs for that.
  Result<Sampled> sampleLast(Calls rotation, std::size_t first, int calls) {
    Sampled last;
    for (int call = 0; call < calls; ++call) {
      const auto start = Steady::now();
      WB_DO(rotation[(first + static_cast<std::size_t>(call)) % rotation.size()]->run());
      last.host = std::chrono::duration<double>(Steady::now() - start).count();
      WB_DO(finish_());
      last.seconds = std::chrono::duration<double>(Steady::now() - start).count();
    }
    return last;
  }

  /// Both sides take turns. Of all the shortest, which nobody has held up; of what is waited for, the median,
  /// since a call may do some of its waiting itself.
  Result<std::array<EnqueuedCalls, 2>> callsOneByOne(const Sides& sides, double longer) {
    constexpr int callsOfEach = 2;
    std::array<EnqueuedCalls, 2> found;
    std::array<std::vector<double>, 2> waits;
    const Apart apart(isApart_);
    for (int call = 0; call < (longer > longCall ? longCallsAlone : callsAlone); ++call)
      for (const bool candidate : {false, true}) {
        const std::size_t set = static_cast<std::size_t>(call) % sides.of(candidate).size();
        WB_TRY(const Sampled taken, Clock::sample(sides, Turn{candidate, set}, callsOfEach));
        double& alone = found[candidate ? 1 : 0].alone;
        alone = call == 0 ? taken.seconds : std::min(alone, taken.seconds);
        waits[candidate ? 1 : 0].push_back(taken.seconds - taken.host);
      }
    for (const std::size_t side : {0, 1}) found[side].waited = median(std::move(waits[side]));
    return found;
  }

  /// What it took to enqueue a call of many in the latest samples of either side.
  std::map<const void*, std::deque<double>> enqueued_;
  SampleNeeds needs_;
  std::function<Result<void>()> finish_;
  /// Each call of a sample is waited for, and the last one is what counts.
  bool isApart_ = false;
};

}  // namespace

std::unique_ptr<Clock> wallClock(const SampleNeeds& needs, std::function<Result<void>()> finish) {
  return std::make_unique<WallClock>(needs, std::move(finish));
}

}  // namespace wb
