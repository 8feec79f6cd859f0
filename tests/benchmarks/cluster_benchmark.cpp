// SPDX-License-Identifier: Apache-2.0
// What the runner costs on a cluster: many places with fake workers, and what many workers' events cost a
// watcher.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/quantity.h"
#include "core/model/report.h"
#include "core/runner/report_feed.h"
#include "core/runner/runner.h"
#include "tests/benchmarks/benchmarks.h"
#include "tests/core/model/steps.h"

namespace wb::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t places = 64;

double processorSeconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double residentBytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

/// Kernels of operators of their own, and their cases.
Job jobOf(int kernels, int casesOfEach) {
  Job job;
  job.suite = "many";
  for (int k = 0; k < kernels; ++k) {
    const std::string op = fmt::format("aten::op{}", k);
    job.kernels.push_back({.path = fmt::format("op{}.cpp", k),
                           .text = "// fake: --mismatch=none\n",
                           .language = "torch_cpp",
                           .op = op,
                           .referencePath = "",
                           .referenceText = ""});
    for (int i = 0; i < casesOfEach; ++i)
      job.cases.push_back({.op = op,
                           .args = fmt::format("((T([{}, 5], f32),), {{}})", i),
                           .shapes = fmt::format("{}×5", i),
                           .dtype = "f32",
                           .count = 1,
                           .seed = static_cast<std::uint64_t>(i),
                           .origin = {}});
  }
  job.stages.set(Stage::time, false);
  job.limits.compileSeconds = job.limits.caseSeconds = 600;
  return job;
}

std::unique_ptr<Runner> fakeCluster() {
  std::vector<WorkerPlace> all;
  for (std::size_t i = 0; i < places; ++i)
    all.push_back(
        {commandLauncher(Command{{WB_BINARY_DIR "/tests/bin/warpbench-fake-worker", "--beat=1"}, {}, {}},
                         std::chrono::minutes{5}),
         "cuda:0", fmt::format("node{}", i)});
  RunnerOptions options;
  options.warmSpare = false;
  options.heartbeatSeconds = 120;
  return std::make_unique<Runner>(std::move(all), options);
}

/// Runs a job; the report itself is not kept, so that what grows is the runner's.
void run(Runner& runner, const std::string& what, const Job& job) {
  const double before = processorSeconds(), bytes = residentBytes();
  const auto start = SteadyClock::now();
  std::atomic<int> verdicts{0};
  std::string problem;
  runner.submit(job, [&](Runner::RunId, const Event& event) {
    if (resultIn<CaseCheck>(event)) ++verdicts;
    if (const auto* failed = std::get_if<StageFailed>(&event)) problem = describe(failed->error);
  });
  runner.wait();
  const double count = std::max(1, verdicts.load());
  row(fmt::format("{}: the runner's own time per case", what),
      formatSeconds((processorSeconds() - before) / count), "≤ 1 ms",
      fmt::format("{} verdicts, {} in all, {} more memory {}", verdicts.load(), formatSeconds(since(start)),
                  formatBytes(std::max(0.0, residentBytes() - bytes)), problem));
}

/// A thousand workers' verdicts, one after the other, as their runner would tell them.
void watch() {
  constexpr std::uint32_t kernels = 1000, casesOfEach = 100;
  const Job job = jobOf(kernels, casesOfEach);
  double longestTake = 0, longestDelivery = 0;
  std::atomic<int> deliveries{0};
  {
    ReportFeed feed(job, [&](const std::shared_ptr<const Report>&) { ++deliveries; });
    const auto take = [&](const Event& event) {
      const auto start = SteadyClock::now();
      const int before = deliveries;
      feed.take(event);
      (deliveries == before ? longestTake : longestDelivery) =
          std::max(deliveries == before ? longestTake : longestDelivery, since(start));
    };
    for (std::uint32_t k = 0; k < kernels; ++k) {
      take(compileStarted(k));
      Compiled compiled;
      compiled.op = job.kernels[k].op;
      compiled.cases.assign(job.cases.begin() + k * casesOfEach, job.cases.begin() + (k + 1) * casesOfEach);
      take(compiledStep(std::move(compiled), k));
    }
    for (std::uint32_t i = 0; i < casesOfEach; ++i)
      for (std::uint32_t k = 0; k < kernels; ++k) {
        take(StepStarted{Stage::check, k, i});
        take(checkedStep(k, i, Verdict::pass));
      }
    take(Finished{Outcome::finished, 1});
  }
  row("1 000 workers' 100 000 verdicts folded: the longest event", formatSeconds(longestTake), "≤ 16 ms",
      fmt::format("with a snapshot {}, {} snapshots", formatSeconds(longestDelivery), deliveries.load()));
}

}  // namespace

void cluster() {
  watch();
  const auto runner = fakeCluster();
  run(*runner, "64 workers, 640 kernels of 16 cases", jobOf(640, 16));
  run(*runner, "64 workers, 640 kernels of 156 cases", jobOf(640, 156));
  run(*runner, "64 workers, one kernel of 20 000 cases", jobOf(1, 20'000));
}

}  // namespace wb::bench
