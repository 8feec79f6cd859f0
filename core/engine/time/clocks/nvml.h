// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/model/measurement.h"

namespace wb {

/// NVIDIA's management library, asked about one GPU; it needs neither rights nor a context.
class Nvml {
 public:
  /// Opens the library for the GPU with this UUID, "GPU-…". Null where there is no library, or it does not
  /// know the card; `whyNot` says which.
  static std::unique_ptr<Nvml> open(const std::string& uuid, std::string* whyNot = nullptr);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// The present conditions; what the card does not tell is 0. Power and temperature, which are slow to read,
  /// come from `before` where that is given.
  [[nodiscard]] Conditions conditions(const Conditions* before = nullptr) const;
  /// The energy since the driver was loaded, which grows in steps of 20 to 100 ms. Nothing where the card
  /// does not count it.
  [[nodiscard]] std::optional<double> joules() const;

 private:
  struct Library;
  Nvml(std::unique_ptr<Library> library, void* device);
  std::unique_ptr<Library> library_;
  void* device_;
};

/// The bits of nvmlDeviceGetCurrentClocksThrottleReasons in words: "power cap, thermal". An idle card and
/// clocks that somebody set do not count as throttling.
[[nodiscard]] std::string throttleText(unsigned long long reasons);

}  // namespace wb
