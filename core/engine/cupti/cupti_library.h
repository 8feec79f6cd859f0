// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>
#include <cupti.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <string>
#include <string_view>

#include "core/base/library_functions.h"
#include "core/base/result.h"

namespace wb {

// clang-format off
/// CUPTI's functions that are used: the member of Cupti, the function of its headers.
#define WB_CUPTI_FUNCTIONS(ROW) \
  ROW(getResultString, cuptiGetResultString) \
  ROW(getVersion, cuptiGetVersion) \
  ROW(finalize, cuptiFinalize) \
  /* Callbacks: what is loaded */ \
  ROW(subscribe, cuptiSubscribe) \
  ROW(unsubscribe, cuptiUnsubscribe) \
  ROW(enableCallback, cuptiEnableCallback) \
  /* Activity records */ \
  ROW(activityRegisterCallbacks, cuptiActivityRegisterCallbacks) \
  ROW(activityEnable, cuptiActivityEnable) \
  ROW(activityDisable, cuptiActivityDisable) \
  ROW(activityFlushAll, cuptiActivityFlushAll) \
  ROW(activityGetNextRecord, cuptiActivityGetNextRecord) \
  ROW(activityGetNumDroppedRecords, cuptiActivityGetNumDroppedRecords) \
  ROW(getCallbackName, cuptiGetCallbackName) \
  /* Range profiler, on the device */ \
  ROW(profilerInitialize, cuptiProfilerInitialize) \
  ROW(profilerDeviceSupported, cuptiProfilerDeviceSupported) \
  ROW(profilerGetCounterAvailability, cuptiProfilerGetCounterAvailability) \
  ROW(deviceGetChipName, cuptiDeviceGetChipName) \
  ROW(rangeProfilerEnable, cuptiRangeProfilerEnable) \
  ROW(rangeProfilerDisable, cuptiRangeProfilerDisable) \
  ROW(rangeProfilerSetConfig, cuptiRangeProfilerSetConfig) \
  ROW(rangeProfilerStart, cuptiRangeProfilerStart) \
  ROW(rangeProfilerStop, cuptiRangeProfilerStop) \
  ROW(rangeProfilerDecodeData, cuptiRangeProfilerDecodeData) \
  ROW(rangeProfilerGetCounterDataSize, cuptiRangeProfilerGetCounterDataSize) \
  ROW(rangeProfilerCounterDataImageInitialize, cuptiRangeProfilerCounterDataImageInitialize) \
  ROW(rangeProfilerGetCounterDataInfo, cuptiRangeProfilerGetCounterDataInfo) \
  ROW(rangeProfilerCounterDataGetRangeInfo, cuptiRangeProfilerCounterDataGetRangeInfo) \
  /* Range profiler, on the host: no GPU needed */ \
  ROW(profilerHostInitialize, cuptiProfilerHostInitialize) \
  ROW(profilerHostDeinitialize, cuptiProfilerHostDeinitialize) \
  ROW(profilerHostGetSupportedChips, cuptiProfilerHostGetSupportedChips) \
  ROW(profilerHostGetBaseMetrics, cuptiProfilerHostGetBaseMetrics) \
  ROW(profilerHostGetSubMetrics, cuptiProfilerHostGetSubMetrics) \
  ROW(profilerHostGetMetricProperties, cuptiProfilerHostGetMetricProperties) \
  ROW(profilerHostConfigAddMetrics, cuptiProfilerHostConfigAddMetrics) \
  ROW(profilerHostGetConfigImageSize, cuptiProfilerHostGetConfigImageSize) \
  ROW(profilerHostGetConfigImage, cuptiProfilerHostGetConfigImage) \
  ROW(profilerHostGetNumOfPasses, cuptiProfilerHostGetNumOfPasses) \
  ROW(profilerHostEvaluateToGpuValues, cuptiProfilerHostEvaluateToGpuValues) \
  /* PC sampling */ \
  ROW(pcSamplingEnable, cuptiPCSamplingEnable) \
  ROW(pcSamplingDisable, cuptiPCSamplingDisable) \
  ROW(pcSamplingGetNumStallReasons, cuptiPCSamplingGetNumStallReasons) \
  ROW(pcSamplingGetStallReasons, cuptiPCSamplingGetStallReasons) \
  ROW(pcSamplingSetConfigurationAttribute, cuptiPCSamplingSetConfigurationAttribute) \
  ROW(pcSamplingGetData, cuptiPCSamplingGetData) \
  ROW(getSassToSourceCorrelation, cuptiGetSassToSourceCorrelation) \
  ROW(getCubinCrc, cuptiGetCubinCrc)
// clang-format on

/// CUPTI's functions, opened at run time: torch's wheel brings the library, and libtorch_cpu.so has opened it
/// already. There is one table per process. Everything except the host side needs a driver.
struct Cupti {
  WB_CUPTI_FUNCTIONS(WB_FUNCTION_MEMBER)
};

/// Finds libcupti.so.13: the library that is open already, else that of torch's wheel in the packages of
/// $WARPBENCH_PYTHON's environment, else the loader's. Null and a reason for people when there is none.
/// Thread-safe; the answer never changes.
const Cupti* cupti(std::string* whyNot = nullptr);

/// "Counting: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES: …" with what to do about it.
[[nodiscard]] Error cuptiError(CUptiResult code, std::string_view doing);

/// The same for what a call of CUPTI returned: `WB_DO(checkCupti(library.finalize(), "Ending"));`
Result<void> checkCupti(CUptiResult code, std::string_view doing);

/// Makes CUPTI forget everything, so that its next use begins anew. Call it before PC sampling: CUPTI 13.0
/// names the functions only of binaries that were loaded before its first use or while sampling was on. Call
/// it after counters too: otherwise samples have no functions any more, and launches stay slower. No
/// ModuleWatch may be alive meanwhile, and counters cannot be the next use.
void makeCuptiForget();

}  // namespace wb
