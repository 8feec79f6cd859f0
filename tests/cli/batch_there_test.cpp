// SPDX-License-Identifier: Apache-2.0
// Runs that are handed over to a machine that is reached by ssh, and followed from here.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/files/file.h"
#include "core/model/json/json_codec.h"
#include "core/model/report.h"
#include "tests/cli/cli_fixture.h"
#include "tests/hosts/login_node.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class BatchThere : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    fs::create_directories(folder_ / "my 'kernels'");
    std::ofstream(folder_ / "my 'kernels'" / "relu.cpp") << "#include \"beside.h\"\n"
                                                            "// fake: --mismatch=1 --tell-file=beside.h\n";
    std::ofstream(folder_ / "my 'kernels'" / "beside.h") << "// this came along\n";
  }
  /// Packing the programs takes seconds, and is done once for all tests.
  Captured run(std::vector<std::string> arguments) {
    return CliFixture::run(std::move(arguments), {{"WARPBENCH_CACHE", cache_}});
  }
  std::vector<std::string> runWith(std::vector<std::string> more) {
    std::vector<std::string> words{"run",      "my 'kernels'/relu.cpp", "--op", "relu", "--suite", "smoke",
                                   "--stages", "compile,check"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static std::string nameIn(const Captured& detached) {
    return detached.out.substr(0, detached.out.find('\n'));
  }
  static Report reportIn(const Captured& captured) {
    const auto json = parseJson(captured.out);
    auto report = json ? reportFromJson(*json) : Result<Report>(json.error());
    EXPECT_TRUE(report) << captured.out << captured.err;
    return report ? *std::move(report) : Report{};
  }
  /// Hands a run over, follows it, and compares its report with that of a run here.
  void expectTheReportOfAnyOther(const RunTarget& target, const std::string& workers) {
    const Captured detached = run(runWith({"--detach", "--workers", workers, "--target", format(target)}));
    ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
    EXPECT_THAT(detached.err, HasSubstr("copying Warpbench's programs"));
    // Somewhere else, so that no path is taken for one from here.
    const Captured attached =
        runProgram({"/bin/sh", "-c", "cd / && exec \"$0\" \"$@\"", WB_BINARY_DIR "/bin/warpbench", "attach",
                    nameIn(detached), "--json", "-"},
                   {{"WARPBENCH_CACHE", cache_}});
    EXPECT_EQ(attached.ending.exitCode, ExitStatus::failed) << attached.err;
    const Report one = reportIn(run(runWith({"--device", "cpu", "--json", "-"}))), other = reportIn(attached);
    EXPECT_EQ(other.outcome, Outcome::finished);
    ASSERT_EQ(one.kernels.size(), other.kernels.size());
    EXPECT_EQ(one.kernels[0]->cases, other.kernels[0]->cases);
    EXPECT_EQ(one.kernels[0]->counts, other.kernels[0]->counts);
    EXPECT_EQ(one.kernels[0]->compiled, other.kernels[0]->compiled);
    EXPECT_EQ(one.kernels[0]->diagnostics, other.kernels[0]->diagnostics);
    std::string log;
    for (std::size_t i = 0; i < other.log.size(); ++i)
      log += fmt::format("[{}] {}\n", other.log[i].source, other.log[i].text);
    EXPECT_THAT(log, HasSubstr(fmt::format("[target] {}\n", titleOf(target))));
    EXPECT_THAT(log, HasSubstr("this came along")) << attached.err;
  }
  static constexpr const char* cache_ = WB_BINARY_DIR "/tests/cache-of-remote-test";
  static void await(const std::function<bool()>& is) {
    const auto before = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!is() && std::chrono::steady_clock::now() < before)
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    EXPECT_TRUE(is());
  }
};

TEST_F(BatchThere, AClusterBehindItsLoginNodeGivesTheReportOfAnyOther) {
  const LoginNode login;
  if (!login.missing().empty()) GTEST_SKIP() << login.missing();
  expectTheReportOfAnyOther(login.target("slurm://gpu?cpus=1&time=5"), "3");
  EXPECT_TRUE(SlurmCluster::awaitNoJobs()) << SlurmCluster::jobs();
  EXPECT_TRUE(login.host().isQuiet());
}

TEST_F(BatchThere, AScriptIsPrintedAndMayBeSubmittedThere) {
  const LoginNode login;
  if (!login.missing().empty()) GTEST_SKIP() << login.missing();
  const RunTarget target = login.target("slurm://gpu?cpus=1&time=5");
  const Captured printed = run(runWith({"--print-script", "--workers", "2", "--target", format(target)}));
  EXPECT_EQ(printed.ending.exitCode, 0) << printed.err;
  EXPECT_THAT(printed.out, AllOf(HasSubstr("#SBATCH --array=0-1\n"), HasSubstr("shard '")));
  EXPECT_EQ(SlurmCluster::jobs(), "");
  ASSERT_TRUE(writeFileAtomically(folder_ / "mine.sh", printed.out));
  EXPECT_EQ(runProgram({"sbatch", "--parsable", "mine.sh"}).ending.exitCode, 0);
  const fs::path batches = folder_ / "data" / "batches";
  const std::string name = fs::directory_iterator(batches)->path().filename().string();
  EXPECT_EQ(run({"attach", name}).ending.exitCode, ExitStatus::failed);
  EXPECT_TRUE(SlurmCluster::awaitNoJobs());
}

