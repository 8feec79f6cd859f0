// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/worker/descriptors.h"
#include "app/worker/doctor.h"
#include "app/worker/engine_library.h"
#include "app/worker/last_words.h"
#include "app/worker/options.h"
#include "app/worker/session.h"
#include "core/base/process/guest_start.h"
#include "core/base/process/keeper.h"
#include "core/base/sandbox/sandbox_launcher.h"
#include "core/model/json/sandbox_text.h"
#include "core/protocol/message.h"

namespace {

/// Ends without destructors, since those of torch and of user code crash while other threads still run.
[[noreturn]] void end(int code) {
  std::fflush(nullptr);
  _exit(code);
}

[[noreturn]] void launch(std::string_view walls, char* const* program) {
  wb::Result<wb::Sandbox> sandbox = wb::sandboxFromText(walls);
  if (sandbox) wb::launchInSandbox(*std::move(sandbox), program);
  fmt::print(stderr, "warpbench-worker: {}: {}\n", wb::sandboxArgument, wb::describe(sandbox.error()));
  end(wb::noWallsExit);
}

int serveProtocol(const wb::WorkerOptions& options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const wb::Result<wb::Descriptors> descriptors = wb::moveDescriptors();
  if (!descriptors) {
    fmt::print(stderr, "warpbench-worker: {}\n", wb::describe(descriptors.error()));
    return 3;
  }
  wb::keepLastWords(*descriptors);
  // It finds its torch while this process finds its own.
  wb::StartedAhead started;
  if (options.judges)
    started.guests = wb::startParentOfGuests(wb::ownCommandAsGuest()).value_or(started.guests);
  return wb::serve(options, *descriptors, started);
}

}  // namespace

int main(int argc, char** argv) {
  using Mode = wb::WorkerOptions::Mode;
  if (argc > 1 && std::string_view(argv[argc - 1]) == wb::closedArgument) wb::closeToOthers();
  if (argc > 2 && std::string_view(argv[1]) == wb::keepArgument) wb::keep(argv + 2);
  if (argc > 4 && std::string_view(argv[1]) == wb::sandboxArgument && std::string_view(argv[3]) == "--")
    launch(argv[2], argv + 4);
  std::signal(SIGPIPE, SIG_IGN);
  const wb::Result<wb::WorkerOptions> options = wb::parseOptions(argc, argv);
  if (!options) {
    fmt::print(stderr, "warpbench-worker: {}\n", wb::describe(options.error()));
    return 2;
  }
  switch (options->mode) {
    case Mode::serve:
      end(serveProtocol(*options));
    case Mode::guest:
      end(wb::serveAsGuests(*options, nullptr, nullptr));
    case Mode::prepare:
      end(wb::prepareKernels(*options));
    case Mode::doctor:
      end(wb::printDoctor(*options));
    case Mode::version:
      fmt::print("warpbench-worker {} (protocol {})\n", WB_VERSION, wb::protocolVersion);
      return 0;
    case Mode::help:
      fmt::print("{}", wb::usage());
      return 0;
  }
}
