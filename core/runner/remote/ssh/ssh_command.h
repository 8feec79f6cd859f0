// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/targets/run_target.h"

namespace wb {

/// The command line that runs the first line of its standard input as a script of /bin/sh on a target's host,
/// whatever shell the user has there; the rest of standard input is the script's. With `sockets`, a folder,
/// connections to one host are shared.
[[nodiscard]] std::vector<std::string> sshCommand(const RunTarget& target,
                                                  const std::filesystem::path& sockets);

/// A folder of this user alone for the sockets of shared connections, made where it is missing; "" where
/// there can be none.
[[nodiscard]] std::filesystem::path sshSockets();

/// What kept ssh from reaching a host.
struct SshFailure {
  /// A later attempt may go better: it is the network.
  bool mayPass = false;
  Error error;
  /// Nobody knows the host's name: it is misspelt, or the network that knows it is away.
  bool isUnknownName = false;
  /// The host's key has changed: the fingerprint of the one that it has now, and the file and line of the
  /// one that is known.
  std::string newFingerprint{};
  std::filesystem::path knownFile{};
  int knownLine = 0;
};

/// Reads what ssh wrote to its standard error. `host` is what the user calls it.
[[nodiscard]] SshFailure sshFailure(const std::string& host, std::string_view errors);

/// The fingerprint of a line of a file of known hosts, by ssh-keygen; "" where it cannot be told.
[[nodiscard]] std::string fingerprintOf(const std::filesystem::path& file, int line);

/// Words for ssh's failure, with both fingerprints where a key has changed.
[[nodiscard]] Error explained(SshFailure failure);

}  // namespace wb
