// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options/job_options.h"

namespace wb {

/// Hands the run that the options ask for to a cluster's scheduler, or starts it on a host, and does not wait
/// for it: the name of the run goes to standard output. With --print-script the script goes there instead,
/// and nothing is handed over. Gives the exit status.
int runDetached(const JobOptions& options, JobRequest request);

}  // namespace wb
