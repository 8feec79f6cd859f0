// SPDX-License-Identifier: Apache-2.0
// Runs that are handed over to a cluster, by the programs that people call.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"
#include "core/model/report.h"
#include "tests/cli/cli_fixture.h"
#include "tests/hosts/slurm_cluster.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class BatchCommands : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    std::ofstream(folder_ / "relu.cpp") << "// fake: --mismatch=1\n";
  }
  std::vector<std::string> runWith(std::vector<std::string> more) {
    std::vector<std::string> words{"run",     "relu.cpp", "--op",     "relu",
                                   "--suite", "smoke",    "--stages", "compile,check"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(BatchCommands, DetachNeedsATarget) {
  const Captured none = run(runWith({"--detach"}));
  EXPECT_EQ(none.ending.exitCode, ExitStatus::usage);
  EXPECT_THAT(none.err, HasSubstr("--detach needs one --target"));
  const Captured unknown = run({"attach", "20260101-000000-0000"});
  EXPECT_EQ(unknown.ending.exitCode, ExitStatus::usage);
  EXPECT_THAT(unknown.err, HasSubstr("there is no run"));
}

TEST_F(BatchCommands, ARunMayGoOnHereWithoutAScheduler) {
  const Captured detached = run(runWith({"--detach", "--target", "local cpu"}));
  ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
  EXPECT_THAT(detached.err, HasSubstr("started as process"));
  const Captured attached = run({"attach", detached.out.substr(0, detached.out.find('\n'))});
  EXPECT_EQ(attached.ending.exitCode, ExitStatus::failed) << attached.err;
  EXPECT_THAT(attached.out, HasSubstr("relu"));
}

TEST_F(BatchCommands, PrintScriptSubmitsNothing) {
  const Captured printed =
      run(runWith({"--print-script", "--workers", "3", "--target", "slurm://gpu?gres=gpu:1"}));
  EXPECT_EQ(printed.ending.exitCode, 0) << printed.err;
  EXPECT_THAT(printed.out, AllOf(HasSubstr("#SBATCH --array=0-2\n"), HasSubstr("warpbench' shard '")));
}

TEST_F(BatchCommands, ADetachedRunGivesTheReportOfAnyOther) {
  std::string why;
  const auto cluster = SlurmCluster::start(why);
  if (!cluster) GTEST_SKIP() << "no Slurm cluster: " << why;
  const Captured detached =
      run(runWith({"--detach", "--workers", "3", "--target", "slurm://gpu?cpus=1&time=5"}));
  ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
  const std::string id = detached.out.substr(0, detached.out.find('\n'));
  const Captured attached = run({"attach", id, "--json", "-"});
  EXPECT_EQ(attached.ending.exitCode, ExitStatus::failed) << attached.err;
  const Captured here = run(runWith({"--device", "cpu", "--json", "-"}));
  const auto reportIn = [](const Captured& captured) {
    const auto json = parseJson(captured.out);
    return json ? reportFromJson(*json) : Result<Report>(json.error());
  };
  const auto one = reportIn(here), other = reportIn(attached);
  ASSERT_TRUE(one && other) << attached.out << attached.err;
  EXPECT_EQ(one->kernels[0]->cases, other->kernels[0]->cases);
  EXPECT_EQ(one->kernels[0]->counts, other->kernels[0]->counts);
  EXPECT_EQ(one->kernels[0]->compiled, other->kernels[0]->compiled);
  EXPECT_EQ(one->kernels[0]->diagnostics, other->kernels[0]->diagnostics);
  EXPECT_EQ(other->outcome, Outcome::finished);
}

}  // namespace
}  // namespace wb
