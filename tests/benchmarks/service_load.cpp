// SPDX-License-Identifier: Apache-2.0
// warpbench-service-load URL [CLIENTS] [SECONDS] [TOKEN]: so many clients send mixed requests one after the
// other: runs that are waited for, and looks at lists and counts. With $COMPARISONS set also comparisons of
// the evaluation server's contract, which are Python's and which the fake worker does not know. Prints
// latency percentiles of each kind, answers by status, and what the server's process ($SERVICE_PID) takes
// while it works. It fails on errors other than 429, and never on a time.
#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <array>
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

struct Kind {
  const char *name, *path, *body;
};
constexpr const char* comparison =
    R"({"ref_kernel":{"source_code":"import torch\nclass Model(torch.nn.Module):\n def forward(self, a):\n  return a + a","kernel_type":"torch","io":{"args":[{"name":"a","type":"tensor","tensor_spec":{"shape":[256],"dtype":"float32","init":{"kind":"randn","seed":1}}}]}},)"
    R"("custom_kernel":{"source_code":"import torch\nclass Model(torch.nn.Module):\n def forward(self, a):\n  return 2 * a","kernel_type":"torch","io":{"args":[{"name":"a","type":"tensor","tensor_spec":{"shape":[256],"dtype":"float32","init":{"kind":"randn","seed":1}}}]}},)"
    R"("num_trials":10,"timeout":300})";
/// What clients ask, in turn. Lists are asked for without a body.
constexpr std::array<Kind, 6> kinds{{
    {"run", "/v1/runs?wait=300", R"({"op":"relu","stages":["compile","check"]})"},
    {"comparison", "/compare", comparison},
    {"list of runs", "/v1/runs?most=20", nullptr},
    {"run", "/v1/runs?wait=300", R"({"op":"relu","stages":["compile","check"]})"},
    {"statistics", "/stats", nullptr},
    {"metrics", "/metrics", nullptr},
}};

struct Tally {
  std::mutex mutex;
  std::map<std::string, std::vector<double>> milliseconds;
  std::map<int, int> statuses;
  /// The first few answers that are errors.
  std::vector<std::string> errors;
};

constexpr int tooMany = 429;
const bool comparisons = std::getenv("COMPARISONS") != nullptr;  // NOLINT(concurrency-mt-unsafe)

bool isGood(int status) {
  return status >= 200 && status < 300;
}

void ask(const std::string& url, const httplib::Headers& headers, std::size_t turn, Clock::time_point until,
         Tally& tally) {
  constexpr std::size_t mostErrors = 5;
  httplib::Client http(url);
  http.set_keep_alive(true);
  http.set_read_timeout(600);
  for (; Clock::now() < until; ++turn) {
    const Kind& kind = kinds[turn % kinds.size()];
    if (kind.body == comparison && !comparisons) continue;
    const auto began = Clock::now();
    const auto answer = kind.body == nullptr ? http.Get(kind.path, headers)
                                             : http.Post(kind.path, headers, kind.body, "application/json");
    const double took = std::chrono::duration<double, std::milli>(Clock::now() - began).count();
    const int status = answer ? answer->status : 0;
    {
      const std::lock_guard lock(tally.mutex);
      ++tally.statuses[status];
      if (isGood(status)) tally.milliseconds[kind.name].push_back(took);
      if (!isGood(status) && status != tooMany && tally.errors.size() < mostErrors)
        tally.errors.push_back(fmt::format(
            "{}: {}", kind.path, answer ? answer->body.substr(0, 300) : httplib::to_string(answer.error())));
    }
    // Who is told to come again does, later.
    if (status == tooMany) std::this_thread::sleep_for(std::chrono::milliseconds{200});
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

/// Says each half minute, and ten times at least, what the process takes while it works.
void watch(const char* process, Clock::time_point until) {
  const auto began = Clock::now();
  const auto period = std::min<Clock::duration>((until - began) / 10, std::chrono::seconds{30});
  while (process != nullptr && Clock::now() + period <= until) {
    std::this_thread::sleep_for(period);
    fmt::print("after {:.0f} s: {}\n", std::chrono::duration<double>(Clock::now() - began).count(),
               takenBy(process));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print("warpbench-service-load URL [CLIENTS] [SECONDS] [TOKEN]; its process in $SERVICE_PID\n");
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
  for (int i = 0; i < clients; ++i)
    threads.emplace_back([&, i] { ask(url, headers, static_cast<std::size_t>(i), until, tally); });
  watch(process, until);
  for (std::thread& each : threads) each.join();
  fmt::print("{} clients, {:.0f} s\n", clients, seconds);
  for (auto& [name, times] : tally.milliseconds) {
    std::ranges::sort(times);
    const auto percentile = [&, &sorted = times](double share) {
      return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    };
    fmt::print("{:12}  {:7} in all, {:7.1f} a second, ms: p50 {:.1f}  p90 {:.1f}  p99 {:.1f}  max {:.1f}\n",
               name, times.size(), static_cast<double>(times.size()) / seconds, percentile(0.5),
               percentile(0.9), percentile(0.99), percentile(1));
  }
  int errors = 0;
  for (const auto& [status, count] : tally.statuses) {
    fmt::print("status {}: {}\n", status, count);
    if (!isGood(status) && status != tooMany) errors += count;
  }
  for (const std::string& each : tally.errors) fmt::print("  {}\n", each);
  fmt::print("errors but 429: {}\n", errors);
  if (process != nullptr) fmt::print("at the end: {}\n", takenBy(process));
  return errors == 0 ? 0 : 1;
}
