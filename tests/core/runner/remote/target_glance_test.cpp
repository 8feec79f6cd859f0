// SPDX-License-Identifier: Apache-2.0
// What the list of devices says of other machines.
#include "core/runner/remote/check/target_glance.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/hosts/ssh_host.h"

namespace wb {
namespace {

/// A cluster whose login node is reached by ssh.
class LoginNodeGlanceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!host_.missing().empty()) GTEST_SKIP() << host_.missing();
    std::filesystem::create_directories(programs());
    // A login that prints something.
    std::ofstream(host_.home() / ".bashrc") << "echo Welcome; PATH='" << programs().string() << "':$PATH\n";
  }
  [[nodiscard]] std::filesystem::path programs() const { return host_.folder() / "programs"; }
  /// Puts a program of Slurm on the login node.
  void has(const std::string& name, const std::string& script) const {
    std::ofstream(programs() / name) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(programs() / name, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] TargetGlance look() const {
    RunTarget cluster = host_.target();
    cluster.kind = TargetKind::slurm;
    cluster.device = "";
    cluster.partition = "gpus";
    return glanceAt(cluster);
  }

  const SshHost host_;
};

TEST_F(LoginNodeGlanceTest, ItsNodesAndItsQueueAreSaid) {
  has("sinfo", "[ \"$3\" = --partition=gpus ] || exit 1; echo up/5/3");
  has("squeue", "[ \"$4\" = --partition=gpus ] || exit 1; echo 17; echo 18");
  EXPECT_EQ(look().words, "3 of 8 nodes idle, 2 jobs waiting");
  EXPECT_TRUE(look().isInReach);
  has("squeue", "exit 1");
  EXPECT_EQ(look().words, "3 of 8 nodes idle") << "the queue alone is not known";
  has("sinfo", "echo down/5/3");
  EXPECT_EQ(look().words, "the partition starts no jobs now");
}

TEST_F(LoginNodeGlanceTest, WhatIsWrongIsSaid) {
  has("sinfo", "echo slurm_load_partitions: Unable to contact slurm controller >&2; exit 1");
  EXPECT_FALSE(look().isInReach);
  EXPECT_EQ(look().words, "slurm_load_partitions: Unable to contact slurm controller");
  host_.lock();
  EXPECT_FALSE(look().isInReach);
  EXPECT_FALSE(look().words.empty());
}

TEST(TargetGlanceTest, APartitionSaysHowBusyItIs) {
  const TargetGlance all = partitionGlance("up/3/5\nup/1/0\n", "17\n18\n");
  EXPECT_TRUE(all.isInReach);
  EXPECT_EQ(all.words, "5 of 9 nodes idle, 2 jobs waiting");
  EXPECT_EQ(partitionGlance("up/0/1\n", "").words, "1 of 1 node idle");
  EXPECT_EQ(partitionGlance("up/1/0\n", "5\n").words, "0 of 1 node idle, 1 job waiting");
  EXPECT_FALSE(partitionGlance("down/0/4\n", "").isInReach);
  EXPECT_FALSE(partitionGlance("", "").isInReach);
}

TEST(TargetGlanceTest, AHostIsInReachOrItsFailureIsSaid) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  const TargetGlance seen = glanceAt(host.target());
  EXPECT_TRUE(seen.isInReach) << seen.words;
  const SshHost locked;
  locked.lock();
  const TargetGlance refused = glanceAt(locked.target());
  EXPECT_FALSE(refused.isInReach);
  EXPECT_FALSE(refused.words.empty());
}

}  // namespace
}  // namespace wb
