// SPDX-License-Identifier: Apache-2.0
#include "tests/core/sandbox/sandbox_fixture.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "core/base/process/keeper.h"
#include "core/base/sandbox/sandbox_launcher.h"
#include "core/model/json/sandbox_text.h"

namespace wb::walls {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr const char* attemptArgument = "--attempt";
constexpr const char* noNamespacesArgument = "--no-namespaces";
constexpr const char* self = "/proc/self/exe";

void writeText(const std::string& path, const char* text) {
  std::ofstream(path) << text;
}

int openSocket(int kind, const std::string& name) {
  const int made = ::socket(AF_UNIX, kind | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, name.c_str(), sizeof address.sun_path - 1);
  std::size_t length = offsetof(sockaddr_un, sun_path) + name.size() + 1;
  if (name[0] == '@') {
    address.sun_path[0] = '\0';
    --length;
  }
  EXPECT_EQ(::bind(made, reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(length)), 0)
      << name << ": " << std::strerror(errno);  // NOLINT(concurrency-mt-unsafe)
  if (kind == SOCK_STREAM) ::listen(made, 8);
  return made;
}

/// From now on this process gets no namespaces, as in a container that does not allow them.
void refuseNamespaces() {
  const std::uint32_t flags = CLONE_NEWPID | CLONE_NEWUSER;
  std::array<sock_filter, 7> program{
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 3, SYS_clone},
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, args)},
      sock_filter{BPF_JMP | BPF_JSET | BPF_K, 0, 1, flags},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog whole{program.size(), program.data()};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0UL, &whole) != 0) ::_exit(impossible);
}

// What takes too much ends by itself, should the walls not end it.
constexpr unsigned longestSeconds = 10;

[[noreturn]] void waitForTheEnd() {
  ::alarm(longestSeconds);
  while (true) ::pause();
}

/// Takes so many MiB of memory, and keeps them.
[[noreturn]] void hog(std::size_t mebibytes) {
  const std::vector<char> taken(mebibytes << 20, 'x');
  waitForTheEnd();
}

/// The same in files that live in memory alone and are mapped nowhere, of a few MiB each.
[[noreturn]] void hogFiles(std::size_t mebibytes) {
  constexpr std::size_t each = 8;
  const std::vector<char> text(each << 20, 'x');
  for (std::size_t taken = 0; taken < mebibytes; taken += each) {
    const int file = ::memfd_create("hog", 0);
    if (file < 0 || ::write(file, text.data(), text.size()) < 0) ::_exit(refused);
  }
  waitForTheEnd();
}

/// Makes so many processes and no more, unless they are refused, so that a test that fails does not take the
/// machine with it.
[[noreturn]] void crowd(int processes) {
  for (int i = 0; i < processes; ++i) {
    const pid_t child = ::fork();
    if (child < 0) ::_exit(refused);
    if (child > 0) continue;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    waitForTheEnd();
  }
  waitForTheEnd();
}

[[noreturn]] void crowdOfThreads(int threads) {
  try {
    for (int i = 0; i < threads; ++i) std::thread(waitForTheEnd).detach();
  } catch (const std::system_error&) {
    ::_exit(refused);
  }
  waitForTheEnd();
}

}  // namespace

const char* name(Around around) {
  switch (around) {
    case Around::nothing:
      return "Nothing";
    case Around::walls:
      return "Walls";
    case Around::wallsWithoutView:
      return "WallsWithoutView";
  }
  return "";
}

