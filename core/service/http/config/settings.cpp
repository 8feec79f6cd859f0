// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/config/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace wb {
namespace {

using Set = std::function<std::string(ServeConfig&, const std::string&, const std::filesystem::path&)>;

template <class Number>
bool readInto(const std::string& text, Number& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size();
}

/// A number of a member that `member` leads to.
template <class Member, class Number>
Set number(Member member, Number least, Number most) {
  return [=](ServeConfig& config, const std::string& text, const std::filesystem::path&) {
    Number value{};
    if (!readInto(text, value) || !(value >= least && value <= most))
      return fmt::format("a {} from {} to {}", std::integral<Number> ? "whole number" : "number", least,
                         most);
    auto& target = member(config);
    target = static_cast<std::remove_reference_t<decltype(target)>>(value);
    return std::string();
  };
}

template <class Member>
Set text(Member member) {
  return [=](ServeConfig& config, const std::string& value, const std::filesystem::path&) {
    member(config) = value;
    return std::string();
  };
}

template <class Member>
Set file(Member member) {
  return [=](ServeConfig& config, const std::string& value, const std::filesystem::path& folder) {
    if (value.empty()) return std::string("a path");
    member(config) = std::filesystem::absolute(folder / value).lexically_normal().string();
    return std::string();
  };
}

template <class Member>
Set words(Member member) {
  return [=](ServeConfig& config, const std::string& value, const std::filesystem::path&) {
    auto& list = member(config);
    list.clear();
    for (const std::string_view word : split(value, ','))
      if (!trimmed(word).empty()) list.emplace_back(trimmed(word));
    return std::string();
  };
}

template <class Member>
Set wish(Member member) {
  return [=](ServeConfig& config, const std::string& value, const std::filesystem::path&) {
    if (value != "auto" && value != "true" && value != "false") return std::string("auto, true or false");
    member(config) = value == "auto" ? Wish::whereItCan : value == "true" ? Wish::always : Wish::never;
    return std::string();
  };
}

std::string setMetrics(ServeConfig& config, const std::string& value, const std::filesystem::path&) {
  if (value != "asked" && value != "always") return "asked or always";
  config.deviceMetrics = value == "asked" ? MetricsWish::asked : MetricsWish::always;
  return {};
}

std::string setLog(ServeConfig& config, const std::string& value, const std::filesystem::path&) {
  if (value != "json" && value != "text") return "json or text";
  config.log = value == "json" ? LogFormat::json : LogFormat::text;
  return {};
}

/// A path, or a name of a program.
std::string setPython(ServeConfig& config, const std::string& value, const std::filesystem::path& folder) {
  const bool isPath = value.find('/') != std::string::npos;
  config.python = isPath ? std::filesystem::absolute(folder / value).string() : value;
  return {};
}

constexpr double secondsOfYears = 1e9;
constexpr double secondsADay = 24 * 3600;

std::string setKeepDays(ServeConfig& config, const std::string& value, const std::filesystem::path& folder) {
  auto problem = number([](ServeConfig& c) -> double& { return c.service.keepSeconds; }, 0.0, 36'500.0)(
      config, value, folder);
  if (problem.empty()) config.service.keepSeconds *= secondsADay;
  return problem;
}

/// A number of mebibytes for a member that holds bytes.
template <class Member>
Set mebibytes(Member member) {
  return [=](ServeConfig& config, const std::string& value, const std::filesystem::path& folder) {
    auto problem = number(member, std::int64_t{1}, std::int64_t{1} << 30)(config, value, folder);
    if (problem.empty()) member(config) <<= 20U;
    return problem;
  };
}

#define WB_MEMBER(path)               \
  [](ServeConfig & config) -> auto& { \
    return config.path;               \
  }

std::vector<Setting> makeSettings() {
  return {
      {"address", "Address to listen to; any other than loopback needs tokens",
       text(WB_MEMBER(http.address))},
      {"port", "Port; 0 takes a free one and says which", number(WB_MEMBER(http.port), 0, 65'535)},
      {"devices", "Devices, with commas: auto (all GPUs, else the CPU), cpu, cuda:N",
       words(WB_MEMBER(devices))},
      {"folder", "Folder of the journal and of the results", file(WB_MEMBER(service.folder))},
      {"python", "Python whose torch and packages are used", setPython},
      {"sandbox", "Walls around kernels: auto (where this machine can), true, false",
       wish(WB_MEMBER(sandbox))},
      {"strict", "Judge from another process: auto (where this machine can), true, false",
       wish(WB_MEMBER(strict))},
      {"hosts", "Names that requests may ask for besides this machine's, with commas",
       words(WB_MEMBER(hosts))},
      {"log", "Form of the log on standard error: json or text", setLog},
      {"runs.per_gpu", "How many runs a GPU has at a time; one of them at most is timed, alone on it",
       number(WB_MEMBER(service.runsPerGpu), std::size_t{1}, std::size_t{8})},
      {"evaluation.device_metrics",
       "Counters in answers of the evaluation server: asked (where a request asks for them), always",
       setMetrics},
      {"queue.most", "How many runs may wait",
       number(WB_MEMBER(service.mostQueued), std::size_t{1}, std::size_t{1'000'000})},
      {"queue.most_per_client", "How many runs of one client may wait",
       number(WB_MEMBER(service.mostQueuedPerClient), std::size_t{1}, std::size_t{1'000'000})},
      {"runs.deadline_seconds", "Limit of a run that asks for none",
       number(WB_MEMBER(service.deadlineSeconds), 1.0, secondsOfYears)},
      {"runs.longest_deadline_seconds", "The largest limit that a run may ask for",
       number(WB_MEMBER(service.longestDeadlineSeconds), 1.0, secondsOfYears)},
      {"runs.drain_seconds", "How long runs may take to end when the service stops",
       number(WB_MEMBER(drainSeconds), 0.0, secondsOfYears)},
      {"keep.days", "How long results are kept", setKeepDays},
      {"keep.mebibytes", "How much of results is kept", mebibytes(WB_MEMBER(service.keepBytes))},
      {"keep.memory_mebibytes", "How much memory runs may take that have just ended",
       mebibytes(WB_MEMBER(service.recentBytes))},
      {"limits.body_bytes", "Size of a request's body",
       number(WB_MEMBER(http.bodyBytes), std::size_t{1024}, std::size_t{1} << 32U)},
      {"limits.header_bytes", "Size of a request's line and headers",
       number(WB_MEMBER(http.headBytes), std::size_t{1024}, std::size_t{1} << 20U)},
      {"limits.json_depth", "How deep arrays and objects of a body may lie in each other",
       number(WB_MEMBER(jsonDepth), 8, 1000)},
      {"limits.request_seconds", "Time to send a request in",
       number(WB_MEMBER(http.requestSeconds), 1.0, 3600.0)},
      {"limits.connections", "How many connections may be open",
       number(WB_MEMBER(http.mostConnections), std::size_t{1}, std::size_t{20'000})},
      {"limits.requests_per_minute", "Requests a minute of one client; 0 is no limit",
       number(WB_MEMBER(requestsPerMinute), 0, 1'000'000)},
      {"access.tokens", "File of tokens (warpbench serve token NAME)", file(WB_MEMBER(tokenFile))},
      {"tls.certificate", "Certificate with its chain, PEM", file(WB_MEMBER(http.certificate))},
      {"tls.key", "Key of the certificate, PEM", file(WB_MEMBER(http.key))},
  };
}

#undef WB_MEMBER

}  // namespace

std::span<const Setting> settings() {
  static const std::vector<Setting> all = makeSettings();
  return all;
}

const Setting* findSetting(std::string_view name) {
  const auto all = settings();
  const auto found = std::ranges::find(all, name, &Setting::name);
  return found == all.end() ? nullptr : &*found;
}

std::string flagOf(const Setting& setting) {
  std::string flag = "--";
  for (const char c : setting.name) flag += c == '.' || c == '_' ? '-' : c;
  return flag;
}

std::string variableOf(const Setting& setting) {
  std::string variable(variablePrefix);
  for (const char c : setting.name)
    variable += c == '.' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

}  // namespace wb
