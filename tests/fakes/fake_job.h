// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/model/job.h"
#include "core/protocol/channel.h"
#include "tests/fakes/fake_options.h"

namespace wb::fake {

/// Everything one job needs: where it speaks and what was asked.
struct JobRun {
  Job job;
  std::uint32_t run = 0;
  Options options;
  MessageWriter& writer;
  int output;  ///< the descriptor behind `writer`, for faults that bypass it
  std::stop_token stop;
};

/// Says about the job what a worker would, in its order; with job.work about that part alone.
void answer(const JobRun& run);

}  // namespace wb::fake
