// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/device_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/engine/time/clocks/two_clocks.h"
#include "core/engine/time/steadiness.h"
#include "core/model/clocks/clock_slack.h"

namespace wb {
namespace {

constexpr CUstream legacyStream = nullptr;  // the legacy default stream
constexpr double conditionsSeconds = 4e-3;  // the time between two looks at the card's clock …
// … and at its power and temperature, which take as long as blocks.
constexpr double powerSeconds = 50e-3;
// So much time of kernels makes a sample, so that ticks even out …
constexpr double recordedSeconds = 24e-6;
constexpr int mostRecorded = 20;  // … but of no more calls, since each waits for the cache to be emptied
/// A sample is taken of one part of the sets. There are at least so many parts, so that one sees by how much
/// they differ.
constexpr int places = 4;
constexpr double longCall = 5e-3;          // the gaps between launches do not matter to a call this long
constexpr double slowedShare = 0.03;       // recording may slow a kernel by this much …
constexpr std::int64_t manyBlocks = 2048;  // … which is tested for kernels of so many blocks
constexpr int blocksADraw = 8;             // after so many blocks graphs are recorded anew
constexpr std::size_t ownCalls = 9, learningCalls = 4;
constexpr int learningTries = 4;
/// So long it is remembered what Warpbench's own kernels take; one measurement may take as long.
constexpr double ownSeconds = 5;
/// Events are believed before the difference is so large that neither is.
constexpr double shareOfSlack = 0.5;
/// The device is kept busy for the host by filling a buffer so many times: far fewer than a queue holds.
constexpr double mostFills = 512;
/// For so much longer than a call's launches took before the device is kept busy.
constexpr double aheadMargin = 1.5;

}  // namespace

Result<void> DeviceClock::open(int device, const DeviceFacts& facts) {
  if (auto opened = events_.open(); !opened) return opened;
  if (auto opened = work_.open(events_, facts.l2Bytes); !opened) return opened;
  auto batch = GraphBatch::open(cuda_, device);
  if (batch)
    batch_ = *std::move(batch);
  else
    noBatch_ = batch.error().text;  // the other ways work for every call, if less well
  nvml_ = Nvml::open(facts.uuid);
  return {};
}

std::string DeviceClock::description(int calls) const {
  if (way_ == Way::graphs) return fmt::format("CUDA graphs of {} and {} calls", calls, 2 * calls);
  const std::string many = calls == 1 ? "" : fmt::format(", {} calls a sample", calls);
  return (way_ == Way::records ? "CUPTI's records" : "device events, gaps of the launch included") + many;
}

Meaning DeviceClock::meaning(int calls) const {
  if (way_ == Way::records) return {"kernel", CacheState::cold, own_.tick, own_.empty, own_.tick};
  if (way_ == Way::events && calls == 1) return {"kernel", CacheState::cold, work_.tick(), 0};
  return {"step", CacheState::unknown, work_.tick(), 0};
}

SampleNeeds DeviceClock::needs() const {
  return {std::max(10e-6, 100 * work_.tick()), std::max(200e-6, 1000 * work_.tick()), 256};
}

Result<void> DeviceClock::keepBusy(int calls) {
  // The other side's calls, which come between, may be enqueued more quickly.
  const double needed = enqueueSeconds_ * calls * 1.5 + 20e-6;
  const int fills = static_cast<int>(std::clamp(std::ceil(needed / work_.evictSeconds()), 1.0, mostFills));
  for (int fill = 0; fill < fills; ++fill)
    if (auto filled = work_.evict(); !filled) return filled;
  return {};
}

Result<double> DeviceClock::enqueue(Calls rotation, std::size_t first, int calls, std::size_t event) {
  if (auto busy = keepBusy(calls); !busy) return std::move(busy).error();
  if (auto marked = events_.record(event, legacyStream); !marked) return std::move(marked).error();
  const auto begin = std::chrono::steady_clock::now();
  std::size_t next = first;
  for (int call = 0; call < calls; ++call) {
    if (auto done = rotation[next]->run(); !done) return std::move(done).error();
    if (++next == rotation.size()) next = 0;
  }
  const auto done = std::chrono::steady_clock::now();
  const double host = std::chrono::duration<double>(done - begin).count() / calls;
  if (auto marked = events_.record(event + 1, legacyStream); !marked) return std::move(marked).error();
  WB_TRY(const bool isBegun, events_.isReached(event));
  wasBusy_ = !isBegun;
  // A slow first call must not make every later sample wait, so the value decreases with time.
  enqueueSeconds_ = std::min(std::max(host, 0.8 * enqueueSeconds_), 1e-3);
  return host;
}

Result<Sampled> DeviceClock::sample(Calls rotation, std::size_t first, int calls) {
  auto host = enqueue(rotation, first, calls, 0);
  if (!host) return std::move(host).error();
  if (auto waited = events_.wait(1); !waited) return std::move(waited).error();
  auto seconds = events_.between(0, 1);
  if (!seconds) return std::move(seconds).error();
  return Sampled{*seconds / calls, *host};
}

/// A sample that holds no wait for the host, where that can be had. A call that waits for the device itself
/// has none, and a machine that is busy with other things may need more time than calls have told so far.
Result<Sampled> DeviceClock::sampleAhead(Calls rotation, std::size_t first, int& tries) {
  constexpr double longestHost = 10e-3, waits = 1.5;
  WB_TRY(Sampled taken, sample(rotation, first, 1));
  for (double longer = 2; !wasBusy_ && tries > 0; longer *= 2, --tries) {
    const double host = taken.host;
    enqueueSeconds_ = std::min(longer * host, longestHost);
    WB_TRY(taken, sample(rotation, first, 1));
    // One that takes longer because the device does waits for it.
    if (!wasBusy_ && taken.host > waits * host) tries /= 2;
  }
  return taken;
}

Result<std::vector<RecordedCall>> DeviceClock::record(const Run& run, std::size_t calls, bool cold,
                                                      const Around& around) {
  std::vector<double> hosts;
  for (std::size_t call = 0; call < calls; ++call) {
    Result<void> done;
    if (around.before) done = around.before(call);
    // It empties the cache, too.
    for (int fill = 0; done && cold && fill < ahead_; ++fill) done = work_.keepBusy();
    if (done) done = cold ? work_.evict() : work_.mark();
    const auto began = std::chrono::steady_clock::now();
    if (done) done = run(call);
    hosts.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    if (done) done = work_.end();
    if (done && around.after) done = around.after(call);
    if (!done) return std::move(done).error();
  }
  const auto records = recorder_->take();
  if (!records) return records.error();
  auto found =
      recordedCalls(*records, cold ? work_.evictBytes() : DeviceWork::markBytes, DeviceWork::endBytes, calls);
  if (found && !found->empty() && cold) learnAhead(*found, std::move(hosts));
  return found;
}

/// Between the launches of one call the device would wait for the host, the longer while it is recorded, if
/// it were not busy until all of them are enqueued. A call that waits for the device itself takes the longer
/// on the host the busier that is.
void DeviceClock::learnAhead(const std::vector<RecordedCall>& recorded, std::vector<double> hosts) {
  if (recorded.back().launches < 2 || mayWait_) return;
  const auto longer = hosts.begin() + static_cast<std::ptrdiff_t>(hosts.size() * 3 / 4);
  std::nth_element(hosts.begin(), longer, hosts.end());
  isAhead_ = ahead_ > 0 && *longer < (ahead_ + 1) * work_.evictSeconds();
  if (ahead_ > 0 && !isAhead_ && *longer > aheadMargin * aheadHost_) {
    mayWait_ = true;
    ahead_ = 0;
    return;
  }
  aheadHost_ = std::min(std::max(*longer, 0.8 * aheadHost_), 1e-3);
  const double needed = aheadMargin * aheadHost_ + 20e-6;
  ahead_ = static_cast<int>(std::clamp(std::ceil(needed / work_.evictSeconds()) - 1, 0.0, mostFills));
}

/// Takes four samples, each the mean of its calls, before each of which the cache is emptied. One more call
/// comes first and does not count, since it finds a device at rest.
Result<std::array<Sampled, 4>> DeviceClock::recordBlock(const Sides& sides, const std::array<Turn, 4>& turns,
                                                        int calls) {
  const auto each = static_cast<std::size_t>(calls);
  place_ = turns[0].first / each;
  const auto turnOf = [&](std::size_t number) {
    const std::size_t call = number == 0 ? 0 : number - 1;
    const bool candidate = turns[call / each].candidate;
    const std::size_t sets = sides.of(candidate).size(), set = (place_ * each + call % each) % sets;
    return Turn{candidate, candidate && sets % 2 == 0 ? set ^ 1 : set};
  };
  const auto run = [&](std::size_t number) {
    const Turn turn = turnOf(number);
    return sides.of(turn.candidate)[turn.first]->run();
  };
  Around around;
  if (sides.between != nullptr) {
    around.before = [&](std::size_t number) {
      const Turn turn = turnOf(number);
      return sides.between->enqueueNew(turn.candidate, turn.first);
    };
    around.after = [&](std::size_t number) {
      const Turn turn = turnOf(number);
      return sides.between->enqueued(turn.candidate, turn.first);
    };
  }
  const auto recorded = record(run, turns.size() * each + 1, true, around);
  if (!recorded) return recorded.error();
  std::array<Sampled, 4> samples;
  for (std::size_t number = 1; number < recorded->size(); ++number)
    samples[(number - 1) / each].seconds += (*recorded)[number].seconds / calls;
  return samples;
}

std::size_t DeviceClock::drawOf(std::size_t first) const {
  if (way_ == Way::graphs) return static_cast<std::size_t>(blocks_ / blocksADraw);
  return way_ == Way::records ? place_ : first;
}

/// Graphs run on a stream of their own, so new contents have to be there before one begins.
Result<void> DeviceClock::renewForGraphs(const Sides& sides) {
  if (sides.between == nullptr) return {};
  WB_DO(sides.between->renewAll());
  return synchronize(Stage::time);
}

/// Some blocks begin with one that ends early, so that the candidate's answers can be compared. It cannot be
/// told from the block that counts.
Result<std::array<Sampled, 4>> DeviceClock::graphBlock(const Sides& sides, const std::array<Turn, 4>& turns) {
  if (++blocks_ % blocksADraw == 0) WB_DO(batch_->redraw());
  WB_DO(renewForGraphs(sides));
  if (const int after = sides.between == nullptr ? 0 : sides.between->looksAfter(turns[0].candidate);
      after > 0) {
    WB_DO(batch_->begin(turns, after));
    WB_DO(sides.between->replayed(batch_->sets()));
    WB_DO(renewForGraphs(sides));
  }
  return batch_->block(turns);
}

/// Runs the candidate's graphs on contents that it has not seen, so that its answers can be compared.
Result<void> DeviceClock::finishGraphs(const Sides& sides) {
  if (std::string why = batch_->uneven(); !why.empty()) return Error{Stage::time, std::move(why), {}, {}};
  WB_DO(renewForGraphs(sides));
  const std::size_t sets = batch_->sets();
  WB_DO(batch_->finish());
  return sides.between == nullptr ? Result<void>() : sides.between->replayed(sets);
}

/// All four are enqueued before the first is waited for, since waits would take as long as the samples.
Result<std::array<Sampled, 4>> DeviceClock::block(const Sides& sides, const std::array<Turn, 4>& turns,
                                                  int calls) {
  if (way_ == Way::records) return recordBlock(sides, turns, calls);
  if (way_ == Way::graphs) return graphBlock(sides, turns);
  std::array<Sampled, 4> samples;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Calls rotation = sides.of(turns[i].candidate);
    const auto used = std::min(static_cast<std::size_t>(calls), rotation.size());
    const auto set = [&](std::size_t call) { return (turns[i].first + call) % rotation.size(); };
    for (std::size_t call = 0; sides.between != nullptr && call < used; ++call)
      WB_DO(sides.between->enqueueNew(turns[i].candidate, set(call)));
    WB_TRY(samples[i].host, enqueue(rotation, turns[i].first, calls, 2 * i));
    if (sides.between != nullptr) WB_DO(sides.between->enqueued(turns[i].candidate, set(used - 1)));
  }
  if (auto waited = events_.wait(2 * turns.size() - 1); !waited) return std::move(waited).error();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    auto seconds = events_.between(2 * i, 2 * i + 1);
    if (!seconds) return std::move(seconds).error();
    samples[i].seconds = *seconds / calls;
  }
  return samples;
}

