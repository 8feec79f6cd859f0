// SPDX-License-Identifier: Apache-2.0
// What cannot be meant is refused at once, in words that say what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "app/cli/options/option_checks.h"
#include "app/cli/options/unknown_command.h"
#include "core/base/files/file.h"
#include "tests/cli/cli_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

class BadInput : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    write("relu.cpp", "at::Tensor relu(const at::Tensor& self) { return self.clamp_min(0); }\n");
  }
  /// What it says as it refuses.
  std::string refused(std::vector<std::string> arguments) {
    const Captured result = run(std::move(arguments));
    EXPECT_EQ(result.ending.exitCode, 2) << result.err;
    EXPECT_EQ(result.out, "");
    return result.err;
  }
};

TEST_F(BadInput, CountsAreWholeNumbersInReach) {
  EXPECT_THAT(refused({"run", "relu.cpp", "--workers", "0"}),
              HasSubstr("--workers: '0' is not a whole number from 1 to 256"));
  EXPECT_THAT(refused({"run", "relu.cpp", "--workers", "100000"}), HasSubstr("from 1 to 256"));
  EXPECT_THAT(refused({"backendbench", "--num-workers", "100000"}), HasSubstr("from 1 to 256"));
  EXPECT_THAT(refused({"run", "relu.cpp", "--topn", "-2"}),
              HasSubstr("--topn: '-2' is not a whole number of at least 0"));
  EXPECT_THAT(refused({"run", "relu.cpp", "--cases", "x"}), HasSubstr("of at least 1"));
}

TEST_F(BadInput, ASeedIsANumberThatFits) {
  EXPECT_THAT(refused({"run", "relu.cpp", "--seed", "-1"}), HasSubstr("--seed: '-1' is not a whole number"));
  EXPECT_THAT(refused({"run", "relu.cpp", "--seed", "100000000000000000000"}),
              HasSubstr("is too large, 18446744073709551615 at most"));
  EXPECT_EQ(notWhole("18446744073709551615", 0, UINT64_MAX), "");
  EXPECT_NE(notWhole("", 0, UINT64_MAX), "");
  EXPECT_NE(notWhole("1x", 0, UINT64_MAX), "");
}

TEST_F(BadInput, WallsAndASanitizerExcludeEachOther) {
  EXPECT_THAT(refused({"run", "relu.cpp", "--sandbox", "--sanitize", "memcheck"}),
              HasSubstr("--sandbox and --sanitize exclude each other"));
}

TEST_F(BadInput, AnUnknownCommandIsNamedWithTheNearest) {
  EXPECT_THAT(refused({"comparr", "a", "b"}),
              HasSubstr("there is no command 'comparr' (did you mean compare?; commands are run, "));
  EXPECT_THAT(refused({"relu.cpp"}), HasSubstr("say: warpbench run relu.cpp"));
  EXPECT_THAT(refused({"generate", "--max-attempts", "5"}), HasSubstr("Warpbench writes no kernels"));
}

TEST(UnknownCommand, BackendBenchsOldWordsAreKnown) {
  const std::vector<std::string> commands = {"run", "backendbench"};
  const auto generate = unknownCommand({"backendbench", "generate", "--max-attempts", "5"}, commands);
  ASSERT_TRUE(generate);
  EXPECT_THAT(describe(*generate), HasSubstr("--backend directory"));
  EXPECT_FALSE(unknownCommand({"backendbench", "--suite", "smoke"}, commands));
  EXPECT_FALSE(unknownCommand({"--version"}, commands));
  EXPECT_EQ(inTodaysWords({"backendbench", "run", "--p", "1"}),
            (std::vector<std::string>{"backendbench", "--p", "1"}));
  EXPECT_EQ(inTodaysWords({"run", "run"}), (std::vector<std::string>{"run", "run"}));
}

TEST_F(BadInput, AFileIsNamedOnceAndHintsAreWhole) {
  write("notes.txt", "hello");
  EXPECT_THAT(
      refused({"run", "notes.txt"}),
      HasSubstr(
          "warpbench: notes.txt: no language for such a file (say its language with --language NAME; see "
          "warpbench list languages)"));
  EXPECT_THAT(refused({"run"}), HasSubstr("name operators with --op NAME or --ops '*' to run ATen's own"));
  EXPECT_THAT(refused({"profile", "relu.cpp", "--sections", "qqqqqqqq"}),
              HasSubstr("(see warpbench list sections)"));
}

