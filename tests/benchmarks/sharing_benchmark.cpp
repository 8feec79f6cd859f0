// SPDX-License-Identifier: Apache-2.0
// How many runs a second several workers get through one GPU where each needs it alone for a while: real
// locks, and pretended work, of which the figures are those of a mixed request to the service on an H100.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "core/engine/device/measuring_lock.h"

namespace wb {
namespace {

/// The parts of a run in milliseconds: on the host, its check, what is made ready, what is timed, and what is
/// looked at afterwards.
struct Parts {
  double host, check, ready, alone, after;
};
constexpr Parts byDefault{20, 8, 6, 9, 12}, strictly{20, 20, 12, 40, 10};
constexpr double seconds = 4;
constexpr const char* uuid = "a-pretended-gpu";

void work(double milliseconds, std::mt19937& random) {
  std::uniform_real_distribution<double> some(0.7, 1.3);
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds * some(random)));
}

void runOnce(const Parts& parts, std::mt19937& random) {
  constexpr double patience = 60;
  work(parts.host, random);
  std::optional<MeasuringLock> held(MeasuringLock::share(uuid, patience, {}));
  work(parts.check + parts.ready, random);
  held.reset();
  {
    const auto alone = MeasuringLock::acquire(uuid, patience, {});
    work(parts.alone, random);
  }
  held.emplace(MeasuringLock::share(uuid, patience, {}));
  work(parts.after, random);
}

struct Came {
  double runs = 0, longest = 0;
};

Came manyRuns(const Parts& parts, std::size_t workers) {
  std::vector<Came> all(workers);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers; ++i)
      threads.emplace_back([&, i] {
        std::mt19937 random(static_cast<unsigned>(i));
        const auto start = std::chrono::steady_clock::now();
        for (double now = 0; now < seconds;) {
          runOnce(parts, random);
          const double then = std::exchange(
              now, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
          all[i] = {all[i].runs + 1, std::max(all[i].longest, now - then)};
        }
      });
  }
  Came sum;
  for (const Came& each : all) sum = {sum.runs + each.runs, std::max(sum.longest, each.longest)};
  return {sum.runs / seconds, sum.longest};
}

}  // namespace
}  // namespace wb

int main() {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("wb-sharing-{}", ::getpid());
  ::setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
  const auto tell = [](const char* way, const wb::Parts& parts) {
    for (const std::size_t workers : {1, 3, 6, 8}) {
      const wb::Came came = wb::manyRuns(parts, workers);
      fmt::print(
          "{:<10} {} at a time: {:5.1f} runs a second (the GPU is held alone {:.0f} ms in each), longest "
          "{:.0f} ms\n",
          way, workers, came.runs, parts.alone, came.longest * 1e3);
    }
  };
  tell("by default", wb::byDefault);
  tell("strictly", wb::strictly);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
}
