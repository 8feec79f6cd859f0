// SPDX-License-Identifier: Apache-2.0
// What ssh and Slurm add to a run, on a host and a cluster of this machine, with fake workers.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/quantity.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/runner/remote/slurm.h"
#include "core/runner/runner.h"
#include "tests/benchmarks/benchmarks.h"
#include "tests/core/runner/fake_runs.h"
#include "tests/hosts/login_node.h"

namespace wb::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr const char* fakeWorker = WB_BINARY_DIR "/tests/bin/warpbench-fake-worker";
constexpr int runs = 11;

std::unique_ptr<Runner> runnerOf(std::unique_ptr<Launcher> launcher, bool spare = false) {
  RunnerOptions options;
  options.warmSpare = spare;
  options.heartbeatSeconds = 60;
  return std::make_unique<Runner>(std::move(launcher), "cpu", options);
}

double runOnce(Runner& runner) {
  Recorder run(fakeJob(), Losses::any);
  run.submit(runner);
  run.wait();
  return run.seconds();
}

/// The median of runs after the first.
double laterRuns(Runner& runner) {
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) seconds.push_back(runOnce(runner));
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return seconds[runs / 2];
}

void compare(const std::string& what, std::unique_ptr<Launcher> launcher, double here,
             const std::string& aim) {
  const auto runner = runnerOf(std::move(launcher));
  const double first = runOnce(*runner);
  row(fmt::format("{}: a later run takes longer than here by", what),
      formatSeconds(laterRuns(*runner) - here), aim,
      fmt::format("the first run took {}", formatSeconds(first)));
}

/// From the loss of a worker to the next verdict, which a spare gives.
void crash(std::unique_ptr<Launcher> launcher) {
  const auto runner = runnerOf(std::move(launcher), true);
  runOnce(*runner);
  StatusRecorder status(*runner);
  status.waitFor([](const WorkerStatus& now) { return now.spareReady; });
  std::optional<SteadyClock::time_point> lost;
  std::optional<double> seconds;
  runner->submit(fakeJob({"--mode=segfault:3"}), [&](Runner::RunId, const Event& event) {
    if (std::holds_alternative<WorkerLost>(event))
      lost = SteadyClock::now();
    else if (lost && !seconds && resultIn<CaseCheck>(event) && std::get<StepDone>(event).index > 3U)
      seconds = since(*lost);
  });
  runner->wait();
  row("ssh: from a crash to the next verdict, by a spare", seconds ? formatSeconds(*seconds) : "never",
      "≤ 0.5 s", "");
}

}  // namespace

void remote() {
  const LoginNode login;
  if (!login.missing().empty()) {
    row("runs over ssh and Slurm", "-", "-", login.missing());
    return;
  }
  ::setenv("WARPBENCH_WORKER", fakeWorker, 1);  // NOLINT(concurrency-mt-unsafe)
  const auto remoteTo = [&](const RunTarget& target) { return remoteLauncher(target, WB_BINARY_DIR "/bin"); };
  double here = 0;
  {
    const auto local = runnerOf(localLauncher());
    runOnce(*local);
    here = laterRuns(*local);
    row("here: a later run", formatSeconds(here), "-", "");
  }
  compare("ssh", remoteTo(login.host().target()), here, "≤ 0.1 s");
  crash(remoteTo(login.host().target()));
  const RunTarget cluster = parseTarget("slurm://gpu?cpus=1&time=5").value();
  compare("Slurm", slurmLauncher(cluster, {fakeWorker, fakeWorker, {}}), here, "≤ 0.15 s");
  compare("Slurm behind ssh", remoteTo(login.target("slurm://gpu?cpus=1&time=5")), here, "-");
  ::setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/bin/warpbench-worker", 1);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace wb::bench