TEST_F(BadInput, APipeWithoutAWriterIsNoKernel) {
  ASSERT_EQ(mkfifo((folder_ / "pipe.cpp").c_str(), 0600), 0);
  EXPECT_THAT(refused({"run", "pipe.cpp"}), HasSubstr("cannot read pipe.cpp: it is a named pipe"));
  // What a shell hands over by a pipe is read.
  const Captured given = runProgram({"bash", "-c",
                                     WB_BINARY_DIR "/bin/warpbench run --device cpu --op relu --language "
                                                   "torch_cpp <(cat relu.cpp)"});
  EXPECT_THAT(given.err, HasSubstr("compiled"));
}

TEST_F(BadInput, OneUnreadableFileOfAFolderLeavesTheOthers) {
  write("kernels/relu.cpp", "at::Tensor relu(const at::Tensor& self) { return self.clamp_min(0); }\n");
  write("kernels/binary.cpp", std::string("int a;\n\x00\x01", 9));
  const Captured result = run({"run", "kernels", "--device", "cpu"}, {{"WARPBENCH_FAKE", "--mismatch=none"}});
  EXPECT_THAT(result.err, HasSubstr("left out: kernels/binary.cpp:2:1: "));
  EXPECT_THAT(result.out, HasSubstr("relu"));
  EXPECT_EQ(result.ending.exitCode, 2);  // as when it had not compiled
  EXPECT_THAT(refused({"run", "kernels/binary.cpp", "kernels/relu.cpp"}), Not(HasSubstr("left out")));
}

TEST_F(BadInput, ManyLargeKernelsAreNamedAsWhatIsTooLarge) {
  const std::string filler = "// " + std::string(7 << 20, 'x') + "\n";
  for (int i = 0; i < 10; ++i) write("large/relu" + std::to_string(i) + ".cpp", filler);
  const Captured result = run({"run", "large", "--device", "cpu", "--op", "relu"});
  EXPECT_NE(result.ending.exitCode, 0);
  EXPECT_THAT(result.err, HasSubstr("its 10 kernels are 70.0 MiB of text: run fewer of them at a time"));
}

TEST_F(BadInput, APythonThatIsNoneIsNamedBeforeAnythingRuns) {
  write("relu.cpp", "at::Tensor relu(const at::Tensor& self) { return self; }\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "relu.cpp"}, {"backendbench", "--backend", "aten"}}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--device", "cpu", "--python", "/nowhere/python"});
    const Captured result = run(arguments);
    EXPECT_EQ(result.ending.exitCode, ExitStatus::noWorker);
    EXPECT_THAT(result.err, HasSubstr("--python: /nowhere/python is no program"));
  }
}

TEST_F(BadInput, ThePythonThatIsNamedIsTheWorkersAndThePackages) {
  write("relu.cpp", "at::Tensor relu(const at::Tensor& self) { return self; }\n");
  const auto worker = write("worker", "#!/bin/sh\necho \"$WARPBENCH_PYTHON\" >said\n");
  const auto python = write("python", "#!/bin/sh\necho \"$0\" >>asked\nexit 3\n");
  for (const auto& program : {worker, python}) chmod(program.c_str(), 0700);
  run({"run", "relu.cpp", "--device", "cpu", "--python", python.string()},
      {{"WARPBENCH_WORKER", worker.string()}, {"WARPBENCH_PYTHON", "/usr/bin/python3"}});
  EXPECT_EQ(*readFile(folder_ / "said"), python.string() + "\n");
  const Captured gems =
      run({"backendbench", "--device", "cpu", "--backend", "flag_gems", "--python", python.string()},
          {{"WARPBENCH_PYTHON", "/usr/bin/python3"}});
  EXPECT_THAT(gems.err, HasSubstr(python.string() + " -m pip install flag_gems"));
  EXPECT_EQ(*readFile(folder_ / "asked"), python.string() + "\n");
}

TEST_F(BadInput, ADoctorSurvivesAnyWorker) {
  const auto worker = [&](const std::string& answer) {
    const auto path = write("worker", "#!/bin/sh\necho '" + answer + "'\n");
    chmod(path.c_str(), 0700);
    return run({"doctor"}, {{"WARPBENCH_WORKER", path.string()}});
  };
  for (const std::string answer : {"[]", "3", R"({"checks": [1, "a"]})", R"({"checks": []})"}) {
    const Captured result = worker(answer);
    EXPECT_EQ(result.ending.exitCode, 3) << answer;
    EXPECT_THAT(result.out, HasSubstr("gave no findings")) << answer;
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("json.exception")));
  }
  const Captured odd = worker(R"({"checks": [{"name": 7, "state": {}, "found": null}]})");
  EXPECT_EQ(odd.ending.exitCode, 3);
  EXPECT_EQ(odd.err, "");
}

}  // namespace
}  // namespace wb