/// Begins to record. When CUPTI has refused once, it is not asked again.
Result<void> DeviceClock::openRecords(Kinds kernels) {
  recorder_.reset();
  if (!noRecords_.empty()) return Error{Stage::time, noRecords_, {}, {}};
  auto recorder = ActivityRecorder::start(kernels);
  if (!recorder) {
    if (!deviceBroken()) noRecords_ = recorder.error().text;
    return std::move(recorder).error();
  }
  recorder_ = *std::move(recorder);
  return {};
}

/// Learns what a call of either side puts on the device, and how long the quicker one takes.
Result<double> DeviceClock::learnCalls(const Sides& sides) {
  mostBlocks_ = 0;
  for (bool candidate : {false, true}) {
    const Calls calls = sides.of(candidate);
    // Several calls are watched, since a first one may set things up.
    const auto seen =
        record([&](std::size_t call) { return calls[call % calls.size()]->run(); }, learningCalls, true, {});
    if (!seen) return seen.error();
    launches_[candidate ? 1 : 0] = seen->back().launches;
    std::vector<double> times;
    for (std::size_t call = 1; call < seen->size(); ++call) times.push_back((*seen)[call].seconds);
    recorded_[candidate ? 1 : 0] = median(std::move(times));
    mostBlocks_ = std::max(mostBlocks_, seen->back().blocks);
  }
  return std::min(recorded_[0], recorded_[1]);
}

