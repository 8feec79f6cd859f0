// SPDX-License-Identifier: Apache-2.0
#include "core/report/exporters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/files/file.h"
#include "core/model/json/json_codec.h"
#include "core/report/chrome_trace_exporter.h"
#include "core/report/formats.h"
#include "tests/core/figures/golden.h"
#include "tests/core/figures/profile_sample.h"
#include "tests/core/figures/sample_report.h"

namespace wb {
namespace {

using testing::HasSubstr;

class ReportFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("warpbench-report-" + std::to_string(getpid()) + "-" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::size_t filesLeft() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  std::filesystem::path folder_;
};

/// Fields of RFC 4180 text, line by line.
std::vector<std::vector<std::string>> parseCsv(std::string_view text) {
  std::vector<std::vector<std::string>> lines;
  bool quoted = false, startsLine = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (startsLine) {
      lines.push_back({""});
      startsLine = false;
    }
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      lines.back().back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      lines.back().emplace_back();
    } else if (!quoted && c == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
      startsLine = true;
    } else {
      lines.back().back() += c;
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_TRUE(startsLine) << "the last line has no end";
  return lines;
}

std::size_t columnOf(const std::vector<std::string>& header, std::string_view title) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), title) - header.begin());
}

TEST(Exporters, AreFoundByIdAndByExtension) {
  for (const Exporter& exporter : exporters()) {
    EXPECT_EQ(findExporter(exporter.id), &exporter);
    EXPECT_EQ(findExporter(exporter.extension), &exporter);
  }
  EXPECT_EQ(findExporter(".HTML"), findExporter("html"));
  EXPECT_EQ(exporterOf("a/b.TRACE.json"), findExporter("trace"));
  EXPECT_EQ(exporterOf("a/trace.json"), findExporter("json"));
  EXPECT_EQ(exporterOf("a/.json"), nullptr) << "a name without an extension";
  EXPECT_EQ(findExporter("docx"), nullptr);
  EXPECT_EQ(findExporter(""), nullptr);
}

TEST(Exporters, EveryFormatWritesEveryReport) {
  for (const Report& report :
       {samples::allPass(), samples::mixedFailures(), samples::compileFailure(), samples::crash(),
        samples::cancelledHalfWay(), samples::timingHalfWay(), samples::compileOnly(),
        samples::severalKernels(), samples::noWorker(), samples::emptyJob(), samples::hostile()})
    for (const Exporter& exporter : exporters()) {
      const Result<std::string> text = exporter.write(report);
      if (exporter.id == "trace") {  // none of these has a timeline
        EXPECT_FALSE(text.has_value());
        continue;
      }
      ASSERT_TRUE(text.has_value()) << exporter.id;
      EXPECT_FALSE(text->empty()) << exporter.id;
    }
}

/// Golden files outlive versions.
std::string unversioned(std::string text) {
  const std::string row = std::string("| Warpbench | ") + WB_VERSION;
  const std::size_t at = text.find(row);
  return at == std::string::npos ? text : text.replace(at, row.size(), "| Warpbench | VERSION");
}

TEST(Exporters, MarkdownIsAsAgreed) {
  expectGolden("report_mixed.md", unversioned(*markdownReport(samples::mixedFailures())));
  expectGolden("report_compile_failure.md", unversioned(*markdownReport(samples::compileFailure())));
}

TEST(Exporters, MarkdownOfAProfileIsAsAgreed) {
  expectGolden("report_profile.md", unversioned(*markdownReport(samples::folded(samples::profiledRun()))));
  EXPECT_EQ(markdownReport(samples::allPass())->find("Metrics"), std::string::npos) << "it was not asked for";
}

