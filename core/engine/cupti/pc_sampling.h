// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/engine/cupti/modules.h"
#include "core/model/profile.h"

namespace wb {

struct PcSamples {
  /// The samples by function and offset.
  std::vector<PcSample> samples;
  /// How many samples there are, those of kernels that are not the user's included.
  std::int64_t total = 0;
  std::int64_t dropped = 0;
  /// The device's cycles between two samples of a multiprocessor.
  double period = 0;
};

/// Samples the program counters of what `run` launches: it is run again until the device has worked for some
/// milliseconds (`seconds` says how long one run takes on the device, or is 0). Places come from the line
/// information in `modules`, with the file's name as the compiler wrote it. Errors: no CUPTI, sampling is
/// refused, those of `run`.
Result<PcSamples> samplePcs(const std::function<Result<void>()>& run, double seconds,
                            std::span<const std::shared_ptr<const LoadedModule>> modules);

}  // namespace wb
