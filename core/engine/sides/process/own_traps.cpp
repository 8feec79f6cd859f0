// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sides/process/own_traps.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <span>
#include <utility>

#include "core/base/worked_seconds.h"
#include "core/engine/sides/process/code_traps.h"

namespace wb {
namespace {

/// What this process and its fork say to each other.
struct Word {
  enum class What : std::uint32_t { set, areSet, cannot, takeAway, reached };
  What what = What::set;
  std::uint32_t count = 0;
  std::array<std::uint64_t, CodeTraps::most> places{};
};

bool say(int socket, const Word& word) {
  ssize_t done = 0;
  do done = ::send(socket, &word, sizeof word, MSG_NOSIGNAL);
  while (done < 0 && errno == EINTR);
  return done == ssize_t{sizeof word};
}

std::optional<Word> hear(int socket) {
  Word word;
  ssize_t done = 0;
  do done = ::recv(socket, &word, sizeof word, 0);
  while (done < 0 && errno == EINTR);
  if (done != ssize_t{sizeof word} || word.count > word.places.size()) return std::nullopt;
  return word;
}

bool isSpokenTo(int socket, int milliseconds) {
  pollfd look{socket, POLLIN, 0};
  return ::poll(&look, 1, milliseconds) > 0;
}

/// Threads stand still at a trap until somebody attends to it, so that a short call is watched without a
/// pause.
void attendUntilSpokenTo(CodeTraps& traps, int socket) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds busily{5};
  const auto begin = Clock::now();
  while (!isSpokenTo(socket, Clock::now() - begin < busily ? 0 : 1)) traps.attend();
}

/// The fork's work, until nobody is there any more.
[[noreturn]] void serve(pid_t parent, int socket, std::span<const std::uint64_t> places) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM}) ::signal(signal, SIG_DFL);
  while (const auto asked = ::getppid() == parent ? hear(socket) : std::nullopt) {
    Word answer{asked->what == Word::What::set ? Word::What::areSet : Word::What::reached};
    std::unique_ptr<CodeTraps> traps = CodeTraps::set(parent, places);
    if (!traps) answer.what = Word::What::cannot;
    if (!say(socket, answer) || !traps) continue;
    attendUntilSpokenTo(*traps, socket);
    const std::set<std::uint64_t> reached = traps->reached();
    traps.reset();
    if (!hear(socket)) break;
    answer.what = Word::What::reached;
    for (const std::uint64_t place : reached) answer.places.at(answer.count++) = place;
    if (!say(socket, answer)) break;
  }
  ::_exit(0);
}

/// A trap in a thread that holds its signal off makes the system forget how this process handles it.
class KeptHandling {
 public:
  KeptHandling() { ::sigaction(SIGTRAP, nullptr, &before_); }
  ~KeptHandling() { ::sigaction(SIGTRAP, &before_, nullptr); }
  KeptHandling(const KeptHandling&) = delete;
  KeptHandling& operator=(const KeptHandling&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace

std::unique_ptr<OwnTraps> OwnTraps::at(std::vector<std::uint64_t> places, Worked worked) {
  std::array<int, 2> ends{};
  if (places.empty() || ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return nullptr;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    serve(parent, ends[1], places);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return nullptr;
  }
  // Where the system lets only ancestors trace. It is refused, and not needed, where there is no such rule.
  ::prctl(PR_SET_PTRACER, child, 0, 0, 0);
  return std::unique_ptr<OwnTraps>(new OwnTraps(child, ends[0], std::move(worked)));
}

/// The fork has taken its traps away, and ends as soon as it hears that nobody is there any more.
OwnTraps::~OwnTraps() {
  ::close(socket_);
  ::prctl(PR_SET_PTRACER, 0, 0, 0, 0);
  rusage usage{};
  pid_t ended = 0;
  do ended = ::wait4(fork_, nullptr, 0, &usage);
  while (ended < 0 && errno == EINTR);
  if (ended == fork_ && worked_) worked_(workedSeconds(usage));
}

std::optional<std::set<std::uint64_t>> OwnTraps::during(const std::function<void()>& work) {
  if (!say(socket_, {Word::What::set})) return std::nullopt;
  const auto begun = hear(socket_);
  if (!begun || begun->what != Word::What::areSet) return std::nullopt;
  const KeptHandling kept;
  work();
  if (!say(socket_, {Word::What::takeAway})) return std::nullopt;
  const auto ended = hear(socket_);
  if (!ended || ended->what != Word::What::reached) return std::nullopt;
  return std::set<std::uint64_t>(ended->places.begin(), ended->places.begin() + ended->count);
}

}  // namespace wb
