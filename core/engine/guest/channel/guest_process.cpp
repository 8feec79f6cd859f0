// SPDX-License-Identifier: Apache-2.0
#include "core/engine/guest/channel/guest_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/process/process_tree.h"
#include "core/base/sandbox/sandbox.h"
#include "core/base/sandbox/sandbox_launcher.h"
#include "core/base/worked_seconds.h"

namespace wb {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

// On a busy machine a thread may wait for a second until it gets the processor on which it stops.
constexpr milliseconds longestStop{10000}, longestEnd{5000}, betweenStops{5};

std::string reason() {
  return std::generic_category().message(errno);
}

/// The state of a thread in /proc: 'R', 'S', 'T' …; 0 when it is gone.
char stateOf(int folder, const char* thread) {
  const int file = ::openat(folder, fmt::format("{}/stat", thread).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 512> text{};
  const ssize_t size = ::read(file, text.data(), text.size());
  ::close(file);
  if (size <= 0) return 0;
  // The name before the state is the kernel's to choose, so the last bracket is looked for.
  const std::string_view line(text.data(), static_cast<std::size_t>(size));
  const std::size_t end = line.rfind(')');
  return end != std::string_view::npos && end + 2 < line.size() ? line[end + 2] : 'R';
}

}  // namespace

Result<GuestProcess> GuestProcess::start(GuestParent& parent, const std::string& walls,
                                         bool startsProcesses) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return guestNotStarted("socketpair", errno);
  const Result<pid_t> pid = parent.fork(walls, ends[1]);
  ::close(ends[1]);
  const int pidfd = pid ? static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0)) : -1;
  if (pidfd >= 0)
    return GuestProcess({*pid, pidfd}, !walls.empty(), startsProcesses, ends[0], parent.ended());
  const Error failure = pid ? guestNotStarted("pidfd_open", errno) : pid.error();
  ::close(ends[0]);
  return failure;
}

GuestProcess::GuestProcess(GuestProcess&& other) noexcept
    : child_(std::exchange(other.child_, {})),
      guest_(std::exchange(other.guest_, {})),
      walled_(other.walled_),
      startsProcesses_(other.startsProcesses_),
      socket_(std::exchange(other.socket_, -1)),
      endedGuests_(std::move(other.endedGuests_)),
      ending_(other.ending_) {}

GuestProcess::~GuestProcess() {
  if (child_.pid < 0) return;
  const auto letGo = [child = child_, guest = guest_, isWalled = walled_, hasEnded = ending_.has_value()] {
    if (!hasEnded) (void)endOf(child, guest);
    if (isWalled && guest.descriptor >= 0) ::close(guest.descriptor);
    ::close(child.descriptor);
  };
  if (!ending_) kill();
  ::close(socket_);
  if (ending_)
    letGo();
  else
    endedGuests_->add(letGo);
}

bool GuestProcess::find() {
  if (guest_.pid > 0) return true;
  const pid_t pid = programInside(child_.pid);
  if (pid <= 0) return false;
  const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0) return false;
  guest_ = {pid, descriptor};
  return true;
}

void GuestProcess::signal(const Known& process, int number) {
  if (process.descriptor >= 0) ::syscall(SYS_pidfd_send_signal, process.descriptor, number, nullptr, 0);
}

void GuestProcess::kill() const {
  signal(guest_, SIGKILL);
  // A launcher ends all that is inside, and cleans up.
  if (walled_) signal(child_, SIGQUIT);
}

bool GuestProcess::endsWithin(milliseconds limit) const {
  pollfd wanted{guest_.descriptor >= 0 ? guest_.descriptor : child_.descriptor, POLLIN, 0};
  return ::poll(&wanted, 1, static_cast<int>(limit.count())) > 0;
}

Ending GuestProcess::endOf(const Known& child, const Known& guest) {
  pollfd wanted{child.descriptor, POLLIN, 0};
  if (::poll(&wanted, 1, static_cast<int>(longestEnd.count())) <= 0) {
    signal(guest, SIGKILL);
    signal(child, SIGKILL);
  }
  siginfo_t how{};
  while (::waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(child.descriptor), &how, WEXITED) != 0 &&
         errno == EINTR) {
  }
  // What it has started ends with it, as far as that stayed in its group.
  ::kill(-child.pid, SIGKILL);
  return how.si_code == CLD_EXITED ? Ending{how.si_status, 0} : Ending{0, how.si_status};
}

std::string GuestProcess::ending() {
  if (!ending_) ending_ = endOf(child_, guest_);
  if (walled_ && *ending_ == Ending{limitExit, 0}) return "it took more than its walls allow";
  return describe(*ending_);
}

bool GuestProcess::standsStill() const {
  const std::unique_ptr<DIR, int (*)(DIR*)> threads(
      ::opendir(fmt::format("/proc/{}/task", guest_.pid).c_str()), ::closedir);
  if (!threads) return true;  // it is gone
  bool still = true;
  while (const dirent* entry = ::readdir(threads.get())) {
    if (entry->d_name[0] == '.') continue;
    const char state = stateOf(::dirfd(threads.get()), entry->d_name);
    still &= state == 'T' || state == 't' || state == 'Z' || state == 'X' || state == 0;
  }
  return still;
}

