// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/service/http/server/request_record.h"

namespace wb {

enum class LogFormat {
  /// An object of JSON a line, for programs.
  json,
  /// A line for people.
  text,
};

/// What the service says of itself, a line at a time.
class ServiceLog {
 public:
  using Write = std::function<void(const std::string& line)>;
  /// `write` gets whole lines, from any thread.
  ServiceLog(LogFormat format, Write write);

  /// A request that was answered or refused: who asked for what, and what came of it.
  void request(const RequestRecord& record) const;
  /// Anything else. `level`: "info", "warning", "error".
  void say(std::string_view level, std::string_view text) const;

 private:
  LogFormat format_;
  Write write_;
};

/// Writes a line to standard error in one piece.
void writeToStandardError(const std::string& line);

/// A time in UTC: "2026-11-22T16:03:05.123Z".
[[nodiscard]] std::string utcTime(double secondsSince1970);

}  // namespace wb
