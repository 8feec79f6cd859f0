// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/service/http/access/tokens.h"
#include "core/service/http/server/http_server.h"
#include "core/service/http/text/log.h"
#include "core/service/service.h"

namespace wb {

/// Whether something is done: where this machine can, in any case, or never.
enum class Wish { whereItCan, always, never };

/// For which requests of the evaluation server the device's counters are read.
enum class MetricsWish {
  /// For those that ask for them, or for all where the original's variable ENABLE_DEVICE_METRICS is "true".
  usual,
  /// For those that ask for them.
  asked,
  /// For all that do not ask for their absence.
  always,
};

/// All that `warpbench serve` can be told.
struct ServeConfig {
  HttpServerOptions http{.port = 8000};
  ServiceOptions service;
  /// "auto" is every GPU, or the CPU where there is none.
  std::vector<std::string> devices{"auto"};
  /// The interpreter whose torch and packages are used; "" means the one that is found.
  std::string python;
  Wish sandbox = Wish::whereItCan, strict = Wish::whereItCan;
  MetricsWish deviceMetrics = MetricsWish::usual;
  /// Names of this server besides those of this machine.
  std::vector<std::string> hosts;
  std::filesystem::path tokenFile;
  int requestsPerMinute = 0;
  int jsonDepth = 64;
  /// How long runs that are under way may take to end when the service stops.
  double drainSeconds = 60;
  LogFormat log = LogFormat::json;
};

/// Whence settings come besides a file; a later one is stronger.
struct SettingSources {
  /// The file; "" means the user's own (warpbench/serve.toml), if there is one.
  std::filesystem::path file;
  /// The environment's variables. Those that begin as the service's own do have to be settings.
  std::map<std::string, std::string> environment;
  /// Names of settings with what the command line gives them.
  std::vector<std::pair<std::string, std::string>> flags;
};

/// A configuration as far as it can be read, and all that is wrong with it.
struct FoundConfig {
  ServeConfig config;
  std::vector<Error> problems;
};
/// The configuration of these sources. Problems name the file and line, the variable or the option, and say
/// what to do.
[[nodiscard]] FoundConfig readConfig(const SettingSources& sources);

/// All that is wrong with what belongs together: another address than loopback without tokens, half of TLS or
/// files that TLS cannot be made from, deadlines that exclude each other, a Python that is no program.
[[nodiscard]] std::vector<Error> checkConfig(const ServeConfig& config, const std::vector<Token>& tokens);
/// What should be known before it starts: no TLS on an address that others reach.
[[nodiscard]] std::vector<std::string> warningsOf(const ServeConfig& config);
/// Whether only this machine reaches an address. Of names, "localhost" alone is known to be so.
[[nodiscard]] bool isLoopback(const std::string& address);

/// The user's own configuration file.
[[nodiscard]] std::filesystem::path defaultConfigFile();
/// Where tokens are kept if nothing else is said.
[[nodiscard]] std::filesystem::path defaultTokenFile();

}  // namespace wb
