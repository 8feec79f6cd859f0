// SPDX-License-Identifier: Apache-2.0
#include "tests/hosts/slurm_cluster.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

namespace wb {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

SlurmCluster::SlurmCluster(fs::path folder, Child child)
    : folder_(std::move(folder)), child_(std::move(child)) {}

std::unique_ptr<SlurmCluster> SlurmCluster::start(std::string& why) {
  // The path of munge's socket must be shorter than 108 characters.
  std::string folder = "/tmp/wb-slurm-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) {
    why = "no folder for it in /tmp";
    return nullptr;
  }
  Command command;
  command.argv = {WB_SOURCE_DIR "/tests/hosts/slurm_cluster", folder};
  // The cluster ends with this process, whatever happens to that.
  command.keeper = WB_BINARY_DIR "/tests/bin/warpbench-fake-worker";
  Result<Child> child = Child::start(command);
  if (!child) {
    why = describe(child.error());
    return nullptr;
  }
  std::unique_ptr<SlurmCluster> cluster(new SlurmCluster(folder, *std::move(child)));
  if (cluster->takeEnvironment()) return cluster;
  for (char byte = 0; ::read(cluster->child_.errors(), &byte, 1) == 1;) why += byte;
  constexpr int notInstalled = 77;
  const auto [ended, how] = cluster->child_.wait(10s);
  EXPECT_TRUE(ended && how.exitCode == notInstalled) << "the cluster did not come up: " << why;
  return nullptr;
}

bool SlurmCluster::takeEnvironment() const {
  std::string line;
  for (char byte = 0; ::read(child_.output(), &byte, 1) == 1;) {
    if (byte != '\n') {
      line += byte;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) return line == "ready";
    // NOLINTNEXTLINE(concurrency-mt-unsafe): this is before anybody else begins
    ::setenv(line.substr(0, equals).c_str(), line.substr(equals + 1).c_str(), 1);
    line.clear();
  }
  return false;
}

SlurmCluster::~SlurmCluster() {
  child_.closeInput();
  child_.wait(10s);
  ::unsetenv("SLURM_CONF");  // NOLINT(concurrency-mt-unsafe)
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string SlurmCluster::ask(const std::vector<std::string>& command) {
  const auto run = runToEnd({.argv = command, .folder = {}, .environment = {}}, 20s);
  if (!run) return describe(run.error());
  return run->out + run->err;
}

std::string SlurmCluster::jobs() {
  return ask({"squeue", "--noheader", "--format=%i %T"});
}

std::string SlurmCluster::ofJob(const std::string& format) {
  const std::string text = ask({"squeue", "--noheader", "--states=RUNNING", "--format=" + format});
  return text.substr(0, text.find('\n'));
}

bool SlurmCluster::awaitNoJobs() {
  return awaitJobs("");
}

bool SlurmCluster::awaitJobs(const std::string& names) {
  const auto before = std::chrono::steady_clock::now() + 20s;
  while (std::chrono::steady_clock::now() < before)
    if (ask({"squeue", "--noheader", "--format=%j"}) == names) return true;
  return false;
}

}  // namespace wb
