// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace wb {
namespace {

/// A machine's files below a folder of its own.
class Memory : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(root_); }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  std::filesystem::path root_ =
      std::filesystem::temp_directory_path() / ("wb-memory-" + std::to_string(getpid()));
};

TEST_F(Memory, IsWhatTheKernelSaysIsAvailable) {
  EXPECT_FALSE(availableMemory(root_));
  write("proc/meminfo", "MemTotal:       1000 kB\nMemAvailable:    500 kB\n");
  EXPECT_EQ(availableMemory(root_), 500 * 1024);
}

TEST_F(Memory, IsNoMoreThanAnyControlGroupAroundLeaves) {
  write("proc/meminfo", "MemAvailable:    500 kB\n");
  write("proc/self/cgroup", "0::/jobs/one\n");
  write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  write("sys/fs/cgroup/jobs/one/memory.current", "7\n");
  EXPECT_EQ(availableMemory(root_), 500 * 1024);
  write("sys/fs/cgroup/jobs/memory.max", "3000\n");
  write("sys/fs/cgroup/jobs/memory.current", "2500\n");
  EXPECT_EQ(availableMemory(root_), 500);
  write("sys/fs/cgroup/jobs/memory.stat", "anon 1500\ninactive_file 1000\n");
  EXPECT_EQ(availableMemory(root_), 1500);
}

TEST_F(Memory, ShortageIsCountedBySystemOrGroup) {
  EXPECT_FALSE(outOfMemoryKills(root_));
  write("proc/vmstat", "nr_free_pages 7\noom_kill 2\n");
  EXPECT_EQ(outOfMemoryKills(root_), 2U);
  write("proc/self/cgroup", "0::/one\n");
  write("sys/fs/cgroup/one/memory.events", "oom 4\noom_kill 3\n");
  EXPECT_EQ(outOfMemoryKills(root_), 3U);
}

}  // namespace
}  // namespace wb
