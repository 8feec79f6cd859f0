// SPDX-License-Identifier: Apache-2.0
#include "core/report/backendbench/backendbench_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/base/python_float.h"
#include "core/report/backendbench/python_text.h"

namespace wb {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// One OpTest of BackendBench, which scores as one.
struct OpTest {
  bool correct = true;
  std::vector<const BackendBenchRow*> performance;
};

std::vector<OpTest> opTests(const BackendBenchRows& rows) {
  std::vector<OpTest> tests;
  std::unordered_map<std::string, std::size_t> index;
  const auto of = [&](const BackendBenchRow& row) -> OpTest& {
    const auto [at, fresh] = index.try_emplace(row.op + '\n' + row.group, tests.size());
    if (fresh) tests.emplace_back();
    return tests[at->second];
  };
  for (const BackendBenchRow& row : rows.correctness) {
    OpTest& test = of(row);
    test.correct = test.correct && row.ok;
  }
  for (const BackendBenchRow& row : rows.performance) of(row).performance.push_back(&row);
  return tests;
}

double mean(const std::vector<double>& values) {
  if (values.empty()) return none;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

double geomeanFloat32(std::span<const double> values) {
  if (values.empty()) return none;
  double sum = 0;
  for (const double value : values) sum += std::log(static_cast<float>(value));
  const auto average = static_cast<float>(sum / static_cast<double>(values.size()));
  return std::exp(average);
}

std::vector<double> countedSpeedups(std::span<const BackendBenchRow* const> performance, bool like) {
  std::vector<double> speedups;
  for (const BackendBenchRow* row : performance) {
    if (row->ok && row->speedup)
      speedups.push_back(*row->speedup);
    else if (like)
      speedups.push_back(1);
  }
  return speedups;
}

BackendBenchScores backendBenchScores(const BackendBenchRows& rows, double p, bool like) {
  std::vector<double> correct, geomeans, fast;
  for (const OpTest& test : opTests(rows)) {
    const double geomean = geomeanFloat32(countedSpeedups(test.performance, like));
    correct.push_back(test.correct);
    fast.push_back(test.correct && geomean > p);
    // In BackendBench an operator without performance tests makes the whole score NaN. When such operators
    // are left out, the score is NaN only where there are no others.
    if (like || !std::isnan(geomean)) geomeans.push_back(geomean);
  }
  return {mean(correct), geomeanFloat32(geomeans), mean(fast)};
}

std::string closingLines(const BackendBenchScores& scores, double p) {
  return fmt::format(
      "correctness score (mean pass rate over all operators): {:.2f}\n"
      "performance score (geomean speedup over all operators): {:.2f}\n"
      "perf@p score (rate of correct samples with a speedup greater than p, p={}): {:.2f}\n",
      scores.correctness, scores.performance, pythonFloat(p), scores.perfAtP);
}

std::size_t BackendBenchOperator::passed() const {
  return static_cast<std::size_t>(
      std::count_if(correctness.begin(), correctness.end(), [](const auto* row) { return row->ok; }));
}

std::size_t BackendBenchOperator::ran() const {
  return static_cast<std::size_t>(
      std::count_if(performance.begin(), performance.end(), [](const auto* row) { return row->ok; }));
}

std::vector<BackendBenchOperator> backendBenchOperators(const BackendBenchRows& rows) {
  std::vector<BackendBenchOperator> operators;
  std::unordered_map<std::string, std::size_t> index;
  const auto of = [&](const BackendBenchRow& row) -> BackendBenchOperator& {
    const auto [at, fresh] = index.try_emplace(row.op, operators.size());
    if (fresh) operators.push_back({row.op, {}, {}});
    return operators[at->second];
  };
  for (const BackendBenchRow& row : rows.correctness) of(row).correctness.push_back(&row);
  for (const BackendBenchRow& row : rows.performance) of(row).performance.push_back(&row);
  return operators;
}

}  // namespace wb
