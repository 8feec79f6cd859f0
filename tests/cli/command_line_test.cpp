// SPDX-License-Identifier: Apache-2.0
// The program as a shell sees it: exit status, output, files. The fake worker speaks the real protocol.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/files/file.h"
#include "core/model/exit/exit_status.h"
#include "core/model/json/json_codec.h"
#include "core/report/exporters.h"
#include "tests/cli/cli_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class CommandLine : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("relu.cpp",
          "#include <torch/extension.h>\nat::Tensor relu(const at::Tensor& self) { return self.clamp_min(0); "
          "}\n");
  }
};

TEST_F(CommandLine, HelpAndVersionExitWithZero) {
  EXPECT_EQ(run({"--help"}).ending.exitCode, 0);
  const Captured help = run({"run", "--help"});
  EXPECT_EQ(help.ending.exitCode, 0);
  EXPECT_THAT(help.out, HasSubstr("--tolerance"));
  EXPECT_THAT(help.out, HasSubstr(reportExtensions())) << "the formats are those that there are";
  EXPECT_THAT(run({"--version"}).out, HasSubstr("warpbench "));
}

TEST_F(CommandLine, UsageErrorsExitWithTwo) {
  EXPECT_EQ(run({}).ending.exitCode, 2);
  EXPECT_EQ(run({"run"}).ending.exitCode, 2);
  EXPECT_EQ(run({"frobnicate"}).ending.exitCode, 2);
  EXPECT_EQ(run({"run", "relu.cpp", "--no-such-option"}).ending.exitCode, 2);
  EXPECT_EQ(run({"list", "nonsense"}).ending.exitCode, 2);
}

TEST_F(CommandLine, AMissingFileIsNamed) {
  const Captured result = run({"run", "absent.cpp"});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("absent.cpp"));
}

TEST_F(CommandLine, ABinaryFileIsRefusedWithItsPlace) {
  write("binary.cpp", std::string("int a;\n\x00\x01\x02", 10));
  const Captured result = run({"run", "binary.cpp"});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("binary.cpp"));
}

TEST_F(CommandLine, AFolderIsNotAKernel) {
  fs::create_directory(folder_ / "kernels.cpp");
  EXPECT_EQ(run({"run", "kernels.cpp"}).ending.exitCode, 2);
}

TEST_F(CommandLine, AFileOfNoLanguageSaysWhichThereAre) {
  write("notes.txt", "hello");
  const Captured result = run({"run", "notes.txt"});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("list languages"));
}

TEST_F(CommandLine, AMalformedSuiteNamesLineAndColumn) {
  write("bad.txt",
        "Operator: aten.relu.default\ncnt: 1, ((T([5, 5], f32),), {})\ncnt: 1, ((T([5, 5, f32),), {})\n");
  const Captured result = run({"run", "relu.cpp", "--suite", "bad.txt"});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, testing::ContainsRegex("bad\\.txt:3:[0-9]+"));
}

TEST_F(CommandLine, AnUnknownSuiteSuggestsTheNearest) {
  const Captured result = run({"run", "relu.cpp", "--suite", "smok"});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("smoke"));
}

TEST_F(CommandLine, AFilterThatMatchesNothingNamesWhatIsThere) {
  const Captured result = run({"run", "relu.cpp", "--ops", "no_such_operator"});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("it has _softmax.default, add.Tensor"));
  const Captured near = run({"run", "relu.cpp", "--ops", "rellu"});
  EXPECT_THAT(near.err, HasSubstr("did you mean relu?"));
}

TEST_F(CommandLine, AnAbsentDeviceExitsWithThree) {
  const Captured result = run({"run", "relu.cpp", "--device", "cuda:77"});
  EXPECT_EQ(result.ending.exitCode, 3);
  EXPECT_THAT(result.err, HasSubstr("cuda:77"));
}

TEST_F(CommandLine, AMissingWorkerExitsWithThreeAndSaysWhatToDo) {
  const Captured result =
      run({"run", "relu.cpp", "--device", "cpu"}, {{"WARPBENCH_WORKER", "/nowhere/worker"}});
  EXPECT_EQ(result.ending.exitCode, 3);
  EXPECT_THAT(result.err, HasSubstr("/nowhere/worker"));
}

TEST_F(CommandLine, ARunWritesItsReports) {
  const Captured result = run({"run", "relu.cpp", "--device", "cpu", "--json", "out.json", "--report",
                               "out.html", "--report", "out.csv"});
  EXPECT_LE(result.ending.exitCode, 1) << result.err;
  const auto json = parseJson(*readFile(folder_ / "out.json"));
  ASSERT_TRUE(json);
  const auto report = reportFromJson(*json);
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_GT(counts(*report).total, 0);
  EXPECT_EQ(exitStatus(*report), result.ending.exitCode);
  EXPECT_THAT(*readFile(folder_ / "out.html"), HasSubstr("<html"));
  EXPECT_THAT(*readFile(folder_ / "out.csv"), HasSubstr("relu"));
}

TEST_F(CommandLine, JsonToStandardOutputIsNothingButJson) {
  const Captured result = run({"run", "relu.cpp", "--device", "cpu", "--json", "-"});
  EXPECT_TRUE(parseJson(result.out)) << result.out.substr(0, 300);
}

TEST_F(CommandLine, AnOutputThatCannotBeWrittenFailsAndKeepsTheResult) {
  write("file", "");
  const Captured result = run({"run", "relu.cpp", "--device", "cpu", "--report", "file/out.html"});
  EXPECT_NE(result.ending.exitCode, 0);
  EXPECT_THAT(result.err, HasSubstr("file/out.html"));
  EXPECT_THAT(result.out, HasSubstr("relu"));
}

TEST_F(CommandLine, AnUnknownReportFormatIsToldBeforeTheRun) {
  const Captured result = run({"run", "relu.cpp", "--report", "out.docx"});
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr(".html"));
}

TEST_F(CommandLine, PipesGetPlainLines) {
  const Captured result = run({"run", "relu.cpp", "--device", "cpu"});
  EXPECT_THAT(result.err + result.out, Not(HasSubstr("\033[")));
  EXPECT_THAT(result.err, Not(HasSubstr("\r")));
}

TEST_F(CommandLine, NoColorWinsOverForcedColors) {
  EXPECT_THAT(run({"run", "relu.cpp", "--device", "cpu"}, {{"CLICOLOR_FORCE", "1"}}).out, HasSubstr("\033["));
  EXPECT_THAT(run({"run", "relu.cpp", "--device", "cpu"}, {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}).out,
              Not(HasSubstr("\033[")));
}

TEST_F(CommandLine, ListsSuitesLanguagesAndDevices) {
  EXPECT_THAT(run({"list", "suites"}).out, HasSubstr("smoke"));
  EXPECT_THAT(run({"list", "languages"}).out, HasSubstr("raw_cuda"));
  EXPECT_THAT(run({"list", "devices"}).out, HasSubstr("cpu"));
  EXPECT_THAT(run({"list", "reports"}).out, HasSubstr("markdown"));
}

}  // namespace
}  // namespace wb
