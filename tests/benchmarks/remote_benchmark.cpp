// SPDX-License-Identifier: Apache-2.0
// What ssh and Slurm add to a run, on a host and a cluster of this machine, with fake workers.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/quantity.h"
#include "core/runner/remote/remote_launcher.h"
#include "core/runner/remote/slurm.h"
#include "core/runner/remote/ssh/ssh_call.h"
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

/// The processes of this machine that run a worker, or stand between one and its runner.
std::set<std::string> workersHere() {
  const std::set<std::string> names{"warpbench-fake-worker", "warpbench-worker", "warpbench-reach", "srun"};
  std::set<std::string> found;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::filesystem::path program = std::filesystem::read_symlink(entry.path() / "exe", gone);
    if (names.contains(program.filename().string())) found.insert(entry.path().filename().string());
  }
  return found;
}

struct Cancelled {
  /// Seconds from the cancel to the end of the run, and until none of its processes is left anywhere.
  double told = 0, gone = 0;
};

/// Cancels a run while its second case is stuck.
Cancelled cancelStuck(std::unique_ptr<Launcher> launcher) {
  const std::set<std::string> before = workersHere();
  std::set<std::string> left;
  SteadyClock::time_point start;
  Cancelled result;
  {
    const auto runner = runnerOf(std::move(launcher));
    std::mutex mutex;
    std::condition_variable changed;
    bool isStuck = false;
    Job job = fakeJob({"--mode=hang:1"});
    job.limits.caseSeconds = job.limits.firstCallSeconds = 600;
    const auto run = runner->submit(job, [&](Runner::RunId, const Event& event) {
      const auto* started = std::get_if<StepStarted>(&event);
      if (started == nullptr || started->index != 1U) return;
      const std::lock_guard lock(mutex);
      isStuck = true;
      changed.notify_all();
    });
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return isStuck; });
    }
    for (const std::string& each : workersHere())
      if (!before.contains(each)) left.insert(each);
    start = SteadyClock::now();
    runner->cancel(run);
    runner->wait();
    result.told = since(start);
    // The runner lives on, as in the window: what has to go goes by the cancel alone.
    while (!left.empty() && since(start) < 30) {
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
      const std::set<std::string> now = workersHere();
      std::erase_if(left, [&](const std::string& each) { return !now.contains(each); });
    }
    result.gone = left.empty() ? since(start) : 0;
  }
  return result;
}

/// What workers of this machine and of the host are told from now on.
void tellWorkers(const SshHost& host, const char* arguments) {
  ::setenv("WARPBENCH_FAKE", arguments, 1);  // NOLINT(concurrency-mt-unsafe)
  [[maybe_unused]] const auto written = writeFileAtomically(host.home() / "fake", arguments);
}

template <class Make>
void cancel(const std::string& what, const SshHost& host, Make make) {
  const auto tell = [&](const std::string& kernel, const char* how) {
    tellWorkers(host, how);
    const Cancelled ended = cancelStuck(make());
    tellWorkers(host, "");
    row(fmt::format("{}: from Cancel to the last process of {}", what, kernel),
        ended.gone > 0 ? formatSeconds(ended.gone) : "never", "≤ 2 s",
        fmt::format("the run was over after {}", formatSeconds(ended.told)));
  };
  tell("a kernel that loops", "");
  tell("one that heeds no signal", "--ignore-term");
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

/// What ownBundle() packs, of this build and with the real worker.
Bundle bundleOfBuild() {
  Bundle bundle;
  for (const char* name : {"warpbench-worker", "warpbench-reach", "libwarpbench_worker.so",
                           "libwarpbench_engine.so", "libwarpbench_python.so"})
    bundle.files.push_back({std::string("bin/") + name, std::filesystem::path(WB_BINARY_DIR "/bin") / name});
  for (const auto& entry : std::filesystem::directory_iterator(resourceFolder() / "python"))
    if (entry.is_regular_file())
      bundle.files.push_back({"share/warpbench/python/" + entry.path().filename().string(), entry.path()});
  bundle.hash = fmt::format("benchmark-{}", ::getpid());
  return bundle;
}

/// How long the programs are on their way to a host that has none, by a connection of their own.
void copy(const SshHost& host) {
  const Bundle bundle = bundleOfBuild();
  auto start = SteadyClock::now();
  const auto file = packed(bundle);
  if (!file) return row("ssh: the bundle packed", "-", "-", describe(file.error()));
  const double packing = since(start);
  std::error_code gone;
  const auto bytes = static_cast<double>(std::filesystem::file_size(*file, gone));
  const auto time = [&](const std::string& what, const std::string& aim) {
    start = SteadyClock::now();
    const Result<void> copied = copyBundle(host.target(), {}, bundle);
    const double seconds = since(start);
    std::filesystem::remove_all(host.cache() / "bundles" / bundle.hash, gone);
    row("ssh: the bundle copied and unpacked, " + what, copied ? formatSeconds(seconds) : "-", aim,
        copied ? fmt::format("{} packed in {}, once", formatBytes(bytes), formatSeconds(packing))
               : describe(copied.error()));
  };
  time("to this machine", "-");
  host.makeSlow(50e6);
  time("at 50 MB/s", "≤ 10 s");
  std::filesystem::remove(*file, gone);
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
  const RunTarget behind = login.target("slurm://gpu?cpus=1&time=5");
  compare("Slurm behind ssh", remoteTo(behind), here, "-");
  const SshHost& host = login.host();
  const std::string before = readFile(host.home() / ".bashrc").value_or("");
  if (!writeFileAtomically(host.home() / ".bashrc", before + "export WARPBENCH_FAKE=\"$(cat ~/fake)\"\n"))
    return;
  cancel("here", host, [] { return localLauncher(); });
  cancel("ssh", host, [&] { return remoteTo(login.host().target()); });
  cancel("Slurm", host, [&] { return slurmLauncher(cluster, {fakeWorker, fakeWorker, {}}); });
  cancel("Slurm behind ssh", host, [&] { return remoteTo(behind); });
  copy(host);
  ::setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/bin/warpbench-worker", 1);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace wb::bench