TEST(ChromeTrace, HasAProcessASideAndAThreadAStream) {
  const auto trace = parseJson(*chromeTrace(samples::folded(samples::profiledRun())));
  ASSERT_TRUE(trace.has_value());
  int spans = 0;
  double kernel = 0;
  std::map<std::string, int> names;
  for (const nlohmann::json& event : (*trace)["traceEvents"]) {
    // What Perfetto needs of every event of each kind.
    for (const char* key : {"ph", "pid", "tid", "name"}) EXPECT_TRUE(event.contains(key)) << key;
    if (event["ph"] == "M") ++names[event["args"]["name"].get<std::string>()];
    if (event["ph"] != "X") continue;
    ++spans;
    EXPECT_GE(event["dur"].get<double>(), 0);
    if (event["name"] == "softmax") {
      kernel = event["dur"].get<double>();
      EXPECT_EQ(event["args"]["grid"], (nlohmann::json{8192, 1, 1}));
    }
  }
  EXPECT_EQ(spans, 6);
  EXPECT_NEAR(kernel, 96.2, 1e-9) << "microseconds";
  EXPECT_EQ(names["host"], 2);
  EXPECT_EQ(names["stream 7"], 2);
  EXPECT_EQ(names["softmax.int 8192×4096 f32 · candidate"], 1);
}

TEST(ChromeTrace, WithoutATimelineItSaysWhy) {
  const auto trace = chromeTrace(samples::folded(samples::staticRun()));
  ASSERT_FALSE(trace);
  EXPECT_THAT(trace.error().text, HasSubstr("needs a GPU"));
  EXPECT_THAT(trace.error().hint, HasSubstr("warpbench profile"));
}

TEST(Exporters, MarkdownEscapesWhatItWouldInterpret) {
  const std::string text = *markdownReport(samples::hostile());
  const std::string tables = text.substr(0, text.find("```"));
  for (std::size_t at = tables.find('<'); at != std::string::npos; at = tables.find('<', at + 1))
    EXPECT_EQ(tables[at - 1], '\\') << tables.substr(at, 30);
  EXPECT_THAT(tables, HasSubstr("\\|"));
  EXPECT_THAT(tables, testing::Not(HasSubstr("\x1b")));
}

TEST(Exporters, CsvIsAsAgreed) {
  expectGolden("report_mixed.csv", *csvReport(samples::mixedFailures()));
}

TEST(Exporters, CsvKeepsHostileTextAndFullPrecision) {
  const Report report = samples::hostile();
  const auto lines = parseCsv(*csvReport(report));
  ASSERT_EQ(lines.size(), 7U);
  for (const auto& line : lines) ASSERT_EQ(line.size(), lines[0].size());
  std::string message = report.kernels[0]->cases[0].check.message;
  std::replace(message.begin(), message.end(), '\x1b', ' ');
  EXPECT_EQ(lines[1][columnOf(lines[0], "message")], message) << "all but the escape sequence";
  const CaseTiming& timing = *report.kernels[0]->cases[1].timing;
  EXPECT_EQ(std::strtod(lines[2][columnOf(lines[0], "candidate_seconds")].c_str(), nullptr),
            timing.candidate);
  EXPECT_EQ(std::strtod(lines[2][columnOf(lines[0], "speedup_low")].c_str(), nullptr), timing.speedup.low);
}

TEST(Exporters, CsvHasNoFormulasAndKeepsItsNumbers) {
  Report report = samples::mixedFailures();
  CaseRow row;
  row.definition.op = "=cmd|' /C calc'!A0";
  row.definition.shapes = "@SUM(1,2)";
  row.definition.dtype = "-1+1";
  row.check.verdict = Verdict::mismatch;
  row.check.message = "+1\x1b[31m";
  row.check.errors.emplace().maxAbs = -0.25;
  row.check.errors->expected = "-1.5e-3";
  row.check.errors->actual = "-inf";
  report.kernels[0].write().cases.push(row);
  const auto lines = parseCsv(*csvReport(report));
  const auto& last =
      *std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line[1][0] == '\''; });
  EXPECT_EQ(last[1], "'=cmd|' /C calc'!A0");
  EXPECT_EQ(last[3], "'@SUM(1,2)");
  EXPECT_EQ(last[4], "'-1+1");
  EXPECT_EQ(last[8], "'+1 [31m");
  EXPECT_EQ(last[9], "-0.25");
  EXPECT_EQ(last[15], "-1.5e-3");
  EXPECT_EQ(last[16], "-inf");
}

