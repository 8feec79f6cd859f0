// SPDX-License-Identifier: Apache-2.0
// What walls cost when a program starts, beside a bare start and one with a keeper.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/process/process.h"
#include "core/base/sandbox/sandbox.h"
#include "core/model/json/sandbox_text.h"
#include "tests/benchmarks/benchmarks.h"

namespace wb::bench {
namespace {

/// The median time from the start of a program that does nothing to its end, in milliseconds.
double milliseconds(const Command& command) {
  constexpr int times = 101;
  std::vector<double> all;
  for (int i = 0; i < times; ++i) {
    const auto ran = runToEnd(command, std::chrono::seconds{20});
    if (!ran || !ran->ok()) return 0;
    all.push_back(ran->seconds * 1e3);
  }
  std::nth_element(all.begin(), all.begin() + times / 2, all.end());
  return all[times / 2];
}

}  // namespace

void walls() {
  const char* worker = WB_BINARY_DIR "/bin/warpbench-worker";
  Command command{.argv = {"/bin/true"}};
  const double bare = milliseconds(command);
  command.keeper = worker;
  const double kept = milliseconds(command);
  if (const auto missing = missingWalls(Sandbox{}, sandboxSupport()); !missing.empty()) {
    row("a program inside walls, start to end", "not here", "≤ 10 ms", missing.front());
    return;
  }
  command.walls = sandboxText({.readable = systemFiles(), .writable = {}, .devices = {}, .scratch = {}});
  const double walled = milliseconds(command);
  row("a program inside walls, start to end", fmt::format("{:.1f} ms", walled), "≤ 10 ms",
      fmt::format("{:.1f} ms without them and with a keeper, {:.1f} ms bare{}", kept, bare,
                  sandboxSupport().namespaces.there ? "" : "; no namespaces here"));
}

}  // namespace wb::bench
