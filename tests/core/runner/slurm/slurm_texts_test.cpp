// SPDX-License-Identifier: Apache-2.0
// What srun's words mean, as Slurm 22.05 writes them.
#include <gmock/gmock.h>

#include "core/runner/remote/slurm.h"

namespace wb {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RunTarget target(const std::string& text) {
  auto read = parseTarget(text);
  EXPECT_TRUE(read) << describe(read.error());
  return read.value_or(RunTarget{});
}

TEST(SlurmTexts, ATargetIsWhatTheSchedulerIsAskedFor) {
  EXPECT_THAT(slurmOptions(target("slurm://gpu?gres=gpu:h100:1&time=30:00&account=chem&cpus=8&wait=10")),
              ElementsAre("--partition=gpu", "--gres=gpu:h100:1", "--time=30:00", "--account=chem",
                          "--cpus-per-task=8"));
  EXPECT_THAT(slurmOptions(target("slurm://")), IsEmpty());
  EXPECT_EQ(slurmDevice(target("slurm://gpu?gres=gpu:1")), "cuda:0");
  EXPECT_EQ(slurmDevice(target("slurm://gpu?gpus=1")), "cuda:0");
  EXPECT_EQ(slurmDevice(target("slurm://long?cpus=4")), "cpu");
}

TEST(SlurmTexts, TheQueueIsToldWithItsReason) {
  const std::string queued = "srun: job 7 queued and waiting for resources\nwarpbench-queue: Priority\n";
  EXPECT_EQ(slurmStart(target("slurm://gpu"), queued).waitsIn, "the queue of gpu: Priority");
  EXPECT_EQ(slurmStart(target("slurm://"), queued).waitsIn, "the queue: Priority");
  EXPECT_EQ(slurmStart(target("slurm://gpu"), queued + "warpbench-queue: Resources\n").waitsIn,
            "the queue of gpu: Resources");
  EXPECT_EQ(slurmStart(target("slurm://gpu"), queued + "warpbench-queue:\n").waitsIn, "");
  EXPECT_EQ(slurmStart(target("slurm://gpu"), "").waitsIn, "");
}

TEST(SlurmTexts, AHeldJobIsSaidToWaitForSomebody) {
  for (const char* reason : {"JobHeldUser", "JobHeldAdmin", "launch failed requeued held"})
    EXPECT_THAT(
        slurmQueue(target("slurm://gpu"), reason),
        AllOf(HasSubstr(std::string("the queue of gpu: ") + reason), HasSubstr("`scontrol release`")));
  EXPECT_EQ(slurmQueue(target("slurm://gpu"), ""), "the queue of gpu");
  EXPECT_EQ(slurmQueue(target("slurm://"), "QOSMaxJobsPerUserLimit"), "the queue: QOSMaxJobsPerUserLimit");
}

TEST(SlurmTexts, AJobThatCannotStartAsAskedSaysWhatToChange) {
  EXPECT_THAT(slurmQueue(target("slurm://short?time=30"), "PartitionTimeLimit"),
              AllOf(HasSubstr("the queue of short: PartitionTimeLimit"), HasSubstr("cannot start as asked"),
                    HasSubstr("time is longer than the partition allows")));
  EXPECT_THAT(slurmQueue(target("slurm://short"), "PartitionNodeLimit"),
              HasSubstr("not allow so many nodes"));
}

TEST(SlurmTexts, WhatSrunDoesNotUnderstandIsTheTargetsMistake) {
  // As 22.05 says it.
  for (const char* said :
       {"srun: error: Invalid --time specification\n", "sbatch: error: Invalid --mem specification\n",
        "srun: error: Invalid numeric value \"abc\" for --cpus-per-task.\n",
        "srun: unrecognized option '--foo=1'\nTry \"srun --help\" for more information\n"}) {
    const auto refused = slurmStart(target("slurm://gpu"), said);
    ASSERT_TRUE(refused.failure) << said;
    EXPECT_THAT(refused.failure->hint, HasSubstr("correct the target's options"));
  }
  const auto node = slurmStart(target("slurm://gpu?nodelist=zz"),
                               "srun: error: Unable to allocate resources: Invalid node name specified\n");
  ASSERT_TRUE(node.failure);
  EXPECT_THAT(node.failure->text, HasSubstr("no node of the name"));
}

TEST(SlurmTexts, WhatANodeLacksIsSaidOfTheNode) {
  const Error torch = onNode(target("slurm://gpu?gres=gpu:1"),
                             {Stage::setup, "torch 2.11 was not found", "set WARPBENCH_PYTHON"});
  EXPECT_EQ(torch.text, "torch 2.11 was not found, on a node of slurm://gpu");
  EXPECT_THAT(torch.hint,
              AllOf(HasSubstr("the target's option python"), testing::Not(HasSubstr("WARPBENCH"))));
  EXPECT_EQ(onNode(target("slurm://gpu"), {Stage::setup, "there is no CUDA driver", "install it"}).hint,
            "there: install it");
}

TEST(SlurmTexts, ARefusalIsFinalAndSaysWhatToDo) {
  const auto refused =
      slurmStart(target("slurm://fast"),
                 "srun: error: invalid partition specified: fast\n"
                 "srun: error: Unable to allocate resources: Invalid partition name specified\n");
  ASSERT_TRUE(refused.failure);
  EXPECT_THAT(refused.failure->text, AllOf(HasSubstr("no partition 'fast'"), HasSubstr("Invalid partition")));
  EXPECT_THAT(refused.failure->hint, HasSubstr("sinfo"));
  const auto other = slurmStart(
      target("slurm://gpu"), "srun: error: Unable to allocate resources: Job violates accounting policy\n");
  ASSERT_TRUE(other.failure);
  EXPECT_THAT(other.failure->text, HasSubstr("violates accounting policy"));
  const auto unseen = slurmStart(target("slurm://gpu"),
                                 "slurmstepd: error: execve(): /home/me/worker: No such file or directory\n");
  ASSERT_TRUE(unseen.failure);
  EXPECT_THAT(unseen.failure->hint, HasSubstr("share"));
  EXPECT_FALSE(slurmStart(target("slurm://gpu"), "a warning of somebody's\n").failure);
}

TEST(SlurmTexts, ALostPlaceIsToldApartFromALostWorker) {
  EXPECT_THAT(slurmLoss("slurmstepd: error: *** STEP 5.0 ON n1 CANCELLED AT 2026-11-22T20:00:00 DUE TO TIME "
                        "LIMIT ***\n",
                        {0, 15}),
              HasSubstr("time limit"));
  EXPECT_THAT(slurmLoss("srun: error: Node failure on n1\n", {}), HasSubstr("Node failure on n1"));
  EXPECT_THAT(
      slurmLoss("slurmstepd: error: *** STEP 5.0 ON n1 CANCELLED AT 2026 DUE TO PREEMPTION ***", {0, 15}),
      HasSubstr("preempted"));
  EXPECT_THAT(slurmLoss("srun: error: Terminating StepId=5.0\nwarpbench-job: NODE_FAIL\n", {1, 0}),
              HasSubstr("its node failed"));
  EXPECT_THAT(slurmLoss("warpbench-job: PREEMPTED\n", {0, 9}), HasSubstr("preempted"));
  // As 22.05 says it.
  EXPECT_THAT(slurmLoss("slurmstepd-n1: error: *** STEP 2.0 ON n1 CANCELLED AT 2026-11-23T03:21:42 ***\n"
                        "warpbench-job: PREEMPTED\n",
                        {0, 15}),
              HasSubstr("preempted"));
  EXPECT_THAT(slurmLoss("", {}), HasSubstr("srun ended"));
  EXPECT_EQ(slurmLoss("srun: error: n1: task 0: Segmentation fault\n", {0, 11}), "");
  EXPECT_EQ(slurmLoss("", {7, 0}), "");
}

}  // namespace
}  // namespace wb
