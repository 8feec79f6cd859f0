// SPDX-License-Identifier: Apache-2.0
// A worker without torch for tests: the real protocol, made-up results, and every kind of misbehaviour.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "core/base/process/keeper.h"
#include "core/base/sandbox/sandbox_launcher.h"
#include "core/model/json/sandbox_text.h"
#include "core/protocol/channel.h"
#include "tests/fakes/fake_builds.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_job.h"
#include "tests/fakes/fake_options.h"
#include "tests/fakes/fake_results.h"

namespace {

using namespace wb;
using namespace wb::fake;

constexpr std::chrono::milliseconds deadMansLimit{30'000};

std::chrono::duration<double> seconds(double count) {
  return std::chrono::duration<double>(count);
}

bool greet(const Options& options, MessageWriter& writer) {
  Hello hello;
  if (options.protocol != 0) hello.protocol = options.protocol;
  hello.build = "fake 1.0";
  if (options.mode == "hello-failure") {
    hello.failure = "torch 2.11 was not found";
    hello.hint = "run packaging/setup";
  } else {
    hello.target = target(options);
  }
  return writer.send(hello).has_value();
}

/// How many jobs are being done. Only meanwhile is there a heartbeat, and may the supervisor not be silent.
std::atomic<int> jobs = 0;

/// Never ends in order: a supervisor that hangs up, or says nothing for long, ends the process at once.
[[noreturn]] void serve(const Options& options, MessageReader& reader, MessageWriter& writer, int output) {
  std::jthread work;
  std::optional<SealKey> seal;
  while (true) {
    const auto received = reader.receive(jobs > 0 ? deadMansLimit : std::chrono::milliseconds{-1});
    if (received && !*received && reader.timedOut() && jobs == 0) continue;
    if (!received || !*received || std::holds_alternative<Bye>((*received)->message)) {
      endSlowlyWithDaemon();
      std::_Exit(0);
    }
    const Message& message = (*received)->message;
    if (const auto* welcome = std::get_if<Welcome>(&message)) {
      if (!welcome->accepted) std::_Exit(0);
      seal = welcome->seal;
      if (seal) writer.sealWith(*seal);
      const bool once = options.mode == "die-idle-once" && !std::filesystem::exists(options.script);
      if (once) std::ofstream(options.script) << "died\n";
      if (options.mode == "die-idle" || once) {
        std::this_thread::sleep_for(seconds(0.05));
        std::_Exit(9);
      }
      if (options.mode == "deaf")
        while (true) std::this_thread::sleep_for(seconds(3600));
    }
    if (std::holds_alternative<Cancel>(message)) work.request_stop();
    if (std::holds_alternative<AskBuilds>(message) && !writer.send(Builds{buildFacts(options)}))
      std::_Exit(4);
    if (const auto* built = std::get_if<Built>(&message)) takeBuilt(*built, seal);
    const auto* run = std::get_if<RunJob>(&message);
    const auto* ahead = std::get_if<CompileAhead>(&message);
    if (run == nullptr && ahead == nullptr) continue;
    ++jobs;
    jobs.notify_all();
    const auto architecture = ahead != nullptr ? std::optional(ahead->architecture) : std::nullopt;
    work = std::jthread([job = run != nullptr ? run->job : ahead->job, architecture, id = (*received)->run,
                         &options, &writer, output](std::stop_token stop) {
      const JobRun all{job, id, options, writer, output, stop};
      if (architecture)
        compileAhead(all, *architecture);
      else
        answer(all);
      --jobs;
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == keepArgument) keep(argv + 2);
  if (argc > 4 && std::string_view(argv[1]) == sandboxArgument) {
    Result<Sandbox> walls = sandboxFromText(argv[2]);
    if (walls) launchInSandbox(*std::move(walls), argv + 4);
    return 2;
  }
  Options options;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (const char* fromEnvironment = std::getenv("WARPBENCH_FAKE")) {
    const auto more = splitArguments(fromEnvironment);
    arguments.insert(arguments.end(), more.begin(), more.end());
  }
  if (!arguments.empty() && arguments.front() == "--help") {
    fmt::print("{}", helpText);
    return 0;
  }
  if (!arguments.empty() && arguments.front() == "--version") {
    fmt::print("{}\n", WB_VERSION);
    return 0;
  }
  if (const std::string unknown = applyArguments(arguments, options); !unknown.empty()) {
    fmt::print(stderr, "warpbench-fake-worker: what is {}? See --help.\n", unknown);
    return 2;
  }
  ::signal(SIGPIPE, SIG_IGN);
  if (options.ignoreTerm) ::signal(SIGTERM, SIG_IGN);
  // As the real worker does: what is printed must not get into the protocol's stream.
  const int input = ::fcntl(0, F_DUPFD_CLOEXEC, 10), output = ::fcntl(1, F_DUPFD_CLOEXEC, 10);
  ::dup2(2, 1);
  std::this_thread::sleep_for(seconds(options.startDelay));
  strikeAtStart(options.mode, output);

  MessageWriter writer(output);
  MessageReader reader(input);
  if (!greet(options, writer)) return 4;
  std::jthread([&](std::stop_token stop) {
    for (std::uint64_t beat = 0; !stop.stop_requested(); ++beat) {
      jobs.wait(0);
      if (!writer.send(Heartbeat{beat})) std::_Exit(4);
      std::this_thread::sleep_for(seconds(options.beat));
    }
  }).detach();
  serve(options, reader, writer, output);
}
