// SPDX-License-Identifier: Apache-2.0
#include "tests/hosts/ssh_host.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/base/files/file.h"
#include "core/base/process/process.h"
#include "core/base/process/programs.h"
#include "core/base/text.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds limit{20};

/// A server of ssh, and what must stand before its command.
struct Server {
  fs::path program;
  std::string environment;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

/// Where packaging/setup has unpacked the programs of a system that has not installed them.
fs::path unpackedFolder() {
  if (const std::string given = variable("WARPBENCH_TEST_HOSTS"); !given.empty()) return given;
  const std::string data = variable("XDG_DATA_HOME");
  return (data.empty() ? fs::path(variable("HOME")) / ".local" / "share" : fs::path(data)) / "warpbench" /
         "test-hosts";
}

/// The folder of the unpacked libraries: "…/usr/lib/x86_64-linux-gnu".
fs::path librariesIn(const fs::path& unpacked) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(unpacked / "usr" / "lib", none))
    if (entry.path().filename().string().ends_with("-linux-gnu")) return entry.path();
  return {};
}

/// Puts the unpacked client behind the programs of the system, where that has none.
void offerClient() {
  if (!findProgram("ssh").empty()) return;
  const fs::path unpacked = unpackedFolder();
  const auto append = [](const char* name, const fs::path& folder) {
    const std::string before = variable(name);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): this is before anybody else begins
    ::setenv(name, (before.empty() ? folder.string() : before + ":" + folder.string()).c_str(), 1);
  };
  append("PATH", unpacked / "usr" / "bin");
  append("LD_LIBRARY_PATH", librariesIn(unpacked));
}

/// The installed server, or the unpacked one. As root a server wants a user "sshd", whom only an installation
/// makes: libnss_wrapper gives it one without touching the system's list.
Server findServer(const fs::path& folder) {
  const fs::path unpacked = unpackedFolder(), libraries = librariesIn(unpacked);
  Server server{"/usr/sbin/sshd", {}};
  if (!isProgram(server.program)) {
    server.program = unpacked / "usr" / "sbin" / "sshd";
    server.environment = fmt::format("LD_LIBRARY_PATH='{}' ", libraries.string());
  }
  if (!isProgram(server.program)) return {};
  if (::getuid() != 0 || ::getpwnam("sshd") != nullptr) return server;  // NOLINT(concurrency-mt-unsafe)
  const fs::path wrapper = libraries / "libnss_wrapper.so";
  if (!fs::exists(wrapper)) return {};
  const std::string users = readFile("/etc/passwd").value_or("");
  if (!writeFileAtomically(folder / "passwd", users + "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n"))
    return {};
  server.environment +=
      fmt::format("LD_PRELOAD='{}' NSS_WRAPPER_PASSWD='{}/passwd' NSS_WRAPPER_GROUP=/etc/group ",
                  wrapper.string(), folder.string());
  return server;
}

void makeKey(const fs::path& file) {
  fs::remove(file);
  fs::remove(file.string() + ".pub");
  const auto made =
      runToEnd({.argv = {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file.string()}}, limit);
  ASSERT_TRUE(made && made->ok());
}

void write(const fs::path& file, const std::string& text) {
  ASSERT_TRUE(writeFileAtomically(file, text));
}

std::vector<pid_t> processes() {
  std::vector<pid_t> found;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc", gone)) {
    const std::string number = entry.path().filename().string();
    if (number.find_first_not_of("0123456789") == std::string::npos)
      found.push_back(static_cast<pid_t>(std::stoi(number)));
  }
  return found;
}

/// Empty where the process is gone.
fs::path programOf(pid_t process) {
  std::error_code gone;
  return fs::read_symlink(fmt::format("/proc/{}/exe", process), gone);
}

/// The number may be another process's by now.
bool isServer(pid_t process) {
  return programOf(process).filename().string().starts_with("sshd");
}

}  // namespace

SshHost::SshHost() {
  offerClient();
  const Server server = findServer(folder());
  if (server.program.empty() || findProgram("ssh").empty()) {
    missing_ =
        "OpenSSH's server and client are not installed (openssh-server, openssh-client), and "
        "`packaging/setup "
        "test` has not unpacked them";
    return;
  }
  if (::getuid() == 0) ::mkdir("/run/sshd", 0755);
  fs::create_directories(home());
  makeKey(folder() / "host");
  makeKey(folder() / "user");
  const std::string in = folder().string();
  write(folder() / "known", "box " + readFile(folder() / "host.pub").value_or(""));
  unlock();
  write(folder() / "sshd_config",
        fmt::format("HostKey {0}/host\nAuthorizedKeysFile {0}/let-in\nStrictModes no\nUsePAM no\n"
                    "PasswordAuthentication no\nKbdInteractiveAuthentication no\nPidFile none\n"
                    "LogLevel QUIET\nSetEnv HOME={0}/home\n",
                    in));
  // Each server leads a process group of its own.
  write(folder() / "serve",
        fmt::format("#!/bin/sh\necho $$ >>'{0}/servers'\nexec env {1}'{2}' -i -f '{0}/sshd_config'\n", in,
                    server.environment, server.program.string()));
  fs::permissions(folder() / "serve", fs::perms::owner_all);
  configure("ProxyCommand setsid " + in + "/serve");
}