/// Measures Warpbench's own kernels by records: the floor of a launch, and what events are compared with.
Result<DeviceClock::OwnKernels> DeviceClock::learnOwnKernels() {
  OwnKernels own;
  if (!work_.hasKernels()) return own;
  std::vector<double> times;
  for (double* into : {&own.empty, &own.small}) {
    const bool small = into == &own.small;
    const auto run = [&](std::size_t) { return small ? work_.smallKernel() : work_.emptyKernel(); };
    const auto calls = record(run, ownCalls, true, {});
    if (!calls) return calls.error();
    std::vector<double> taken;
    for (const RecordedCall& call : *calls) taken.push_back(call.seconds);
    *into = median(taken);
    times.insert(times.end(), taken.begin(), taken.end());
  }
  own.tick = tickOf(std::move(times));
  return own;
}

/// They are the device's and not the calls', so that many short measurements in a row need them once. Of a
/// device that may have slept nothing is kept.
Result<DeviceClock::OwnKernels> DeviceClock::ownKernels(Kinds kinds) {
  OwnKernels& kept = keptOwn_[static_cast<std::size_t>(kinds)];
  if (awake() && now() < kept.until) return kept;
  WB_TRY(kept, learnOwnKernels());
  kept.until = awake() ? now() + ownSeconds : 0;
  return kept;
}

