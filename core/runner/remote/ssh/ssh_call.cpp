// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/ssh/ssh_call.h"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <random>

#include "core/base/files/file.h"
#include "core/runner/remote/ssh/ssh_command.h"
#include "core/runner/remote/streams.h"

namespace wb {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int turn = 100, sshFailed = 255;
constexpr std::size_t mostErrors = std::size_t{1} << 20, mostAnswer = std::size_t{32} << 20,
                      largestBundle = std::size_t{512} << 20;
constexpr std::chrono::minutes longestCopy{10};

/// Reads what is there; what is more than `most` is dropped.
void keep(int descriptor, std::string& text, std::size_t most) {
  while (true) {
    const auto more = readSome(descriptor);
    if (!more || more->empty()) return;
    if (text.size() < most) text += *more;
  }
}

std::string drawnName() {
  std::random_device drawn;
  return fmt::format("{:08x}{:08x}", static_cast<std::uint32_t>(drawn()),
                     static_cast<std::uint32_t>(drawn()));
}

}  // namespace

Result<SshAnswer> callHost(const RunTarget& target, const std::filesystem::path& sockets,
                           const std::string& script, std::string_view input, milliseconds limit,
                           const SshProgress& progress, const std::stop_token& stop) {
  Result<Child> ssh = Child::start({.argv = sshCommand(target, sockets)});
  if (!ssh)
    return Error{Stage::setup, ssh.error().text, "install OpenSSH's client (openssh-client) on this machine"};
  for (const int descriptor : {ssh->input(), ssh->output(), ssh->errors()}) setNonBlocking(descriptor);
  const std::string first = script + "\n";
  std::size_t done = 0;
  const std::size_t all = first.size() + input.size();
  SshAnswer answer;
  const Clock::time_point before = Clock::now() + limit;
  while (true) {
    const auto [ended, how] = ssh->wait(milliseconds{0});
    keep(ssh->output(), answer.out, mostAnswer);
    keep(ssh->errors(), answer.err, mostErrors);
    answer.ending = how;
    if (ended) return answer;
    answer.stopped = stop.stop_requested();
    answer.timedOut = !answer.stopped && Clock::now() >= before;
    if (answer.stopped || answer.timedOut) {
      ssh->kill(SIGKILL);
      return answer;
    }
    if (done < all && ssh->input() >= 0) {
      const auto written = writeSome(ssh->input(), done < first.size() ? std::string_view(first).substr(done)
                                                                       : input.substr(done - first.size()));
      done = written ? done + *written : all;
      if (done == all) ssh->closeInput();
    }
    if (progress) progress(done < first.size() ? 0 : done - first.size(), answer.out);
    std::array<pollfd, 4> ready{{{ssh->pidfd(), POLLIN, 0},
                                 {ssh->output(), POLLIN, 0},
                                 {ssh->errors(), POLLIN, 0},
                                 {ssh->input(), POLLOUT, 0}}};
    ::poll(ready.data(), ready.size(), turn);
  }
}

Error failureOf(const RunTarget& target, const SshAnswer& answer) {
  const std::string host = titleOf(target);
  if (answer.stopped) return {Stage::setup, fmt::format("the call to {} was stopped", host), {}, {}};
  if (answer.timedOut)
    return {Stage::setup, fmt::format("{} does not answer in time", host),
            "try ssh in a terminal: a login that asks something cannot be used"};
  return answer.ending.exitCode == sshFailed ? explained(sshFailure(host, answer.err))
                                             : unpackError(host, answer.ending.exitCode, answer.err);
}

Result<void> copyBundle(const RunTarget& target, const std::filesystem::path& sockets, const Bundle& bundle,
                        const std::function<void(std::size_t, std::size_t)>& progress,
                        const std::stop_token& stop) {
  WB_TRY(const std::filesystem::path file, packed(bundle, stop));
  WB_TRY(const std::string content, readFile(file, largestBundle));
  WB_TRY(const SshAnswer answer,
         callHost(
             target, sockets, unpackScript(target, bundle.hash, drawnName()), content, longestCopy,
             [&](std::size_t done, std::string_view) {
               if (progress) progress(done, content.size());
             },
             stop));
  if (answer.ok()) return {};
  return failureOf(target, answer);
}

Result<SshAnswer> callReach(const RunTarget& target, const std::string& arguments, const ReachCall& call,
                            const std::stop_token& stop) {
  WB_TRY(const Bundle bundle, ownBundle(call.use));
  const std::filesystem::path sockets = sshSockets();
  for (int tries = 0;; ++tries) {
    WB_TRY(SshAnswer answer, callHost(target, sockets, startScript(target, bundle.hash, arguments),
                                      call.input, call.limit, {}, stop));
    if (answer.ending.exitCode != missingBundle || tries > 0) return answer;
    if (call.say) call.say(fmt::format("copying Warpbench's programs to {}", titleOf(target)));
    WB_DO(copyBundle(target, sockets, bundle, {}, stop));
  }
}

}  // namespace wb