void SshHost::configure(const std::string& way) const {
  write(folder() / "config",
        fmt::format("Host *\n  {1}\n  IdentityFile {0}/user\n  IdentitiesOnly yes\n"
                    "  IdentityAgent none\n  UserKnownHostsFile {0}/known\n  GlobalKnownHostsFile /dev/null\n"
                    "  HostKeyAlias box\n",
                    folder().string(), way));
}

void SshHost::makeFaulty(double delaySeconds, int bytes) const {
  configure(fmt::format("ProxyCommand {}/tests/hosts/faulty_pipe {} {} 0 setsid {}/serve", WB_SOURCE_DIR,
                        delaySeconds, bytes, folder().string()));
}

void SshHost::makeSlow(double bytesPerSecond) const {
  configure(fmt::format("ProxyCommand {}/tests/hosts/faulty_pipe 0 0 {} setsid {}/serve", WB_SOURCE_DIR,
                        bytesPerSecond, folder().string()));
}

void SshHost::withoutWalls() const {
  configure(fmt::format("ProxyCommand {}/tests/hosts/without_walls setsid {}/serve", WB_SOURCE_DIR,
                        folder().string()));
}

SshHost::~SshHost() {
  if (!missing_.empty()) return;
  const auto before = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < before) {
    signalConnections(SIGKILL);
    const std::vector<pid_t> left = sessions();
    if (left.empty() && !isConnected()) return;
    for (const pid_t each : left) ::kill(each, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  ADD_FAILURE() << "something of the host does not end";
}

RunTarget SshHost::target(const std::string& options) const {
  const auto target =
      parseTarget(fmt::format("ssh://box/cpu?config={}/config{}", folder().string(), options));
  EXPECT_TRUE(target);
  RunTarget result = target ? *target : RunTarget{};
  result.cache = cache().string();
  return result;
}

std::vector<pid_t> SshHost::servers() const {
  std::vector<pid_t> found;
  const std::string text = readFile(folder() / "servers").value_or("");
  for (const std::string_view line : splitLines(text))
    found.push_back(static_cast<pid_t>(std::stoi(std::string(line))));
  return found;
}

void SshHost::signalConnections(int signal) const {
  for (const pid_t each : servers())
    if (isServer(each)) ::kill(-each, signal);
}

bool SshHost::isConnected() const {
  const std::vector<pid_t> all = servers();
  return std::any_of(all.begin(), all.end(), isServer);
}

/// They are known by the host's home.
std::vector<pid_t> SshHost::sessions() const {
  std::vector<pid_t> found;
  const std::string mark = "HOME=" + home().string();
  for (const pid_t each : processes()) {
    std::ifstream environment(fmt::format("/proc/{}/environ", each));
    for (std::string variable; std::getline(environment, variable, '\0');)
      if (variable == mark) found.push_back(each);
  }
  return found;
}

std::vector<pid_t> SshHost::programs(const std::string& name) const {
  std::vector<pid_t> found;
  for (const pid_t each : processes()) {
    const fs::path program = programOf(each);
    if (!program.string().starts_with(cache().string())) continue;
    if (name.empty() || program.filename() == name) found.push_back(each);
  }
  return found;
}

int SshHost::killPrograms(const std::string& name) const {
  int count = 0;
  for (const pid_t each : programs(name)) count += ::kill(each, SIGKILL) == 0 ? 1 : 0;
  return count;
}

bool SshHost::isQuiet() const {
  const auto before = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < before) {
    if (programs().empty() && sessions().empty()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

bool SshHost::areOver(const std::vector<pid_t>& these) const {
  const auto before = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < before) {
    const std::vector<pid_t> now = sessions();
    const bool isAny = std::any_of(these.begin(), these.end(), [&](pid_t each) {
      return std::find(now.begin(), now.end(), each) != now.end();
    });
    if (!isAny) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

bool SshHost::isLeft() const {
  const std::string config = (folder() / "config").string();
  const auto speaks = [&] {
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc", gone)) {
      const std::string line = readFile(entry.path() / "cmdline").value_or("");
      if (line.find("--near") != std::string::npos && line.find(config) != std::string::npos) return true;
    }
    return false;
  };
  const auto before = std::chrono::steady_clock::now() + limit;
  while (speaks()) {
    if (std::chrono::steady_clock::now() >= before) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return true;
}

void SshHost::lock() const {
  write(folder() / "let-in", "");
}
void SshHost::unlock() const {
  write(folder() / "let-in", readFile(folder() / "user.pub").value_or(""));
}
void SshHost::changeKey() const {
  makeKey(folder() / "host");
}

}  // namespace wb
