// SPDX-License-Identifier: Apache-2.0
// tests/golden/backendbench holds what BackendBench itself wrote; our files must be the same to the byte.
#include "core/report/backendbench/backendbench_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/files/file.h"
#include "core/model/json/json_codec.h"
#include "core/model/operators/operator_name.h"
#include "core/report/backendbench/backendbench_scores.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string sample(const std::string& name) {
  const auto text = readFile(WB_SOURCE_DIR "/tests/golden/backendbench/" + name);
  EXPECT_TRUE(text) << name;
  return text ? *text : std::string();
}

CaseRow caseRow(const std::string& op, const std::string& args, Verdict verdict,
                CaseUse use = CaseUse::check) {
  CaseRow row;
  row.definition.op = op;
  row.definition.args = args;
  row.definition.use = use;
  row.check.verdict = verdict;
  return row;
}

CaseRow timedRow(const std::string& op, const std::string& args, double reference, double candidate) {
  CaseRow row = caseRow(op, args, Verdict::pass, CaseUse::time);
  row.timing.emplace();
  row.timing->reference = reference;
  row.timing->candidate = candidate;
  row.timing->speedup.ratio = reference / candidate;
  return row;
}

CaseRow compared(CaseRow row, std::optional<double> maxAbs, std::optional<double> maxRel) {
  row.check.peer = PeerErrors{maxAbs, maxRel};
  return row;
}

Report reportOf(const std::vector<CaseRow>& rows, const std::string& device = "cpu") {
  Report report;
  report.device = device;
  for (const CaseRow& row : rows) {
    const auto same = [&](const Shared<KernelReport>& kernel) {
      return kernel->source.op == row.definition.op;
    };
    auto found = std::find_if(report.kernels.begin(), report.kernels.end(), same);
    if (found == report.kernels.end()) {
      KernelReport kernel;
      kernel.source.op = row.definition.op;
      found = report.kernels.insert(found, Shared(std::move(kernel)));
    }
    found->write().cases.push(row);
  }
  return report;
}

BackendBenchFiles files(const Report& report, bool like, double p = 1.0, std::string command = {}) {
  return backendBenchFiles(backendBenchRows(report, like), {like, p, std::move(command)});
}

TEST(BackendBenchExporter, WritesTheSmokeRunsFilesToTheByte) {
  const Report report =
      reportOf({compared(caseRow("aten::relu", "((T([2], f32),), {})", Verdict::pass), 0.0, 0.0),
                timedRow("aten::relu", "((T([1024, 1024], f32),), {})", 0.00022289964000037798,
                         0.00022451216999911595)});
  const BackendBenchFiles made =
      files(report, true, 1.0,
            "python -m BackendBench.scripts.main --suite smoke --backend aten --log-dir smoke_aten/out_1");
  EXPECT_EQ(made.fullResults, sample("smoke_aten/full_results.json"));
  EXPECT_EQ(made.failedTests, sample("smoke_aten/failed_tests.json"));
  EXPECT_EQ(made.operatorSummary, sample("smoke_aten/operator_summary.csv"));
  EXPECT_EQ(made.overallSummary, sample("smoke_aten/OVERALL_SUMMARY.md"));
}

/// A figure of the sample, whose NaN and Infinity were made strings.
std::optional<double> figure(const nlohmann::json& value) {
  if (value.is_null()) return std::nullopt;
  if (value.is_number()) return value.get<double>();
  return value == "NaN" ? nan : value == "-Infinity" ? -infinity : infinity;
}

/// What happened, from a row of full_results.json: not its error_msg, which the exporter must make.
CaseRow rowOf(const nlohmann::json& object) {
  CaseRow row = caseRow(schemaName(object["op_name"].get<std::string>()), object["args"].get<std::string>(),
                        Verdict::pass);
  const std::string message = object["error_msg"];
  if (!object["is_correct"].get<bool>()) row.check.verdict = Verdict::mismatch;
  if (const std::string type = object["error_type"]; !type.empty()) {
    row.check.verdict = Verdict::threw;
    row.check.errorType = type;
    row.check.trace = object["traceback"];
    row.check.message = "RuntimeError: kernel exploded on purpose";
  } else if (!message.empty()) {
    row.check.verdict = Verdict::refused;
    row.check.message = message;
  } else {
    row = compared(row, figure(object["max_abs_error"]), figure(object["max_rel_error"]));
  }
  return row;
}

