// SPDX-License-Identifier: Apache-2.0
// Both ends of the way to a worker on another machine.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/files/paths.h"
#include "core/base/process/keeper.h"
#include "core/base/process/process.h"
#include "core/base/text.h"
#include "core/runner/batch/batch_desk.h"
#include "core/runner/prepare.h"
#include "core/runner/remote/far_devices.h"
#include "core/runner/remote/far_end.h"
#include "core/runner/remote/near/near_end.h"
#include "core/runner/remote/slurm.h"
#include "core/runner/remote/target_places.h"
#include "core/runner/runner.h"
#include "core/suites/opinfo_suite.h"

namespace {
constexpr int badUsage = 2;
// A job of a cluster may wait before it begins.
constexpr std::chrono::hours longestMaking{24};
constexpr const char* usage =
    "warpbench-reach --near TARGET DEVICE   stands in for a worker on another machine\n"
    "warpbench-reach --far                  the same there; its orders come on standard input\n"
    "warpbench-reach --devices              lists the devices here, as JSON\n"
    "warpbench-reach --batch                answers what is asked on standard input of runs that lie here\n"
    "warpbench-reach --opinfo DEVICE DTYPE [CLUSTER]   makes the suite opinfo here, or on a node, and prints "
    "its index\n"
    "Started by warpbench and warpbench-ui.\n";

/// What starts a worker here: this machine, or the scheduler of its cluster.
wb::Result<std::unique_ptr<wb::Launcher>> launcherFor(const wb::FarOrder& order) {
  if (order.cluster.empty()) return wb::localLauncher(order.python);
  WB_TRY(wb::RunTarget target, wb::parseTarget(order.cluster));
  target.python = order.python;
  WB_TRY(wb::SlurmPrograms programs, wb::sharedPrograms(target));
  return wb::slurmLauncher(std::move(target), std::move(programs));
}
/// Prints opinfo's index, made here, or on a node of a cluster that shares this user's cache.
int makeOpinfo(const wb::SuiteRequest& suite, const std::string& cluster) {
  const auto fail = [](std::string_view why) {
    fmt::print(stderr, "{}\n", why);
    return wb::opinfoFailed;
  };
  if (!cluster.empty() && !wb::cachedOpinfoSuite(suite)) {
    const auto target = wb::parseTarget(cluster);
    if (!target) return fail(target.error().text);
    const std::string self = (wb::programFolder() / "warpbench-reach").string();
    const auto made =
        wb::runToEnd({.argv = wb::slurmStep(*target, {self, "--opinfo", suite.device, suite.dtype}),
                      .keeper = wb::workerProgram()},
                     longestMaking);
    if (!made) return fail(made.error().text);
    if (const auto start = wb::slurmStart(*target, made->err); start.failure)
      return fail(start.failure->text);
    if (!made->ok()) return fail(wb::trimmed(made->err));
    fmt::print("{}", made->out);
    return 0;
  }
  const auto index = wb::opinfoIndexText(suite, {});
  if (!index) return fail(index.error().text);
  fmt::print("{}{}", wb::opinfoMark, *index);
  return 0;
}
}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  // It stands in a keeper's place too: a keeper is given itself and the program that it keeps.
  if (arguments.size() > 2 && arguments.front() == wb::keepArgument)
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  const std::string_view word = arguments.empty() ? std::string_view() : arguments.front();
  if (word == "--far") return wb::serveFarEnd(launcherFor);
  if (word == "--devices") {
    fmt::print("{}{}\n", wb::devicesMark, wb::text(wb::devices()));
    return 0;
  }
  if (word == "--batch") {
    const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
    fmt::print("{}{}\n", wb::batchMark, wb::answerAboutBatch(request, wb::programFolder().parent_path()));
    return 0;
  }
  if (word == "--opinfo" && arguments.size() >= 3)
    return makeOpinfo({.name = "opinfo", .dtype = arguments[2], .device = arguments[1]},
                      arguments.size() > 3 ? arguments[3] : "");
  if (word == "--near") {
    const wb::Result<wb::NearOrder> order = wb::nearOrderFrom(arguments);
    if (order) wb::serveNearEnd(*order);
    fmt::print(stderr, "warpbench-reach: {}\n", wb::describe(order.error()));
    return badUsage;
  }
  fmt::print(word == "--help" ? stdout : stderr, "{}", usage);
  return word == "--help" ? 0 : badUsage;
}
