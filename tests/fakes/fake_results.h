// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/model/event.h"
#include "core/model/job.h"
#include "tests/fakes/fake_options.h"

namespace wb::fake {

// What a worker would have found out, made up: equal for equal arguments.

[[nodiscard]] Target target(const Options& options);
/// The kernel's own cases of the job, or made-up ones.
[[nodiscard]] Compiled compiled(const Job& job, std::uint32_t kernel, const Options& options);
[[nodiscard]] CaseCheck check(const Job& job, std::uint32_t index, const Options& options);
/// Forty blocks around a speedup that differs from case to case, from 0.7 to 2.1.
[[nodiscard]] CaseTiming timing(std::uint32_t index);
/// One launch a side with every metric that the plan asks for, a timeline, and the candidate's samples.
[[nodiscard]] SideProfile profile(const Job& job, std::uint32_t kernel, Side side);
/// Machine code of the kernel's one function, its lines those of the source.
[[nodiscard]] Listing listing(const Job& job, std::uint32_t kernel, const std::string& function);

}  // namespace wb::fake
