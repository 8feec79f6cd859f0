// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace wb {

/// The CUDA driver's functions, opened at run time: libcuda.so.1 is never linked. One table a process. The
/// versions are those of the headers built against (cuda.h maps cuMemAlloc to cuMemAlloc_v2 and so on).
struct Driver {
  decltype(&cuGetErrorName) getErrorName = nullptr;
  decltype(&cuGetErrorString) getErrorString = nullptr;
  decltype(&cuInit) init = nullptr;
  decltype(&cuDriverGetVersion) driverGetVersion = nullptr;
  decltype(&cuDeviceGet) deviceGet = nullptr;
  decltype(&cuDeviceGetCount) deviceGetCount = nullptr;
  decltype(&cuDeviceGetName) deviceGetName = nullptr;
  decltype(&cuDeviceTotalMem) deviceTotalMem = nullptr;
  decltype(&cuDeviceGetAttribute) deviceGetAttribute = nullptr;
  decltype(&cuDevicePrimaryCtxRetain) devicePrimaryCtxRetain = nullptr;
  decltype(&cuCtxSetCurrent) ctxSetCurrent = nullptr;
  decltype(&cuCtxGetCurrent) ctxGetCurrent = nullptr;
  decltype(&cuCtxSynchronize) ctxSynchronize = nullptr;
  decltype(&cuModuleLoadData) moduleLoadData = nullptr;
  decltype(&cuModuleUnload) moduleUnload = nullptr;
  decltype(&cuModuleGetFunction) moduleGetFunction = nullptr;
  decltype(&cuFuncGetAttribute) funcGetAttribute = nullptr;
  decltype(&cuFuncSetAttribute) funcSetAttribute = nullptr;
  decltype(&cuLaunchKernel) launchKernel = nullptr;
  decltype(&cuMemAlloc) memAlloc = nullptr;
  decltype(&cuMemFree) memFree = nullptr;
  decltype(&cuMemsetD8Async) memsetD8Async = nullptr;
  decltype(&cuEventCreate) eventCreate = nullptr;
  decltype(&cuEventDestroy) eventDestroy = nullptr;
  decltype(&cuEventRecord) eventRecord = nullptr;
  decltype(&cuEventSynchronize) eventSynchronize = nullptr;
  decltype(&cuEventElapsedTime) eventElapsedTime = nullptr;
  decltype(&cuDeviceGetUuid) deviceGetUuid = nullptr;
  decltype(&cuMemGetInfo) memGetInfo = nullptr;
  decltype(&cuMemcpyHtoD) memcpyHtoD = nullptr;
  decltype(&cuMemcpyDtoH) memcpyDtoH = nullptr;
  decltype(&cuStreamCreate) streamCreate = nullptr;
  decltype(&cuStreamDestroy) streamDestroy = nullptr;
  decltype(&cuStreamSynchronize) streamSynchronize = nullptr;
  decltype(&cuStreamWaitEvent) streamWaitEvent = nullptr;
  decltype(&cuStreamBeginCapture) streamBeginCapture = nullptr;
  decltype(&cuStreamEndCapture) streamEndCapture = nullptr;
  decltype(&cuStreamIsCapturing) streamIsCapturing = nullptr;
  decltype(&cuGraphInstantiateWithFlags) graphInstantiate = nullptr;
  decltype(&cuGraphLaunch) graphLaunch = nullptr;
  decltype(&cuGraphExecDestroy) graphExecDestroy = nullptr;
  decltype(&cuGraphDestroy) graphDestroy = nullptr;
  decltype(&cuGraphGetNodes) graphGetNodes = nullptr;
};

/// Opens libcuda.so.1 and initialises it on the first call. Null and a reason for people when there is no
/// driver, no device, or a driver that lacks one of the functions. Thread-safe; the answer never changes.
const Driver* driver(std::string* whyNot = nullptr);

/// "Launching relu: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered" as an Error of
/// `stage`, with what to do about it where that is known.
[[nodiscard]] Error cudaError(Stage stage, CUresult code, const std::string& doing);

/// True for errors after which the process can do no more CUDA work: the worker must be replaced.
[[nodiscard]] bool isSticky(CUresult code);

/// Asks the driver whether the current context still works: true once an illegal access, a device assert or
/// the like has happened, whoever caused it and whoever saw it first (torch included). Waits for the device.
/// False without a driver or a context.
[[nodiscard]] bool deviceBroken();

/// What a device is. `architecture` is "sm_90", `driverVersion` "13.0" (the CUDA version it speaks).
struct DeviceFacts {
  std::string name, architecture, driverVersion;
  std::int64_t memoryBytes = 0, l2Bytes = 0;
  int multiprocessors = 0;
  std::string uuid;  ///< "GPU-…", as nvidia-smi writes it
};
/// Errors: no driver, no such device. Needs no context.
Result<DeviceFacts> deviceFacts(int device);

/// Makes the device's primary context, the one that torch uses, current on this thread.
Result<void> useDevice(int device);

/// Waits for all work of the current device; the error of anything that went wrong since the last call.
/// Without a driver or a context there is nothing to wait for.
Result<void> synchronize(Stage stage);

}  // namespace wb
