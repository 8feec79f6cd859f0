// SPDX-License-Identifier: Apache-2.0
#include "core/report/backendbench/backendbench_exporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/base/python_float.h"
#include "core/report/backendbench/backendbench_scores.h"
#include "core/report/backendbench/python_text.h"

namespace wb {
namespace {

// ---- JSON as json.dump(…, indent=2) writes it

std::string jsonFigure(const std::optional<double>& value) {
  return value ? pythonJsonFloat(*value) : "null";
}

std::string correctnessObject(const BackendBenchRow& row) {
  return fmt::format(
      "  {{\n    \"op_name\": {},\n    \"args\": {},\n    \"is_correct\": {},\n    \"error_msg\": {},\n"
      "    \"error_type\": {},\n    \"traceback\": {},\n    \"max_abs_error\": {},\n    \"max_rel_error\": "
      "{},\n"
      "    \"test_type\": \"correctness\"\n  }}",
      pythonJsonString(row.op), pythonJsonString(row.args), row.ok, pythonJsonString(row.message),
      pythonJsonString(row.errorType), pythonJsonString(row.trace), jsonFigure(row.maxAbs),
      jsonFigure(row.maxRel));
}

std::string performanceObject(const BackendBenchRow& row) {
  const auto figure = [&](const std::optional<double>& value) {
    return row.skipped ? std::string("0") : jsonFigure(value);
  };
  return fmt::format(
      "  {{\n    \"op_name\": {},\n    \"args\": {},\n    \"speedup\": {},\n    \"benchmark_time_ms\": {},\n"
      "    \"reference_time_ms\": {},\n    \"error_msg\": {},\n    \"successfully_ran\": {},\n"
      "    \"test_type\": \"performance\"\n  }}",
      pythonJsonString(row.op), pythonJsonString(row.args), figure(row.speedup), figure(row.candidateTime),
      figure(row.referenceTime), pythonJsonString(row.message), row.ok);
}

struct Ordered {
  const BackendBenchRow* row;
  bool performance;
};

/// The rows by (op_name, args); of equal ones the correctness tests come first, else the order of the run
/// stays.
std::vector<Ordered> ordered(const BackendBenchRows& rows) {
  std::vector<Ordered> all;
  for (const BackendBenchRow& row : rows.correctness) all.push_back({&row, false});
  for (const BackendBenchRow& row : rows.performance) all.push_back({&row, true});
  std::stable_sort(all.begin(), all.end(), [](const Ordered& a, const Ordered& b) {
    return std::tie(a.row->op, a.row->args) < std::tie(b.row->op, b.row->args);
  });
  return all;
}

std::string jsonList(const std::vector<Ordered>& rows, bool onlyFailed) {
  std::string text;
  for (const auto& [row, performance] : rows) {
    if (onlyFailed && row->ok) continue;
    text += text.empty() ? "[\n" : ",\n";
    text += performance ? performanceObject(*row) : correctnessObject(*row);
  }
  return text.empty() ? "[]" : text + "\n]";
}

// ---- operator_summary.csv

bool truthy(const std::optional<double>& value) {
  return value && *value != 0;  // since NaN is true in Python
}

/// Python's max(): the first of the largest, and NaN only where it stands first.
double pythonMax(const std::vector<double>& values) {
  double largest = values.empty() ? 0 : values.front();
  for (const double value : values)
    if (value > largest) largest = value;
  return largest;
}

/// The largest error that was computed; NaN if any is; 0 if none.
double largestComputed(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isnan(value)) return value;
    largest = std::max(largest, value);
  }
  return largest;
}

double largestError(const BackendBenchOperator& op, std::optional<double> BackendBenchRow::*figure,
                    bool like) {
  std::vector<double> values;
  for (const BackendBenchRow* row : op.correctness) {
    if (like ? truthy(row->maxAbs) && truthy(row->maxRel) : (row->*figure).has_value())
      values.push_back(*(row->*figure));
  }
  return like ? pythonMax(values) : largestComputed(values);
}

std::string csvLine(const BackendBenchOperator& op, std::size_t totalTests, bool like) {
  const std::size_t passed = op.passed(), ran = op.ran();
  const std::vector<double> speedups = countedSpeedups(op.performance, false);
  double sum = 0;
  for (const double speedup : speedups) sum += speedup;
  const double rate =
      op.correctness.empty() ? 0 : static_cast<double>(passed) / static_cast<double>(op.correctness.size());
  const double average = speedups.empty() ? 0 : sum / static_cast<double>(speedups.size());
  const double geomean = speedups.empty() ? 0 : geomeanFloat32(speedups);
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", op.name, totalTests, op.correctness.size(),
                     op.performance.size(), passed, ran, op.correctness.size() - passed,
                     op.performance.size() - ran, pythonFloat(rate), pythonFloat(average),
                     pythonFloat(geomean), pythonFloat(largestError(op, &BackendBenchRow::maxAbs, like)),
                     pythonFloat(largestError(op, &BackendBenchRow::maxRel, like)));
}