TEST_F(BatchThere, WhatTheClusterRefusesIsSaid) {
  const LoginNode login;
  if (!login.missing().empty()) GTEST_SKIP() << login.missing();
  const Captured refused =
      run(runWith({"--detach", "--target", format(login.target("slurm://none?cpus=1"))}));
  EXPECT_NE(refused.ending.exitCode, 0);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("no partition"), HasSubstr("the cluster has no partition 'none'"),
                                 HasSubstr("on ssh://box/slurm://none")));
}

TEST_F(BatchThere, AHostWithoutASchedulerGivesTheReportOfAnyOther) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  expectTheReportOfAnyOther(host.target(), "2");
  EXPECT_TRUE(host.isQuiet());
}

TEST_F(BatchThere, ALostConnectionDoesNotEndTheRunAndACancelDoes) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  std::ofstream(folder_ / "my 'kernels'" / "relu.cpp") << "// fake: --mode=hang:2\n";
  const Captured detached = run(runWith({"--detach", "--target", format(host.target())}));
  ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
  host.signalConnections(SIGKILL);
  await([&] { return !host.programs("warpbench-worker").empty(); });
  // What has come by then is given, and it runs on.
  Report report;
  await([&] {
    const Captured now = run({"attach", nameIn(detached), "--now", "--json", "-"});
    EXPECT_EQ(now.ending.exitCode, ExitStatus::underWay) << now.err;
    EXPECT_THAT(now.err, HasSubstr("the run goes on"));
    report = reportIn(now);
    return report.kernels.size() == 1 && report.kernels[0]->counts.passed == 2;
  });
  EXPECT_EQ(report.outcome, Outcome::running);
  EXPECT_FALSE(host.programs("warpbench-worker").empty());
  const Captured ended = run({"attach", nameIn(detached), "--cancel", "--json", "-"});
  EXPECT_EQ(ended.ending.exitCode, ExitStatus::cancelled) << ended.err;
  EXPECT_EQ(reportIn(ended).kernels[0]->counts.passed, 2);
  EXPECT_TRUE(host.isQuiet());
}

TEST_F(BatchThere, AttachWaitsForAHostThatIsOutOfReach) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  std::ofstream(folder_ / "my 'kernels'" / "relu.cpp") << "// fake: --mismatch=1 --delay=0.5\n";
  const Captured detached = run(runWith({"--detach", "--target", format(host.target())}));
  ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
  auto following =
      Child::start({.argv = {WB_BINARY_DIR "/bin/warpbench", "attach", nameIn(detached)},
                    .folder = folder_,
                    .environment = {{"WARPBENCH_DATA", (folder_ / "data").string()},
                                    {"WARPBENCH_WORKER", WB_BINARY_DIR "/tests/bin/warpbench-fake-worker"},
                                    {"WARPBENCH_CACHE", cache_}}});
  ASSERT_TRUE(following);
  auto readUntil = [&, said = std::string()](const std::string& words) mutable {
    for (char byte = 0; said.find(words) == std::string::npos && ::read(following->errors(), &byte, 1) == 1;)
      said += byte;
    EXPECT_THAT(said, HasSubstr(words));
  };
  readUntil("relu");
  host.configure("HostName 127.0.0.1\n  Port 1");
  host.signalConnections(SIGKILL);
  readUntil("is asked for again and again");
  host.configure("ProxyCommand setsid " + host.folder().string() + "/serve");
  readUntil("is in reach again");
  // As a laptop that wakes, before it has found its network.
  host.configure("HostName no..such");
  host.signalConnections(SIGKILL);
  readUntil("there is no host");
  host.configure("ProxyCommand setsid " + host.folder().string() + "/serve");
  readUntil("is in reach again");
  const auto [ended, how] = following->wait(std::chrono::seconds{60});
  EXPECT_TRUE(ended);
  EXPECT_EQ(how.exitCode, ExitStatus::failed);
  EXPECT_TRUE(host.isQuiet());
}

TEST_F(BatchThere, AttachToAHostThatIsNotThereSaysSo) {
  const SshHost host;
  if (!host.missing().empty()) GTEST_SKIP() << host.missing();
  const Captured detached = run(runWith({"--detach", "--target", format(host.target())}));
  ASSERT_EQ(detached.ending.exitCode, 0) << detached.err;
  EXPECT_TRUE(host.isQuiet());
  host.configure("HostName no..such");
  host.signalConnections(SIGKILL);
  const Captured attached = run({"attach", nameIn(detached)});
  EXPECT_EQ(attached.ending.exitCode, ExitStatus::noWorker) << attached.out;
  EXPECT_THAT(attached.err, HasSubstr("there is no host"));
}

}  // namespace
}  // namespace wb
