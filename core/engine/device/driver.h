// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>

#include "core/base/library_functions.h"
#include "core/base/result.h"

namespace wb {

// clang-format off
/// The driver's functions that are used: the member of Driver, the function of cuda.h.
#define WB_DRIVER_FUNCTIONS(ROW) \
  ROW(getErrorName, cuGetErrorName) \
  ROW(getErrorString, cuGetErrorString) \
  ROW(init, cuInit) \
  ROW(driverGetVersion, cuDriverGetVersion) \
  ROW(deviceGet, cuDeviceGet) \
  ROW(deviceGetCount, cuDeviceGetCount) \
  ROW(deviceGetName, cuDeviceGetName) \
  ROW(deviceTotalMem, cuDeviceTotalMem) \
  ROW(deviceGetAttribute, cuDeviceGetAttribute) \
  ROW(devicePrimaryCtxRetain, cuDevicePrimaryCtxRetain) \
  ROW(ctxSetCurrent, cuCtxSetCurrent) \
  ROW(ctxGetCurrent, cuCtxGetCurrent) \
  ROW(ctxGetDevice, cuCtxGetDevice) \
  ROW(ctxSynchronize, cuCtxSynchronize) \
  ROW(moduleLoadData, cuModuleLoadData) \
  ROW(moduleUnload, cuModuleUnload) \
  ROW(moduleGetFunction, cuModuleGetFunction) \
  ROW(funcGetAttribute, cuFuncGetAttribute) \
  ROW(funcSetAttribute, cuFuncSetAttribute) \
  ROW(launchKernel, cuLaunchKernel) \
  ROW(memAlloc, cuMemAlloc) \
  ROW(memFree, cuMemFree) \
  ROW(memsetD8Async, cuMemsetD8Async) \
  ROW(eventCreate, cuEventCreate) \
  ROW(eventDestroy, cuEventDestroy) \
  ROW(eventRecord, cuEventRecord) \
  ROW(eventQuery, cuEventQuery) \
  ROW(eventSynchronize, cuEventSynchronize) \
  ROW(eventElapsedTime, cuEventElapsedTime) \
  ROW(deviceGetUuid, cuDeviceGetUuid) \
  ROW(memGetInfo, cuMemGetInfo) \
  ROW(memcpyHtoD, cuMemcpyHtoD) \
  ROW(memcpyHtoDAsync, cuMemcpyHtoDAsync) \
  ROW(memcpyDtoH, cuMemcpyDtoH) \
  ROW(memcpyDtoD, cuMemcpyDtoD) \
  ROW(memcpy2DAsync, cuMemcpy2DAsync) \
  ROW(memGetAddressRange, cuMemGetAddressRange) \
  ROW(pointerGetAttribute, cuPointerGetAttribute) \
  ROW(memGetAllocationGranularity, cuMemGetAllocationGranularity) \
  ROW(memCreate, cuMemCreate) \
  ROW(memRelease, cuMemRelease) \
  ROW(memAddressReserve, cuMemAddressReserve) \
  ROW(memAddressFree, cuMemAddressFree) \
  ROW(memMap, cuMemMap) \
  ROW(memUnmap, cuMemUnmap) \
  ROW(memSetAccess, cuMemSetAccess) \
  ROW(memExportToShareableHandle, cuMemExportToShareableHandle) \
  ROW(memImportFromShareableHandle, cuMemImportFromShareableHandle) \
  ROW(ipcGetMemHandle, cuIpcGetMemHandle) \
  ROW(ipcOpenMemHandle, cuIpcOpenMemHandle) \
  ROW(ipcCloseMemHandle, cuIpcCloseMemHandle) \
  ROW(streamCreate, cuStreamCreate) \
  ROW(streamDestroy, cuStreamDestroy) \
  ROW(streamQuery, cuStreamQuery) \
  ROW(streamSynchronize, cuStreamSynchronize) \
  ROW(streamWaitEvent, cuStreamWaitEvent) \
  ROW(streamBeginCapture, cuStreamBeginCapture) \
  ROW(streamEndCapture, cuStreamEndCapture) \
  ROW(streamIsCapturing, cuStreamIsCapturing) \
  ROW(graphInstantiate, cuGraphInstantiateWithFlags) \
  ROW(graphLaunch, cuGraphLaunch) \
  ROW(graphExecDestroy, cuGraphExecDestroy) \
  ROW(graphDestroy, cuGraphDestroy) \
  ROW(graphGetNodes, cuGraphGetNodes)
// clang-format on

/// The CUDA driver's functions, opened at run time: libcuda.so.1 is never linked. There is one table per
/// process. The versions are those of the headers that this was built with (cuda.h maps cuMemAlloc to
/// cuMemAlloc_v2 and so on).
struct Driver {
  WB_DRIVER_FUNCTIONS(WB_FUNCTION_MEMBER)
};

/// Opens libcuda.so.1 and initialises it on the first call. Null and a reason for people when there is no
/// driver, no device, or a driver that lacks one of the functions. Thread-safe; the answer never changes.
const Driver* driver(std::string* whyNot = nullptr);

/// An Error of `stage`, such as "Launching relu: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was
/// encountered", with what to do about it where that is known.
[[nodiscard]] Error cudaError(Stage stage, CUresult code, const std::string& doing);

/// True for errors after which the process can do no more CUDA work: the worker must be replaced.
[[nodiscard]] bool isSticky(CUresult code);

/// Asks the driver whether the current context has stopped working: true once an illegal access, a device
/// assert or the like has happened, whoever caused it and whoever saw it first (torch included). Waits for
/// the device. False without a driver or a context.
[[nodiscard]] bool deviceBroken();

/// What a device is. `architecture` is "sm_90"; `driverVersion` is the newest CUDA version that the driver
/// supports, "13.0".
struct DeviceFacts {
  std::string name, architecture, driverVersion;
  std::int64_t memoryBytes = 0, l2Bytes = 0;
  int multiprocessors = 0;
  /// "GPU-…", as nvidia-smi writes it.
  std::string uuid;
};
/// Errors: no driver, no such device. Needs no context.
Result<DeviceFacts> deviceFacts(int device);

/// Makes the device's primary context, the one that torch uses, current on this thread.
Result<void> useDevice(int device);

/// Makes the device that this thread was given the current one again where user code has chosen another.
/// Takes some nanoseconds where it has not.
void returnToDevice();

/// Waits for all work of the device that this thread uses, which is the current one afterwards whatever user
/// code has made that, and gives the error of anything that went wrong since the last call. Without a driver
/// or a context there is nothing to wait for.
Result<void> synchronize(Stage stage);

}  // namespace wb
