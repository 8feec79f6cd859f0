// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/model/job.h"
#include "core/model/report.h"

namespace wb {

/// What is still to be done of a report's job, by kernel, stage and case. Nothing is left of a kernel that
/// failed, was quarantined or spoke in Warpbench's name.
[[nodiscard]] JobWork remaining(const Job& job, const Report& report);

/// What is left of a part of it. A stage that the part does not name is not considered: its results are not
/// waited for.
[[nodiscard]] JobWork remaining(const Job& job, const Report& report, const JobWork& part);

/// The cases that a kernel will run, where that can be known before it is compiled: its operator is named in
/// full, and the job has cases of it.
[[nodiscard]] std::optional<std::vector<Case>> knownCases(const Job& job, const KernelSource& source);

/// Whether the rest of a kernel is not run, because of the workers that it has cost or because no verdict on
/// it can be believed.
[[nodiscard]] bool isClosed(const Report& report, std::uint32_t kernel);

/// A case in which the reference was lost after the candidate had run, and it is not known yet by whose
/// fault.
[[nodiscard]] std::optional<std::uint32_t> suspectOf(const Report& report, std::uint32_t kernel);

/// Whether a case is still to be timed. Without the check stage every case is, unless it has failed
/// meanwhile.
[[nodiscard]] bool isToTime(const Stages& stages, const CaseRow& row);

}  // namespace wb
