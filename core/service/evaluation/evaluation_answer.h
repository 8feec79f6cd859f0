// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "core/jobs/evaluation/evaluation_request.h"
#include "core/model/report.h"
#include "core/service/private_paths.h"

namespace wb {

/// What answers say of the machine.
struct EvaluationHost {
  std::string podName, podIp;
  /// Device counters are read unless a request says otherwise.
  bool deviceMetrics = true;
  /// Kernels run inside walls.
  bool sandbox = false;
  /// The type of the GPU, where the device's name does not say it.
  std::string gpuType{};
  /// Folders that no answer names.
  PrivatePaths paths = privatePathsHere();

  /// The machine's name, and its address of IPv4 by that name; the GPU's type from $GPU_TYPE, and whether
  /// counters are read from $ENABLE_DEVICE_METRICS.
  [[nodiscard]] static EvaluationHost ofThisMachine();
};

/// "a100", "h100" or "h200"; "" for other devices.
[[nodiscard]] std::string gpuType(std::string_view deviceName);

/// The statistics of samples in seconds, in milliseconds to a nanosecond: mean, standard deviation of all of
/// them, least, greatest, median, and percentiles with linear interpolation. All 0 without samples.
[[nodiscard]] nlohmann::ordered_json runtimeStats(std::span<const double> seconds);

/// The body of 200 for a run that ended. Kernels that fail are answers, too.
[[nodiscard]] nlohmann::ordered_json evaluationAnswer(const EvaluationRequest& request,
                                                      const std::string& jobId, const Report& report,
                                                      const EvaluationHost& host);

/// The body of a run without a result; `jobId` is "" where there is none.
[[nodiscard]] nlohmann::ordered_json evaluationFailure(const std::string& error, const std::string& jobId,
                                                       const EvaluationHost& host);

}  // namespace wb