/// The sample opinfo run: its cases by operator in the order of the suite, which operator_summary.csv shows.
Report opinfoSample() {
  std::string text = sample("opinfo_directory_float32/full_results.json");
  for (const std::string token : {": NaN", ": -Infinity", ": Infinity"})
    for (std::size_t at = 0; (at = text.find(token, at)) != std::string::npos; at += token.size() + 2)
      text.replace(at, token.size(), ": \"" + token.substr(2) + "\"");
  std::map<std::string, std::vector<CaseRow>> byOperator;
  const auto json = parseJson(text);
  EXPECT_TRUE(json);
  for (const auto& object : *json) byOperator[object["op_name"]].push_back(rowOf(object));
  std::istringstream order(sample("opinfo_directory_float32/operator_summary.csv"));
  std::string line;
  std::getline(order, line);
  std::vector<CaseRow> rows;
  const std::map<std::string, std::vector<std::size_t>> entries = {
      {"add.Tensor", {11, 9}}, {"mul.Tensor", {9, 9, 1}}, {"div.Tensor", {9, 9}}};
  while (std::getline(order, line)) {
    const std::string op = line.substr(0, line.find(','));
    auto& cases = byOperator.at(op);
    if (const auto split = entries.find(op); split != entries.end()) {
      std::size_t at = 0;
      for (std::size_t entry = 0; entry < split->second.size(); ++entry)
        for (std::size_t i = 0; i < split->second[entry]; ++i)
          cases.at(at++).definition.group = std::to_string(entry);
    }
    rows.insert(rows.end(), cases.begin(), cases.end());
  }
  return reportOf(rows);
}

std::vector<std::string> sortedLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(BackendBenchExporter, WritesTheOpinfoRunsFilesToTheByte) {
  const std::string summary = sample("opinfo_directory_float32/OVERALL_SUMMARY.md");
  const std::size_t command = summary.find("python -m");
  const Report report = opinfoSample();
  const BackendBenchFiles made =
      files(report, true, 1.0, summary.substr(command, summary.find("\n```", command) - command));
  EXPECT_EQ(made.fullResults, sample("opinfo_directory_float32/full_results.json"));
  EXPECT_EQ(made.failedTests, sample("opinfo_directory_float32/failed_tests.json"));
  EXPECT_EQ(made.operatorSummary, sample("opinfo_directory_float32/operator_summary.csv"));
  // Rows of equal text stand in the order of a Python set there, which varies from run to run.
  EXPECT_EQ(sortedLines(made.overallSummary), sortedLines(summary));
  const auto scores = backendBenchScores(backendBenchRows(report, true), 1.0, true);
  EXPECT_THAT(sample("opinfo_directory_float32/stdout.txt"), testing::StartsWith(closingLines(scores, 1.0)));
}

TEST(BackendBenchExporter, AnEmptyRunHasNoCsvAndNanScores) {
  const BackendBenchFiles made = files(Report{}, true);
  EXPECT_EQ(made.fullResults, "[]");
  EXPECT_EQ(made.failedTests, "[]");
  EXPECT_FALSE(made.operatorSummary);
  EXPECT_THAT(
      closingLines(backendBenchScores({}, 0.5, true), 0.5),
      HasSubstr("perf@p score (rate of correct samples with a speedup greater than p, p=0.5): nan\n"));
}

Report withOneFailedPerformanceTest() {
  CaseRow wrong = caseRow("aten::mul.Tensor", "B", Verdict::mismatch, CaseUse::time);
  wrong.check.peer = PeerErrors{0.5, std::nullopt};
  return reportOf({timedRow("aten::mul.Tensor", "A", 0.004, 0.001), wrong}, "cuda:0");
}

TEST(BackendBenchExporter, AFailedPerformanceTestCountsAsOneOnlyWhenCopying) {
  const Report report = withOneFailedPerformanceTest();
  const auto copied = backendBenchScores(backendBenchRows(report, true), 1, true);
  const auto corrected = backendBenchScores(backendBenchRows(report, false), 1, false);
  EXPECT_NEAR(copied.performance, 2, 1e-6);
  EXPECT_NEAR(corrected.performance, 4, 1e-6);
  EXPECT_THAT(files(report, true).overallSummary, HasSubstr("| mul.Tensor | N/A | 2.0000x|"));
  EXPECT_THAT(files(report, false).overallSummary, HasSubstr("| mul.Tensor | N/A | 4.0000x|"));
  // The CSV leaves failures out in BackendBench too.
  EXPECT_THAT(*files(report, true).operatorSummary,
              HasSubstr("mul.Tensor,1,0,2,0,1,0,1,0.0,4.0,4.0,0.0,0.0"));
}

