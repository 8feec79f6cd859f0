// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/runner/batch/batch.h"

namespace wb {

/// Why a batch that lies on this machine, and that nobody does any more, is over before all of its parts have
/// finished, by what the disk has left, the state in which the scheduler has its job ("" where it has
/// forgotten it), and their logs: "the time limit of its job was reached (…)". "" where nothing says it, or
/// all have finished.
[[nodiscard]] std::string whyItEnded(const Batch& batch, std::string_view endedAs);

/// The same of one part, by the end of its log.
[[nodiscard]] std::string whyAPartEnded(std::string_view endedAs, std::string_view log);

}  // namespace wb
