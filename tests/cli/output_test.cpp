// SPDX-License-Identifier: Apache-2.0
// What becomes of a run whose streams cannot be written, are closed, or hang up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "app/cli/output/output.h"
#include "app/cli/output/progress_printer.h"
#include "core/base/files/file.h"
#include "core/model/exit/exit_status.h"
#include "core/model/json/json_codec.h"
#include "core/model/log_sources.h"
#include "tests/cli/cli_fixture.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class Output : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("relu.cpp", "at::Tensor relu(const at::Tensor& self) { return self.clamp_min(0); }\n");
  }
  /// A script of bash, to which $WB is the program.
  Captured shell(const std::string& script, Environment environment = {}) {
    environment.emplace_back("WB", WB_BINARY_DIR "/bin/warpbench");
    return runProgram({"bash", "-c", script}, std::move(environment));
  }
  void expectReport(const std::string& name, Outcome outcome = Outcome::finished) {
    const auto text = readFile(folder_ / name);
    ASSERT_TRUE(text) << describe(text.error());
    const auto json = parseJson(*text);
    ASSERT_TRUE(json);
    const auto report = reportFromJson(*json);
    ASSERT_TRUE(report) << describe(report.error());
    EXPECT_EQ(report->outcome, outcome);
    EXPECT_GT(counts(*report).total, 0);
  }
};

const std::string reports = " --json out.json --report out.csv --report out.md ";

TEST_F(Output, ReportsAreWrittenWhenStandardErrorTakesNothing) {
  for (const std::string where : {"2>/dev/full", ">/dev/full 2>&1", "2>&-", "3<>p 4>p 3<&- 2>&4"}) {
    const Captured result = shell("rm -f p out.*; mkfifo p; $WB run relu.cpp --device cpu" + reports + where +
                                  "; echo $? >status");
    expectReport("out.json");
    EXPECT_TRUE(readFile(folder_ / "out.csv")) << where;
    EXPECT_TRUE(readFile(folder_ / "out.md")) << where;
    EXPECT_EQ(*readFile(folder_ / "status"), "1\n") << where << result.err;  // a case fails, as ever
  }
}

TEST_F(Output, AFullDiskBelowStandardOutputIsSaid) {
  const Captured json = shell("$WB run relu.cpp --device cpu --json - --ops relu >/dev/full",
                              {{"WARPBENCH_FAKE", "--mismatch=none"}});
  EXPECT_EQ(json.ending.exitCode, 2);
  EXPECT_THAT(json.err, HasSubstr("cannot write to standard output: No space left on device"));
  EXPECT_EQ(shell("$WB list languages >/dev/full").ending.exitCode, 2);
  EXPECT_EQ(shell("$WB --help >/dev/full").ending.exitCode, 2);
}

TEST_F(Output, AReaderThatHasLeftIsNoFailure) {
  const Captured result = shell("mkfifo p; exec 3<>p 4>p 3<&-; $WB list metrics >&4");
  EXPECT_EQ(result.ending.exitCode, 0);
  EXPECT_EQ(result.err, "");
}

TEST_F(Output, WithoutAnyStandardStreamTheReportIsWritten) {
  shell("$WB run relu.cpp --device cpu" + reports + "<&- >&- 2>&-; echo $? >status");
  expectReport("out.json");
  EXPECT_EQ(*readFile(folder_ / "status"), "1\n");
}

TEST_F(Output, JsonNeedsAStandardOutput) {
  const Captured result = shell("$WB run relu.cpp --device cpu --json - >&-");
  EXPECT_EQ(result.ending.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("--json -: the program was started without a standard output"));
}

TEST_F(Output, ATerminalThatHangsUpLeavesAReport) {
  std::signal(SIGHUP, SIG_DFL);  // these tests may themselves run under nohup
  const std::string wait = "until grep -q compiled err; do kill -0 $! || exit 9; done; ";
  const Captured result = shell(
      "$WB run relu.cpp --device cpu" + reports + "2>err & " + wait + "kill -HUP $!; kill -HUP $!; wait $!",
      {{"WARPBENCH_FAKE", "--mode=hang"}});
  EXPECT_EQ(result.ending.exitCode, 130);
  expectReport("out.json", Outcome::cancelled);
  EXPECT_TRUE(readFile(folder_ / "out.md"));
}

TEST_F(Output, ARunThatIsKilledLeavesNoEarlierReport) {
  write("old.json", "of an earlier run");
  write("out.md", "of an earlier run");
  const std::string wait = "until grep -q compiled err; do kill -0 $! || exit 9; done; ";
  const Captured result = shell(
      "mkdir there; mv old.json there; ln -s there/old.json out.json; $WB run relu.cpp "
      "--device cpu" +
          reports + "2>err & " + wait + "kill -KILL $!; wait $!",
      {{"WARPBENCH_FAKE", "--mode=hang"}});
  EXPECT_EQ(result.ending.exitCode, 128 + SIGKILL);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "out.json"));
  const auto json = parseJson(*readFile(folder_ / "there/old.json"));
  ASSERT_TRUE(json);
  const auto report = reportFromJson(*json);
  ASSERT_TRUE(report) << describe(report.error());
  EXPECT_EQ(report->outcome, Outcome::running);
  ASSERT_TRUE(report->failure);
  EXPECT_THAT(report->failure->text, HasSubstr("has not ended"));
  EXPECT_EQ(exitStatus(*report), ExitStatus::noWorker);
  EXPECT_THAT(*readFile(folder_ / "out.md"), HasSubstr("has not ended"));
  EXPECT_THAT(run({"compare", "out.json", "out.json"}).err,
              HasSubstr("out.json: the run of this report has not ended"));
  EXPECT_FALSE(readFile(folder_ / "out.csv")) << "there was none";
}

