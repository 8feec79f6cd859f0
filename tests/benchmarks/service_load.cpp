// SPDX-License-Identifier: Apache-2.0
// warpbench-service-load URL [CLIENTS] [SECONDS] [TOKEN]: so many clients hand in small runs one after the
// other and wait for each. Prints latency percentiles, answers by status, and what the server's process
// takes, as far as /metrics and /proc tell. It never fails on a time.
#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Tally {
  std::mutex mutex;
  std::vector<double> milliseconds;
  std::map<int, int> statuses;
};

void handIn(const std::string& url, const httplib::Headers& headers, Clock::time_point until, Tally& tally) {
  httplib::Client http(url);
  http.set_keep_alive(true);
  http.set_read_timeout(600);
  while (Clock::now() < until) {
    const auto began = Clock::now();
    const auto answer = http.Post("/v1/runs?wait=300", headers,
                                  R"({"op":"relu","stages":["compile","check"]})", "application/json");
    const double took = std::chrono::duration<double, std::milli>(Clock::now() - began).count();
    {
      const std::lock_guard lock(tally.mutex);
      ++tally.statuses[answer ? answer->status : 0];
      if (answer && answer->status == 200) tally.milliseconds.push_back(took);
    }
    // Who is told to come again does, later.
    if (answer && answer->status == 429) std::this_thread::sleep_for(std::chrono::milliseconds{200});
  }
}

/// Resident memory and open descriptors of the process, which must be this user's.
std::string takenBy(const std::string& process) {
  std::ifstream status("/proc/" + process + "/status");
  std::string line, memory = "?", threads = "?";
  while (std::getline(status, line)) {
    if (line.starts_with("VmRSS:")) memory = line.substr(6);
    if (line.starts_with("Threads:")) threads = line.substr(8);
  }
  std::error_code failed;
  std::ptrdiff_t descriptors = 0;
  for ([[maybe_unused]] const auto& each :
       std::filesystem::directory_iterator("/proc/" + process + "/fd", failed))
    ++descriptors;
  return fmt::format("memory {}, threads {}, descriptors {}", memory, threads, descriptors);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print("warpbench-service-load URL [CLIENTS] [SECONDS] [TOKEN]; PID in $SERVICE_PID\n");
    return 2;
  }
  const std::string url = argv[1];
  const int clients = argc > 2 ? std::atoi(argv[2]) : 200;
  const double seconds = argc > 3 ? std::atof(argv[3]) : 60;
  httplib::Headers headers;
  if (argc > 4) headers.emplace("Authorization", std::string("Bearer ") + argv[4]);
  const char* process = std::getenv("SERVICE_PID");
  if (process != nullptr) fmt::print("before: {}\n", takenBy(process));
  Tally tally;
  const auto until = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) threads.emplace_back([&] { handIn(url, headers, until, tally); });
  if (process != nullptr) {
    std::this_thread::sleep_until(until - std::chrono::milliseconds{500});
    fmt::print("under load: {}\n", takenBy(process));
  }
  for (std::thread& each : threads) each.join();
  auto& times = tally.milliseconds;
  std::ranges::sort(times);
  const auto percentile = [&](double share) {
    return times.empty() ? 0.0
                         : times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
  };
  fmt::print("{} clients, {:.0f} s: {} runs, {:.1f} a second\n", clients, seconds, times.size(),
             static_cast<double>(times.size()) / seconds);
  fmt::print("latency ms: p50 {:.1f}  p90 {:.1f}  p99 {:.1f}  max {:.1f}\n", percentile(0.5), percentile(0.9),
             percentile(0.99), percentile(1));
  for (const auto& [status, count] : tally.statuses) fmt::print("status {}: {}\n", status, count);
  if (process != nullptr) fmt::print("after: {}\n", takenBy(process));
  return 0;
}
