// SPDX-License-Identifier: Apache-2.0
#include "core/engine/pipeline/pipeline.h"

#include <ATen/core/Tensor.h>
#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <random>

#include "core/base/files/paths.h"
#include "core/engine/cases/device_values.h"
#include "core/engine/compile/nvrtc/nvrtc.h"
#include "core/engine/device/current_device.h"
#include "core/engine/device/driver.h"
#include "core/engine/guest/channel/guest_parent.h"
#include "core/engine/machine/build_facts.h"
#include "core/engine/machine/ceilings.h"
#include "core/engine/machine/examine.h"
#include "core/engine/machine/spin.h"
#include "core/engine/machine/target_facts.h"
#include "core/engine/pipeline/compilers.h"
#include "core/engine/pipeline/kernel/kernel_run.h"
#include "core/engine/reference/exception_text.h"
#include "core/engine/reference/first_calls.h"
#include "core/engine/reference/no_gradients.h"
#include "core/engine/reference/operator.h"

namespace wb {
namespace {

std::uint64_t drawSecret() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

/// Does what a job will need, and will do itself where it was not done.
void ahead(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {  // NOLINT(bugprone-empty-catch): what goes wrong is said when a job needs it
  }
}

}  // namespace

class Pipeline::Impl {
 public:
  using OnBuilt = Engine::OnBuilt;
  explicit Impl(EngineOptions options) {
    state_.target = describeTarget(options.device, options.torch);
    state_.options = std::move(options);
    state_.guests.command = ownCommandAsGuest();
    state_.guests.started = state_.options.started.guests;
    state_.modelSeed = static_cast<std::int64_t>(drawSecret() >> 1);
    if (state_.options.device == "cpu")
      state_.referenceProcess.emplace(state_.guests.command, (programFolder() / "warpbench-worker").string(),
                                      state_.options.started.copy);
  }

  /// Does once what takes time and is not needed for Hello.
  void open() {
    if (opened_) return;
    opened_ = true;
    state_.compilers = compilers();
    state_.operators = operators();
    openClock();
  }

  void warm(const std::function<void(const Log&)>& onLog) {
    open();
    if (state_.options.device == "cpu") makeFirstCalls();
    if (std::filesystem::exists(catalogueFile(state_.target.torch))) return;
    const Result<void> written = writeCatalogue({state_.target.torch, state_.operators});
    if (!written)
      onLog(Log{"worker", "the operator catalogue was not written: " + describe(written.error())});
  }

  Result<void> prepare(const std::function<void(const Log&)>& onLog) {
    warm(onLog);
    Result<void> all;
    for (const auto& compiler : state_.compilers)
      if (Result<void> done = compiler->prepare(onLog); !done && all) all = std::move(done);
    return all;
  }

  void expectStrict() {
    // What cannot be done here is said when a job needs it.
    if (openGuests(state_.guests, state_.target)) state_.guests.startSpares();
  }

  void run(const Job& job, const Emit& emit, const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    open();
    // Somebody who keeps what a kernel is given in one run must not find it in another.
    state_.secret = drawSecret();
    state_.problems.emplace(job);
    if (job.strict && !mayJudge()) return;
    if (!workIn(job).begun) emit(JobStarted{state_.target, ""});
    {
      const NoGradients noGradients;
      makeSpin(job, emit);
      sayCeilings(job, emit, stop);
      makeDeviceValues(job, emit);
      runKernels(job, emit, stop);
    }
    if (state_.poisoned || (state_.spoiled && kernelsLeft_)) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    emit(Finished{stop.stop_requested() ? Outcome::cancelled : Outcome::finished, seconds});
  }

  void compileAhead(const Job& job, const std::string& architecture, const Emit& emit, const OnBuilt& built,
                    const std::stop_token& stop) {
    open();
    // What strict runs load was built where no user code has been.
    if (job.strict && !mayJudge()) return;
    state_.problems.emplace(job);
    const KernelRun::Ahead ahead{architecture, built};
    const JobWork all = workIn(job);
    for (const KernelWork& work : all.kernels) {
      if (stop.stop_requested() || state_.poisoned || work.kernel >= job.kernels.size()) return;
      const Result<void> done = KernelRun(state_, job, work, emit, stop).compileAhead(ahead);
      if (!done && !stop.stop_requested())
        emit(Log{"compiler", fmt::format("{} is not compiled ahead: {}", job.kernels[work.kernel].path,
                                         describe(done.error()))});
    }
  }

  EngineState state_;

 private:
  void runKernels(const Job& job, const Emit& emit, const std::stop_token& stop) {
    kernelsLeft_ = false;
    const JobWork all = workIn(job);
    for (const KernelWork& work : all.kernels) {
      if (stop.stop_requested() || state_.poisoned) return;
      kernelsLeft_ = state_.spoiled;
      if (kernelsLeft_) return;
      if (work.kernel >= job.kernels.size()) continue;
      try {
        KernelRun(state_, job, work, emit, stop).run();
      } catch (...) {
        emit(StageFailed{work.kernel, Error{Stage::job, exceptionText()}});
      }
    }
  }

  /// Whether no user code has run in this process; where some has, another one is to judge.
  bool mayJudge() {
    state_.spoiled = state_.untouched.has_value();
    kernelsLeft_ = state_.spoiled;
    // What runs under the same user can neither look into this process nor stop it by a debugger's means.
    ::prctl(PR_SET_DUMPABLE, 0);
    return !state_.spoiled;
  }

