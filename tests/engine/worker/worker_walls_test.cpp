// SPDX-License-Identifier: Apache-2.0
// Kernels that run inside walls in the real worker. What the walls refuse, the same kernel can do without
// them.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/files/file.h"
#include "core/model/report.h"
#include "core/runner/process/worker_walls.h"
#include "core/runner/runner.h"
#include "tests/losses.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

class WorkerWallsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/bin/warpbench-worker", 1);
    runner = std::make_unique<Runner>(localLauncher(), "cpu", RunnerOptions{});
  }
  static void TearDownTestSuite() { runner.reset(); }

  void SetUp() override {
    if (const auto possible = checkSandbox(); !possible) GTEST_SKIP() << possible.error().text;
    ASSERT_NE(::mkdtemp(outside.data()), nullptr);
    ASSERT_TRUE(writeFileAtomically(outside + "/secret.h", "inline const int secret = 7;\n"));
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(outside, ignored);
  }

  static Job jobOf(const std::string& path, const std::string& text) {
    Case made;
    made.op = "aten::relu";
    made.args = "((T([3], f32),), {})";
    made.dtype = "f32";
    Job job;
    job.kernels.push_back({path, text, "", "", "", ""});
    job.suite = "walls";
    job.cases = {made};
    job.stages.remove(Stage::time);
    return job;
  }
  static Job cppOf(const std::string& head, const std::string& body) {
    return jobOf("relu.cpp", head +
                                 "#include <torch/extension.h>\n#include <fstream>\n#include <sys/socket.h>\n"
                                 "at::Tensor relu(const at::Tensor& self) {\n" +
                                 body + "\n  return self.clamp_min(0);\n}\n");
  }

  static Report run(Job job, bool walls) {
    job.sandbox = walls;
    Report report = startReport(job);
    runner->submit(job, [&](Runner::RunId, const Event& event) { fold(report, event); });
    runner->wait();
    expectLosses(report, Losses::none);
    return report;
  }
  static std::string explain(const Report& report) {
    std::string text = report.failure ? describe(*report.failure) + "\n" : "";
    const KernelReport& kernel = *report.kernels[0];
    if (kernel.failure) text += describe(*kernel.failure) + "\n";
    for (const Diagnostic& each : kernel.diagnostics) text += each.message + "\n";
    for (std::size_t i = 0; i < kernel.cases.size(); ++i) text += kernel.cases[i].check.message + "\n";
    for (std::size_t i = 0; i < report.log.size(); ++i) text += report.log[i].text.substr(0, 300) + "\n";
    return text;
  }
  static bool passes(const Report& report) {
    const KernelReport& kernel = *report.kernels[0];
    return kernel.cases.size() == 1 && kernel.cases[0].check.verdict == Verdict::pass;
  }
  /// The same kernel passes without walls, and with them fails with the message.
  static void expectRefused(const Job& job, const std::string& message) {
    const Report bare = run(job, false), walled = run(job, true);
    EXPECT_TRUE(passes(bare)) << explain(bare);
    EXPECT_FALSE(passes(walled));
    EXPECT_THAT(explain(walled), HasSubstr(message));
  }

  std::string outside = "/tmp/wb-secret-XXXXXX";
  inline static std::unique_ptr<Runner> runner;
};

TEST_F(WorkerWallsTest, ARightKernelPassesInside) {
  const Report report = run(cppOf("", ""), true);
  EXPECT_TRUE(passes(report)) << explain(report);
  EXPECT_THAT(report.target.walls, testing::Contains(testing::StartsWith("files: Landlock")));
  EXPECT_THAT(run(cppOf("", ""), false).target.walls, IsEmpty());
}

TEST_F(WorkerWallsTest, APythonKernelPassesInside) {
  const Report report = run(jobOf("relu.py",
                                  "import tempfile\nimport torch\ndef relu_kernel_impl(x):\n"
                                  "    with tempfile.TemporaryFile() as file:\n        file.write(b'x')\n"
                                  "    return torch.relu(x)\n"),
                            true);
  EXPECT_TRUE(passes(report)) << explain(report);
}

TEST_F(WorkerWallsTest, ARightKernelIsTimedInside) {
  Job job = cppOf("", "");
  job.stages.add(Stage::time);
  job.timing = {0.05, 0.05};
  const Report report = run(job, true);
  EXPECT_TRUE(passes(report)) << explain(report);
  EXPECT_TRUE(report.kernels[0]->cases[0].timing) << report.kernels[0]->cases[0].notTimed;
}

TEST_F(WorkerWallsTest, AKernelReachesNothingOutside) {
  expectRefused(cppOf("", "const int reached = (std::ifstream(\"" + outside +
                              "/secret.h\") ? 1 : 0) + (std::ofstream(\"" + outside +
                              "/made\") << 1 ? 1 : 0) + (socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 1 : 0);\n"
                              "TORCH_CHECK(reached == 3, \"reached \", reached, \" of 3\");"),
                "reached 0 of 3");
}

TEST_F(WorkerWallsTest, ACompilerReadsNoSecret) {
  expectRefused(cppOf("#include \"" + outside + "/secret.h\"\n", "TORCH_CHECK(secret == 7);"), "secret.h");
}

}  // namespace
}  // namespace wb
