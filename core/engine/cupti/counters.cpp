// SPDX-License-Identifier: Apache-2.0
#include "core/engine/cupti/counters.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>

#include "core/engine/cuda/driver.h"
#include "core/engine/cupti/cupti_library.h"
#include "core/engine/cupti/host.h"

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

/// What the chip is called and which of its counters may be read here.
struct Chip {
  std::string name;
  std::vector<std::uint8_t> availability;
};

Result<void> startProfiler(const Cupti& library) {
  auto initialize = sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
  if (const CUptiResult code = library.profilerInitialize(&initialize); code != CUPTI_SUCCESS)
    return cuptiError(code, "Starting the profiler");
  return {};
}

Result<Chip> askChip(const Cupti& library, int device, CUcontext context) {
  auto supported =
      sized<CUpti_Profiler_DeviceSupported_Params>(CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE);
  supported.cuDevice = device;
  supported.api = CUPTI_PROFILER_RANGE_PROFILING;
  if (const CUptiResult code = library.profilerDeviceSupported(&supported); code != CUPTI_SUCCESS)
    return cuptiError(code, "Asking whether the device can be profiled");
  if (supported.isSupported != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
    return Error{Stage::profile,
                 supported.vGpu != CUPTI_PROFILER_CONFIGURATION_SUPPORTED
                     ? "This virtual GPU does not let its counters be read"
                     : "The device's counters cannot be read by CUPTI's range profiler",
                 "its host must allow profiling; timings, activity and machine code need no counters",
                 {}};
  auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
  chip.deviceIndex = static_cast<std::size_t>(device);
  if (const CUptiResult code = library.deviceGetChipName(&chip); code != CUPTI_SUCCESS)
    return cuptiError(code, "Asking the chip's name");
  auto counters = sized<CUpti_Profiler_GetCounterAvailability_Params>(
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
  counters.ctx = context;
  if (const CUptiResult code = library.profilerGetCounterAvailability(&counters); code != CUPTI_SUCCESS)
    return cuptiError(code, "Asking which counters there are");
  Chip made{chip.pChipName, std::vector<std::uint8_t>(counters.counterAvailabilityImageSize)};
  counters.pCounterAvailabilityImage = made.availability.data();
  if (const CUptiResult code = library.profilerGetCounterAvailability(&counters); code != CUPTI_SUCCESS)
    return cuptiError(code, "Asking which counters there are");
  return made;
}

/// One session of the range profiler: every launch between start and stop is a range.
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

  Result<void> open(CUcontext context, std::size_t ranges);
  Result<void> start();
  Result<void> stop();
  [[nodiscard]] Result<std::size_t> ranges() const;
  [[nodiscard]] const std::vector<std::uint8_t>& data() const { return data_; }

 private:
  const Cupti& library_;
  const CounterPlan& plan_;
  CUpti_RangeProfiler_Object* object_ = nullptr;
  std::vector<std::uint8_t> data_;
};

Result<void> Session::open(CUcontext context, std::size_t ranges) {
  auto enable = sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
  enable.ctx = context;
  if (const CUptiResult code = library_.rangeProfilerEnable(&enable); code != CUPTI_SUCCESS)
    return cuptiError(code, "Turning the counters on");
  object_ = enable.pRangeProfilerObject;
  std::vector<const char*> names;
  for (const std::string& name : plan_.metrics) names.push_back(name.c_str());
  auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
  size.pRangeProfilerObject = object_;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = ranges;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);
  if (const CUptiResult code = library_.rangeProfilerGetCounterDataSize(&size); code != CUPTI_SUCCESS)
    return cuptiError(code, "Making room for the counters");
  data_.resize(size.counterDataSize);
  auto image = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
  image.pRangeProfilerObject = object_;
  image.counterDataSize = data_.size();
  image.pCounterData = data_.data();
  if (const CUptiResult code = library_.rangeProfilerCounterDataImageInitialize(&image);
      code != CUPTI_SUCCESS)
    return cuptiError(code, "Making room for the counters");
  auto config = sized<CUpti_RangeProfiler_SetConfig_Params>(CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
  config.pRangeProfilerObject = object_;
  config.configSize = plan_.config.size();
  config.pConfig = const_cast<std::uint8_t*>(plan_.config.data());  // read only, says the page
  config.counterDataImageSize = data_.size();
  config.pCounterDataImage = data_.data();
  config.range = CUPTI_AutoRange;
  config.replayMode = CUPTI_KernelReplay;
  config.maxRangesPerPass = ranges;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  config.passIndex = 0;
  config.targetNestingLevel = 0;
  if (const CUptiResult code = library_.rangeProfilerSetConfig(&config); code != CUPTI_SUCCESS)
    return cuptiError(code, "Choosing the counters");
  return {};
}

Result<void> Session::start() {
  auto params = sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = object_;
  if (const CUptiResult code = library_.rangeProfilerStart(&params); code != CUPTI_SUCCESS)
    return cuptiError(code, "Starting to count");
  return {};
}

Result<void> Session::stop() {
  auto params = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
  params.pRangeProfilerObject = object_;
  if (const CUptiResult code = library_.rangeProfilerStop(&params); code != CUPTI_SUCCESS)
    return cuptiError(code, "Counting");
  auto decode =
      sized<CUpti_RangeProfiler_DecodeData_Params>(CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
  decode.pRangeProfilerObject = object_;
  if (const CUptiResult code = library_.rangeProfilerDecodeData(&decode); code != CUPTI_SUCCESS)
    return cuptiError(code, "Reading the counters");
  return {};
}

Result<std::size_t> Session::ranges() const {
  auto info = sized<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
      CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
  info.pCounterDataImage = data_.data();
  info.counterDataImageSize = data_.size();
  if (const CUptiResult code = library_.rangeProfilerGetCounterDataInfo(&info); code != CUPTI_SUCCESS)
    return cuptiError(code, "Reading the counters");
  return info.numTotalRanges;
}

Result<void> runAll(Session& session, std::span<const CountedCall> calls) {
  if (Result<void> started = session.start(); !started) return started;
  Result<void> done;
  for (const CountedCall& call : calls)
    if (done) done = call.run();
  if (Result<void> quiet = synchronize(Stage::profile); done && !quiet) done = std::move(quiet);
  Result<void> stopped = session.stop();
  return done ? std::move(stopped) : std::move(done);
}

Result<void> evaluate(const Session& session, const CounterPlan& plan, std::span<const CountedCall> calls,
                      Counted& counted) {
  const Result<std::size_t> ranges = session.ranges();
  if (!ranges) return ranges.error();
  std::size_t expected = 0;
  for (const CountedCall& call : calls) expected += call.launches;
  if (*ranges != expected)
    return Error{Stage::profile,
                 fmt::format("{} kernels were launched while counting, {} when the call was traced", *ranges,
                             expected),
                 "counters of a call that launches other kernels each time cannot be told apart",
                 {}};
  std::size_t range = 0;
  for (const CountedCall& call : calls) {
    auto& launches = counted.calls.emplace_back();
    for (std::size_t i = 0; i < call.launches; ++i) {
      const Result<std::vector<double>> values = evaluateCounters(plan, session.data(), range++);
      if (!values) return values.error();
      auto& metrics = launches.emplace_back();
      for (std::size_t m = 0; m < values->size(); ++m)
        if (std::isfinite((*values)[m])) metrics.push_back({plan.metrics[m], (*values)[m]});
    }
  }
  return {};
}

}  // namespace

Result<Counted> countCalls(int device, std::span<const std::string> metrics,
                           std::span<const CountedCall> calls) {
  std::string whyNot;
  const Cupti* library = cupti(&whyNot);
  if (library == nullptr) return Error{Stage::profile, "Counters cannot be read: " + whyNot, {}, {}};
  const Driver* cuda = driver();
  CUcontext context = nullptr;
  if (cuda == nullptr || cuda->ctxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr)
    return Error{Stage::profile, "Counters cannot be read: there is no GPU", {}, {}};
  std::size_t ranges = 0;
  for (const CountedCall& call : calls) ranges += call.launches;
  Counted counted;
  if (ranges == 0 || metrics.empty()) return counted;

  auto begin = Clock::now();
  if (Result<void> started = startProfiler(*library); !started) return std::move(started).error();
  static const Result<Chip> chip = askChip(*library, device, context);  // a worker has one device
  if (!chip) return chip.error();
  const Result<CounterPlan> plan = planCounters(chip->name, metrics, chip->availability);
  if (!plan) return plan.error();
  counted.missing = plan->missing;
  counted.passes = plan->passes;
  counted.hostSeconds = since(begin);
  begin = Clock::now();
  Session session(*library, *plan);
  if (Result<void> opened = session.open(context, ranges); !opened) return std::move(opened).error();
  if (Result<void> ran = runAll(session, calls); !ran) return std::move(ran).error();
  if (Result<void> read = evaluate(session, *plan, calls, counted); !read) return std::move(read).error();
  counted.deviceSeconds = since(begin);
  return counted;
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
