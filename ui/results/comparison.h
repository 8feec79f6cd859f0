// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/figures/figure.h"
#include "core/model/report.h"

namespace wb {

/// A run that others are measured against.
struct Baseline {
  std::string name;  ///< for people: "relu-report.json", "relu.cpp, 14:02"
  std::shared_ptr<const Report> report;
};

/// The baseline (A) against a run (B), as figures.
struct ComparisonFigures {
  std::string a, b;  ///< their names
  Cards cards;
  std::shared_ptr<const Table> operators;
};

/// Reads a report that was saved as JSON. For a background thread. Errors of stage `report`: unreadable, not
/// JSON, no report.
Result<Baseline> readBaseline(const std::filesystem::path& file);

[[nodiscard]] ComparisonFigures makeComparison(const Baseline& a, const Baseline& b);

/// The file of a run's kernel: "relu.cpp", or "3 kernels".
[[nodiscard]] std::string runName(const Report& report);

}  // namespace wb
