// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace wb {

/// The CUDA driver's functions, opened at run time: libcuda.so.1 is never linked. One table a process.
struct Driver {
  decltype(&cuGetErrorName) getErrorName = nullptr;
  decltype(&cuGetErrorString) getErrorString = nullptr;
  // … the rest as used, one member a function, in driver.cpp's table
};

/// Null and a reason when there is no driver.
const Driver* driver(std::string* whyNot = nullptr);

/// "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered" as an Error of `stage`.
[[nodiscard]] Error cudaError(Stage stage, CUresult code, const std::string& doing);

/// True for errors after which the process can do no more CUDA work: the worker must be replaced.
[[nodiscard]] bool isSticky(CUresult code);

/// "sm_90" of device N, its name and memory.
struct DeviceFacts {
  std::string name, architecture, driverVersion;
  std::int64_t memoryBytes = 0, l2Bytes = 0;
  int multiprocessors = 0;
};
Result<DeviceFacts> deviceFacts(int device);

/// Waits for all work of the current device; the error of anything that went wrong since the last call.
Result<void> synchronize(Stage stage);

}  // namespace wb
