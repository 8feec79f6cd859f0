// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options/job_options.h"

namespace wb {

/// Runs what the options ask for to its end, with progress on standard error and the result on standard
/// output. Gives the exit status.
int runJobOptions(const JobOptions& options);

}  // namespace wb