TEST(BackendBenchExporter, AFailedPerformanceTestSaysHowFarOffItWas) {
  const std::string text = files(withOneFailedPerformanceTest(), true).failedTests;
  EXPECT_THAT(text, HasSubstr("\"speedup\": null,\n    \"benchmark_time_ms\": null"));
  EXPECT_THAT(text,
              HasSubstr("\\nException raised for mul.Tensor:\\n    args: B\\n    exc: Reference and result "
                        "tensors are not close: max absolute error 0.5, max relative error None\\n"));
  EXPECT_THAT(text, Not(HasSubstr("\"A\"")));
}

TEST(BackendBenchExporter, TotalTestsIsTheNumberOfOperatorsOnlyWhenCopying) {
  const Report report =
      reportOf({caseRow("aten::abs", "A", Verdict::pass), caseRow("aten::abs", "B", Verdict::pass),
                caseRow("aten::abs", "C", Verdict::pass)});
  EXPECT_THAT(*files(report, true).operatorSummary, HasSubstr("abs.default,1,3,"));
  EXPECT_THAT(*files(report, false).operatorSummary, HasSubstr("abs.default,3,3,"));
}

TEST(BackendBenchExporter, SpeedupsSortAsTextOnlyWhenCopying) {
  const Report report = reportOf({timedRow("aten::abs", "A", 10, 1), timedRow("aten::exp", "A", 9, 1),
                                  timedRow("aten::neg", "A", 48486.5, 1)});
  const std::string copied = files(report, true).overallSummary,
                    corrected = files(report, false).overallSummary;
  EXPECT_LT(copied.find("| exp"), copied.find("| neg"));
  EXPECT_LT(copied.find("| neg"), copied.find("| abs"));
  EXPECT_LT(corrected.find("| neg"), corrected.find("| abs"));
  EXPECT_LT(corrected.find("| abs"), corrected.find("| exp"));
}

TEST(BackendBenchExporter, TimesOnTheCpuAreSecondsOnlyWhenCopying) {
  const std::vector<CaseRow> rows = {timedRow("aten::abs", "A", 0.25, 0.5)};
  EXPECT_THAT(files(reportOf(rows, "cpu"), true).fullResults, HasSubstr("\"benchmark_time_ms\": 0.5,"));
  EXPECT_THAT(files(reportOf(rows, "cpu"), false).fullResults, HasSubstr("\"benchmark_time_ms\": 500.0,"));
  EXPECT_THAT(files(reportOf(rows, "cuda:0"), true).fullResults, HasSubstr("\"benchmark_time_ms\": 500.0,"));
}

TEST(BackendBenchExporter, AMismatchSaysWhyUnlessCopying) {
  CaseRow wrong = compared(caseRow("aten::abs", "A", Verdict::wrongShape), std::nullopt, std::nullopt);
  wrong.check.message = "shape [2], expected [2, 1]";
  EXPECT_THAT(files(reportOf({wrong}), false).fullResults,
              HasSubstr("\"error_msg\": \"shape [2], expected [2, 1]\",\n    \"error_type\": \"\""));
  EXPECT_THAT(files(reportOf({wrong}), true).fullResults, HasSubstr("\"error_msg\": \"\""));
}

TEST(BackendBenchExporter, ASkippedKernelHasZeroTimesAndCountsAsOne) {
  CaseRow skipped = caseRow("aten::abs", "A", Verdict::refused, CaseUse::checkAndTime);
  skipped.check.message = streamSkip;
  const BackendBenchFiles made = files(reportOf({skipped}), true);
  EXPECT_THAT(made.fullResults,
              HasSubstr("\"speedup\": 0,\n    \"benchmark_time_ms\": 0,\n    "
                        "\"reference_time_ms\": 0,\n    \"error_msg\": \"Skipped: uses CUDA stream\""));
  EXPECT_THAT(made.fullResults, HasSubstr("\"max_abs_error\": -Infinity"));
  EXPECT_THAT(made.overallSummary, HasSubstr("| abs.default | 0.0000% | 1.0000x|"));
}

