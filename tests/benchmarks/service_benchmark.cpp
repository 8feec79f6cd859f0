// SPDX-License-Identifier: Apache-2.0
// What the service adds to a run, over the fake worker, and what it takes when it has run many.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <thread>

#include "core/base/quantity.h"
#include "core/service/service.h"
#include "tests/benchmarks/benchmarks.h"

namespace wb::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::unique_ptr<Runner> fakeRunner(const std::string& device) {
  Command command;
  command.argv = {WB_BINARY_DIR "/tests/bin/warpbench-fake-worker"};
  return std::make_unique<Runner>(commandLauncher(std::move(command)), device);
}

Job smallJob() {
  Job job;
  job.kernels.push_back({"relu.cpp", "// fake: --cases=1\n", "torch_cpp", "relu", "", ""});
  job.stages.remove(Stage::time);
  return job;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void runOnce(Runner& runner) {
  std::promise<void> finished;
  runner.submit(smallJob(), [&](Runner::RunId, const Event& event) {
    if (std::holds_alternative<Finished>(event)) finished.set_value();
  });
  finished.get_future().wait();
}

void runOnce(Service& service, const std::string& client) {
  Submission submission;
  submission.job = smallJob();
  submission.client = client;
  const auto answer = service.submit(std::move(submission));
  if (const auto* id = std::get_if<std::string>(&answer)) {
    service.waitFor(*id, std::chrono::minutes{1}, {});
    (void)service.report(*id);
  }
}

template <class Action>
double medianOf(int count, Action action) {
  std::vector<double> seconds;
  for (int i = 0; i < count; ++i) {
    const auto start = SteadyClock::now();
    action();
    seconds.push_back(since(start));
  }
  return median(seconds);
}

/// The memory that this process has in use, in bytes.
std::int64_t residentBytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t size = 0, resident = 0;
  statm >> size >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

}  // namespace

void service() {
  constexpr int few = 100, rounds = 3, many = 2000, threads = 16;
  std::string folder = (std::filesystem::temp_directory_path() / "warpbench-benchmark-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return;
  const auto runner = fakeRunner("cpu");
  runOnce(*runner);
  const double direct = medianOf(few, [&] { runOnce(*runner); });
  {
    ServiceOptions options;
    options.folder = folder;
    const auto opened = Service::open(options, {"cpu"}, fakeRunner);
    if (!opened) return row("the service", describe(opened.error()), "", "");
    Service& served = **opened;
    runOnce(served, "ada");
    const double through = medianOf(few, [&] { runOnce(served, "ada"); });
    row("one run through the service, less the same run of the runner",
        fmt::format("{:.2f} ms", (through - direct) * 1e3), "5 ms",
        fmt::format("{:.2f} ms, {:.2f} ms", through * 1e3, direct * 1e3));
    for (int round = 0; round < rounds; ++round) {
      const auto start = SteadyClock::now();
      std::vector<std::thread> clients;
      for (int client = 0; client < threads; ++client)
        clients.emplace_back([&served, client] {
          for (int i = 0; i < many / threads; ++i) runOnce(served, "client " + std::to_string(client));
        });
      for (std::thread& client : clients) client.join();
      row(fmt::format("runs a second of {} clients at once", threads),
          fmt::format("{:.0f}", many / since(start)), "",
          fmt::format("{} MiB in use", residentBytes() >> 20));
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace wb::bench
