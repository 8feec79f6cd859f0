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
  const std::string device = argc > 1 ? argv[1] : "cpu", only = argc > 2 ? argv[2] : "";
  fmt::print("Warpbench {} on {}\n", WB_VERSION, device);
  if (only.empty() || only == "core") wb::bench::core();
  if (only.empty() || only == "walls") wb::bench::walls();
  if (only.empty() || only == "service") wb::bench::service();
  if (only.empty() || only == "cluster") wb::bench::cluster();
  if (only.empty() || only == "remote") wb::bench::remote();
  if (only.empty() || only == "flow") wb::bench::flow(device);
  if (only.empty() || only == "timing") wb::bench::timing(device);
  if (only.empty() || only == "strict") wb::bench::strict(device);
  if (only.empty() || only == "suites") wb::bench::suites(device);
}
