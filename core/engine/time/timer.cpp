// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "core/base/quantity.h"
#include "core/engine/time/steadiness.h"
#include "core/model/pace.h"

namespace wb {
namespace {

constexpr double warmupShare = 0.2;  // the share of the limit
/// The share of the limit in which each call may take its memory, and the clock for which it matters: on a
/// device torch keeps memory, and calls only wait for it.
constexpr double touchShare = 0.3;
constexpr const char* touched = "call";
/// Of the time that a sample needs at least such a part is enough, and so many times it would be too many
/// calls.
constexpr double batchShare = 0.8, tooLong = 4;
// So many blocks are taken before the interval is first computed, where no rough one is wanted.
constexpr std::size_t firstLook = 12;
constexpr std::size_t mostBlocks = 5000;  // no more, since a report has to be sent and kept
constexpr std::size_t fewBlocks = 6;      // fewer are too few for an interval without assumptions
constexpr double patience = 2;            // so many times the limit may be used to get enough blocks
constexpr double tickShare = 0.25;        // of the tick: the target is no finer
// The share of the limit that the numbers beside the headline may take. Setting them up takes some 20 ms on a
// GPU, so that a shorter limit has no room for them.
constexpr double othersShare = 0.1, othersCap = 0.04;
constexpr double jouleCap = 5, jouleSeconds = 1, kJouleSample = 0.1, kMostJouleCalls = 20000;

double total(const Block& block) {
  return block.reference[0] + block.reference[1] + block.candidate[0] + block.candidate[1];
}

double medianOr0(std::vector<double> values) {
  return values.empty() ? 0 : median(std::move(values));
}

BothSides orElse(const BothSides& known, const BothSides& other) {
  return known.candidate > 0 ? known : other;
}

void join(std::string& notes, const std::string& note) {
  if (!note.empty()) notes += notes.empty() ? note : "; " + note;
}

/// One timing of one case, with what its steps share.
class Session {
 public:
  Session(const Sides& sides, Clock& clock, const TimingPlan& plan, std::uint64_t seed, std::stop_token stop)
      : sides_(sides), clock_(clock), plan_(plan), random_(seed), stop_(std::move(stop)) {}
  ~Session() {
    clock_.endBatch();
    clock_.used();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Result<CaseTiming> run();

 private:
  Result<double> quicker(int calls, int repeats);
  Result<void> touchMemory();
  Result<void> chooseCalls();
  Result<bool> tryLikelyCalls();
  Result<void> growCalls(double quickest);
  [[nodiscard]] double samplesTooShort() const;
  Result<Block> block();
  Result<void> warmUp();
  Result<void> measure();
  Result<void> measureLongSamples();
  Result<void> measureOthers();
  Result<void> measureJoules();
  Result<double> joules(bool candidate);
  [[nodiscard]] double resolution() const;
  [[nodiscard]] double target(const Block& block) const;
  Result<double> checked(const Result<Sampled>& sampled, bool candidate, int calls);
  [[nodiscard]] std::vector<double> references() const;
  [[nodiscard]] std::vector<double> candidates() const;
  [[nodiscard]] double elapsed() const { return clock_.now() - start_; }

  Sides sides_;
  Clock& clock_;
  const TimingPlan& plan_;
  std::mt19937_64 random_;
  std::stop_token stop_;
  double start_ = 0;
  Blocks blocks_;
  /// The clock knows how many calls it needs.
  bool isBatched_ = false;
  /// A single call of the quicker side takes longer than the limit.
  bool isLong_ = false;
  /// What made a sample before makes one now, and a rough time is enough: others may wait for the device.
  bool isQuick_ = false;
  /// How often the last block was interrupted.
  Interruptions interrupted_;
  /// Of the last block.
  std::size_t draw_ = 0;
  std::array<std::vector<double>, 2> host_;
  CaseTiming timing_;
};

Result<double> Session::checked(const Result<Sampled>& sampled, bool candidate, int calls) {
  if (!sampled) return sampled.error();
  const double seconds = sampled->seconds;
  if (!std::isfinite(seconds) || seconds <= 0)
    return Error{
        Stage::time,
        fmt::format("The clock ({}) gave {} s for a call: not a time.", clock_.description(calls), seconds),
        {},
        {}};
  if (sampled->host > 0) host_[candidate ? 1 : 0].push_back(sampled->host);
  return seconds;
}

/// The seconds per call of the quicker side.
Result<double> Session::quicker(int calls, int repeats) {
  double quickest = 0;
  for (bool candidate : {false, true}) {
    const Calls side = sides_.of(candidate);
    double best = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const Turn turn{candidate, static_cast<std::size_t>(repeat) % side.size()};
      auto seconds = checked(clock_.sample(sides_, turn, calls), candidate, calls);
      if (!seconds) return std::move(seconds).error();
      best = best == 0 ? *seconds : std::min(best, *seconds);
      if (best * calls > plan_.capSeconds) break;
    }
    quickest = quickest == 0 ? best : std::min(quickest, best);
  }
  return quickest;
}

/// Each call keeps its result until it is run again, so that it takes new memory from the system the first
/// time. In a sample that would be most of what a large tensor costs.
Result<void> Session::touchMemory() {
  if (clock_.meaning(1).time != touched) return {};
  const std::size_t sets = std::max(sides_.reference.size(), sides_.candidate.size());
  // The first samples come to all of them.
  if (sides_.likelyCalls > 0 && static_cast<std::size_t>(sides_.likelyCalls) >= sets) return {};
  for (std::size_t set = 0; set < sets; ++set)
    for (const bool candidate : {false, true}) {
      if (stop_.stop_requested() || elapsed() >= touchShare * plan_.capSeconds) return {};
      if (set >= sides_.of(candidate).size()) continue;
      if (auto taken = clock_.sample(sides_, {candidate, set}, 1); !taken) return std::move(taken).error();
    }
  return {};
}

/// One sample of either side shows whether what made a sample before makes one now, and touches memory.
Result<bool> Session::tryLikelyCalls() {
  const int calls = sides_.likelyCalls;
  const SampleNeeds needs = clock_.needs();
  if (calls < 1 || calls > std::min(std::max(needs.maxCalls, 1), sides_.mostCalls)) return false;
  WB_TRY(const double quickest, quicker(calls, 1));
  const double sample = quickest * calls;
  const bool isLongEnough = sample >= (calls == 1 ? needs.single : batchShare * needs.batch);
  if (!isLongEnough || (calls > 1 && sample > tooLong * needs.batch)) return false;
  timing_.callsPerSample = calls;
  isLong_ = quickest > plan_.capSeconds;
  isQuick_ = plan_.isRough() && plan_.capSeconds < othersCap;
  return true;
}

/// Chooses the number of calls for both sides from the quicker one. The first sample of each only touches
/// pages and caches.
Result<void> Session::chooseCalls() {
  WB_TRY(const bool isLikely, tryLikelyCalls());
  if (isLikely) return {};
  auto quickest = quicker(1, plan_.isRough() ? 2 : 3);
  if (!quickest) return std::move(quickest).error();
  isLong_ = *quickest > plan_.capSeconds;
  auto batched = clock_.batch(sides_, *quickest);
  if (batched && *batched > 0) {
    timing_.callsPerSample = *batched;
    isBatched_ = true;
    return {};
  }
  if (!batched) timing_.note = batched.error().text;
  if (*quickest >= clock_.needs().single) return {};
  return growCalls(*quickest);
}

/// Tries a batch before it is believed, since a single short call takes longer than one among many.
Result<void> Session::growCalls(double quickest) {
  SampleNeeds needs = clock_.needs();
  needs.maxCalls = std::min(needs.maxCalls, sides_.mostCalls);
  for (int round = 0; round < 3; ++round) {
    const int wanted = std::min(
        needs.maxCalls, static_cast<int>(std::clamp(std::ceil(needs.batch / quickest), 2.0,
                                                    static_cast<double>(std::max(needs.maxCalls, 1)))));
    if (wanted <= timing_.callsPerSample) return {};
    timing_.callsPerSample = wanted;
    auto tried = quicker(wanted, plan_.isRough() ? 1 : 2);
    if (!tried) return std::move(tried).error();
    quickest = *tried;
    if (quickest * wanted >= batchShare * needs.batch) return {};
  }
  return {};
}

Result<Block> Session::block() {
  Block block;
  interrupted_ = {};
  const std::uint64_t drawn = random_();
  block.mirrored = (drawn & 1) != 0;
  // Each block begins with a random set; otherwise each side would always meet the same sets at the same
  // places.
  std::size_t set =
      static_cast<std::size_t>((drawn >> 1) % std::max(sides_.reference.size(), sides_.candidate.size()));
  constexpr std::array<bool, 4> candidateTurn{false, true, true, false};
  std::array<Turn, 4> turns;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    turns[i].candidate = candidateTurn[i] != block.mirrored;
    turns[i].first = set % sides_.of(turns[i].candidate).size();
    set += static_cast<std::size_t>(timing_.callsPerSample);
  }
  const auto samples = clock_.block(sides_, turns, timing_.callsPerSample);
  if (!samples) return samples.error();
  draw_ = clock_.drawOf(turns[0].first);
  std::array<std::size_t, 2> taken{};
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const bool candidate = turns[i].candidate;
    auto seconds = checked((*samples)[i], candidate, timing_.callsPerSample);
    if (!seconds) return std::move(seconds).error();
    (candidate ? block.candidate : block.reference)[taken[candidate ? 1 : 0]++] = *seconds;
    // Of calls elsewhere only what happens here is counted, and no thread of the kernel's is here.
    const bool isIts = candidate && !sides_.areElsewhere;
    (isIts ? interrupted_.candidate : interrupted_.reference) += (*samples)[i].interrupted;
  }
  return block;
}

