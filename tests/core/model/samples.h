// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/model/event.h"
#include "core/model/job.h"
#include "core/model/report.h"

namespace wb::samples {

/// A job, and every kind of event, with every member set to something that is not its default. All members
/// are initialised by position, so that a new one does not compile (-Wmissing-field-initializers) until it is
/// here.
[[nodiscard]] Job job();
[[nodiscard]] std::vector<Event> events();

/// A small report: one kernel, four cases (passed and timed, passed and not timed, failed, not run).
[[nodiscard]] Report report();

[[nodiscard]] Case makeCase(int number);
[[nodiscard]] CaseTiming timing(double reference, double candidate);

}  // namespace wb::samples