TEST(BackendBenchExporter, TheLargestErrorFollowsPythonsTruthOnlyWhenCopying) {
  const Report report = reportOf({compared(caseRow("aten::abs", "A", Verdict::mismatch), 3.0, std::nullopt),
                                  compared(caseRow("aten::abs", "B", Verdict::mismatch), 1.0, 2.0),
                                  caseRow("aten::abs", "C", Verdict::threw),
                                  compared(caseRow("aten::abs", "D", Verdict::mismatch), nan, nan)});
  EXPECT_THAT(*files(report, true).operatorSummary, HasSubstr(",1.0,2.0\r\n"));
  EXPECT_THAT(*files(report, false).operatorSummary, HasSubstr(",nan,nan\r\n"));
  const Report thrown = reportOf({caseRow("aten::abs", "C", Verdict::threw)});
  EXPECT_THAT(*files(thrown, true).operatorSummary, HasSubstr(",-inf,-inf\r\n"));
  EXPECT_THAT(*files(thrown, false).operatorSummary, HasSubstr(",0.0,0.0\r\n"));
}

TEST(BackendBenchExporter, WhatSaysNothingOfTheKernelIsLeftOutAndCounted) {
  CaseRow untimed = caseRow("aten::abs", "C", Verdict::pass, CaseUse::checkAndTime);
  untimed.notTimed = "no clock";
  const BackendBenchRows rows =
      backendBenchRows(reportOf({caseRow("aten::abs", "A", Verdict::invalid),
                                 caseRow("aten::abs", "B", Verdict::notRun), untimed}),
                       false);
  EXPECT_EQ(rows.correctness.size(), 1u);
  EXPECT_TRUE(rows.performance.empty());
  EXPECT_EQ(rows.voidCases, 1);
  EXPECT_EQ(rows.notRun, 1);
  EXPECT_EQ(rows.notTimed, 1);
}

TEST(BackendBenchExporter, TextIsEscapedAsPythonDoes) {
  CaseRow row = caseRow("aten::abs", "é\"\\\x7f\n\xf0\x9f\x98\x80", Verdict::pass);
  row.definition.label = row.definition.args;
  EXPECT_THAT(files(reportOf({row}), true).fullResults,
              HasSubstr("\"args\": \"\\u00e9\\\"\\\\\\u007f\\n\\ud83d\\ude00\""));
}

TEST(BackendBenchExporter, AKernelThatCrashedHasNoPerformanceUnlessAskedFor) {
  Report report = reportOf({caseRow("aten::relu", "A", Verdict::crashed), timedRow("aten::relu", "B", 2, 1)});
  report.kernels[0].write().counts.crashed = 1;
  const BackendBenchRows rows = backendBenchRows(report, false);
  ASSERT_EQ(rows.performance.size(), 1U);
  EXPECT_FALSE(rows.performance[0].ok);
  EXPECT_THAT(rows.performance[0].message, HasSubstr("not scored"));
  EXPECT_TRUE(std::isnan(backendBenchScores(rows, 1, false).performance));
  EXPECT_TRUE(backendBenchRows(report, true).performance.at(0).ok);
  report.checking.scoreCrashed = true;
  EXPECT_TRUE(backendBenchRows(report, false).performance.at(0).ok);
}

TEST(BackendBenchExporter, AKernelThatWasJudgedTamperedOnceIsRightNowhere) {
  Report report = startReport({});
  report.stages = {Stage::check, Stage::time};
  report.kernels.emplace_back();
  for (const char* const each : {"A", "B"})
    report.kernels[0].write().cases.push(caseRow("aten::relu", each, Verdict::notRun, CaseUse::checkAndTime));
  const auto check = [&](std::uint32_t index, Verdict verdict) {
    CaseCheck check;
    check.verdict = verdict;
    check.message = "said";
    fold(report, StepDone{Stage::check, 0, index, check});
  };
  check(0, Verdict::pass);
  fold(report, StepDone{Stage::time, 0, 0, CaseTiming{}});
  check(1, Verdict::tampered);
  for (const bool like : {false, true}) {
    const BackendBenchRows rows = backendBenchRows(report, like);
    ASSERT_EQ(rows.correctness.size(), 2U);
    ASSERT_EQ(rows.performance.size(), 2U);
    for (const auto& all : {rows.correctness, rows.performance})
      for (const BackendBenchRow& row : all) {
        EXPECT_FALSE(row.ok);
        EXPECT_EQ(row.message, "said");
      }
    EXPECT_EQ(backendBenchScores(rows, 1, like).correctness, 0);
  }
}

TEST(BackendBenchExporter, ACaseWithoutAVerdictHasFailed) {
  const Report report =
      reportOf({caseRow("aten::relu", "A", Verdict::pass), caseRow("aten::relu", "B", Verdict::missing)});
  const BackendBenchRows rows = backendBenchRows(report, true);
  ASSERT_EQ(rows.correctness.size(), 2U);
  EXPECT_EQ(backendBenchScores(rows, 1, true).correctness, 0);
}

}  // namespace
}  // namespace wb
