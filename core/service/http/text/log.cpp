// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/text/log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/service/wall_clock.h"

namespace wb {
namespace {

std::string lineOf(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// A path as anybody may send it, for a line that people read: what is no letter of a path becomes "?".
std::string shown(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 200)) result += c > 0x20 && c < 0x7f ? c : '?';
  return result;
}

}  // namespace

std::string utcTime(double secondsSince1970) {
  const auto whole = static_cast<std::time_t>(std::floor(secondsSince1970));
  const auto thousandths = static_cast<int>((secondsSince1970 - static_cast<double>(whole)) * 1000);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(whole), thousandths);
}

ServiceLog::ServiceLog(LogFormat format, Write write) : format_(format), write_(std::move(write)) {}

void ServiceLog::request(const RequestRecord& record) const {
  const double milliseconds = std::round(record.seconds * 1e6) / 1e3;
  if (format_ == LogFormat::text) {
    write_(fmt::format("{} {} {} {} {} {} B {:.1f} ms{}\n", utcTime(secondsNow()), shown(record.address),
                       record.method.empty() ? "-" : shown(record.method), shown(record.path), record.status,
                       record.bytes, milliseconds, record.client.empty() ? "" : " " + shown(record.client)));
    return;
  }
  nlohmann::ordered_json object{{"time", utcTime(secondsNow())},
                                {"level", "info"},
                                {"event", "request"},
                                {"client", record.client},
                                {"address", record.address},
                                {"method", record.method},
                                {"path", record.path},
                                {"status", record.status},
                                {"bytes", record.bytes},
                                {"ms", milliseconds}};
  if (!record.run.empty()) object["run"] = record.run;
  write_(lineOf(object));
}

void ServiceLog::say(std::string_view level, std::string_view text) const {
  if (format_ == LogFormat::text)
    write_(fmt::format("{} {}: {}\n", utcTime(secondsNow()), level, text));
  else
    write_(lineOf({{"time", utcTime(secondsNow())}, {"level", level}, {"event", "message"}, {"text", text}}));
}

void writeToStandardError(const std::string& line) {
  // One call for a line, so that lines of several threads do not mix. A log that cannot be written stops
  // nobody.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace wb
