// SPDX-License-Identifier: Apache-2.0
// How a step of a cluster ended is asked of a scheduler that says something else each time.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/process/keeper.h"
#include "core/base/process/process.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Programs that a shell runs, and how often the scheduler was asked.
class Scheduler {
 public:
  /// `states`: what it says each time, the last one from then on.
  Scheduler(int srunsExitCode, const std::string& states) {
    write("srun", "exit " + std::to_string(srunsExitCode));
    write("scancel", "exit 0");
    write("squeue", "echo asked >> " + asked().string() + "\nset -- " + states + "\nn=$(wc -l < " +
                        asked().string() + ")\n[ $n -gt $# ] && n=$#\nshift $((n - 1))\necho $1");
  }

  Captured runStep() {
    Command command;
    command.argv = {WB_BINARY_DIR "/tests/bin/warpbench-fake-worker", keepArgument, "srun",
                    "--job-name=of-this-test"};
    command.environment = {{"PATH", folder_.path().string() + ":/usr/bin:/bin"}};
    auto captured = runToEnd(command, std::chrono::seconds{20});
    EXPECT_TRUE(captured) << describe(captured.error());
    return captured.value_or(Captured{});
  }
  [[nodiscard]] int timesAsked() const {
    std::ifstream file(asked());
    int times = 0;
    for (std::string line; std::getline(file, line);) ++times;
    return times;
  }

 private:
  [[nodiscard]] std::filesystem::path asked() const { return folder_.path() / "asked"; }
  void write(const std::string& name, const std::string& script) const {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  TemporaryFolder folder_;
};

TEST(StepKeeper, AJobThatIsBeingEndedIsAskedForUntilThatIsOver) {
  Scheduler scheduler(/*srunsExitCode=*/143, "RUNNING COMPLETING PREEMPTED");
  EXPECT_THAT(scheduler.runStep().err, HasSubstr("warpbench-job: PREEMPTED\n"));
  EXPECT_EQ(scheduler.timesAsked(), 3);
}

TEST(StepKeeper, AStepThatEndsByItselfIsNotWaitedFor) {
  Scheduler crashed(/*srunsExitCode=*/139, "COMPLETING CANCELLED");
  EXPECT_THAT(crashed.runStep().err, Not(HasSubstr("warpbench-job:")));
  EXPECT_EQ(crashed.timesAsked(), 1);
  Scheduler failed(/*srunsExitCode=*/143, "FAILED");
  EXPECT_THAT(failed.runStep().err, Not(HasSubstr("warpbench-job:")));
  EXPECT_EQ(failed.timesAsked(), 1);
}

TEST(StepKeeper, ASchedulerThatNeverKnowsIsLeft) {
  Scheduler scheduler(/*srunsExitCode=*/143, "COMPLETING");
  EXPECT_THAT(scheduler.runStep().err, Not(HasSubstr("warpbench-job:")));
  EXPECT_GT(scheduler.timesAsked(), 1);
}

}  // namespace
}  // namespace wb