Result<void> Session::warmUp() {
  // What was called to count has warmed up what is longer than the limit, and enough for a rough time.
  if (isLong_ || isQuick_) return {};
  WarmUp warm(clock_.awake());
  const double budget = warmupShare * plan_.capSeconds;
  while (!stop_.stop_requested()) {
    auto next = block();
    if (!next) return std::move(next).error();
    ++timing_.warmups;
    warm.add(total(*next), clock_.conditions());
    if (warm.steady() || elapsed() >= budget) return {};
  }
  return {};
}

Result<void> Session::measure() {
  if (sides_.counted) sides_.counted();
  std::size_t look = plan_.isRough() ? fewBlocks : firstLook;
  double wanted = plan_.targetHalfWidth;
  while (true) {
    // A few blocks more than fit are taken where that makes an interval possible.
    const bool isPatient = blocks_.size() < fewBlocks && !isQuick_;
    const double cap = isPatient ? patience * plan_.capSeconds : plan_.capSeconds;
    const bool capped = elapsed() >= cap || blocks_.size() >= mostBlocks;
    const bool stopped = stop_.stop_requested();
    const bool enough = blocks_.size() > 0 && (capped || stopped);
    if (enough || blocks_.size() >= look) {
      auto speedup = compare(blocks_.kept(), blocks_.draws());
      if (!speedup) return std::move(speedup).error();
      timing_.speedup = *speedup;
      if (enough && !hasInterval(*speedup)) {
        join(timing_.note, fmt::format("too noisy: {} blocks differ too much", blocks_.size()));
        return {};
      }
      const double halfWidth = (speedup->high - speedup->low) / 2 / speedup->ratio;
      if (hasInterval(*speedup) && blocks_.size() >= look && halfWidth <= wanted) return {};
      if (enough) {
        join(timing_.note,
             fmt::format("{} after {} blocks: known to ±{}", stopped ? "stopped" : "reached the cap",
                         blocks_.size(), formatPercent(halfWidth)));
        return {};
      }
      look += std::max<std::size_t>(4, look / 2);  // looks become rarer
    }
    if (stopped) return Error{Stage::time, "Stopped before a block was timed.", {}, {}};
    auto next = block();
    if (!next) return std::move(next).error();
    wanted = target(*next);
    blocks_.add(*next, clock_.conditions(), interrupted_, total(*next) * timing_.callsPerSample, draw_);
  }
}

