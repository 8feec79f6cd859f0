// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wb {

/// A GPU as the driver lists it, before CUDA_VISIBLE_DEVICES.
struct PhysicalGpu {
  /// The UUID: "GPU-…".
  std::string uuid;
  /// The name: "NVIDIA H100 80GB HBM3".
  std::string name;
  /// The architecture, "sm_90"; "" when unknown.
  std::string architecture;
  std::int64_t memoryBytes = 0;
  bool operator==(const PhysicalGpu&) const = default;
};

/// Reads `nvidia-smi --query-gpu=uuid,name,compute_cap,memory.total --format=csv,noheader,nounits`; lines
/// that are something else (warnings) are left out.
[[nodiscard]] std::vector<PhysicalGpu> parseNvidiaSmi(const std::string& csv);

/// The GPUs that CUDA will show, in its order, for a value of CUDA_VISIBLE_DEVICES, which is null when it is
/// not set. Source: CUDA C++ Programming Guide, "CUDA Environment Variables".
[[nodiscard]] std::vector<PhysicalGpu> visibleGpus(const std::vector<PhysicalGpu>& all, const char* visible);

}  // namespace wb
