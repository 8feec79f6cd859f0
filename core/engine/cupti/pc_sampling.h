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
  std::vector<PcSample> samples;  ///< by function and offset
  std::int64_t total = 0;         ///< samples, also of kernels that are not the user's
  std::int64_t dropped = 0;
  double period = 0;  ///< device cycles between two samples of a multiprocessor
};

/// Samples the program counters of what `run` launches: it is run again until the device has worked some
/// milliseconds (`seconds`: what one run takes on the device, or 0). Places come from the line information in
/// `modules`, as the compiler wrote the file's name. Errors: no CUPTI, refused, those of `run`.
Result<PcSamples> samplePcs(const std::function<Result<void>()>& run, double seconds,
                            std::span<const std::shared_ptr<const LoadedModule>> modules);

}  // namespace wb
