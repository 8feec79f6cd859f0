// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/model/measurement.h"

namespace wb {

/// What NVIDIA's management library tells of one GPU, without rights and without a context.
class Nvml {
 public:
  /// By "GPU-…". Null where there is no library, or it does not know the card; `whyNot` says so.
  static std::unique_ptr<Nvml> open(const std::string& uuid, std::string* whyNot = nullptr);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// Now; what the card does not tell is 0. Power and temperature, which are slow to ask, come from `before`
  /// where that is given.
  [[nodiscard]] Conditions conditions(const Conditions* before = nullptr) const;
  /// Since the driver was loaded; a step every 20 to 100 ms. Nothing where the card does not count.
  [[nodiscard]] std::optional<double> joules() const;

 private:
  struct Library;
  Nvml(std::unique_ptr<Library> library, void* device);
  std::unique_ptr<Library> library_;
  void* device_;
};

/// Bits of nvmlDeviceGetCurrentClocksThrottleReasons in words: "power cap, thermal". Idle and clocks that
/// somebody set are no throttling.
[[nodiscard]] std::string throttleText(unsigned long long reasons);

}  // namespace wb