/// Whether recording slows kernels of very many blocks, which take longer while CUPTI adds to each block's
/// code. Records of the other kind leave them unchanged, but add to every kernel what they add to a small one
/// of Warpbench's own.
Result<bool> DeviceClock::slowed(const Sides& sides) {
  const std::array<double, 2> watched = recorded_;
  WB_DO(openRecords(Kinds::alone));
  if (auto learned = learnCalls(sides); !learned) return std::move(learned).error();
  WB_TRY(const OwnKernels alone, ownKernels(Kinds::alone));
  const double added = alone.small - own_.small;
  bool slower = false;
  for (const std::size_t side : {0, 1})
    slower = slower || watched[side] > (1 + slowedShare) * (recorded_[side] - added) + 2 * work_.tick();
  recorded_ = watched;
  return slower;
}

/// Times kernels by records where either side is one launch that recording does not slow.
Result<int> DeviceClock::byRecords(const Sides& sides) {
  WB_DO(openRecords(Kinds::concurrent));
  WB_TRY(const double quicker, learnCalls(sides));
  WB_TRY(own_, ownKernels(Kinds::concurrent));
  if (launches_ != std::array<std::size_t, 2>{1, 1}) return 0;
  if (mostBlocks_ >= manyBlocks) {
    WB_TRY(slowed_, slowed(sides));
    if (slowed_) {
      note_ = "CUPTI's records slow a kernel of so many blocks";
      return 0;
    }
    WB_DO(openRecords(Kinds::concurrent));
  }
  way_ = Way::records;
  const int most = std::clamp(static_cast<int>(sides.reference.size()) / places, 1, mostRecorded);
  return static_cast<int>(std::clamp(std::ceil(recordedSeconds / quicker), 1.0, static_cast<double>(most)));
}