  /// Makes the operator of known length for jobs that ask for it.
  void makeSpin(const Job& job, const Emit& emit) {
    const bool asked = std::any_of(job.kernels.begin(), job.kernels.end(),
                                   [](const KernelSource& each) { return each.op == spinOperator; });
    if (!asked || spins_) return;
    auto entry = defineSpin(state_.measuredDevice.device < 0 ? "" : state_.target.architecture);
    if (!entry) return emit(Log{"worker", describe(entry.error())});
    spins_ = true;
    state_.operators.push_back(*std::move(entry));
  }

  /// Says what the device reaches: it is remembered, or measured in half a second once per card.
  void sayCeilings(const Job& job, const Emit& emit, const std::stop_token& stop) {
    MeasuredDevice& measuredDevice = state_.measuredDevice;
    if (measuredDevice.device < 0 || !(job.stages.has(Stage::time) || job.stages.has(Stage::profile))) return;
    if (!measuredDevice.ceilings) measuredDevice.ceilings = rememberedCeilings(measuredDevice.uuid);
    if (!measuredDevice.ceilings && !triedCeilings_) {
      triedCeilings_ = true;
      Result<Ceilings> measured = measureCeilings(measuredDevice, state_.target.architecture, stop);
      if (!measured) {
        emit(Log{"worker", "what the device reaches is not known: " + describe(measured.error())});
        return;
      }
      measuredDevice.ceilings = *std::move(measured);
    }
    if (measuredDevice.ceilings && !workIn(job).begun) emit(DeviceMeasured{*measuredDevice.ceilings});
  }

  /// Makes what gives timed calls on a GPU new contents. It is compiled in each process, since a kernel could
  /// have changed what is kept in the cache.
  void makeDeviceValues(const Job& job, const Emit& emit) {
    MeasuredDevice& measuredDevice = state_.measuredDevice;
    if (measuredDevice.device < 0 || !job.stages.has(Stage::time) || triedValues_) return;
    triedValues_ = true;
    NvrtcRequest request;
    request.source = deviceValuesSource();
    request.fileName = "device_values.cu";
    request.options = {"--gpu-architecture=" + state_.target.architecture, "-std=c++17"};
    Result<NvrtcResult> compiled = compileWithNvrtc(request);
    if (compiled && !compiled->ok) compiled = Error{Stage::time, compiled->log};
    Result<DeviceValues> values = compiled ? DeviceValues::load(compiled->cubin) : compiled.error();
    if (values)
      measuredDevice.values = std::make_shared<const DeviceValues>(*std::move(values));
    else
      emit(Log{"worker", "Inputs do not change while they are timed: " + describe(values.error())});
  }

  void openClock() {
    const int index = cudaIndex(state_.options.device);
    MeasuredDevice& measuredDevice = state_.measuredDevice;
    measuredDevice.cacheBytes = cacheBytes(state_.options.device);
    if (index < 0) {
      measuredDevice.clock = wallClock();
      return;
    }
    measuredDevice.device = index;
    measuredDevice.uuid = state_.target.uuid;
    const Result<void> current = enterDevice(index);
    Result<std::unique_ptr<Clock>> clock =
        current ? deviceClock(index) : Result<std::unique_ptr<Clock>>(current.error());
    if (clock)
      measuredDevice.clock = *std::move(clock);
    else
      measuredDevice.noClock = describe(clock.error());
  }

  bool opened_ = false, triedCeilings_ = false, triedValues_ = false, spins_ = false;
  /// Kernels of the job are left for another process.
  bool kernelsLeft_ = false;
};

Pipeline::Pipeline(EngineOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Pipeline::~Pipeline() = default;

Target Pipeline::target() const {
  return impl_->state_.target;
}

BuildFacts Pipeline::buildFacts() {
  try {
    return buildFactsHere(impl_->state_.target);
  } catch (...) {
    return {};  // it cannot build for others, nor they for it
  }
}

void Pipeline::compileAhead(const Job& job, const std::string& architecture, const Emit& emit,
                            const OnBuilt& built, std::stop_token stop) {
  const auto start = std::chrono::steady_clock::now();
  try {
    impl_->compileAhead(job, architecture, emit, built, stop);
  } catch (...) {
    emit(Log{"worker", exceptionText()});
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  emit(Finished{stop.stop_requested() ? Outcome::cancelled : Outcome::finished, seconds});
}

void Pipeline::give(BuiltFile file, std::string from) {
  impl_->state_.given.add(std::move(file), std::move(from));
}

bool Pipeline::poisoned() const {
  return impl_->state_.poisoned;
}

bool Pipeline::spoiled() const {
  return impl_->state_.spoiled;
}

void Pipeline::run(const Job& job, const Emit& emit, std::stop_token stop) {
  try {
    impl_->run(job, emit, stop);
  } catch (...) {
    emit(StageFailed{std::nullopt, Error{Stage::job, exceptionText()}});
    emit(Finished{});
  }
}

void Pipeline::warm(const std::function<void(const Log&)>& onLog) {
  try {
    impl_->warm(onLog);
  } catch (...) {
    onLog(Log{"worker", exceptionText()});
  }
}

void Pipeline::expectStrict() {
  ahead([&] { impl_->expectStrict(); });
}

void Pipeline::keepGuests() {
  ahead([&] { impl_->state_.guests.keepLast(impl_->state_.options.device); });
}

void Pipeline::useIdleTime() {
  ahead([&] {
    impl_->state_.guests.lookForWorkLeft();
    impl_->state_.guests.startSpares();
  });
}

void Pipeline::endKeptGuests() {
  impl_->state_.guests.kept.endAll();
}

Result<void> Pipeline::prepare(const std::function<void(const Log&)>& onLog) {
  try {
    return impl_->prepare(onLog);
  } catch (...) {
    return Error{Stage::setup, exceptionText()};
  }
}

std::vector<Finding> Pipeline::examine() {
  return examineTools();
}

}  // namespace wb
