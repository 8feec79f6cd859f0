// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/guest_parent.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/sandbox/sandbox_launcher.h"
#include "core/engine/guest/channel/bytes.h"
#include "core/engine/guest/channel/messages.h"
#include "core/model/json/sandbox_text.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// To find its torch takes a parent seconds, which are nobody's fault.
constexpr std::chrono::minutes longestStart{2};
/// One that is closed was begun long before its guests are needed, and a kernel in its judge's process may
/// keep it from going on. Where others do, as on a busy machine, it works in between.
constexpr std::chrono::seconds longestIdleClosed{20};
constexpr std::chrono::hours longestWait{24};
constexpr std::chrono::seconds longestWaking{1};
constexpr std::size_t mostWalls = std::size_t{1} << 20, mostAnswered = 1024;
constexpr int cannotServe = 3;
/// To begin takes a program some milliseconds, and Python some tens of them.
constexpr std::chrono::milliseconds longestClosing{500};

/// Whether this process may read the memory of that one: at this address there is none.
bool mayLookInto(pid_t pid) {
  std::byte seen{};
  const iovec mine{&seen, 1}, theirs{nullptr, 1};
  return ::process_vm_readv(pid, &mine, 1, &theirs, 1, 0) == 1 || errno == EFAULT;
}

bool isEnded(pid_t child) {
  siginfo_t how{};
  return ::waitid(P_PID, static_cast<id_t>(child), &how, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         how.si_pid == child;
}

Error guestHasEnded() {
  return Error{Stage::setup, "the kernel's process was not started: what it is forked from has ended",
               "see `warpbench doctor`"};
}

/// How many threads this process has.
std::ptrdiff_t threads() {
  std::error_code failed;
  return std::distance(std::filesystem::directory_iterator("/proc/self/task", failed), {});
}

/// A copy has no threads but the one that made it, so there must be no others. Libraries of mathematics start
/// some when they are loaded; they end them before a fork, and start them again when they are needed.
void endThreads() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

/// A copy of this process as a child of its judge.
pid_t forkForJudge() {
  return static_cast<pid_t>(::syscall(SYS_clone, static_cast<unsigned long>(CLONE_PARENT | SIGCHLD), nullptr,
                                      nullptr, nullptr, 0UL));
}

[[noreturn]] void becomeGuest(const std::string& walls, int socket, const std::function<int()>& guest) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::dup2(socket, guestSocket);
  ::close(socket);
  if (walls.empty()) ::_exit(guest());
  Result<Sandbox> sandbox = sandboxFromText(walls);
  if (sandbox) launchInSandbox(*std::move(sandbox), [&] { ::_exit(guest()); });
  fmt::print(stderr, "{}\n", describe(sandbox.error()));
  ::_exit(noWallsExit);
}

}  // namespace

Result<void> GuestParent::start() {
  WB_TRY(process_, startParentOfGuests(command_));
  if (isClosed_) socketFile_ = mappedFileOf(process_.socket);
  return {};
}

void GuestParent::end() {
  isReady_ = isWarm_ = false;
  const ParentOfGuests ended = std::exchange(process_, {});
  if (ended.socket >= 0) ::close(ended.socket);
  if (ended.pid <= 0) return;
  ::kill(-ended.pid, SIGKILL);
  while (::waitpid(ended.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::shared_ptr<GuestParent> GuestParent::closed(std::vector<std::string> command, ParentOfGuests copy) {
  command.emplace_back(closedArgument);
  auto parent = std::make_shared<GuestParent>(std::move(command), copy);
  parent->isClosed_ = true;
  parent->isAsleep_ = copy.pid >= 0;
  if (parent->isAsleep_) parent->socketFile_ = mappedFileOf(copy.socket);
  return parent;
}

/// It closes itself first of all, some milliseconds after it was started. To a process that may trace any
/// other one it stays open.
void GuestParent::awaitClosed() const {
  if (mayTraceAny()) return;
  const auto deadline = Steady::now() + longestClosing;
  while (mayLookInto(process_.pid) && Steady::now() < deadline)
    std::this_thread::sleep_for(std::chrono::microseconds{200});
}

bool GuestParent::hasEnded() const {
  if (process_.pid < 0) return false;
  return isEnded(process_.pid) || (socketFile_ && mappedFileOf(process_.socket) != socketFile_);
}

void GuestParent::begin() {
  const bool wakes = std::exchange(isAsleep_, false);
  if (wakes) ::kill(-process_.pid, SIGCONT);
  if (process_.pid >= 0 && !(isClosed_ && hasEnded()) &&
      (!wakes || sendMessage(process_.socket, {}, {}, Steady::now() + longestWaking)))
    return;
  end();
  if (start() && isClosed_) awaitClosed();
}

Result<pid_t> GuestParent::fork(const std::string& walls, int socket) {
  if (isClosed_ && (process_.pid < 0 || hasEnded())) return guestHasEnded();
  if (process_.pid < 0) WB_DO(start());
  const auto deadline = Steady::now() + longestStart;
  Bytes order;
  ByteWriter(order).text(walls);
  Result<ReceivedMessage> answer = Error{};
  if (const auto sent = sendMessage(process_.socket, order, std::array{socket}, deadline); !sent)
    answer = sent.error();
  else if (!isClosed_ || awaitMessageOf(process_.pid, process_.socket, longestIdleClosed, longestStart))
    answer = receiveMessage(process_.socket, mostAnswered, deadline);
  if (!answer) {
    const bool wasReady = isReady_;
    end();
    // It was killed since, and another one is as good.
    if (wasReady && !isClosed_) return fork(walls, socket);
    return guestHasEnded();
  }
  const auto pid = ByteReader(answer->bytes).get<std::int32_t>();
  if (pid <= 0) return guestNotStarted("fork", -pid);
  isReady_ = true;
  return pid_t{pid};
}

bool GuestParent::warmUp() {
  if (process_.pid < 0 || std::exchange(isWarm_, true)) return false;
  // One that is gone is found out, and another one started, when a guest is needed.
  return sendMessage(process_.socket, Bytes(1), {}, Steady::now() + longestStart).has_value();
}

int forkGuests(const std::function<int()>& guest, const std::function<void()>& warms) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  endThreads();
  while (true) {
    const Result<ReceivedMessage> order = receiveMessage(guestSocket, mostWalls, Steady::now() + longestWait);
    if (!order) return 0;
    if (order->descriptors.empty()) {
      if (warms && !order->bytes.empty()) warms();
      endThreads();
      continue;
    }
    if (order->descriptors.size() != 1 || threads() != 1) return cannotServe;
    const int socket = order->descriptors.front();
    const std::string walls = ByteReader(order->bytes).text(mostWalls);
    pid_t child = forkForJudge();
    if (child == 0) becomeGuest(walls, socket, guest);
    if (child < 0) child = -errno;
    ::close(socket);
    Bytes answer;
    ByteWriter(answer).put(static_cast<std::int32_t>(child));
    if (!sendMessage(guestSocket, answer, {}, Steady::now() + longestWait)) return cannotServe;
  }
}

}  // namespace wb
