// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/figures/case_key.h"
#include "core/model/report.h"

namespace wb {

/// What a case's profile rests on: "36 metrics in 10 passes, cold L2 · 12 480 samples · 2.1 s"; "" without a
/// profile.
[[nodiscard]] std::string profileSummary(const Report& report, OneCase key);

/// A notice above a profile: a sentence, and more below it.
struct Notice {
  std::string title, text;
  bool operator==(const Notice&) const = default;
};
/// What could not be had and why: refused counters, with the remedy and with what works all the same; else
/// what the worker said of the case. Nothing where there is nothing to say.
[[nodiscard]] std::optional<Notice> profileNotice(const Target& target, const Report* report, OneCase key);

/// What a kernel's launch uses of a multiprocessor.
struct Footprint {
  /// what is said beside it: the kernel
  std::string name;
  int threads = 256, registers = 32;
  std::int64_t sharedBytes = 0;
  /// "sm_90"; "" not known
  std::string architecture = {};
  /// The dtype that it was compiled for, or that it ran on: "f32"; "" not known
  std::string dtype = {};
  bool operator==(const Footprint&) const = default;
};
/// The footprint of the launch with this row id in the launches table, else of the candidate's longest
/// launch, else what the compiler says of the kernel. Nothing where none of these is known.
[[nodiscard]] std::optional<Footprint> footprintOf(const Report& report, OneCase key,
                                                   std::string_view launchId);

}  // namespace wb
