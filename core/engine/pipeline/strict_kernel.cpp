// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/strict_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "core/base/memory.h"
#include "core/base/quantity.h"
#include "core/engine/check/random_operators.h"
#include "core/engine/compile/host/text_builds.h"
#include "core/engine/compile/host/toolchain.h"
#include "core/engine/compile/torch_cuda/device_choice.h"
#include "core/engine/device/driver.h"
#include "core/engine/device/measuring_lock.h"
#include "core/engine/device/quiet_device.h"
#include "core/engine/guest/guest_candidate.h"
#include "core/engine/guest/guest_compiler.h"
#include "core/engine/guest/guest_walls.h"
#include "core/engine/pipeline/known_kernels.h"
#include "core/engine/reference/operator.h"
#include "core/model/languages.h"
#include "core/model/pace.h"
#include "core/model/stages.h"

namespace wb {
namespace {

/// What is left of a side's time when its guest is ended, so that this comes before the runner ends the
/// worker: so many seconds, or half of a short time.
constexpr double secondsBefore = 4;
/// After a hang the runner waits no longer than this (core/run/at_work.cpp), and neither does the judge.
constexpr double secondsAfterHang = 5;
/// The time in which a kernel answers what is asked beside a case.
constexpr double secondsApart = 3, secondsApartCompiling = 8;
/// The reference is trusted, so that it may take what the stage gives it.
constexpr double referenceSeconds = 3600;
/// Between the moment in which the clock stops and that in which results are copied a guest could go on with
/// its work. A sample is long beside that, and beside the wait for a GPU at its end.
constexpr double sampleSeconds = 1e-3;
constexpr int mostCallsOfSample = 4096;
/// A look into a process right after its sample takes as long for both sides, but for such a share and so
/// many seconds.
constexpr double shareOfUsualLook = 1.5, longerLook = 4e-5;
/// Guests are kept while so many bytes of the machine's memory are left, and so much of a GPU's.
constexpr std::int64_t leastMemory = std::int64_t{2} << 30;
constexpr double leastOfDevice = 0.5;
/// So long a GPU may take to be quiet, at first and once nobody else works there, and so long it takes others
/// at most to let go of it. What is left of a process that has ended takes a while to go.
constexpr double quietSeconds = 3e-3, quietSecondsAlone = 0.1, patienceForOthers = 2;

/// Whether there is memory for processes that only wait. What torch keeps in this one counts as taken.
bool hasRoomToKeep(const std::string& device) {
  if (availableMemory().value_or(leastMemory) < leastMemory) return false;
  if (device == "cpu") return true;
  const Driver* const cuda = driver();
  std::size_t free = 0, total = 0;
  return cuda != nullptr && cuda->memGetInfo(&free, &total) == CUDA_SUCCESS &&
         static_cast<double>(free) >= leastOfDevice * static_cast<double>(total);
}

}  // namespace

void StrictGuests::keepLast(const std::string& device) {
  kept.rest();
  areBusy = hasRoomToKeep(device);
  if (!areBusy) kept.endAll();
  if (kept.mayHaveLeftWork() && (device == "cpu" || isDeviceQuiet(quietSeconds))) kept.haveLeftNothing();
}

void StrictGuests::startSpares() {
  areBusy = false;
  if (parent && likelyTriton && parent->warmUp()) spares.end();
  spares.prepare(likely, likelyCount);
}

void StrictGuests::lookForWorkLeft() {
  if (!kept.mayHaveLeftWork()) return;
  const Result<MeasuringLock> alone = MeasuringLock::acquire(uuid, patienceForOthers, {});
  kept.settle(alone && isDeviceQuiet(quietSecondsAlone));
}

std::optional<Error> whyNotStrict(const Job& job) {
  const auto refused = [](std::string text, std::string hint) {
    return Error{Stage::setup, std::move(text), std::move(hint)};
  };
  if (job.checking.likeBackendBench)
    return refused("--strict does not follow BackendBench's procedure", "leave one of the two out");
  return std::nullopt;
}

bool needsNoGuest(const std::string& language) {
  return language == "raw_cuda";
}

bool startsCompilers(const KernelSource& source, const std::string& language, const std::string& device) {
  if (language == "triton" && device != "cpu") return true;
  if (language != "python" && language != "triton") return false;
  for (const std::string_view name : {"cpp_extension", "torch.compile", "torch._inductor"})
    for (const std::string* text : {&source.text, &source.referenceText})
      if (text->find(name) != std::string::npos) return true;
  return false;
}

Result<void> openGuests(StrictGuests& guests, const Target& target) {
  const std::string& device = target.device;
  if (guests.parent) return {};
  const auto chosen = [&](bool mayStartProcesses) -> Result<std::string> {
    WB_TRY(const Sandbox walls, guestWalls(guests.command, device, mayStartProcesses));
    return raisableWalls(walls);
  };
  WB_TRY(guests.wallsWithProcesses, chosen(true));
  WB_TRY(guests.walls, chosen(false));
  // It need not look for the torch that was found here.
  WB_TRY(const TorchInstallation torch, findTorch());
  std::vector<std::string> command = guests.command;
  command.push_back("--torch=" + torch.root.string());
  guests.parent = std::make_shared<GuestParent>(std::move(command), std::exchange(guests.started, {}));
  guests.parent->begin();
  guests.builds = std::make_shared<TextBuilds>(runtimeIncludes());
  guests.uuid = target.uuid;
  guests.likely = {guests.parent, guests.walls, false, device != "cpu", guests.builds, false, guests.uuid};
  guests.likelyCount = 2;
  return {};
}

Guest::Start StrictKernel::start(bool trusted, bool startsProcesses) const {
  return {guests_.parent, startsProcesses ? guests_.wallsWithProcesses : guests_.walls,
          trusted,        onDevice(),
          guests_.builds, startsProcesses,
          guests_.uuid};
}

std::shared_ptr<GuestSession> StrictKernel::session(ProblemPart part) const {
  if (mayComeAgain(job_))
    if (std::shared_ptr<GuestSession> kept = guests_.kept.take(servedKernel(job_, kernel_, part)))
      return kept;
  return std::make_shared<GuestSession>(start(false, startsCompilers_), &guests_.spares);
}

StrictKernel::StrictKernel(StrictGuests& guests, Compiler& real, bool problem, const Job& job,
                           std::uint32_t kernel, std::string device, bool more, std::stop_token stop)
    : guests_(guests),
      job_(job),
      stop_(std::move(stop)),
      kernel_(kernel),
      device_(std::move(device)),
      startsCompilers_(startsCompilers(job.kernels[kernel], std::string(real.language()), device_)),
      outside_(device_ != "cpu") {
  session_ = session(ProblemPart::candidate);
  // A problem's reference is somebody's code too, so that its guest is held still as the kernel's is.
  if (problem) problem_ = session(ProblemPart::reference);
  compiler_ = guestCompiler(real, session_, problem_);
  const Language* language = findLanguage(real.language());
  tunes_ = language && language->needsPython;
  guests.likelyTriton |= onDevice() && real.language() == "triton";
  if (!problem && !guests_.reference) guests_.reference = std::make_shared<GuestSession>(start(true, false));
  guests_.likely = start(false, startsCompilers_);
  guests_.likelyCount = problem ? 2 : 1;
  // They begin while the compiler works. Where kernels that are new here follow each other without a pause,
  // so do those for the next one.
  std::size_t needed = 0;
  for (const auto& each : {session_, problem_}) needed += each && !each->present() ? 1 : 0;
  if (more || (needed > 0 && guests_.areBusy)) needed += guests_.likelyCount;
  if (guests_.parent->isReady()) guests_.spares.prepare(guests_.likely, needed);
  // On a CPU a call is over when its guest answers.
  measured_.clock = onDevice() ? enqueuedClock(
                                     {sampleSeconds, sampleSeconds, mostCallsOfSample},
                                     [this] { return finishCalls(); }, [this] { turnBack(); })
                               : wallClock({sampleSeconds, sampleSeconds, mostCallsOfSample});
}

StrictKernel::~StrictKernel() {
  reference_.reset();
  compiler_.reset();
  active_.reset();
  // A guest that was stopped at its work, or comes after one that was lost, serves nobody else.
  if (!mayComeAgain(job_) || losses_ > 0 || stop_.stop_requested()) return;
  const auto keep = [this](ProblemPart part, std::shared_ptr<GuestSession>& session) {
    guests_.kept.keep(servedKernel(job_, kernel_, part), std::move(session));
  };
  if (problem_) keep(ProblemPart::reference, problem_);
  keep(ProblemPart::candidate, session_);
}

Result<Candidate*> StrictKernel::reference(const std::string& op) {
  if (reference_) return reference_.get();
  guests_.spares.settle();
  WB_TRY(const c10::OperatorHandle found, findOperator(op));
  if (problem_) {
    // Its guest was started for this kernel, and so was what its orders cost.
    WB_TRY(guests_.orderSeconds, problem_->orderSeconds());
    problem_->holdStill();
    reference_ = guestCandidate(problem_, false);
    return reference_.get();
  }
  LoadOrder order;
  order.language = "aten";
  order.op = op;
  order.device = device_;
  guests_.reference->allow(referenceSeconds, formatSeconds(referenceSeconds), stop_);
  WB_TRY(const LoadedInGuest loaded, guests_.reference->load(order));
  if (guests_.orderSeconds == 0) {
    WB_TRY(guests_.orderSeconds, guests_.reference->orderSeconds());
  }
  reference_ = guestCandidate(guests_.reference, isRandom(found));
  return reference_.get();
}

void StrictKernel::beginCase(Stage stage) {
  double seconds = stepSeconds(job_, stage, tunes_);
  if (hung_ && stage == Stage::check) seconds = std::min(seconds, secondsAfterHang);
  const double all = seconds + secondsOnTop(job_, stage);
  session_->allow(std::max(all - secondsBefore, all / 2), formatSeconds(seconds), stop_);
  if (problem_)
    problem_->allow(std::max(all - secondsBefore, all / 2), formatSeconds(seconds), stop_);
  else
    guests_.reference->allow(referenceSeconds, formatSeconds(referenceSeconds), stop_);
}

void StrictKernel::revive() {
  if (quarantined()) return;
  for (GuestSession* each : {session_.get(), problem_.get()}) {
    if (!each || (each->present() && !each->present()->lost())) continue;
    // It may hang while it is loaded.
    each->allow(job_.limits.compileSeconds, formatSeconds(job_.limits.compileSeconds), stop_);
    (void)each->guest();
  }
}

bool StrictKernel::interrupted() const {
  if (!stop_.stop_requested()) return false;
  const auto isLost = [](const std::shared_ptr<GuestSession>& each) {
    return each && each->present() && each->present()->lost();
  };
  return isLost(session_) || isLost(problem_);
}

Result<void> StrictKernel::finishCalls() {
  if (!active_ || !active_->present()) return Error{Stage::time, "no process runs the calls"};
  return active_->present()->finish();
}

/// A process could say that it is done and go on with what results are copied from a moment later.
void StrictKernel::turnBack() {
  const auto start = std::chrono::steady_clock::now();
  turn_.take();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  outside_.turnedBack(active_ == session_, seconds);
}

void StrictKernel::measureLike(const MeasuredDevice& own) {
  measured_.uuid = own.uuid;
  measured_.cacheBytes = own.cacheBytes;
  measured_.ceilings = own.ceilings;
  measured_.values = own.values;
}

bool StrictKernel::beginTiming() {
  const std::array sessions{session_.get(), problem_.get()};
  const auto mayHave = [](const GuestSession* each) { return each != nullptr && each->mayHaveLeftWork(); };
  const bool mayBeOurs = std::any_of(sessions.begin(), sessions.end(), mayHave);
  if (!mayBeOurs && !guests_.kept.mayHaveLeftWork()) return true;
  bool isQuiet = !onDevice() || isDeviceQuiet(quietSecondsAlone);
  guests_.kept.settle(isQuiet);
  if (!isQuiet && mayBeOurs) isQuiet = isDeviceQuiet(quietSecondsAlone);
  if (!isQuiet) return !mayBeOurs;
  for (GuestSession* each : sessions)
    if (each != nullptr) each->hasLeftNothing();
  return true;
}

void StrictKernel::forgetSamples() {
  outside_.forget();
  for (const auto& each : {session_, problem_, guests_.reference})
    if (each && each->present()) each->present()->forgetLooks();
}

void StrictKernel::startAnew() {
  for (GuestSession* each : {session_.get(), problem_.get()})
    if (each != nullptr && each->mayHaveLeftWork()) each->startAnew();
  revive();
}

std::string StrictKernel::workedOutside(const CaseTiming& timing) {
  const std::shared_ptr<GuestSession>& other = problem_ ? problem_ : guests_.reference;
  const bool areThere = session_->present() && other && other->present();
  if (areThere && session_->present()->givesPagesLater() && !other->present()->givesPagesLater())
    return withoutPages;
  // Where others have the processors each look takes long, and no ratio is said that somebody could doubt.
  if (hasInterval(timing.speedup))
    if (std::string why = workedAfter(); !why.empty()) return why;
  return outside_.why(timing, session_->present() ? session_->present()->threads() : 0);
}

/// Whoever is not done when it says so has to make looks wait, since one that came in time would find the
/// wrong result.
std::string StrictKernel::workedAfter() const {
  const std::shared_ptr<GuestSession>& other = problem_ ? problem_ : guests_.reference;
  if (!session_->present() || !other || !other->present()) return {};
  const double own = longOf(session_->present()->looks()), usual = longOf(other->present()->looks());
  // On a GPU nobody looks into the reference's memory.
  if (usual == 0 || own < shareOfUsualLook * usual + longerLook) return {};
  return fmt::format(
      "not scored: the memory of the kernel's process cannot be read for {} after each call, where the "
      "reference's takes {}",
      formatSeconds(own), formatSeconds(usual));
}

std::function<void(bool candidate)> StrictKernel::entering() {
  return [this](bool candidate) {
    const std::shared_ptr<GuestSession>& reference = problem_ ? problem_ : guests_.reference;
    (candidate ? reference : session_)->holdStill();
    active_ = candidate ? session_ : reference;
    // What was written to inputs has to be there before anybody reads it.
    if (onDevice()) {
      (void)synchronize(Stage::time);
      if (const auto guest = active_->present())
        if (const auto seconds = guest->wakeAndTurn()) outside_.turned(candidate, *seconds);
      return;
    }
    active_->wake();
    const bool hadSample = std::exchange(hasSample_, candidate);
    if (candidate || !hadSample || !session_->present()) return;
    outside_.worked(session_->present()->workedBeforeOrders(), session_->present()->usedBeforeOrders());
  };
}

std::optional<CaseCheck> StrictKernel::lost(Stage stage) {
  const std::optional<GuestLoss> loss = session_->takeLoss();
  if (!loss || stop_.stop_requested()) return std::nullopt;
  ++losses_;
  hung_ |= loss->verdict == Verdict::hung;
  CaseCheck check;
  check.verdict = loss->verdict;
  check.message =
      loss->how + (stage == Stage::check ? "" : fmt::format(", while it was {}", stageRow(stage).done));
  return check;
}

std::optional<Remark> StrictKernel::knownRemark(std::uint32_t index) const {
  const std::optional<Remark>& remark = session_->known(index).remark;
  return asksAgain() ? std::nullopt : remark;
}

KnownOfCase StrictKernel::knownOf(std::uint32_t index) const {
  KnownOfCase known = session_->known(index);
  if (asksAgain()) known.seen.reset();
  return known;
}

void StrictKernel::remember(std::uint32_t index, const SeenInCalls& seen, int callsPerSample) {
  KnownOfCase& known = session_->known(index);
  known.seen = seen;
  known.callsPerSample = callsPerSample;
}

Remark StrictKernel::askApart(std::uint32_t index, const std::function<void()>& letOthers, const Ask& ask) {
  std::optional<Remark> known = knownRemark(index);
  return known ? *std::move(known) : askInGuest(index, letOthers, ask);
}

Remark StrictKernel::askProblemApart(std::uint32_t index, const std::function<void()>& letOthers,
                                     const Ask& ask) {
  if (std::optional<Remark> known = knownRemark(index)) return *std::move(known);
  Remark remark = askInGuest(index, letOthers, ask);
  (void)problem_->takeLoss();
  return remark;
}

Remark StrictKernel::askInGuest(std::uint32_t index, const std::function<void()>& letOthers, const Ask& ask) {
  if (!session_->present() || session_->present()->lost()) return {};
  double seconds = onDevice() && tunes_ ? secondsApartCompiling : secondsApart;
  std::chrono::steady_clock::time_point began;
  const auto goOn = [&] {
    for (GuestSession* each : {session_.get(), problem_.get()})
      if (each != nullptr) each->allow(seconds, formatSeconds(seconds), stop_);
    began = std::chrono::steady_clock::now();
  };
  goOn();
  const auto waitForOthers = [&] {
    seconds -= std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    letOthers();
    goOn();
  };
  const auto isAlive = [this] { return session_->present() && !session_->present()->lost(); };
  const auto ending = [this]() -> std::string {
    const bool isSlow = session_->present() && session_->present()->loss() &&
                        session_->present()->loss()->verdict == Verdict::hung;
    return isSlow ? "" : "crashes";
  };
  Remark remark = ask({.isAlive = isAlive, .ending = ending, .letOthers = waitForOthers, .isStrict = true});
  if (session_->present() && session_->present()->loss() && ending().empty())
    remark.note =
        "Not all that others are asked was asked in the time for it: the kernel is slow with what it had "
        "not met before, or this machine is busy.";
  if (isAlive() && !stop_.stop_requested()) session_->known(index).remark = remark;
  (void)session_->takeLoss();
  return remark;
}

CaseCheck StrictKernel::leftOut() const {
  CaseCheck check;
  check.verdict = Verdict::quarantined;
  check.message = fmt::format("not run: this kernel has ended its process {} times", losses_);
  return check;
}

}  // namespace wb
