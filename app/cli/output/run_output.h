// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/options/job_options.h"
#include "core/model/report.h"

namespace wb {

/// Writes the files that were asked for, then the result on standard output, so that the files are there
/// whatever happens to the terminal. Gives the exit status: `status`, or 2 instead of 0 when a file could not
/// be written.
int giveResult(const JobOptions& options, const Report& report, int status);

}  // namespace wb