/// One that lives only until it has started the next one may be gone before it can be ended, and its end may
/// let the guest go on. So nobody counts as ended who was not seen so before all others were looked for.
bool GuestProcess::endOthers(std::set<pid_t>& ended) const {
  if (!startsProcesses_) return true;
  // The first process of a view has the guest for its child; a launcher without a view has it itself.
  std::vector<pid_t> parents{child_.pid, guest_.pid};
  for (const pid_t each : listedChildrenOf(child_.pid))
    if (const auto below = listedChildrenOf(each);
        std::find(below.begin(), below.end(), guest_.pid) != below.end())
      parents.push_back(each);
  const std::set<pid_t> kept(parents.begin(), parents.end());
  const std::set<pid_t> before = std::exchange(ended, {});
  bool none = true;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    for (const pid_t each : listedChildrenOf(parents[i])) {
      if (kept.contains(each)) continue;
      parents.push_back(each);
      const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, each, 0));
      const auto state = processState(each);
      // By the descriptor it is this process and no other that has got its number since.
      if (descriptor >= 0 && state && state->parent == parents[i] && state->state != 'Z')
        signal({each, descriptor}, SIGKILL);
      else
        ended.insert(each);
      none &= ended.contains(each) && before.contains(each);
      if (descriptor >= 0) ::close(descriptor);
    }
  }
  return none;
}

bool GuestProcess::stop() const {
  // A thread of the kernel may take the stop back in the moment in which it comes, so it is sent again.
  const auto deadline = Steady::now() + longestStop;
  std::set<pid_t> ended;
  do {
    signal(guest_, SIGSTOP);
    const auto sent = Steady::now();
    for (int look = 0; Steady::now() - sent < betweenStops; ++look) {
      if (standsStill() && endOthers(ended)) return true;
      if (look > 20) std::this_thread::sleep_for(std::chrono::microseconds{200});
    }
  } while (Steady::now() < deadline);
  return false;
}

void GuestProcess::goOn() const {
  signal(guest_, SIGCONT);
}

bool GuestProcess::hasTimerToGoOn() const {
  // A system that does not list timers leaves what they do to be seen.
  const int file = ::open(fmt::format("/proc/{}/timers", guest_.pid).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; (got = ::read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  ::close(file);
  return text.find(fmt::format("signal: {}/", SIGCONT)) != std::string::npos;
}

double GuestProcess::workedSeconds() const {
  return wb::workedSeconds(guest_.pid);
}

int GuestProcess::processor() const {
  std::ifstream stat(fmt::format("/proc/{}/stat", guest_.pid));
  std::string line;
  std::getline(stat, line);
  // The name, in brackets, may hold anything. Behind it come the fields from the third on; this is the 39th.
  const std::size_t name = line.rfind(')');
  if (name == std::string::npos) return -1;
  std::istringstream fields(line.substr(name + 1));
  std::string field;
  for (int number = 3; number <= 39; ++number)
    if (!(fields >> field)) return -1;
  return std::atoi(field.c_str());
}

std::size_t GuestProcess::threads() const {
  const std::unique_ptr<DIR, int (*)(DIR*)> all(::opendir(fmt::format("/proc/{}/task", guest_.pid).c_str()),
                                                ::closedir);
  std::size_t count = 0;
  while (const dirent* entry = all ? ::readdir(all.get()) : nullptr) count += entry->d_name[0] != '.' ? 1 : 0;
  return count;
}

Result<void> GuestProcess::read(std::uint64_t address, std::span<std::byte> to) const {
  while (!to.empty()) {
    const iovec mine{to.data(), to.size()};
    const iovec theirs{reinterpret_cast<void*>(address), to.size()};
    const ssize_t got = ::process_vm_readv(guest_.pid, &mine, 1, &theirs, 1, 0);
    if (got <= 0)
      return Error{Stage::check, fmt::format("the kernel's result lies in memory that cannot be read ({})",
                                             got < 0 ? reason() : "nothing there")};
    address += static_cast<std::uint64_t>(got);
    to = to.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

std::size_t GuestProcess::readEach(std::span<const Place> places) const {
  std::vector<iovec> mine, theirs;
  for (const Place& each : places) {
    mine.push_back({each.to.data(), each.to.size()});
    theirs.push_back({reinterpret_cast<void*>(each.address), each.to.size()});
  }
  ssize_t got = ::process_vm_readv(guest_.pid, mine.data(), mine.size(), theirs.data(), theirs.size(), 0);
  std::size_t read = 0;
  while (read < places.size() && got >= static_cast<ssize_t>(places[read].to.size()))
    got -= static_cast<ssize_t>(places[read++].to.size());
  return read;
}

bool GuestProcess::write(const Place& place) const {
  const iovec mine{place.to.data(), place.to.size()};
  const iovec theirs{reinterpret_cast<void*>(place.address), place.to.size()};
  return ::process_vm_writev(guest_.pid, &mine, 1, &theirs, 1, 0) == static_cast<ssize_t>(place.to.size());
}

}  // namespace wb
