// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cupti/counters.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <set>

#include "core/engine/cupti/cupti_library.h"
#include "core/engine/cupti/host.h"
#include "core/engine/device/driver.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

template <class Params>
Params sized(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}

Result<void> startProfiler(const Cupti& library) {
  auto initialize = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
  return checkCupti(library.profilerInitialize(&initialize), "Starting the profiler");
}

Result<CountedChip> askChip(const Cupti& library, int device, CUcontext context) {
  auto supported =
      sized<CUpti_Profiler_DeviceSupported_Params>(CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE);
  supported.cuDevice = device;
  supported.api = CUPTI_PROFILER_RANGE_PROFILING;
  WB_DO(checkCupti(library.profilerDeviceSupported(&supported), "Asking whether the device can be profiled"));
  if (supported.isSupported != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
    return Error{Stage::profile,
                 supported.vGpu != CUPTI_PROFILER_CONFIGURATION_SUPPORTED
                     ? "This virtual GPU does not let its counters be read"
                     : "The device's counters cannot be read by CUPTI's range profiler",
                 "its host must allow profiling; timings, activity and machine code need no counters"};
  auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  chip.deviceIndex = static_cast<std::size_t>(device);
  WB_DO(checkCupti(library.deviceGetChipName(&chip), "Asking the chip's name"));
  auto counters = sized<CUpti_Profiler_GetCounterAvailability_Params>(
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
  counters.ctx = context;
  WB_DO(checkCupti(library.profilerGetCounterAvailability(&counters), "Asking which counters there are"));
  CountedChip made{chip.pChipName, std::vector<std::uint8_t>(counters.counterAvailabilityImageSize)};
  counters.pCounterAvailabilityImage = made.availability.data();
  WB_DO(checkCupti(library.profilerGetCounterAvailability(&counters), "Asking which counters there are"));
  return made;
}

/// The range profiler, in which every launch between start and stop is a range.
class Session {
 public:
  Session(const Cupti& library, const CounterPlan& plan) : library_(library), plan_(plan) {}
  ~Session() {
    if (object_ == nullptr) return;
    auto disable = sized<CUpti_RangeProfiler_Disable_Params>(CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
    disable.pRangeProfilerObject = object_;
    library_.rangeProfilerDisable(&disable);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Result<void> open(CUcontext context);
  /// Makes room for so many launches a pass.
  Result<void> prepare(std::size_t ranges);
  Result<void> start();
  /// Stops; true when that was the last pass.
  Result<bool> stop();
  Result<void> decode();
  [[nodiscard]] Result<std::size_t> ranges() const;
  [[nodiscard]] const std::vector<std::uint8_t>& data() const { return data_; }

 private:
  const Cupti& library_;
  const CounterPlan& plan_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  std::vector<std::uint8_t> data_;
};

Result<void> Session::open(CUcontext context) {
  auto enable = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
  enable.ctx = context;
  WB_DO(checkCupti(library_.rangeProfilerEnable(&enable), "Turning the counters on"));
  object_ = enable.pRangeProfilerObject;
  return {};
}

Result<void> Session::prepare(std::size_t ranges) {
  std::vector<const char*> names;
  for (const std::string& name : plan_.metrics) names.push_back(name.c_str());
  auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
  size.pRangeProfilerObject = object_;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = ranges;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);
  WB_DO(checkCupti(library_.rangeProfilerGetCounterDataSize(&size), "Making room for the counters"));
  data_.assign(size.counterDataSize, 0);
  auto image = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
  image.pRangeProfilerObject = object_;
  image.counterDataSize = data_.size();
  image.pCounterData = data_.data();
  WB_DO(checkCupti(library_.rangeProfilerCounterDataImageInitialize(&image), "Making room for the counters"));
  auto config = sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
  config.pRangeProfilerObject = object_;
  config.configSize = plan_.config.size();
  config.pConfig =
      const_cast<std::uint8_t*>(plan_.config.data());  // the documentation says that it is only read
  config.counterDataImageSize = data_.size();
  config.pCounterDataImage = data_.data();
  config.range = CUPTI_AutoRange;
  config.replayMode = CUPTI_UserReplay;
  config.maxRangesPerPass = ranges;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  config.passIndex = 0;
  config.targetNestingLevel = 0;
  return checkCupti(library_.rangeProfilerSetConfig(&config), "Choosing the counters");
}

Result<void> Session::start() {
  auto params = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = object_;
  return checkCupti(library_.rangeProfilerStart(&params), "Starting to count");
}

Result<bool> Session::stop() {
  auto params = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = object_;
  WB_DO(checkCupti(library_.rangeProfilerStop(&params), "Counting"));
  return params.isAllPassSubmitted != 0;
}

Result<void> Session::decode() {
  auto decode =
      sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
  decode.pRangeProfilerObject = object_;
  return checkCupti(library_.rangeProfilerDecodeData(&decode), "Reading the counters");
}

Result<std::size_t> Session::ranges() const {
  auto info = sized<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
      CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
  info.pCounterDataImage = data_.data();
  info.counterDataImageSize = data_.size();
  WB_DO(checkCupti(library_.rangeProfilerGetCounterDataInfo(&info), "Reading the counters"));
  return info.numTotalRanges;
}

/// How many kernels a pass launches. A call that launches none is left out.
std::size_t rangesOf(std::span<const CountedCall> calls) {
  std::size_t ranges = 0;
  for (const CountedCall& call : calls)
    if (call.launches > 0) ranges += call.launchesBefore + call.launches;
  return ranges;
}

Result<void> settled(Result<void> done) {
  Result<void> quiet = synchronize(Stage::profile);
  return done && !quiet ? std::move(quiet) : std::move(done);
}

Result<void> runAll(std::span<const CountedCall> calls) {
  for (const CountedCall& call : calls) {
    if (call.launches == 0) continue;
    if (call.before) WB_DO(settled(call.before()));
    WB_DO(settled(call.run()));
  }
  return {};
}

/// Runs one pass; true when it was the last.
Result<bool> runPass(Session& session, std::span<const CountedCall> calls) {
  WB_DO(session.start());
  const Result<void> done = runAll(calls);
  Result<bool> last = session.stop();
  return done ? std::move(last) : done.error();
}

/// Runs as many passes as CUPTI asks for, which are those of its plan. CUPTI itself says which one is the
/// last.
Result<void> runPasses(Session& session, const CounterPlan& plan, std::span<const CountedCall> calls) {
  for (std::size_t pass = 0; pass < plan.passes; ++pass) {
    WB_TRY(const bool last, runPass(session, calls));
    if (last) return session.decode();
  }
  return Error{Stage::profile,
               fmt::format("Counting: CUPTI asks for more than the {} passes that it planned", plan.passes)};
}

/// The metrics of the kernel that was the range with this number.
Result<std::vector<MetricValue>> evaluate(const Session& session, const CounterPlan& plan,
                                          std::size_t range) {
  WB_TRY(const std::vector<double> values, evaluateCounters(plan, session.data(), range));
  std::vector<MetricValue> metrics;
  for (std::size_t m = 0; m < values.size(); ++m)
    if (std::isfinite(values[m])) metrics.push_back({plan.metrics[m], values[m]});
  return metrics;
}

/// The metrics of each launch of each call, once all passes are done.
Result<std::vector<std::vector<std::vector<MetricValue>>>> evaluateAll(const Session& session,
                                                                       const CounterPlan& plan,
                                                                       std::span<const CountedCall> calls) {
  WB_TRY(const std::size_t ranges, session.ranges());
  if (const std::size_t expected = rangesOf(calls); ranges != expected)
    return Error{Stage::profile,
                 fmt::format("{} kernels were launched while counting, {} when the calls were traced", ranges,
                             expected),
                 "counters of a call that launches other kernels each time cannot be told apart"};
  std::vector<std::vector<std::vector<MetricValue>>> counted;
  std::size_t range = 0;
  for (const CountedCall& call : calls) {
    auto& launches = counted.emplace_back();
    if (call.launches == 0) continue;
    range += call.launchesBefore;
    for (std::size_t i = 0; i < call.launches; ++i) {
      WB_TRY(std::vector<MetricValue> metrics, evaluate(session, plan, range++));
      launches.push_back(std::move(metrics));
    }
  }
  return counted;
}

/// The context that is current here. Errors: there is no CUPTI or no GPU.
Result<CUcontext> profiledContext() {
  std::string whyNot;
  if (cupti(&whyNot) == nullptr) return Error{Stage::profile, "Counters cannot be read: " + whyNot};
  const Driver* cuda = driver();
  CUcontext context = nullptr;
  if (cuda == nullptr || cuda->ctxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr)
    return Error{Stage::profile, "Counters cannot be read: there is no GPU"};
  return context;
}

/// The device's chip; the profiler has been started. A worker has one device.
const Result<CountedChip>& chipOf(int device, CUcontext context) {
  static const Result<CountedChip> chip = askChip(*cupti(), device, context);
  return chip;
}

}  // namespace

Result<Counted> countCalls(int device, std::span<const std::string> metrics,
                           std::span<const CountedCall> calls, const std::optional<CountedChip>& chip) {
  const std::size_t ranges = rangesOf(calls);
  Counted counted;
  for (const CountedCall& call : calls) counted.calls.emplace_back(call.launches);
  WB_TRY(const CUcontext context, profiledContext());
  if (ranges == 0 || metrics.empty()) return counted;

  auto begin = Clock::now();
  WB_DO(startProfiler(*cupti()));
  WB_TRY(const CountedChip known, chip ? *chip : chipOf(device, context));
  WB_TRY(const CounterPlan plan, planCounters(known.name, metrics, known.availability));
  counted.missing = plan.missing;
  counted.passes = plan.passes;
  counted.hostSeconds = since(begin);
  begin = Clock::now();
  Session session(*cupti(), plan);
  WB_DO(session.open(context));
  if (!plan.metrics.empty()) {
    WB_DO(session.prepare(ranges));
    WB_DO(runPasses(session, plan, calls));
    WB_TRY(counted.calls, evaluateAll(session, plan, calls));
  }
  counted.deviceSeconds = since(begin);
  return counted;
}

Result<CountedChip> planAhead(int device, const std::vector<std::string>& metrics) {
  static std::set<std::vector<std::string>> planned;
  WB_TRY(const CUcontext context, profiledContext());
  if (planned.insert(metrics).second) {
    Result<void> done = startProfiler(*cupti());
    const Result<CountedChip>& chip = chipOf(device, context);
    if (done && !chip) done = chip.error();
    if (done && !metrics.empty())
      if (const auto plan = planCounters(chip->name, metrics, chip->availability); !plan) done = plan.error();
    makeCuptiForget();
    WB_DO(done);
  }
  return chipOf(device, context);
}

std::string countersRefused() {
  std::ifstream parameters("/proc/driver/nvidia/params");
  bool restricted = false;
  for (std::string line; std::getline(parameters, line);)
    restricted = restricted || line.starts_with("RmProfilingAdminOnly: 1");
  if (!restricted || geteuid() == 0) return {};
  return cuptiError(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "The driver refuses").hint;
}

}  // namespace wb