/// Whether a call of either side waits for the host in its middle or at its end, as one does that looks at a
/// number, or for other streams. Records hold the first and not the others.
Result<bool> DeviceClock::waitsForHost(const Sides& sides) {
  bool waits = false;
  for (const bool candidate : {false, true}) {
    const Calls calls = sides.of(candidate);
    std::vector<double> times;
    int tries = learningTries;
    for (std::size_t call = 0; call < learningCalls; ++call) {
      WB_TRY(const Sampled taken, sampleAhead(calls, call % calls.size(), tries));
      times.push_back(taken.seconds);
    }
    const double records = recorded_[candidate ? 1 : 0];
    waits = waits || median(std::move(times)) - records > shareOfSlack * slackOfEvents(records);
  }
  return waits;
}

Result<int> DeviceClock::openGraphs(const Sides& sides, double seconds) {
  if (!batch_) return Error{Stage::time, noBatch_, {}, {}};
  return batch_->record(sides, needs(), seconds, launches_);
}

Result<int> DeviceClock::batch(const Sides& sides, double seconds) {
  way_ = Way::events;
  note_.clear();
  blocks_ = 0;
  launches_ = {};
  slowed_ = false;
  forgetAhead();
  const auto recorded = byRecords(sides);
  if (recorded && *recorded > 0) return *recorded;
  recorder_.reset();
  if (!recorded) note_ = "no records of the device: " + recorded.error().text;
  const bool several = slowed_ || std::max(launches_[0], launches_[1]) > 1;
  if (seconds >= (several ? longCall : needs().single)) return 0;
  auto graphs = openGraphs(sides, seconds);
  if (graphs) {
    way_ = Way::graphs;
    return graphs;
  }
  const std::string why = "not in a CUDA graph: " + graphs.error().text;
  if (!recorded) return Error{Stage::time, why, {}, {}};
  WB_TRY(const bool waits, waitsForHost(sides));
  if (waits) {
    note_ = why + "; kernel time holds waits for the host, by events";
    return 0;
  }
  if (!openRecords(Kinds::concurrent)) return Error{Stage::time, why, {}, {}};
  if (auto learned = learnCalls(sides); !learned) return std::move(learned).error();
  note_ = why + (slowed_ ? "; " + note_ : isAhead_ ? "" : "; kernel time holds gaps that recording widens");
  way_ = Way::records;
  return 1;
}

void DeviceClock::endBatch() {
  recorder_.reset();
  // What goes wrong here goes wrong for whoever uses the device next, and is reported there.
  if (batch_) (void)batch_->finish();
}

std::optional<Conditions> DeviceClock::conditions() {
  if (!nvml_) return std::nullopt;
  if (const double at = now(); !conditions_ || at - conditionsAt_ > conditionsSeconds) {
    const bool all = !conditions_ || at - powerAt_ > powerSeconds;
    conditions_ = nvml_->conditions(all ? nullptr : &*conditions_);
    conditionsAt_ = now();
    if (all) powerAt_ = conditionsAt_;
  }
  return conditions_;
}

Result<std::unique_ptr<Clock>> deviceClock(int device) {
  auto facts = deviceFacts(device);
  if (!facts) return std::move(facts).error();
  if (auto used = useDevice(device); !used) return std::move(used).error();
  auto clock = std::make_unique<DeviceClock>(*driver());
  if (auto opened = clock->open(device, *facts); !opened) return std::move(opened).error();
  return std::unique_ptr<Clock>(std::move(clock));
}

}  // namespace wb
