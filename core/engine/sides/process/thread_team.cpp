// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/thread_team.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace wb {
namespace {

constexpr int tries = 50;

}  // namespace

double teamSeconds() {
  const std::int64_t threads = at::get_num_threads();
  if (threads < 2) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < tries; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    at::parallel_for(0, threads, 1, [](std::int64_t, std::int64_t) {});
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

bool isTeamSlow(double before) {
  constexpr double times = 3, more = 5e-6;
  return teamSeconds() > times * before + more;
}

}  // namespace wb