/// The half-width at which the measurement stops.
double Session::target(const Block& block) const {
  const double quicker = std::min(block.reference[0], block.candidate[0]);
  return std::max(plan_.targetHalfWidth,
                  tickShare * clock_.meaning(timing_.callsPerSample).callTick / quicker);
}

/// The share that one tick is of a sample, for both sides together.
double Session::resolution() const {
  return timing_.tick / timing_.callsPerSample * std::hypot(1 / timing_.reference, 1 / timing_.candidate);
}

/// Measures the other times, which stand beside the headline; the blocks give the headline's own.
Result<void> Session::measureOthers() {
  const BothSides headline{timing_.reference, timing_.candidate};
  OtherTimes others;
  if (!stop_.stop_requested()) {
    const double budget = plan_.capSeconds < othersCap ? 0 : othersShare * plan_.capSeconds;
    auto taken = clock_.others(sides_, headline, budget);
    if (!taken) return std::move(taken).error();
    others = *std::move(taken);
  }
  timing_.kernel = others.kernel;
  timing_.step = others.step;
  timing_.call = others.call;
  if (timing_.time == "kernel" && timing_.caches == CacheState::cold) timing_.kernel = headline;
  if (timing_.time == "step") timing_.step = headline;
  if (timing_.time == "call") timing_.call = headline;
  timing_.kernelHot = others.kernelHot;
  timing_.events = others.events;
  timing_.disagree = others.disagree;
  timing_.host = orElse(others.host, {medianOr0(host_[0]), medianOr0(host_[1])});
  join(timing_.note, others.note);
  return {};
}

