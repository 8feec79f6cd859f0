// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/figures/profile/profile_facts.h"
#include "core/model/report.h"

namespace wb {

// What rules of advice look at in a profiled case: its lines, what its warps wait for, and how near it is to
// what the card can do.

/// From this share of a ceiling on, the rest is not worth a rewrite.
inline constexpr double nearCeiling = 0.75;
/// Fewer samples than these say nothing.
inline constexpr double fewestSamples = 100;

/// The candidate's longest launch; null without launches.
[[nodiscard]] const Launch* mainLaunch(const ProfiledCase& one);
/// " of softmax" where the call has several launches, else nothing.
[[nodiscard]] std::string ofKernel(const ProfiledCase& one, const Launch& launch);

/// The line whose instructions of these kinds ("LDG", "LD.E") stalled most; line 0 when none did.
[[nodiscard]] Place hottestLine(const ProfiledCase& one, std::initializer_list<std::string_view> opcodes);
/// The first line whose instructions are of this kind, where nothing was sampled.
[[nodiscard]] Place firstLine(const ProfiledCase& one, const Launch& launch, std::string_view opcode);

/// The share of the call's time in which its longest launch ran; 1 where no times are known.
[[nodiscard]] double shareOfCall(const ProfiledCase& one);
/// The share of the samples, 0 to 1, whose warps waited for global memory; nothing without samples.
[[nodiscard]] std::optional<double> waitingForMemory(const ProfiledCase& one);
/// The same for shared memory.
[[nodiscard]] std::optional<double> waitingForShared(const ProfiledCase& one);

/// Share of the card's DRAM bandwidth: of what was measured on it, else of the counter's own peak. Where
/// bytes were counted, `perSecond` is set to how many were moved in a second.
[[nodiscard]] std::optional<double> memoryShare(const Report& report, const ProfiledCase& one,
                                                double* perSecond);

/// The unit of the multiprocessors that is nearest to its peak, as far as it was counted.
struct Busy {
  std::string_view what;
  /// The share of its peak, 0 to 1.
  double share = 0;
};
[[nodiscard]] Busy busiest(const Launch& launch);
/// Whether arithmetic is so near its ceiling that nothing the kernel waits for matters much.
[[nodiscard]] bool computeIsNearItsCeiling(const ProfiledCase& one);

}  // namespace wb
