// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <optional>
#include <string_view>

#include "core/base/files/file.h"
#include "core/base/process/process_tree.h"
#include "core/base/sandbox/sandbox.h"
#include "core/base/text.h"
#include "core/service/http/pages/pages.h"

namespace wb {
namespace {

/// What a process was started for, as its arguments say it.
struct Started {
  std::string device;
  bool isLauncherOfWalls = false;
};

/// Nothing for what is no worker, and no keeper of one.
std::optional<Started> startedAs(pid_t process) {
  const Result<std::string> arguments = readFile("/proc/" + std::to_string(process) + "/cmdline");
  if (!arguments) return std::nullopt;
  constexpr std::string_view deviceArgument = "--device=";
  Started started;
  for (const std::string_view argument : split(*arguments, '\0')) {
    if (argument.starts_with(deviceArgument)) started.device = argument.substr(deviceArgument.size());
    if (argument == sandboxArgument) started.isLauncherOfWalls = true;
  }
  return started.device.empty() ? std::nullopt : std::optional(started);
}

/// By a signal. What traces a process stops it for moments, which is another letter.
bool isStopped(pid_t process) {
  const auto state = processState(process);
  return state && state->state == 'T';
}

}  // namespace

std::vector<StoppedWorker> stoppedWorkers() {
  std::vector<StoppedWorker> found;
  for (const pid_t keeper : listedChildrenOf(::getpid())) {
    const auto started = startedAs(keeper);
    if (!started) continue;
    if (isStopped(keeper)) found.push_back({keeper, started->device});
    // What waits inside walls stands still while anything is timed.
    if (started->isLauncherOfWalls) continue;
    for (const pid_t worker : listedChildrenOf(keeper))
      if (isStopped(worker) && startedAs(worker)) found.push_back({worker, started->device});
  }
  return found;
}

}  // namespace wb
