// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// How many cases each kernel of a job will run; nothing where only its compilation will tell.
using CaseCounts = std::vector<std::optional<std::size_t>>;
[[nodiscard]] CaseCounts caseCounts(const Job& job, const Report& report);

/// How many cases there are in a piece; a kernel of which that is not known counts as one.
[[nodiscard]] std::size_t casesIn(const JobWork& piece, const CaseCounts& counts);

/// A piece in two.
struct Portions {
  JobWork now, later;
};
/// Cuts about so many cases off a piece, at least one. Kernels are cut last, and not at all where nobody
/// knows their cases, or where they are profiled: which of its cases are is known when all were timed.
[[nodiscard]] Portions cutOff(JobWork piece, std::size_t most, const CaseCounts& counts);
/// Takes one case out of a piece: `now` has all that is to be done of it.
[[nodiscard]] Portions takeOut(JobWork piece, std::uint32_t kernel, std::uint32_t index);

}  // namespace wb