TEST(Exporters, CsvOfAnEmptyReportIsItsHeader) {
  EXPECT_EQ(parseCsv(*csvReport(samples::emptyJob())).size(), 1U);
}

TEST(Exporters, JsonComesBackAsTheSameReport) {
  for (const Report& report : {samples::allPass(), samples::mixedFailures(), samples::compileFailure(),
                               samples::severalKernels(), samples::noWorker()}) {
    const auto json = parseJson(*jsonReport(report));
    ASSERT_TRUE(json.has_value());
    const auto back = reportFromJson(*json);
    ASSERT_TRUE(back.has_value()) << describe(back.error());
    EXPECT_EQ(*back, report);
  }
}

TEST_F(ReportFiles, AreWrittenByExtension) {
  const Report report = samples::folded(samples::profiledRun());
  for (const Exporter& exporter : exporters()) {
    const auto file = folder_ / ("report" + std::string(exporter.extension));
    const Result<void> written = exportReport(report, file);
    ASSERT_TRUE(written.has_value()) << describe(written.error());
    EXPECT_EQ(*readFile(file), *exporter.write(report));
  }
  EXPECT_EQ(filesLeft(), exporters().size());
}

TEST_F(ReportFiles, UnknownExtensionListsTheKnownOnes) {
  const Result<void> written = exportReport(samples::allPass(), folder_ / "report.docx");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().stage, Stage::report);
  EXPECT_THAT(written.error().text, HasSubstr(".docx"));
  for (const Exporter& exporter : exporters())
    EXPECT_THAT(written.error().hint, HasSubstr(std::string(exporter.extension)));
  EXPECT_EQ(filesLeft(), 0U);
}

TEST_F(ReportFiles, MissingExtensionIsSaid) {
  const Result<void> written = exportReport(samples::allPass(), folder_ / "report");
  ASSERT_FALSE(written.has_value());
  EXPECT_THAT(written.error().text, HasSubstr("no extension"));
}

TEST_F(ReportFiles, FolderThatTakesNoFilesIsSaid) {
  const Result<void> written = exportReport(samples::allPass(), "/proc/report.html");
  ASSERT_FALSE(written.has_value());
  EXPECT_THAT(describe(written.error()), HasSubstr("/proc/report.html"));
}

TEST_F(ReportFiles, FileInPlaceOfAFolderIsSaid) {
  ASSERT_TRUE(writeFileAtomically(folder_ / "taken", "text").has_value());
  const Result<void> written = exportReport(samples::allPass(), folder_ / "taken" / "report.html");
  ASSERT_FALSE(written.has_value());
  EXPECT_THAT(describe(written.error()), HasSubstr("taken"));
  EXPECT_EQ(*readFile(folder_ / "taken"), "text");
}

/// Ends this process: 0 when the error of a report that does not fit names it. A file may grow to 4 kB from
/// here on, which is what a full disk looks like to a writer.
[[noreturn]] void exportWithoutSpace(const std::filesystem::path& file) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{4096, 4096};
  setrlimit(RLIMIT_FSIZE, &limit);
  const Result<void> written = exportReport(samples::allPass(), file);
  _exit(!written && describe(written.error()).find("report.html") != std::string::npos ? 0 : 1);
}

TEST_F(ReportFiles, FullDiskIsSaid) {
  EXPECT_EXIT(exportWithoutSpace(folder_ / "report.html"), testing::ExitedWithCode(0), "");
  EXPECT_EQ(filesLeft(), 0U) << "neither half a report nor its temporary file stays";
}

}  // namespace
}  // namespace wb