std::optional<std::string> csv(const std::vector<BackendBenchOperator>& operators, bool like) {
  if (operators.empty()) return std::nullopt;
  std::string text =
      "operator,total_tests,correctness_tests,performance_tests,passed_correctness_tests,"
      "passed_performance_tests,failed_correctness_tests,failed_performance_tests,correctness_rate,"
      "avg_speedup,geomean_speedup,max_absolute_error,max_relative_error\r\n";
  for (const BackendBenchOperator& op : operators)
    text += csvLine(op, like ? operators.size() : op.correctness.size() + op.performance.size(), like);
  return text;
}

// ---- OVERALL_SUMMARY.md

struct TableRow {
  std::string name, correctness, speedup;
  /// −1 where there is none.
  double correctRate, geomean;
};

TableRow tableRow(const BackendBenchOperator& op, bool like) {
  TableRow row{op.name, "N/A", "N/A", -1, -1};
  if (!op.correctness.empty()) {
    row.correctRate = static_cast<double>(op.passed()) / static_cast<double>(op.correctness.size());
    row.correctness = fmt::format("{:.4f}%", row.correctRate * 100);
  }
  if (const auto speedups = countedSpeedups(op.performance, like); !speedups.empty()) {
    row.geomean = geomeanFloat32(speedups);
    row.speedup = fmt::format("{:.4f}x", row.geomean);
  }
  return row;
}

std::string operatorTable(const std::vector<BackendBenchOperator>& operators, bool like) {
  std::vector<TableRow> rows;
  for (const BackendBenchOperator& op : operators) rows.push_back(tableRow(op, like));
  std::stable_sort(rows.begin(), rows.end(), [like](const TableRow& a, const TableRow& b) {
    return like ? std::tie(a.speedup, a.correctness) > std::tie(b.speedup, b.correctness)
                : std::tie(a.geomean, a.correctRate) > std::tie(b.geomean, b.correctRate);
  });
  std::string text =
      "### Operator Speedups vs Eager in Descending Order\n\n"
      "| Operator | Correctness Ratio | Speedup vs Eager |\n|----------|-----------|----------------|\n";
  for (const TableRow& row : rows)
    text += fmt::format("| {} | {} | {}|\n", row.name, row.correctness, row.speedup);
  return text;
}

std::string summary(const BackendBenchScores& scores, const BackendBenchOptions& options,
                    const std::vector<BackendBenchOperator>& operators) {
  const std::string p = pythonFloat(options.p);
  return fmt::format(
      "# BackendBench Run Summary\n\n## Command\n```bash\n{0}\n```\n\n## Results\n\n"
      "| Metric | Value |\n|--------|-------|\n| Correctness Score | {1:.2f} |\n"
      "| Performance Score (geomean speedup) | {2:.2f} |\n| Perf@{3} Score | {4:.2f} |\n\n"
      "### Metric Descriptions\n\n- **Correctness Score**: Mean pass rate over all operators\n"
      "- **Performance Score**: Geometric mean speedup over all operators\n"
      "- **Perf@{3} Score**: Rate of correct samples with a speedup greater than {3}\n\n"
      "## Output Files\n\nThe following files are saved in this directory:\n\n"
      "- `full_results.json`: Complete test results for all operators\n"
      "- `operator_summary.csv`: Operator-level summary statistics\n"
      "- `failed_tests.json`: Log of failed tests (if any)\n"
      "- `OVERALL_SUMMARY.md`: This file\n{5}",
      options.commandLine, scores.correctness, scores.performance, p, scores.perfAtP,
      operatorTable(operators, options.like));
}

}  // namespace

BackendBenchFiles backendBenchFiles(const BackendBenchRows& rows, const BackendBenchOptions& options) {
  const std::vector<Ordered> all = ordered(rows);
  const std::vector<BackendBenchOperator> operators = backendBenchOperators(rows);
  return {jsonList(all, false), jsonList(all, true), csv(operators, options.like),
          summary(backendBenchScores(rows, options.p, options.like), options, operators)};
}

}  // namespace wb
