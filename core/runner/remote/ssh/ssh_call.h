// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/process/process.h"
#include "core/runner/remote/ssh/bundle.h"
#include "core/targets/run_target.h"

namespace wb {

/// What a script on a host has come to. ssh's own failures have the exit code 255.
struct SshAnswer {
  Ending ending;
  std::string out, err;
  bool timedOut = false;
  /// It was ended because the stop token asked for it.
  bool stopped = false;
  [[nodiscard]] bool ok() const { return !timedOut && !stopped && ending == Ending{}; }
};

/// How a call goes on: called at least every tenth of a second with the bytes that were handed over, and with
/// what was printed so far.
using SshProgress = std::function<void(std::size_t done, std::string_view out)>;

/// Runs a script of one line on a target's host, with a standard input, and waits for its end, which comes
/// within a tenth of a second once `stop` asks for it. Error: ssh cannot be started.
Result<SshAnswer> callHost(const RunTarget& target, const std::filesystem::path& sockets,
                           const std::string& script, std::string_view input, std::chrono::milliseconds limit,
                           const SshProgress& progress = {}, const std::stop_token& stop = {});

/// Copies the packed programs to a target's host. `progress` also gets how many bytes there are.
Result<void> copyBundle(const RunTarget& target, const std::filesystem::path& sockets, const Bundle& bundle,
                        const std::function<void(std::size_t done, std::size_t all)>& progress = {},
                        const std::stop_token& stop = {});

/// What a call of warpbench-reach there needs.
struct ReachCall {
  std::string_view input{};
  std::chrono::milliseconds limit{};
  BundleUse use = BundleUse::workers;
  /// Hears that the programs are copied first; may be empty.
  std::function<void(const std::string&)> say{};
};
/// What warpbench-reach answers there, after it was copied there where it is missing. Error: as callHost(),
/// or it could not be copied.
Result<SshAnswer> callReach(const RunTarget& target, const std::string& arguments, const ReachCall& call,
                            const std::stop_token& stop = {});

/// Why a script failed, in words; `answer` has an exit code other than 0, was too late, or was stopped.
[[nodiscard]] Error failureOf(const RunTarget& target, const SshAnswer& answer);

}  // namespace wb
