// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <cuda.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/engine/cases/changed_values.h"

namespace wb {

/// The CUDA C++ of the kernels that DeviceValues launches.
[[nodiscard]] std::string_view deviceValuesSource();

/// Writes changed values on a GPU, at the speed of copying and one launch a tensor, so that each timed call
/// can have new contents.
class DeviceValues {
 public:
  /// Loads what deviceValuesSource() was compiled to for the current device. Errors: what the driver says.
  static Result<DeviceValues> load(const std::string& cubin);
  DeviceValues(DeviceValues&& other) noexcept;
  DeviceValues& operator=(DeviceValues&& other) noexcept;
  DeviceValues(const DeviceValues&) = delete;
  DeviceValues& operator=(const DeviceValues&) = delete;
  ~DeviceValues();

  /// Enqueues writing of the elements from `from` to `to`, as writeChanged() says, on the legacy default
  /// stream, which is torch's default. What goes wrong on the device is told to whoever uses it next; what
  /// could not be enqueued, by missing().
  void write(const at::Tensor& into, const at::Tensor& base, const WorkedOutChange& change, std::int64_t from,
             std::int64_t to) const;
  /// Why some of what write() was asked for since the last time was not written, in the driver's words;
  /// nothing where all was.
  [[nodiscard]] std::optional<Error> missing() const;

 private:
  DeviceValues() = default;
  CUmodule module_ = nullptr;
  /// By the logarithm of an element's bytes.
  CUfunction kernels_[4]{};
  mutable CUresult failed_ = CUDA_SUCCESS;
};

}  // namespace wb