/// Measures the joules of one call of a side by calling it for a second without a pause, since the card's
/// counter has steps of up to a tenth of a second.
Result<double> Session::joules(bool candidate) {
  const Calls side = sides_.of(candidate);
  const double seconds = candidate ? timing_.candidate : timing_.reference;
  const int calls = static_cast<int>(std::clamp(kJouleSample / seconds, 1.0, kMostJouleCalls));
  const auto before = clock_.joules();
  const double began = clock_.now();
  double run = 0;
  for (std::size_t set = 0; clock_.now() - began < jouleSeconds && !stop_.stop_requested(); ++set) {
    auto taken = clock_.sample(side, set % side.size(), calls);
    if (!taken) return std::move(taken).error();
    run += calls;
  }
  const auto after = clock_.joules();
  if (!before || !after || clock_.now() - began < jouleSeconds) return 0.0;
  return (*after - *before) / run;
}

/// Measures energy only where the limit leaves time for it, which is a second per side.
Result<void> Session::measureJoules() {
  if (plan_.capSeconds < jouleCap || !clock_.joules()) return {};
  auto reference = joules(false);
  if (!reference) return std::move(reference).error();
  auto candidate = joules(true);
  if (!candidate) return std::move(candidate).error();
  timing_.joules = {*reference, *candidate};
  return {};
}

std::vector<double> Session::references() const {
  std::vector<double> times;
  for (const Block& each : timing_.blocks)
    times.insert(times.end(), each.reference.begin(), each.reference.end());
  return times;
}

std::vector<double> Session::candidates() const {
  std::vector<double> times;
  for (const Block& each : timing_.blocks)
    times.insert(times.end(), each.candidate.begin(), each.candidate.end());
  return times;
}

/// A side that takes less time in its blocks than when the calls of a sample were counted has samples which
/// are too short for the clock: gives the seconds of its calls, or 0 where all is well.
double Session::samplesTooShort() const {
  constexpr double tooShort = 0.4;
  const SampleNeeds needs = clock_.needs();
  if (isBatched_ || timing_.callsPerSample >= std::min(needs.maxCalls, sides_.mostCalls)) return 0;
  std::vector<double> reference, candidate;
  for (const Block& each : blocks_.kept()) {
    reference.insert(reference.end(), each.reference.begin(), each.reference.end());
    candidate.insert(candidate.end(), each.candidate.begin(), each.candidate.end());
  }
  const double quicker = std::min(median(std::move(reference)), median(std::move(candidate)));
  const double needed = timing_.callsPerSample == 1 ? needs.single : needs.batch;
  return quicker * timing_.callsPerSample < tooShort * needed ? quicker : 0;
}

Result<void> Session::measureLongSamples() {
  constexpr int rounds = 3;
  for (int round = 1;; ++round) {
    WB_DO(warmUp());
    WB_DO(measure());
    const double quicker = stop_.stop_requested() ? 0 : samplesTooShort();
    if (quicker == 0) return {};
    if (round == rounds)
      return Error{Stage::time,
                   fmt::format("a call takes {} in the end, and was longer whenever it was tried how many of "
                               "them a sample needs",
                               formatSeconds(quicker))};
    const int before = timing_.callsPerSample;
    WB_DO(growCalls(quicker));
    if (timing_.callsPerSample == before) return {};
    blocks_ = {};
    isQuick_ = false;
    timing_.note.clear();
    start_ = clock_.now();
  }
}

Result<CaseTiming> Session::run() {
  if (sides_.reference.empty() || sides_.candidate.empty())
    return Error{Stage::time, "There is nothing to time: no calls were prepared.", {}, {}};
  start_ = clock_.now();
  for (auto step : {&Session::touchMemory, &Session::chooseCalls, &Session::measureLongSamples})
    if (auto done = (this->*step)(); !done) return std::move(done).error();
  if (blocks_.tooBusy()) timing_.speedup = withoutInterval(timing_.speedup);
  join(timing_.note, blocks_.moveInto(timing_));
  join(timing_.note, blocks_.stallNote());
  timing_.reference = median(references());
  timing_.candidate = median(candidates());
  timing_.clock = clock_.description(timing_.callsPerSample);
  const Meaning meaning = clock_.meaning(timing_.callsPerSample);
  timing_.time = meaning.time;
  timing_.caches = meaning.caches;
  timing_.tick = meaning.tick;
  timing_.empty = meaning.empty;
  timing_.speedup = noNarrower(timing_.speedup, resolution());
  for (auto step : {&Session::measureOthers, &Session::measureJoules})
    if (auto done = (this->*step)(); !done) return std::move(done).error();
  return std::move(timing_);
}

}  // namespace

Result<CaseTiming> timeCase(const Sides& sides, Clock& clock, const TimingPlan& plan, std::uint64_t seed,
                            std::stop_token stop) {
  return Session(sides, clock, plan, seed, std::move(stop)).run();
}

}  // namespace wb
