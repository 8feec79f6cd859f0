// SPDX-License-Identifier: Apache-2.0
// Folders of kernels, and KernelBench's problems, spread over several places: the report is the one that a
// single place gives, bit for bit but for times and the log.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/model/json/json_codec.h"
#include "core/model/report.h"
#include "tests/cli/cli_fixture.h"
#include "tests/hosts/slurm_cluster.h"
#include "tests/hosts/ssh_host.h"

namespace wb {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

using Words = std::vector<std::string>;

class Spread : public CliFixture {
 protected:
  void SetUp() override {
    CliFixture::SetUp();
    const auto source = [&](const std::string& name, const std::string& arguments) {
      write("kernels/" + name + ".cpp", "// fake: --cases=9 " + arguments + "\n");
      write("solutions/" + name + ".py", "# fake: --cases=9 " + arguments + "\nclass ModelNew: pass\n");
      write("problems/" + name + ".py", "class Model: pass\n");
    };
    source("abs", "--mismatch=4");
    source("add", "--mode=segfault:3 --kernel=1");
    source("exp", "--mode=compile-error");
    for (const char* name : {"gelu", "log", "mul", "relu", "sin"}) source(name, "--mismatch=none");
    // What stands for an interpreter is a worker inside one.
    write("python", fmt::format("#!/bin/sh\nshift 2\nexec '{}/tests/bin/warpbench-fake-worker' \"$@\"\n",
                                WB_BINARY_DIR));
    fs::permissions(folder_ / "python", fs::perms::owner_all);
  }

  static Words of(Words what, const Words& more) {
    what.insert(what.begin(), "run");
    what.insert(what.end(), more.begin(), more.end());
    return what;
  }
  [[nodiscard]] static Words aFolder() { return {"kernels"}; }
  [[nodiscard]] static Words problems() { return {"solutions", "--problem", "problems"}; }
  [[nodiscard]] std::string withPython(std::string target) const {
    target += target.find('?') == std::string::npos ? "?" : "&";
    return target + "python=" + (folder_ / "python").string();
  }
  [[nodiscard]] std::string here() const { return withPython("local cpu"); }
  [[nodiscard]] std::string there(const SshHost& host, const std::string& options = {}) const {
    return withPython(format(host.target(options)));
  }

  /// The programs are packed once for all tests.
  Captured runOn(const Words& what, const Words& places) {
    return run(of(what, places), {{"WARPBENCH_CACHE", cache_}});
  }
  /// All of the report but for times and the log.
  static std::string reportIn(const Captured& captured) {
    const auto json = parseJson(captured.out);
    auto read = json ? reportFromJson(*json) : Result<Report>(json.error());
    EXPECT_TRUE(read) << captured.out << captured.err;
    if (!read) return captured.err;
    EXPECT_EQ(read->outcome, Outcome::finished) << captured.err;
    EXPECT_EQ(read->kernels.size(), 8U);
    read->log = {};
    read->startedAt.clear();
    read->seconds = 0;
    for (WorkerLost& lost : read->losses) lost.seconds = 0;
    return toJson(*read).dump(1);
  }
  /// The same through a run that goes on by itself.
  std::string detachedReport(const Words& what, const std::string& target, const std::string& workers) {
    const Captured detached = runOn(what, {"--detach", "--workers", workers, "--target", target});
    EXPECT_EQ(detached.ending.exitCode, 0) << detached.err;
    return reportIn(run({"attach", detached.out.substr(0, detached.out.find('\n')), "--json", "-"},
                        {{"WARPBENCH_CACHE", cache_}}));
  }

  static constexpr const char* cache_ = WB_BINARY_DIR "/tests/cache-of-remote-test";
};

TEST_F(Spread, OverTwoWorkersAndTwoHostsTheReportIsThatOfOnePlace) {
  const SshHost first, second;
  for (const Words& what : {aFolder(), problems()}) {
    const std::string one = reportIn(runOn(what, {"--target", here(), "--json", "-"}));
    EXPECT_THAT(one, HasSubstr("SIGSEGV"));
    EXPECT_EQ(reportIn(runOn(what, {"--target", here(), "--target", here(), "--json", "-"})), one);
    if (!first.missing().empty()) continue;
    const Captured both =
        runOn(what, {"--target", there(first), "--target", there(second), "--json", "-", "-v"});
    EXPECT_EQ(reportIn(both), one);
  }
  if (!first.missing().empty()) GTEST_SKIP() << first.missing();
  EXPECT_GE(first.connections(), 1U);
  EXPECT_GE(second.connections(), 1U);
  // One of them lets nobody in.
  second.lock();
  second.signalConnections(SIGKILL);
  const Words places{"--target", there(first), "--target", there(second), "--json", "-"};
  EXPECT_EQ(reportIn(runOn(problems(), places)),
            reportIn(runOn(problems(), {"--target", here(), "--json", "-"})));
  EXPECT_TRUE(first.isQuiet() && second.isQuiet());
}

TEST_F(Spread, ARunThatGoesOnByItselfGivesTheSameReport) {
  for (const Words& what : {aFolder(), problems()})
    EXPECT_EQ(detachedReport(what, here(), "2"), reportIn(runOn(what, {"--target", here(), "--json", "-"})));
  std::string why;
  const auto cluster = SlurmCluster::start(why);
  if (!cluster) GTEST_SKIP() << "no Slurm cluster: " << why;
  EXPECT_EQ(detachedReport(problems(), withPython("slurm://gpu?cpus=1&time=5"), "3"),
            reportIn(runOn(problems(), {"--target", here(), "--json", "-"})));
}

}  // namespace
}  // namespace wb
