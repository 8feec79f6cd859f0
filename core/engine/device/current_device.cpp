// SPDX-License-Identifier: Apache-2.0
#include "core/engine/device/current_device.h"

#include <ATen/ops/zeros.h>

#include <atomic>

#include "core/engine/device/driver.h"
#include "core/engine/device/torch_cuda.h"

namespace wb {
namespace {

/// The one that was entered last. Before that, to ask which device is the current one would start CUDA in a
/// process that may not need it.
std::atomic<int>& entered() {
  static std::atomic<int> device = -1;
  return device;
}

}  // namespace

Result<void> enterDevice(int device) {
  at::zeros({1}, at::TensorOptions().device(cudaDevice(device)));
  WB_DO(useDevice(device));
  // Torch's guard goes back to device 0, and where that has no context it only notes so (c10's
  // targetDeviceIndex). The next who waits for "the current device" would make one there, and launches of
  // user code would go there from then on, with addresses of this device.
  entered() = device;
  setCurrentDevice(device);
  return {};
}

int currentDevice() {
  if (entered() < 0) return -1;
  try {
    return torchCuda()->getDevice().index();
  } catch (...) {  // a device in error says nothing more
    return entered();
  }
}

void setCurrentDevice(int device) {
  if (device >= 0 && entered() >= 0) torchCuda()->setDevice(cudaDevice(device));
}

}  // namespace wb
