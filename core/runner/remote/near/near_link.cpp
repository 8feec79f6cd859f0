// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/near/near_link.h"

#include <fmt/format.h>

#include <csignal>
#include <utility>

#include "core/base/quantity.h"
#include "core/runner/remote/far_end.h"
#include "core/runner/remote/ssh/ssh_call.h"
#include "core/runner/remote/ssh/ssh_command.h"
#include "core/runner/remote/streams.h"

namespace wb {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t mostSaid = std::size_t{8} << 10;
constexpr milliseconds longestGoing{500}, longestEnd{2000};
constexpr int sshFailed = 255;

}  // namespace

NearLink::NearLink(const RunTarget& target, FarOrder order)
    : target_(target), host_(titleOf(target)), sockets_(sshSockets()), order_(std::move(order)) {}

Result<void> NearLink::open(const std::string& hash) {
  said_.clear();
  sshSpeaks_ = true;
  Result<Child> ssh = Child::start({.argv = sshCommand(target_, sockets_)});
  if (!ssh)
    return Error{Stage::setup, ssh.error().text, "install OpenSSH's client (openssh-client) on this machine"};
  ssh_.emplace(*std::move(ssh));
  for (const int descriptor : {ssh_->input(), ssh_->output(), ssh_->errors()}) setNonBlocking(descriptor);
  toSsh_ = startScript(target_, hash, "--far") + "\n" + text(order_) + "\n";
  end_.connect();
  heard_ = Clock::now();
  return {};
}

void NearLink::appendTo(std::vector<pollfd>& waiting, bool mayHear) const {
  if (!ssh_) return;
  waiting.push_back({ssh_->pidfd(), POLLIN, 0});
  if (mayHear) waiting.push_back({ssh_->output(), POLLIN, 0});
  if (sshSpeaks_) waiting.push_back({ssh_->errors(), POLLIN, 0});
  if (!toSsh_.empty() || !end_.unwritten().empty()) waiting.push_back({ssh_->input(), POLLOUT, 0});
}

bool NearLink::hear() {
  if (!ssh_) return false;
  const bool ended = ssh_->wait(milliseconds{0}).first;
  if (auto more = readSome(ssh_->errors()); more && !more->empty())
    keepSaid(*more);
  else if (!more)
    sshSpeaks_ = false;
  std::optional<std::string> bytes;
  do {
    bytes = readSome(ssh_->output());
    if (bytes && !bytes->empty()) {
      heard_ = Clock::now();
      end_.feed(*bytes);
    }
  } while (ended && bytes && !bytes->empty());
  return !ended && bytes;
}

void NearLink::write() {
  if (!ssh_) return;
  const auto ordered = writeSome(ssh_->input(), toSsh_);
  if (!ordered) return;  // how ssh ended says why
  toSsh_.erase(0, *ordered);
  if (!toSsh_.empty()) return;
  if (const auto written = writeSome(ssh_->input(), end_.unwritten())) end_.wrote(*written);
}

bool NearLink::isSilent() const {
  return Clock::now() - heard_ >
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(linkSilenceSeconds));
}

void NearLink::drop() {
  if (ssh_) ssh_->kill(SIGKILL);
}

void NearLink::leave() {
  if (!ssh_) return;
  ssh_->closeInput();
  ssh_->wait(longestGoing);
  ssh_.reset();
}

int NearLink::close() {
  if (!ssh_) return 0;
  const auto [ended, how] = ssh_->wait(longestEnd);
  while (const auto more = readSome(ssh_->errors())) {
    if (more->empty()) break;
    keepSaid(*more);
  }
  ssh_.reset();
  end_.disconnect();
  return ended && how.signal == 0 ? how.exitCode : 0;
}

bool NearLink::mayPass(int code) const {
  return code == 0 || (code == sshFailed && sshFailure(host_, said_).mayPass);
}

Error NearLink::failure(int code) const {
  const std::string said = end_.banner().empty() ? said_ : end_.banner() + "\n" + said_;
  if (code == 0)
    return {Stage::setup,
            fmt::format("{} did not start a worker: it said nothing for {}", host_,
                        formatSeconds(std::chrono::duration<double>(longestLinkStart).count())),
            "try ssh in a terminal: a login that asks something cannot be used"};
  return code == sshFailed ? explained(sshFailure(host_, said)) : unpackError(host_, code, said);
}

Result<void> NearLink::copy(const Bundle& bundle,
                            const std::function<void(std::size_t, std::size_t)>& progress) {
  return copyBundle(target_, sockets_, bundle, progress);
}

void NearLink::keepSaid(const std::string& more) {
  said_ += more;
  if (said_.size() > mostSaid) said_.erase(0, said_.size() - mostSaid);
}

}  // namespace wb
