// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/service/word.h"
#include "core/base/files/paths.h"
#include "core/base/result.h"
#include "core/doctor/doctor.h"
#include "core/model/exit/exit_status.h"
#include "core/runner/prepare.h"
#include "core/runner/process/worker_walls.h"
#include "core/runner/runner.h"
#include "core/service/evaluation/evaluation_server.h"
#include "core/service/mcp/line_mcp.h"
#include "core/service/service.h"

namespace wb {
namespace {

constexpr const char* client = "mcp";

struct Options {
  std::vector<std::string> devices;
  std::string python;
  bool strict = false, noSandbox = false;
};

int complain(const Error& error) {
  fmt::print(stderr, "warpbench mcp: {}\n", describe(error));
  return ExitStatus::noWorker;
}

/// A service of this program's own. Several such programs run beside each other, each in a folder that it
/// locks; the first that is free is taken, so that a client that comes back finds its last runs.
Result<std::unique_ptr<Service>> openOwn(const std::vector<std::string>& devices, const std::string& python) {
  constexpr int mostPrograms = 32;
  constexpr std::int64_t keptBytes = std::int64_t{256} << 20;
  const auto makeRunner = [python](const std::string& device) {
    return std::make_unique<Runner>(localLauncher(python), device, RunnerOptions{.warmSpare = false});
  };
  Error last{Stage::setup, "no folder could be opened"};
  for (int number = 0; number < mostPrograms; ++number) {
    ServiceOptions options;
    options.folder = cacheFolder() / "mcp" / std::to_string(number);
    options.keepBytes = keptBytes;
    options.tell = [](const std::string& text) { fmt::print(stderr, "warpbench mcp: {}\n", text); };
    auto service = Service::open(options, devices, makeRunner);
    if (!service) {
      last = std::move(service).error();
      continue;
    }
    // What an earlier program was killed over is nobody's any more.
    constexpr std::size_t mostLeft = 1000;
    for (const RunStatus& run : (*service)->runs(mostLeft))
      if (!isOver(run.state)) (*service)->cancel(run.id, "the program that asked for it is gone");
    return service;
  }
  return last;
}

/// A pipe that can be read as soon as somebody wants this program to end.
int endingPipe() {
  static std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  struct sigaction action {};
  action.sa_handler = [](int) {
    const int kept = errno;
    [[maybe_unused]] const ssize_t written = ::write(ends[1], "", 1);
    errno = kept;
  };
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaction(signal, &action, nullptr);
  return ends[0];
}

int run(const Options& options) {
  // Messages alone go to standard output: whatever else is printed, by whomever, is for people.
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  if (out < 0 || in < 0) return complain({Stage::setup, "standard input or output is closed"});
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const int ending = endingPipe();
  const auto devices = resolveDevices(
      options.devices.empty() ? std::vector<std::string>{"auto", "cpu"} : options.devices, wb::devices());
  if (!devices) return complain(devices.error());
  const auto service = openOwn(*devices, options.python);
  if (!service) return complain(service.error());
  McpHost host;
  if (!options.noSandbox) {
    const auto walls = checkSandbox();
    host.sandbox = walls.has_value();
    if (!walls) fmt::print(stderr, "warpbench mcp: kernels run without walls: {}\n", describe(walls.error()));
  }
  EvaluationHost answering = EvaluationHost::ofThisMachine();
  answering.sandbox = host.sandbox;
  EvaluationServer evaluation(**service, std::move(answering));
  host.service = service->get();
  host.evaluation = &evaluation;
  host.catalogue = [python = options.python] { return catalogueOfTorch(python); };
  host.doctor = examineMachine;
  host.strict = options.strict;
  host.python = options.python;
  host.version = WB_VERSION;
  serveMcpLines(host, client, in, out, ending);
  return ExitStatus::good;
}

}  // namespace

ServiceWord mcpWord() {
  auto options = std::make_shared<Options>();
  const auto declare = [options](CLI::App& app) {
    app.add_option("--device", options->devices,
                   "Device that runs kernels: cpu, cuda:N (may be repeated); else all");
    app.add_option("--python", options->python, "Interpreter whose torch is used");
    app.add_flag("--strict", options->strict, "Judge kernels strictly unless a call says otherwise");
    app.add_flag("--no-sandbox", options->noSandbox, "Run kernels without walls around them");
    app.footer(
        "It speaks the Model Context Protocol on standard input and output, one message on each line, and "
        "ends "
        "with its input.");
  };
  return {"mcp", "Give a language model the tools of Warpbench (Model Context Protocol)", declare,
          [options] { return run(*options); }};
}

}  // namespace wb
