// SPDX-License-Identifier: Apache-2.0
#include "core/runner/prepare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "core/base/files/file.h"

namespace wb {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// A script in the worker's place.
class Prepare : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("warpbench-prepare-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    setenv("SAID", (folder_ / "said").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("WARPBENCH_WORKER");
    unsetenv("SAID");
    fs::remove_all(folder_);
  }
  void worker(const std::string& script) {
    const fs::path file = folder_ / "worker";
    std::ofstream(file) << "#!/bin/sh\n" << script;
    chmod(file.c_str(), 0700);
    setenv("WARPBENCH_WORKER", file.c_str(), 1);
  }
  fs::path folder_;
};

TEST_F(Prepare, AsksTheWorkerAtALowerPriorityWhenNobodyWaits) {
  worker("echo \"$* $(nice) $WARPBENCH_PYTHON\" >\"$SAID\"\n");
  ASSERT_TRUE(prepareKernels({"/some/python", true}));
  const int nice = std::min(getpriority(PRIO_PROCESS, 0) + 5, 19);
  EXPECT_EQ(*readFile(folder_ / "said"), "--prepare " + std::to_string(nice) + " /some/python\n");
}

TEST_F(Prepare, SaysWhatTheWorkerSaid) {
  worker("echo 'there is no compiler' >&2; exit 1\n");
  const auto failed = prepareKernels({});
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().text, HasSubstr("there is no compiler"));
  setenv("WARPBENCH_WORKER", "/nowhere/worker", 1);
  EXPECT_THAT(describe(prepareKernels({}).error()), HasSubstr("/nowhere/worker"));
}

TEST_F(Prepare, EndsWhenItIsStopped) {
  ASSERT_EQ(mkfifo((folder_ / "said").c_str(), 0600), 0);
  worker("echo begun >\"$SAID\"; exec sleep 1000\n");
  std::stop_source stop;
  std::thread stopper([&] {
    std::string line;
    std::ifstream(folder_ / "said") >> line;  // waits for the script
    stop.request_stop();
  });
  const auto stopped = prepareKernels({}, stop.get_token());
  stopper.join();
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().text, "stopped");
}

}  // namespace
}  // namespace wb
