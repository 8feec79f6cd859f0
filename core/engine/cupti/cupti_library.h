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

#include "core/base/result.h"

namespace wb {

/// CUPTI's functions, opened at run time: torch's wheel brings the library, and libtorch_cpu.so has it open
/// already. One table a process. Everything but the host side needs a driver.
struct Cupti {
  decltype(&cuptiGetResultString) getResultString = nullptr;
  decltype(&cuptiGetVersion) getVersion = nullptr;
  decltype(&cuptiFinalize) finalize = nullptr;
  // Callbacks: what is loaded
  decltype(&cuptiSubscribe) subscribe = nullptr;
  decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
  decltype(&cuptiEnableCallback) enableCallback = nullptr;
  // Activity records
  decltype(&cuptiActivityRegisterCallbacks) activityRegisterCallbacks = nullptr;
  decltype(&cuptiActivityEnable) activityEnable = nullptr;
  decltype(&cuptiActivityDisable) activityDisable = nullptr;
  decltype(&cuptiActivityFlushAll) activityFlushAll = nullptr;
  decltype(&cuptiActivityGetNextRecord) activityGetNextRecord = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) activityGetNumDroppedRecords = nullptr;
  decltype(&cuptiGetCallbackName) getCallbackName = nullptr;
  // Range profiler, on the device
  decltype(&cuptiProfilerInitialize) profilerInitialize = nullptr;
  decltype(&cuptiProfilerDeviceSupported) profilerDeviceSupported = nullptr;
  decltype(&cuptiProfilerGetCounterAvailability) profilerGetCounterAvailability = nullptr;
  decltype(&cuptiDeviceGetChipName) deviceGetChipName = nullptr;
  decltype(&cuptiRangeProfilerEnable) rangeProfilerEnable = nullptr;
  decltype(&cuptiRangeProfilerDisable) rangeProfilerDisable = nullptr;
  decltype(&cuptiRangeProfilerSetConfig) rangeProfilerSetConfig = nullptr;
  decltype(&cuptiRangeProfilerStart) rangeProfilerStart = nullptr;
  decltype(&cuptiRangeProfilerStop) rangeProfilerStop = nullptr;
  decltype(&cuptiRangeProfilerDecodeData) rangeProfilerDecodeData = nullptr;
  decltype(&cuptiRangeProfilerGetCounterDataSize) rangeProfilerGetCounterDataSize = nullptr;
  decltype(&cuptiRangeProfilerCounterDataImageInitialize) rangeProfilerCounterDataImageInitialize = nullptr;
  decltype(&cuptiRangeProfilerGetCounterDataInfo) rangeProfilerGetCounterDataInfo = nullptr;
  decltype(&cuptiRangeProfilerCounterDataGetRangeInfo) rangeProfilerCounterDataGetRangeInfo = nullptr;
  // Range profiler, on the host: no GPU needed
  decltype(&cuptiProfilerHostInitialize) profilerHostInitialize = nullptr;
  decltype(&cuptiProfilerHostDeinitialize) profilerHostDeinitialize = nullptr;
  decltype(&cuptiProfilerHostGetSupportedChips) profilerHostGetSupportedChips = nullptr;
  decltype(&cuptiProfilerHostGetBaseMetrics) profilerHostGetBaseMetrics = nullptr;
  decltype(&cuptiProfilerHostGetSubMetrics) profilerHostGetSubMetrics = nullptr;
  decltype(&cuptiProfilerHostGetMetricProperties) profilerHostGetMetricProperties = nullptr;
  decltype(&cuptiProfilerHostConfigAddMetrics) profilerHostConfigAddMetrics = nullptr;
  decltype(&cuptiProfilerHostGetConfigImageSize) profilerHostGetConfigImageSize = nullptr;
  decltype(&cuptiProfilerHostGetConfigImage) profilerHostGetConfigImage = nullptr;
  decltype(&cuptiProfilerHostGetNumOfPasses) profilerHostGetNumOfPasses = nullptr;
  decltype(&cuptiProfilerHostEvaluateToGpuValues) profilerHostEvaluateToGpuValues = nullptr;
  // PC sampling
  decltype(&cuptiPCSamplingEnable) pcSamplingEnable = nullptr;
  decltype(&cuptiPCSamplingDisable) pcSamplingDisable = nullptr;
  decltype(&cuptiPCSamplingGetNumStallReasons) pcSamplingGetNumStallReasons = nullptr;
  decltype(&cuptiPCSamplingGetStallReasons) pcSamplingGetStallReasons = nullptr;
  decltype(&cuptiPCSamplingSetConfigurationAttribute) pcSamplingSetConfigurationAttribute = nullptr;
  decltype(&cuptiPCSamplingGetData) pcSamplingGetData = nullptr;
  decltype(&cuptiGetSassToSourceCorrelation) getSassToSourceCorrelation = nullptr;
  decltype(&cuptiGetCubinCrc) getCubinCrc = nullptr;
};

/// Finds libcupti.so.13: the one that is open already, else the torch wheel's in the packages of
/// $WARPBENCH_PYTHON's environment, else the loader's. Null and a reason for people when there is none.
/// Thread-safe; the answer never changes.
const Cupti* cupti(std::string* whyNot = nullptr);

/// "Counting: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES: …" with what to do about it.
[[nodiscard]] Error cuptiError(CUptiResult code, const std::string& doing);

/// Makes CUPTI forget everything; its next use begins anew. Before PC sampling: CUPTI 13.0 names the
/// functions only of what was loaded before its first use or while sampling was on. After counters: samples
/// have no functions any more, and launches stay slower. No ModuleWatch may live meanwhile, and counters
/// cannot be the next use.
void makeCuptiForget();

}  // namespace wb
