// SPDX-License-Identifier: Apache-2.0
// The real worker on a host that ssh reaches, and on a cluster.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/base/python.h"
#include "core/base/sandbox/sandbox.h"
#include "core/model/json/json_codec.h"
#include "core/model/report.h"
#include "tests/cli/cli_fixture.h"
#include "tests/hosts/login_node.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

using Words = std::vector<std::string>;

class RealTargetTest : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    const auto python = findPython();
    ASSERT_TRUE(python);
    python_ = python->string();
  }
  [[nodiscard]] Environment real() const {
    return {{"WARPBENCH_WORKER", ""},
            {"WARPBENCH_CONFIG", (folder_ / "config").string()},
            // The programs are packed once.
            {"WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache-of-remote-test"}};
  }
  /// The report of a kernel that is only checked.
  Report checked(const Words& more) { return reportIn(run(checking(more), real())); }
  static Words checking(const Words& more) {
    // It needs no compiler there, which would first make its header.
    Words words{"run",          WB_SOURCE_DIR "/resources/samples/gelu.py", "--suite", "smoke", "--stages",
                "compile,check"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static Report reportIn(const Captured& captured) {
    EXPECT_EQ(captured.ending, Ending{}) << captured.err;
    const auto json = parseJson(captured.out);
    auto report = json ? reportFromJson(*json) : Result<Report>(json.error());
    EXPECT_TRUE(report) << captured.out << captured.err;
    return report ? *std::move(report) : Report{};
  }
  std::string python_;
};

TEST_F(RealTargetTest, IsExaminedAndRuns) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  RunTarget target = host.target();
  target.python = python_;
  const Captured examined = run({"target", "test", format(target)}, real());
  EXPECT_THAT(
      examined.out,
      AllOf(HasSubstr("ok       connection"), HasSubstr("ok       programs           copied"),
            HasSubstr("ok       torch              2.11"), HasSubstr("ok       device cpu"),
            HasSubstr("ok       worker             one has started"), HasSubstr("Kernels can run there.")))
      << examined.err;
  const Captured ran =
      run({"run", "--op", "relu", "--stages", "compile,check", "--target", format(target)}, real());
  EXPECT_EQ(ran.ending, Ending{}) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("torch 2.11"));
  EXPECT_TRUE(host.isQuiet());
}

TEST_F(RealTargetTest, JudgesStrictlyOnAHostAndIsInsideWallsOnACluster) {
  Sandbox walls;
  walls.needsNamespaces = true;
  for (const std::string& missing : missingWalls(walls, sandboxSupport()))
    GTEST_SKIP() << "not run, since a guest needs walls: " << missing;
  const LoginNode login;
  RunTarget host = login.host().target();
  host.python = python_;
  if (login.host().missing().empty()) {
    const Report strict = checked({"--json", "-", "--strict", "--target", format(host)});
    EXPECT_TRUE(strict.strict);
    EXPECT_GT(strict.kernels.at(0)->counts.passed, 0);
    EXPECT_TRUE(login.host().isQuiet());
  }
  if (!login.missing().empty()) GTEST_SKIP() << login.missing();
  // The nodes raise the walls where the run is handed over.
  const std::string cluster = "slurm://gpu?cpus=1&time=5&python=" + python_;
  const Captured detached = run(checking({"--sandbox", "--detach", "--target", cluster}), real());
  EXPECT_EQ(detached.ending, Ending{}) << detached.err;
  const Report walled =
      reportIn(run({"attach", detached.out.substr(0, detached.out.find('\n')), "--json", "-"}, real()));
  EXPECT_THAT(walled.target.walls, Contains(HasSubstr("Landlock")));
  EXPECT_GT(walled.kernels.at(0)->counts.passed, 0);
}

}  // namespace
}  // namespace wb
