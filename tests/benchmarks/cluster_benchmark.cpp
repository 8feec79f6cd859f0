// SPDX-License-Identifier: Apache-2.0
// What the runner costs on a cluster: many places with fake workers, and what many workers' events cost a
// watcher.
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <time.h>

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

double processorSeconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double threadSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Without what the allocator only keeps for later.
double residentBytes() {
  ::malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

/// Kernels of operators of their own, and their cases.
Job jobOf(int kernels, int casesOfEach, const std::string& arguments = "") {
  Job job;
  job.suite = "many";
  for (int k = 0; k < kernels; ++k) {
    const std::string op = fmt::format("aten::op{}", k);
    job.kernels.push_back({.path = fmt::format("op{}.cpp", k),
                           .text = "// fake: --mismatch=none " + arguments + "\n",
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

std::unique_ptr<Runner> fakeCluster(std::size_t places) {
  std::vector<WorkerPlace> all;
  for (std::size_t i = 0; i < places; ++i)
    all.push_back(
        {commandLauncher(Command{{WB_BINARY_DIR "/tests/bin/warpbench-fake-worker", "--beat=1"}, {}, {}},
                         std::chrono::minutes{5}),
         "cuda:0", fmt::format("node{}", i)});
  RunnerOptions options;
  options.warmSpare = false;
  options.heartbeatSeconds = 120;
  auto runner = std::make_unique<Runner>(std::move(all), options);
  runner->start();
  return runner;
}

struct Ran {
  double seconds = 0, processorSeconds = 0;
  int verdicts = 0;
  std::string problem;
  /// The memory in use when the run said that it had ended.
  double bytesAtEnd = 0;
};

/// Runs a job; the events are not kept, so that what grows is the runner's.
Ran runOnce(Runner& runner, const Job& job) {
  const double before = processorSeconds();
  const auto start = SteadyClock::now();
  std::atomic<int> verdicts{0};
  std::string problem;
  double bytesAtEnd = 0;
  runner.submit(job, [&](Runner::RunId, const Event& event) {
    if (resultIn<CaseCheck>(event)) ++verdicts;
    if (const auto* failed = std::get_if<StageFailed>(&event)) problem = describe(failed->error);
    if (is<Finished>(event)) bytesAtEnd = residentBytes();
  });
  runner.wait();
  return {since(start), processorSeconds() - before, verdicts, problem, bytesAtEnd};
}

void cost(Runner& runner, const std::string& what, const Job& job) {
  const double bytes = residentBytes();
  const Ran ran = runOnce(runner, job);
  row(fmt::format("{}: the runner's own time per case", what),
      formatSeconds(ran.processorSeconds / std::max(1, ran.verdicts)), "≤ 1 ms",
      fmt::format("{} verdicts, {} in all {}", ran.verdicts, formatSeconds(ran.seconds), ran.problem));
  // While a run goes on the runner has its report; the next one begins where this one began.
  row(fmt::format("{}: the runner's memory once the run is over", what), formatBytes(residentBytes()), "flat",
      fmt::format("{} before, {} at its end with its job and report: {} a case", formatBytes(bytes),
                  formatBytes(ran.bytesAtEnd),
                  formatBytes((ran.bytesAtEnd - bytes) / std::max(1, ran.verdicts))));
}

/// How well workers are filled whose cases take 20 ms, more or less, and who load a kernel in 0.1 s. During
/// `waiting` seconds, in which one compiles the only kernel, the others have nothing to do.
void efficiency(const std::string& what, const Job& job, double waiting) {
  double alone = 0;
  for (const std::size_t places : {1U, 2U, 4U, 8U}) {
    const auto runner = fakeCluster(places);
    runOnce(*runner, jobOf(static_cast<int>(2 * places), 1));  // all have started
    const Ran ran = runOnce(*runner, job);
    if (places == 1) alone = ran.seconds;
    const auto count = static_cast<double>(places);
    const double best = alone / (waiting + (alone - waiting) / count);
    row(fmt::format("{} on {} workers: times as fast as one", what, places),
        fmt::format("{:.2f}", alone / ran.seconds), fmt::format("≥ {:.1f}", 0.9 * count),
        fmt::format("{:.2f} if nobody waited or loaded; {} verdicts, {} {}", best, ran.verdicts,
                    formatSeconds(ran.seconds), ran.problem));
  }
}

/// The longest of something, by the clock and by the processor time of this thread: on a busy machine a
/// thread waits for its turn, which is no cost of what it does.
struct Longest {
  double clock = 0, processor = 0;
};

/// A thousand workers' verdicts, one after the other, as their runner would tell them. They are folded on the
/// runner's thread; a window's own thread gets figures of snapshots (tests/ui/window/stall_test.cpp).
void watch() {
  constexpr std::uint32_t kernels = 1000, casesOfEach = 100;
  const Job job = jobOf(kernels, casesOfEach);
  Longest fold, delivery;
  std::atomic<int> deliveries{0};
  {
    ReportFeed feed(job, [&](const std::shared_ptr<const Report>&) { ++deliveries; });
    const auto take = [&](const Event& event) {
      const auto start = SteadyClock::now();
      const double used = threadSeconds();
      const int before = deliveries;
      feed.take(event);
      Longest& longest = deliveries == before ? fold : delivery;
      longest.clock = std::max(longest.clock, since(start));
      longest.processor = std::max(longest.processor, threadSeconds() - used);
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
  row("1 000 workers' 100 000 verdicts folded: the longest event", formatSeconds(fold.processor), "≤ 16 ms",
      fmt::format("of the processor; with a snapshot {}, {} snapshots; by the clock {} and {}",
                  formatSeconds(delivery.processor), deliveries.load(), formatSeconds(fold.clock),
                  formatSeconds(delivery.clock)));
}

}  // namespace

void cluster() {
  watch();
  for (const std::size_t places : {1U, 8U, 64U}) {
    const auto runner = fakeCluster(places);
    cost(*runner, fmt::format("{} workers, one kernel of 20 000 cases", places), jobOf(1, 20'000));
    if (places < 64) continue;
    cost(*runner, "64 workers, 640 kernels of 16 cases", jobOf(640, 16));
    cost(*runner, "64 workers, 640 kernels of 156 cases", jobOf(640, 156));
  }
  const std::string delays = "--delay=0.02 --spread=0.5 --compile=1 --load=0.1";
  efficiency("one kernel of 3 000 cases", jobOf(1, 3000, delays), 1);
  efficiency("24 kernels of 30 cases", jobOf(24, 30, delays), 0);
}

}  // namespace wb::bench