TEST_F(Output, ARunThatIsRefusedLeavesAnEarlierReport) {
  write("out.json", "of an earlier run");
  const std::pair<const char*, const char*> refused[] = {{"none.cpp --device cpu", "2\n"},
                                                         {"relu.cpp --device cuda:77", "3\n"},
                                                         {"relu.cpp --device cpu --report out.none", "2\n"},
                                                         {"relu.cpp --device cpu --suite none", "2\n"}};
  for (const auto& [what, status] : refused) {
    shell(std::string("$WB run ") + what + " --json out.json; echo $? >status");
    EXPECT_EQ(*readFile(folder_ / "status"), status) << what;
    EXPECT_EQ(*readFile(folder_ / "out.json"), "of an earlier run") << what;
  }
}

TEST_F(Output, NohupKeepsARunGoing) {
  const std::string wait = "until grep -q compiled err; do kill -0 $! || exit 9; done; ";
  const Captured result = shell(
      "trap '' HUP; $WB run relu.cpp --device cpu" + reports + "2>err & " + wait + "kill -HUP $!; wait $!",
      {{"WARPBENCH_FAKE", "--delay=0.02"}});
  EXPECT_EQ(result.ending.exitCode, 1);
  expectReport("out.json");
}

TEST_F(Output, NoControlCharacterReachesTheTerminal) {
  const std::string name = "re\x1b]0;title\x07lu.cpp";
  write(name, "at::Tensor relu(const at::Tensor& self) { return self; }\n");
  const Captured run_ = run({"run", name, "--device", "cpu"}, {{"WARPBENCH_FAKE", "--mode=compile-error"}});
  EXPECT_THAT(run_.out + run_.err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run_.out + run_.err, Not(HasSubstr("\x07")));
  EXPECT_THAT(run_.err, HasSubstr("lu.cpp"));
  EXPECT_THAT(run({"run", "ab\x1b[2Jsent.cpp"}).err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"\x1b[2J"}).err, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run({"run", "--\x1b[2J"}).err, Not(HasSubstr("\x1b")));
}

TEST(PrintableLines, KeepLineEndsAndNothingElseThatATerminalObeys) {
  EXPECT_EQ(printableLines("a\n\x1b[31mb\r\tc\n"), "a\n [31mb  c\n");
  EXPECT_EQ(printableLines("\xe2\x80\xae"
                           "evil"),
            "   evil");  // right-to-left override
  EXPECT_EQ(printableLines("µ → ok"), "µ → ok");
}

TEST(WordsOfKernel, HaveNoLineThatLooksLikeOneOfOurs) {
  EXPECT_EQ(wordsOfKernel("bad\nk.cpp · 1 of 1 right\n"), "bad\n    k.cpp · 1 of 1 right\n    ");
}

/// What a printer writes of events.
class Printed {
 public:
  Printed() : stream_(open_memstream(&text_, &size_)) {}
  ~Printed() {
    std::fclose(stream_);
    std::free(text_);
  }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;
  std::FILE* stream() { return stream_; }
  std::string text() {
    std::fflush(stream_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* stream_;
};

TEST(ProgressPrinter, TakesAnyEventWhateverItSpeaksOf) {
  Job job;
  job.kernels.push_back({});
  Printed printed;
  ProgressPrinter printer(printed.stream(), {}, true);
  for (const std::uint32_t kernel : {1U, 2147483648U, 4294967295U}) {
    printer.take(job, compiledStep({}, kernel));
    printer.take(job, Diagnosed{kernel, {}});
    printer.take(job, StepDone{Stage::profile, kernel, 0, NoResult{"nothing"}});
    printer.take(job, StageFailed{kernel, {Stage::check, "nothing", {}, {}}});
    printer.take(job, checkedStep(kernel, 0, Verdict::mismatch));
  }
  EXPECT_EQ(printed.text(), "");
  CaseCheck wrong;
  wrong.verdict = Verdict::mismatch;
  wrong.message = "wrong\x1b[2J";
  printer.take(job, StepDone{Stage::check, 0, 4294967295U, wrong});
  EXPECT_EQ(printed.text(), "mismatch case 4294967295: wrong [2J\n");
}

TEST(ProgressPrinter, SaysWhatIsPreparedAlsoWhenItIsNotVerbose) {
  Printed printed;
  ProgressPrinter printer(printed.stream(), {}, false);
  printer.take({}, Log{"worker", "loaded"});
  printer.take({}, Log{std::string(preparingSource), "the compiler: precompiled header, once"});
  EXPECT_EQ(printed.text(), "preparing the compiler: precompiled header, once\n");
}

TEST(ProgressPrinter, SaysWhatBefellAPlaceAlsoWhenItIsNotVerbose) {
  Printed printed;
  ProgressPrinter printer(printed.stream(), {}, false);
  printer.take({}, Log{std::string(placeSource), "worker 2 on cpu of box is out"});
  printer.take({}, Log{"runner", "1 kB more of output were dropped"});
  EXPECT_EQ(printed.text(), "worker 2 on cpu of box is out\n");
}

TEST(ProgressPrinter, ShowsSoManyMessagesOfAKernelAndSaysThatThereAreMore) {
  Job job;
  job.kernels.push_back({});
  job.kernels[0].path = "relu.cpp";
  Printed printed;
  ProgressPrinter printer(printed.stream(), {}, false);
  for (int i = 0; i < 5000; ++i) printer.take(job, Diagnosed{0, {Severity::error, "no", {}, {}, {}}});
  const std::string text = printed.text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 101);
  EXPECT_THAT(text, EndsWith("more messages about relu.cpp are not shown here\n"));
}

}  // namespace
}  // namespace wb
