// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/guest_parent.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
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
#include <utility>

#include "core/base/files/file.h"
#include "core/base/process/plain_environment.h"
#include "core/base/sandbox/sandbox_launcher.h"
#include "core/engine/guest/channel/bytes.h"
#include "core/engine/guest/channel/messages.h"
#include "core/model/json/sandbox_text.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;

/// To find its torch takes a parent seconds, which are nobody's fault.
constexpr std::chrono::minutes longestStart{2};
constexpr std::chrono::hours longestWait{24};
constexpr std::size_t mostWalls = std::size_t{1} << 20, mostAnswered = 1024;
constexpr int cannotServe = 3;

Error notStarted(const std::string& what, int code) {
  return Error{Stage::setup, fmt::format("the kernel's process was not started: {}: {}", what,
                                         std::generic_category().message(code))};
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

/// What of this process's environment a kernel may read.
std::vector<char*> environmentOfGuests() {
  std::vector<char*> chosen;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view entry(*each);
    if (isPlainVariable(entry.substr(0, entry.find('=')))) chosen.push_back(*each);
  }
  chosen.push_back(nullptr);
  return chosen;
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

std::vector<std::string> ownCommandAsGuest() {
  std::vector<std::string> command;
  if (const Result<std::string> line = readFile("/proc/self/cmdline"))
    for (std::size_t at = 0; at < line->size();) {
      const std::size_t end = std::min(line->find('\0', at), line->size());
      command.push_back(line->substr(at, end - at));
      at = end + 1;
    }
  // An environment of Python is found by the name under which its interpreter was started.
  std::error_code ignored;
  if (command.empty()) command.emplace_back();
  if (command.front().find('/') == std::string::npos)
    command.front() = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  command.emplace_back(guestArgument);
  return command;
}

Result<void> GuestParent::start() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return notStarted("socketpair", errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  // To itself a descriptor is not copied, and would be closed on exec.
  const int spare = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  posix_spawn_file_actions_adddup2(&actions, spare, guestSocket);
  posix_spawn_file_actions_addclosefrom_np(&actions, guestSocket + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words;
  words.reserve(command_.size() + 1);
  for (std::string& word : command_) words.push_back(word.data());
  words.push_back(nullptr);
  std::vector<char*> variables = environmentOfGuests();
  const int code = ::posix_spawn(&pid_, words.front(), &actions, &attributes, words.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(spare);
  ::close(ends[1]);
  socket_ = ends[0];
  if (code == 0) return {};
  pid_ = -1;
  end();
  return notStarted(command_.front(), code);
}

void GuestParent::end() {
  isReady_ = false;
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

void GuestParent::begin() {
  if (pid_ < 0) (void)start();
}

Result<pid_t> GuestParent::fork(const std::string& walls, int socket) {
  if (pid_ < 0) WB_DO(start());
  const auto deadline = Steady::now() + longestStart;
  Bytes order;
  ByteWriter(order).text(walls);
  Result<ReceivedMessage> answer = Error{};
  if (const auto sent = sendMessage(socket_, order, std::array{socket}, deadline); !sent)
    answer = sent.error();
  else
    answer = receiveMessage(socket_, mostAnswered, deadline);
  if (!answer) {
    const bool wasReady = isReady_;
    end();
    if (wasReady) return fork(walls, socket);  // it was killed since, and another one is as good
    return Error{Stage::setup, "the kernel's process was not started: what it is forked from has ended",
                 "see `warpbench doctor`"};
  }
  const auto pid = ByteReader(answer->bytes).get<std::int32_t>();
  if (pid <= 0) return notStarted("fork", -pid);
  isReady_ = true;
  return pid_t{pid};
}

int forkGuests(const std::function<int()>& guest) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  endThreads();
  while (true) {
    const Result<ReceivedMessage> order = receiveMessage(guestSocket, mostWalls, Steady::now() + longestWait);
    if (!order) return 0;
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
