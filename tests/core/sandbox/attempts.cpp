// SPDX-License-Identifier: Apache-2.0
#include "tests/core/sandbox/attempts.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace wb::walls {
namespace {

using Fails = Attempt::Fails;

/// What a call gave: anything but −1 is a success.
bool went(long result) {
  return result != -1;
}

bool opens(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  const int code = errno;
  if (file >= 0) ::close(file);
  errno = code;
  return file >= 0;
}

bool makesIn(const std::string& folder) {
  const std::string path = folder + "/wb-walls-" + std::to_string(::getpid());
  if (!opens(path, O_CREAT | O_WRONLY)) return false;
  ::unlink(path.c_str());
  return true;
}

bool makesSocket(int family, int kind, int protocol = 0) {
  const int made = ::socket(family, kind, protocol);
  const int code = errno;
  if (made >= 0) ::close(made);
  errno = code;
  return made >= 0;
}

/// A socket's address: a path, or a name without one where it begins with '@'.
sockaddr_un addressOf(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, name.c_str(), sizeof address.sun_path - 1);
  if (name[0] == '@') address.sun_path[0] = '\0';
  return address;
}
socklen_t lengthOf(const std::string& name) {
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + (name[0] == '@' ? 0 : 1));
}

bool connects(const std::string& name) {
  const int made = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (made < 0) return false;
  const sockaddr_un address = addressOf(name);
  return went(::connect(made, reinterpret_cast<const sockaddr*>(&address), lengthOf(name)));
}

bool sendsFromAPair(const std::string& name) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_DGRAM, 0, pair.data()) != 0) return false;
  const sockaddr_un address = addressOf(name);
  return went(::sendto(pair[0], "x", 1, 0, reinterpret_cast<const sockaddr*>(&address), lengthOf(name)));
}

bool readsMemoryOf(pid_t process) {
  // The number of a page that is mapped is of no importance: without the right to look the answer is EPERM.
  std::array<char, 8> mine{};
  const iovec here{mine.data(), mine.size()}, there{&mine, mine.size()};
  if (went(::syscall(SYS_process_vm_readv, process, &here, 1UL, &there, 1UL, 0UL))) return true;
  return errno == EFAULT;
}

bool forks() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return child > 0;
}

bool unshares(int flags) {
  return went(::unshare(flags));
}

bool mounts(const std::string& folder) {
  if (::geteuid() != 0 && !unshares(CLONE_NEWUSER | CLONE_NEWNS)) return false;
  if (!went(::mount("none", folder.c_str(), "tmpfs", 0, nullptr))) return false;
  ::umount2(folder.c_str(), MNT_DETACH);
  return true;
}

bool makesRing() {
  io_uring_params parameters{};
  return went(::syscall(SYS_io_uring_setup, 1, &parameters));
}

bool countsEvents() {
  perf_event_attr wanted{};
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.size = sizeof wanted;
  wanted.config = PERF_COUNT_SW_TASK_CLOCK;
  wanted.exclude_kernel = 1;
  return went(::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0UL));
}

