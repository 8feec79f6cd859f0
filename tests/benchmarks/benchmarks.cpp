// SPDX-License-Identifier: Apache-2.0
#include "tests/benchmarks/benchmarks.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>

#include "core/runner/runner.h"

namespace wb::bench {

void row(const std::string& what, const std::string& measured, const std::string& aim,
         const std::string& beside) {
  fmt::print("{:<66} {:>12}   aim {:<10} {}\n", what, measured, aim, beside);
  std::fflush(stdout);
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace wb::bench

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  setenv("WARPBENCH_WORKER", WB_BINARY_DIR "/bin/warpbench-worker", 0);
  const std::string device = argc > 1 ? argv[1] : "cpu";
  fmt::print("Warpbench {} on {}\n", WB_VERSION, device);
  wb::bench::core();
  wb::bench::flow(device);
  wb::bench::timing(device);
  wb::bench::suites(device);
}
