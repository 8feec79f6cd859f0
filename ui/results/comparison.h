// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/figures/compare/earlier.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// A run that others are measured against.
struct Baseline {
  /// The name for people: "relu-report.json", "relu.cpp, 14:02:33".
  std::string name;
  std::shared_ptr<const Report> report;
  /// The file from which it was read; "" for one that was pinned.
  std::string file{};
};

/// The baseline (A) against a run (B), as figures.
struct ComparisonFigures {
  /// The names of the two.
  std::string a, b;
  Cards cards;
  std::shared_ptr<const Table> operators;
  /// B's cases with what they were in every baseline.
  std::shared_ptr<const Table> cases;
};

/// Reads a report that was saved as JSON, for a background thread. Errors of stage `report`: it cannot be
/// read, it is not JSON, it is not a report.
Result<Baseline> readBaseline(const std::filesystem::path& file);

/// `baselines` are all that there are, of which `a` is the one that was chosen.
[[nodiscard]] ComparisonFigures makeComparison(const Baseline& a, const Baseline& b,
                                               const std::vector<Baseline>& baselines);

/// The baselines as figures take them.
[[nodiscard]] std::vector<Earlier> earlierOf(const std::vector<Baseline>& baselines);

/// The name of a run as a baseline, by its kernel and when it began: "relu.cpp, 14:02:33", or of another day
/// "relu.cpp, 21 Nov 14:02:33".
[[nodiscard]] std::string baselineName(const Report& report);

/// The name of a run by its kernel's file, "relu.cpp", or "3 kernels".
[[nodiscard]] std::string runName(const Report& report);

}  // namespace wb
