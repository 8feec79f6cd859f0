// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote/ssh/ssh_command.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/hash.h"
#include "core/base/process/process.h"
#include "core/base/text.h"

namespace wb {

namespace fs = std::filesystem;

namespace {

// A socket's address has 108 characters, of which ssh needs 20 for a moment and the host's hash 40.
constexpr std::size_t longestFolder = 40, configDigits = 8;
// Every login shell reads this as it stands, also fish and csh: it has no line end, no ! and no \.
constexpr const char* runFirstLine = "exec /bin/sh -c 'IFS= read -r wb && eval \"$wb\"'";

std::string lastLines(std::string_view errors) {
  errors = trimmed(errors);
  constexpr std::size_t most = 400;
  if (errors.size() > most) errors.remove_prefix(errors.size() - most);
  return std::string(errors);
}

/// The rest of the line after a text; "" where the text is not there.
std::string_view after(std::string_view errors, std::string_view text) {
  const std::size_t found = errors.find(text);
  if (found == std::string_view::npos) return {};
  errors.remove_prefix(found + text.size());
  return errors.substr(0, errors.find_first_of("\r\n"));
}

/// A failure that shows by a part of what ssh says.
struct Known {
  std::string_view sign;
  bool mayPass;
  const char* text;
  const char* hint;
};
constexpr std::string_view unknownName = "Could not resolve hostname";
constexpr Known knownFailures[] = {
    {unknownName, false, "there is no host \"{}\"",
     "check the spelling, and whether ~/.ssh/config knows the name"},
    {"Connection refused", true, "{} refuses the connection: no ssh server listens at that port",
     "check the port, and whether sshd runs there"},
    {"timed out", true, "{} does not answer", "check whether it is switched on and in reach, as by a VPN"},
    {"No route to host", true, "there is no way to {}", "check the network of both sides"},
    {"Network is unreachable", true, "the network of {} cannot be reached",
     "check the network of this machine"},
    {"key is known for", false, "the key of {} is not known here",
     "connect once by ssh in a terminal, and compare the fingerprint that it shows with the host's own"},
    {"Permission denied", false, "{} does not let this user in by a key",
     "try ssh in a terminal; give the key to the host by ssh-copy-id, or to the agent by ssh-add"},
    {"Too many authentication failures", false, "{} was offered too many keys",
     "name the right one in ~/.ssh/config, by IdentityFile and IdentitiesOnly yes"},
    {"kex_exchange_identification", true, "{} closed the connection before the login",
     "it may have too many connections, or block this address"},
    {"Bad configuration option", false, "ssh does not understand its configuration for {}",
     "correct the file that the message names"},
    {"Can't open user config file", false, "the configuration of ssh for {} cannot be read",
     "check the target's option \"config\""},
    {"Connection closed", true, "{} closed the connection", "look into the log of sshd there"},
    {"Connection reset", true, "{} closed the connection", "look into the log of sshd there"},
    {"Broken pipe", true, "the connection to {} broke", "check the network"},
};

}  // namespace

std::vector<std::string> sshCommand(const RunTarget& target, const fs::path& sockets) {
  std::vector<std::string> argv{"ssh"};
  if (const std::string_view config = optionOf(target, "config"); !config.empty())
    argv.insert(argv.end(), {"-F", std::string(config)});
  const auto set = [&](const char* option) { argv.insert(argv.end(), {"-o", option}); };
  for (const char* option :
       {"BatchMode=yes", "StrictHostKeyChecking=yes", "ServerAliveInterval=2", "ServerAliveCountMax=2",
        "ConnectTimeout=8", "EscapeChar=none", "ClearAllForwardings=yes", "LogLevel=ERROR", "ForwardX11=no",
        "ForwardAgent=no", "PermitLocalCommand=no", "RemoteCommand=none"})
    set(option);
  if (sockets.empty()) {
    set("ControlPath=none");
  } else {
    set("ControlMaster=auto");
    set("ControlPersist=60");
    // One name may mean different hosts in different configurations.
    const std::string config = contentHash({optionOf(target, "config")}).substr(0, configDigits);
    set(("ControlPath=" + (sockets / (config + "%C")).string()).c_str());
  }
  argv.emplace_back("-T");
  if (target.port != 0) argv.insert(argv.end(), {"-p", std::to_string(target.port)});
  if (!target.user.empty()) argv.insert(argv.end(), {"-l", target.user});
  argv.insert(argv.end(), {"--", target.host, runFirstLine});
  return argv;
}

fs::path sshSockets() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe)
  fs::path folder = runtime != nullptr ? fs::path(runtime) / "warpbench" : fs::path();
  if (folder.empty() || folder.string().size() > longestFolder)
    folder = fmt::format("/tmp/warpbench-{}", ::getuid());
  ::mkdir(folder.c_str(), 0700);
  struct stat is {};
  if (::lstat(folder.c_str(), &is) != 0 || !S_ISDIR(is.st_mode) || is.st_uid != ::getuid() ||
      (is.st_mode & 077U) != 0)
    return {};
  return folder;
}