void SandboxTest::SetUp() {
  base_ = "/tmp/wb-walls-XXXXXX";
  ASSERT_NE(::mkdtemp(base_.data()), nullptr);
  place = {base_ + "/outside", base_ + "/scratch", base_ + "/readable", 0};
  for (const std::string& folder : {place.outside, place.scratch, place.readable})
    fs::create_directory(folder);
  writeText(place.outside + "/secret.txt", "secret\n");
  writeText(place.scratch + "/mine.txt", "mine\n");
  writeText(place.readable + "/read.txt", "to be read\n");
  fs::copy_file("/bin/true", place.outside + "/program");
  auto victim = Child::start({.argv = {"sleep", "1000"}});
  ASSERT_TRUE(victim);
  victim_ = *std::move(victim);
  place.victim = victim_->pid();
  door_ = openSocket(SOCK_STREAM, place.outside + "/door");
  box_ = openSocket(SOCK_DGRAM, place.outside + "/box");
  abstractDoor_ = openSocket(SOCK_STREAM, "@wb-walls-" + std::to_string(place.victim));
  sandbox.readable = systemFiles();
  sandbox.readable.push_back(place.readable);
  sandbox.readable.push_back(fs::read_symlink(self).string());
  sandbox.writable = {place.scratch};
}

void SandboxTest::TearDown() {
  for (const int each : {door_, abstractDoor_, box_})
    if (each >= 0) ::close(each);
  std::error_code ignored;
  fs::remove_all(base_, ignored);
}

std::optional<std::string> SandboxTest::missing(Around around) {
  const SandboxSupport& support = sandboxSupport();
  if (!support.landlock.there) return support.landlock.missing;
  if (!support.seccomp.there) return support.seccomp.missing;
  if (around == Around::walls && !support.namespaces.there) return support.namespaces.missing;
  return std::nullopt;
}

Command SandboxTest::commandOf(std::vector<std::string> words, Around around) const {
  const std::string program = fs::read_symlink(self).string();
  if (words.front() == "self") words.front() = program;
  Command command{.argv = std::move(words)};
  if (around == Around::nothing) return command;
  Sandbox wanted = sandbox;
  wanted.needsNamespaces = around == Around::walls;
  if (around == Around::walls) {
    command.keeper = program;
    command.walls = sandboxText(wanted);
    return command;
  }
  command.argv.insert(command.argv.begin(),
                      {program, noNamespacesArgument, program, sandboxArgument, sandboxText(wanted), "--"});
  return command;
}

Captured SandboxTest::run(std::vector<std::string> words, Around around) const {
  const auto ran = runToEnd(commandOf(std::move(words), around), 30s);
  EXPECT_TRUE(ran) << ran.error().text;
  return ran ? *ran : Captured{};
}

Captured SandboxTest::runAttempt(const std::string& attempt, Around around) const {
  return run({"self", attemptArgument, attempt, place.outside, place.scratch, place.readable,
              std::to_string(place.victim)},
             around);
}

std::optional<int> actAs(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == keepArgument && argc > 2) keep(argv + 2);
  if (what == sandboxArgument && argc > 4) {
    auto walls = sandboxFromText(argv[2]);
    if (!walls) return noWallsExit;
    launchInSandbox(*std::move(walls), argv + 4);
  }
  if (what == noNamespacesArgument && argc > 2) {
    refuseNamespaces();
    ::execv(argv[2], argv + 2);
    return impossible;
  }
  // It ends at once: the search for leaks at an ordinary end needs calls that the walls refuse.
  if (what == "--write" && argc > 2) ::_exit(::write(std::atoi(argv[2]), "x", 1) == 1 ? 0 : 1);
  if (what == "--hog" && argc > 2) hog(std::strtoul(argv[2], nullptr, 10));
  if (what == "--hog-files" && argc > 2) hogFiles(std::strtoul(argv[2], nullptr, 10));
  if (what == "--crowd" && argc > 2) crowd(std::atoi(argv[2]));
  if (what == "--threads" && argc > 2) crowdOfThreads(std::atoi(argv[2]));
  if (what == attemptArgument && argc > 6) {
    const int code = attempt(argv[2], {argv[3], argv[4], argv[5], std::atoi(argv[6])});
    std::fflush(stdout);
    return code;
  }
  return std::nullopt;
}

}  // namespace wb::walls
