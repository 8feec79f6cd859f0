// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/targets/run_target.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {

/// A host that ssh reaches, with keys, home and configuration of its own, all in one folder. Each connection
/// has a real sshd of its own behind it, without a network, so that no test needs a port.
class SshHost {
 public:
  SshHost();
  ~SshHost();
  SshHost(const SshHost&) = delete;
  SshHost& operator=(const SshHost&) = delete;

  /// Why there can be no such host on this machine; "" where there can.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// The target; `options` are put behind those that it needs, such as "&grace=2".
  [[nodiscard]] RunTarget target(const std::string& options = {}) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return own_.path(); }
  [[nodiscard]] std::filesystem::path home() const { return folder() / "home"; }
  [[nodiscard]] std::filesystem::path cache() const { return folder() / "cache there"; }

  /// Sends a signal to the server's side of every connection, but to nothing that was started through it.
  void signalConnections(int signal) const;
  /// How many connections were made so far.
  [[nodiscard]] std::size_t connections() const { return servers().size(); }
  /// Waits until nothing runs any more of what was started there; false after twenty seconds. The server of a
  /// connection may still stand: without a network it does not always see that its client is gone.
  [[nodiscard]] bool isQuiet() const;
  /// All that was started there and what that has started.
  [[nodiscard]] std::vector<pid_t> sessions() const;
  /// Waits until none of these runs any more, whatever else was started there since; false after twenty
  /// seconds.
  [[nodiscard]] bool areOver(const std::vector<pid_t>& these) const;
  /// Waits until no program here speaks to the host any more, but for ssh's shared connection.
  [[nodiscard]] bool isLeft() const;
  /// The processes that run a program that was copied there; those of one name, or all.
  [[nodiscard]] std::vector<pid_t> programs(const std::string& name = {}) const;
  /// Kills the programs of this name that were copied there and run, and says how many.
  [[nodiscard]] int killPrograms(const std::string& name) const;
  /// Nobody is let in from now on, or everybody again.
  void lock() const;
  void unlock() const;
  /// From now on each connection delays what comes back, and is cut after so many bytes of it; 0 never cuts.
  void makeFaulty(double delaySeconds, int bytes) const;
  /// From now on each connection takes no more bytes a second.
  void makeSlow(double bytesPerSecond) const;
  /// From now on its kernel has no walls to offer (core/base/sandbox).
  void withoutWalls() const;
  /// How the host is reached from now on, as a line of ssh's configuration: "HostName box.lan".
  void configure(const std::string& way) const;
  /// The host gets another key.
  void changeKey() const;

 private:
  [[nodiscard]] std::vector<pid_t> servers() const;
  [[nodiscard]] bool isConnected() const;

  TemporaryFolder own_;
  std::string missing_;
};

}  // namespace wb