SshFailure sshFailure(const std::string& host, std::string_view errors) {
  if (errors.find("HOST IDENTIFICATION HAS CHANGED") != std::string_view::npos) {
    SshFailure failure;
    failure.error = {
        Stage::setup, fmt::format("the key of {} has changed", host),
        "ask who looks after the host; if the new key is right, remove the old one by ssh-keygen -R"};
    if (const std::size_t key = errors.find("SHA256:"); key != std::string_view::npos) {
      const std::string_view from = errors.substr(key);
      failure.newFingerprint = from.substr(0, from.find_first_of(" \r\n"));
      while (failure.newFingerprint.ends_with('.')) failure.newFingerprint.pop_back();
    }
    const std::string_view place = after(after(errors, "Offending "), " key in ");
    if (const std::size_t colon = place.rfind(':'); colon != std::string_view::npos) {
      failure.knownFile = place.substr(0, colon);
      failure.knownLine = std::atoi(std::string(place.substr(colon + 1)).c_str());  // NOLINT(cert-err34-c)
    }
    return failure;
  }
  for (const Known& known : knownFailures)
    if (errors.find(known.sign) != std::string_view::npos)
      return {
          known.mayPass,
          {Stage::setup,
           fmt::format("{}; ssh says: {}", fmt::format(fmt::runtime(known.text), host), lastLines(errors)),
           known.hint},
          known.sign == unknownName};
  const std::string said = lastLines(errors);
  return {true,
          {Stage::setup,
           said.empty() ? fmt::format("the connection to {} ended without a word", host)
                        : fmt::format("the connection to {} failed; ssh says: {}", host, said),
           "try ssh in a terminal; `warpbench target test` says where it fails"}};
}

std::string fingerprintOf(const fs::path& file, int line) {
  const Result<std::string> known = readFile(file);
  if (!known || line < 1) return {};
  const auto lines = splitLines(*known);
  if (static_cast<std::size_t>(line) > lines.size()) return {};
  const Result<TemporaryFile> alone =
      TemporaryFile::make(std::string(lines[static_cast<std::size_t>(line) - 1]) + "\n");
  if (!alone) return {};
  const auto told =
      runToEnd({.argv = {"ssh-keygen", "-l", "-f", alone->path().string()}}, std::chrono::seconds{5});
  if (!told || !told->ok()) return {};
  const std::string_view text = told->out;
  const std::size_t found = text.find("SHA256:");
  return found == std::string_view::npos
             ? std::string()
             : std::string(text.substr(found, text.find_first_of(" \n", found) - found));
}

Error explained(SshFailure failure) {
  if (failure.newFingerprint.empty()) return std::move(failure.error);
  const std::string known = fingerprintOf(failure.knownFile, failure.knownLine);
  failure.error.text +=
      fmt::format(": it was {}, and is {} now ({}, line {})", known.empty() ? "another" : known,
                  failure.newFingerprint, failure.knownFile.string(), failure.knownLine);
  return std::move(failure.error);
}

}  // namespace wb
