// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/runner/remote/slurm.h"
#include "core/runner/runner.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/core/runner/held_cases.h"
#include "tests/hosts/slurm_cluster.h"

namespace wb {

/// The fake worker on a cluster of this machine.
class SlurmFixture : public testing::Test, protected HeldCases {
 protected:
  void SetUp() override {
    std::string why;
    cluster_ = SlurmCluster::start(why);
    if (!cluster_) GTEST_SKIP() << "no Slurm cluster: " << why;
  }

  static WorkerPlace place(const std::string& text, int number = 0) {
    const std::string fakeWorker = WB_BINARY_DIR "/tests/bin/warpbench-fake-worker";
    auto target = parseTarget(text);
    EXPECT_TRUE(target) << describe(target.error());
    return {slurmLauncher(*target, {fakeWorker, fakeWorker, {}}), slurmDevice(*target),
            "slurm:" + std::to_string(number)};
  }
  static RunnerOptions options() {
    RunnerOptions options = quickOptions();
    options.warmSpare = false;
    return options;
  }
  static std::unique_ptr<Runner> runnerOf(std::vector<WorkerPlace> places) {
    return std::make_unique<Runner>(std::move(places), options());
  }
  static std::unique_ptr<Runner> runnerOn(const std::string& text, const RunnerOptions& options) {
    std::vector<WorkerPlace> places;
    places.push_back(place(text));
    return std::make_unique<Runner>(std::move(places), options);
  }
  static std::unique_ptr<Runner> runnerOn(const std::string& text) { return runnerOn(text, options()); }

  /// From now on every other job of the usual partition has to wait; what runs in it makes room where
  /// `partition` is "urgent".
  static void occupyAll(const std::string& partition = "gpu") {
    SlurmCluster::ask({"salloc", "--no-shell", "--partition=" + partition, "--nodes=4", "--exclusive",
                       "--job-name=others"});
  }
  static void leaveAll() { SlurmCluster::ask({"scancel", "--name=others"}); }

 private:
  std::unique_ptr<SlurmCluster> cluster_;
};

}  // namespace wb
