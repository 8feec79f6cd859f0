// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <cstddef>

namespace wb {

/// Torch's interface to its CUDA devices and streams, for which torch_cuda need not be linked; null without
/// it.
[[nodiscard]] inline const c10::impl::DeviceGuardImplInterface* torchCuda() {
  return c10::impl::device_guard_impl_registry[static_cast<std::size_t>(c10::DeviceType::CUDA)].load();
}

[[nodiscard]] inline c10::Device cudaDevice(int index) {
  return {c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(index)};
}

}  // namespace wb
