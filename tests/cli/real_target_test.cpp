// SPDX-License-Identifier: Apache-2.0
// The real worker on a host that ssh reaches.
#include <gmock/gmock.h>

#include "core/base/python.h"
#include "tests/cli/cli_fixture.h"
#include "tests/hosts/ssh_host.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RealTargetTest : public CliFixture {};

TEST_F(RealTargetTest, IsExaminedAndRuns) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  RunTarget target = host.target();
  const auto python = findPython();
  ASSERT_TRUE(python);
  target.python = python->string();
  const Environment real{{"WARPBENCH_WORKER", ""},
                         {"WARPBENCH_CONFIG", (folder_ / "config").string()},
                         // The programs are packed once.
                         {"WARPBENCH_CACHE", WB_BINARY_DIR "/tests/cache-of-remote-test"}};
  const Captured examined = run({"target", "test", format(target)}, real);
  EXPECT_THAT(
      examined.out,
      AllOf(HasSubstr("ok       connection"), HasSubstr("ok       programs           copied"),
            HasSubstr("ok       torch              2.11"), HasSubstr("ok       device cpu"),
            HasSubstr("ok       worker             one has started"), HasSubstr("Kernels can run there.")))
      << examined.err;
  const Captured ran =
      run({"run", "--op", "relu", "--stages", "compile,check", "--target", format(target)}, real);
  EXPECT_EQ(ran.ending, Ending{}) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("torch 2.11"));
  EXPECT_TRUE(host.isQuiet());
}

}  // namespace
}  // namespace wb
