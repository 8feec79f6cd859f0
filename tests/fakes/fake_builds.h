// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/model/builds/builds.h"
#include "core/protocol/message.h"
#include "core/protocol/seal.h"
#include "tests/fakes/fake_job.h"

namespace wb::fake {

/// What the fake builds with.
BuildFacts buildFacts(const Options& options);

/// Keeps what others have built, if its runner says so.
void takeBuilt(const Built& built, const std::optional<SealKey>& seal);
/// Who has built a kernel for this fake, which is used up by that; nothing where nobody has.
std::optional<std::string> builderOf(const KernelSource& source, const Options& options);

/// Builds the kernels of the job for others, or fails to.
void compileAhead(const JobRun& run, const std::string& architecture);

}  // namespace wb::fake