bool loadsProgram() {
  bpf_attr map{};
  map.map_type = BPF_MAP_TYPE_ARRAY;
  map.key_size = map.value_size = 4;
  map.max_entries = 1;
  return went(::syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
}

bool traces(pid_t process) {
  if (!went(::ptrace(PTRACE_SEIZE, process, nullptr, nullptr))) return false;
  ::ptrace(PTRACE_DETACH, process, nullptr, nullptr);
  return true;
}

bool changesAffinityOf(pid_t process) {
  cpu_set_t processors;
  return went(::sched_getaffinity(process, sizeof processors, &processors)) &&
         went(::sched_setaffinity(process, sizeof processors, &processors));
}

bool changesLimitOf(pid_t process) {
  rlimit now{};
  return went(::prlimit(process, RLIMIT_CORE, nullptr, &now)) &&
         went(::prlimit(process, RLIMIT_CORE, &now, nullptr));
}

bool setsAttribute(const std::string& path) {
  return went(::setxattr(path.c_str(), "user.wb", "x", 1, 0));
}

bool runs(const std::string& program) {
  // On success the program ends this process, with 0.
  ::execl(program.c_str(), program.c_str(), nullptr);
  return false;
}

bool readsThroughLink(const Place& at) {
  const std::string link = at.scratch + "/link";
  ::unlink(link.c_str());
  return went(::symlink((at.outside + "/secret.txt").c_str(), link.c_str())) && opens(link, O_RDONLY);
}

// What counts is what came of it, since a call may seem to succeed.
bool changesMode(const std::string& path) {
  struct stat about {};
  return went(::chmod(path.c_str(), 0640)) && went(::stat(path.c_str(), &about)) &&
         (about.st_mode & 0777) == 0640;
}

bool changesTimes(const std::string& path) {
  constexpr time_t then = 1'000'000;
  const timespec times[] = {{then, 0}, {then, 0}};
  struct stat about {};
  return went(::utimensat(AT_FDCWD, path.c_str(), times, 0)) && went(::stat(path.c_str(), &about)) &&
         about.st_mtime == then;
}

bool setsOwnEnd(int signal) {
  int set = 0;
  return went(::prctl(PR_SET_PDEATHSIG, signal)) && went(::prctl(PR_GET_PDEATHSIG, &set)) && set == signal;
}

/// SIGCONT lets a process go on that is held still.
bool hearsOfFileBySignal() {
  int ends[2];
  return went(::pipe(ends)) && went(::fcntl(ends[0], F_SETSIG, SIGCONT));
}

bool makesTimers(int count) {
  timer_t made{};
  for (int i = 0; i < count; ++i)
    if (!went(::timer_create(CLOCK_MONOTONIC, nullptr, &made))) return false;
  return true;
}

std::string door(const Place& at) {
  return "@wb-walls-" + std::to_string(at.victim);
}

struct Way {
  const char* name;
  bool (*tries)(const Place&);
  Fails fails = Fails::always;
};

// Each stands alone: it is made in a process of its own.
const Way ways[] = {
    {"WriteOutside", [](const Place& at) { return makesIn(at.outside); }},
    {"WriteTmp", [](const Place&) { return makesIn("/tmp"); }},
    {"WriteSharedMemory", [](const Place&) { return makesIn("/dev/shm"); }},
    {"WriteReadable", [](const Place& at) { return opens(at.readable + "/read.txt", O_WRONLY); }},
    {"Overwrite", [](const Place& at) { return opens(at.outside + "/secret.txt", O_RDWR); }},
    {"Truncate", [](const Place& at) { return went(::truncate((at.outside + "/secret.txt").c_str(), 3)); }},
    {"TruncateReadable",
     [](const Place& at) { return went(::truncate((at.readable + "/read.txt").c_str(), 3)); }},
    {"TruncateByOpening",
     [](const Place& at) { return opens(at.readable + "/read.txt", O_RDONLY | O_TRUNC); }},
    {"LinkOut",
     [](const Place& at) {
       return went(::link((at.scratch + "/mine.txt").c_str(), (at.outside + "/linked").c_str()));
     }},
    {"LinkIn",
     [](const Place& at) {
       return went(::link((at.outside + "/secret.txt").c_str(), (at.scratch + "/linked").c_str()));
     }},
    {"RenameOut",
     [](const Place& at) {
       return went(::rename((at.scratch + "/mine.txt").c_str(), (at.outside + "/moved").c_str()));
     }},
    {"Unlink", [](const Place& at) { return went(::unlink((at.outside + "/secret.txt").c_str())); }},
    {"MakeFolder", [](const Place& at) { return went(::mkdir((at.outside + "/made").c_str(), 0700)); }},
    {"MakeLink", [](const Place& at) { return went(::symlink("/", (at.outside + "/link").c_str())); }},
    {"ReadSecret", [](const Place& at) { return opens(at.outside + "/secret.txt", O_RDONLY); }},
    {"ReadThroughLink", readsThroughLink},
    {"ListOutside", [](const Place& at) { return ::opendir(at.outside.c_str()) != nullptr; }},
    {"RunOutside", [](const Place& at) { return runs(at.outside + "/program"); }},
    {"ChangeMode", [](const Place& at) { return changesMode(at.outside + "/secret.txt"); }},
    {"ChangeOwner",
     [](const Place& at) {
       return went(::chown((at.outside + "/secret.txt").c_str(), ::geteuid(), ::getegid()));
     }},
    {"ChangeTimes", [](const Place& at) { return changesTimes(at.outside + "/secret.txt"); }},
    {"ChangeTimesOfReadable", [](const Place& at) { return changesTimes(at.readable + "/read.txt"); }},
    {"SetAttribute", [](const Place& at) { return setsAttribute(at.outside + "/secret.txt"); }},
    {"WriteKernelSetting", [](const Place&) { return opens("/proc/sys/kernel/core_pattern", O_WRONLY); }},

    {"Internet", [](const Place&) { return makesSocket(AF_INET, SOCK_STREAM); }},
    {"InternetDatagram", [](const Place&) { return makesSocket(AF_INET, SOCK_DGRAM); }},
    {"Internet6", [](const Place&) { return makesSocket(AF_INET6, SOCK_STREAM); }},
    {"Netlink", [](const Place&) { return makesSocket(AF_NETLINK, SOCK_RAW, 0); }},
    {"ConnectToPath", [](const Place& at) { return connects(at.outside + "/door"); }},
    {"ConnectToAbstract", [](const Place& at) { return connects(door(at)); }},
    {"SendToPath", [](const Place& at) { return sendsFromAPair(at.outside + "/box"); }},

    {"IoUring", [](const Place&) { return makesRing(); }},
    {"UnshareUsers", [](const Place&) { return unshares(CLONE_NEWUSER); }},
    {"UnshareMounts", [](const Place&) { return unshares(CLONE_NEWUSER | CLONE_NEWNS); }},
    {"Mount", [](const Place& at) { return mounts(at.scratch); }},
    {"PerfEvents", [](const Place&) { return countsEvents(); }},
    {"Bpf", [](const Place&) { return loadsProgram(); }},
    {"UserFault", [](const Place&) { return went(::syscall(SYS_userfaultfd, UFFD_USER_MODE_ONLY)); }},
    {"Keys",
     [](const Place&) {
       return went(::syscall(SYS_add_key, "user", "wb", "x", 1UL, -2 /* the process's */));
     }},
    {"MemoryThatCountsForNobody", [](const Place&) { return went(::memfd_create("wb", 0)); }},
    {"OutliveTheLauncher", [](const Place&) { return went(::prctl(PR_SET_PDEATHSIG, 0)); }},
    {"IgnoreTheLaunchersEnd", [](const Place&) { return setsOwnEnd(SIGCHLD); }},
    {"SignalOfAFile", [](const Place&) { return hearsOfFileBySignal(); }},
    {"ManyTimers", [](const Place&) { return makesTimers(1000); }},

    {"TraceAnother", [](const Place& at) { return traces(at.victim); }},
    {"ReadMemoryOfAnother", [](const Place& at) { return readsMemoryOf(at.victim); }},
    {"SignalAnother", [](const Place& at) { return went(::kill(at.victim, 0)); }},
    {"SignalAll", [](const Place&) { return went(::kill(-1, 0)); }},
    {"EnvironmentOfAnother",
     [](const Place& at) { return opens("/proc/" + std::to_string(at.victim) + "/environ", O_RDONLY); }},
    {"LimitOfAnother", [](const Place& at) { return changesLimitOf(at.victim); }},
    {"AffinityOfAnother", [](const Place& at) { return changesAffinityOf(at.victim); }, Fails::inView},
    {"SeeAnother",
     [](const Place& at) { return opens("/proc/" + std::to_string(at.victim) + "/cmdline", O_RDONLY); },
     Fails::inView},
    {"Fork", [](const Place&) { return forks(); }, Fails::withoutProcesses},
};

}  // namespace

std::vector<Attempt> attempts() {
  std::vector<Attempt> all;
  for (const Way& way : ways) all.push_back({way.name, way.fails});
  return all;
}

int attempt(const std::string& name, const Place& place) {
  for (const Way& way : ways) {
    if (name != way.name) continue;
    errno = 0;
    if (way.tries(place)) {
      std::printf("done\n");
      return succeeded;
    }
    std::printf("%s\n", std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
    return refused;
  }
  std::printf("no such attempt\n");
  return impossible;
}

}  // namespace wb::walls
