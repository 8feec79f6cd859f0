// SPDX-License-Identifier: GPL-3.0-or-later
// What the list of devices says of a cluster whose login node is reached by ssh.
#include "ui/targets/target_look.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/hosts/ssh_host.h"

namespace wb {
namespace {

class TargetLookTest : public testing::Test {
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
    return lookAt(cluster);
  }

  const SshHost host_;
};

TEST_F(TargetLookTest, ItsNodesAndItsQueueAreSaid) {
  has("sinfo", "[ \"$3\" = --partition=gpus ] || exit 1; echo up/5/3");
  has("squeue", "[ \"$4\" = --partition=gpus ] || exit 1; echo 17; echo 18");
  EXPECT_EQ(look().words, "3 of 8 nodes idle, 2 jobs waiting");
  EXPECT_TRUE(look().isInReach);
  has("squeue", "exit 1");
  EXPECT_EQ(look().words, "3 of 8 nodes idle") << "the queue alone is not known";
  has("sinfo", "echo down/5/3");
  EXPECT_EQ(look().words, "the partition starts no jobs now");
}

TEST_F(TargetLookTest, WhatIsWrongIsSaid) {
  has("sinfo", "echo slurm_load_partitions: Unable to contact slurm controller >&2; exit 1");
  EXPECT_FALSE(look().isInReach);
  EXPECT_EQ(look().words, "slurm_load_partitions: Unable to contact slurm controller");
  host_.lock();
  EXPECT_FALSE(look().isInReach);
  EXPECT_FALSE(look().words.empty());
}

TEST_F(TargetLookTest, AHostIsLookedAtAsBefore) {
  EXPECT_EQ(lookAt(host_.target()).words, "in reach");
}

}  // namespace
}  // namespace wb
