// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_builds.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <thread>

#include "core/base/files/hash.h"
#include "tests/fakes/fake_faults.h"
#include "tests/fakes/fake_results.h"

namespace wb::fake {

namespace {

std::mutex mutex;
std::map<std::string, std::string> builders;

std::string keyOf(const KernelSource& source, const std::string& architecture) {
  return contentHash({source.text, source.op, architecture});
}

BuiltFile built(const KernelSource& source, const std::string& architecture, std::size_t bytes) {
  BuiltFile file{keyOf(source, architecture), "{}", std::string(bytes, 'b'), {}};
  file.hash = contentHash({file.content});
  return file;
}

/// False: it was told to stop.
bool waitFor(double seconds, const std::stop_token& stop) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < until) {
    if (stop.stop_requested()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return !stop.stop_requested();
}

}  // namespace

BuildFacts buildFacts(const Options& options) {
  const bool gpu = options.device.starts_with("cuda");
  return {options.host.empty() ? (gpu ? "fake-gpubox" : "fake-node") : options.host,
          "x86-64",
          options.buildsWith,
          "2.36",
          "libstdc++ 12",
          "2.11.0+fake",
          "NVRTC 13.0",
          gpu ? target(options).architecture : ""};
}

void takeBuilt(const Built& given, const std::optional<SealKey>& seal) {
  if (!seal || given.proof != proofOf(given, *seal) || contentHash({given.file.content}) != given.file.hash)
    return;
  const std::lock_guard lock(mutex);
  builders[given.file.key] = given.from;
}

std::optional<std::string> builderOf(const KernelSource& source, const Options& options) {
  const std::lock_guard lock(mutex);
  const auto found = builders.find(keyOf(source, buildFacts(options).architecture));
  if (found == builders.end()) return std::nullopt;
  std::string from = found->second;
  builders.erase(found);
  return from;
}

void compileAhead(const JobRun& run, const std::string& architecture) {
  const auto say = [&](const Message& message) {
    if (!run.writer.send(message, run.run)) ::_exit(4);
  };
  for (const KernelWork& work : workIn(run.job).kernels) {
    const KernelSource& source = run.job.kernels[work.kernel];
    Options options = run.options;
    applyArguments(argumentsIn(source.text), options);
    if (!waitFor(options.aheadDelay, run.stop)) break;
    if (options.ahead == "crash") dieOf(SIGSEGV);
    if (options.ahead == "hang")
      while (true) std::this_thread::sleep_for(std::chrono::hours{1});
    if (options.ahead == "nothing") say(Happened{Log{"compiler", "the fake does not compile it ahead"}});
    if (options.ahead == "build") say(Built{built(source, architecture, 1000), "", 0});
    if (options.ahead == "large") say(Built{built(source, architecture, largestBuiltFile + 1), "", 0});
  }
  say(Happened{Finished{run.stop.stop_requested() ? Outcome::cancelled : Outcome::finished, 1.0}});
}

}  // namespace wb::fake
