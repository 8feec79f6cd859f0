// SPDX-License-Identifier: Apache-2.0
#include "core/engine/time/clocks/events.h"

namespace wb {

Events::~Events() {
  for (CUevent event : events_)
    if (event != nullptr) cuda_.eventDestroy(event);
}

Result<void> Events::open() {
  for (CUevent& event : events_)
    if (CUresult code = cuda_.eventCreate(&event, CU_EVENT_DEFAULT); code != CUDA_SUCCESS)
      return cudaError(Stage::time, code, "Creating an event");
  return {};
}

Result<void> Events::record(std::size_t event, CUstream stream) {
  returnToDevice();
  if (CUresult code = cuda_.eventRecord(events_[event], stream); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Marking a sample");
  return {};
}

Result<bool> Events::isReached(std::size_t event) {
  const CUresult code = cuda_.eventQuery(events_[event]);
  if (code != CUDA_SUCCESS && code != CUDA_ERROR_NOT_READY)
    return cudaError(Stage::time, code, "Timing the kernel");
  return code == CUDA_SUCCESS;
}

Result<void> Events::wait(std::size_t event) {
  if (CUresult code = cuda_.eventSynchronize(events_[event]); code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Timing the kernel");
  return {};
}

Result<double> Events::between(std::size_t start, std::size_t end) {
  float milliseconds = 0;
  if (CUresult code = cuda_.eventElapsedTime(&milliseconds, events_[start], events_[end]);
      code != CUDA_SUCCESS)
    return cudaError(Stage::time, code, "Reading the events");
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace wb
