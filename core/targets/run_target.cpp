// SPDX-License-Identifier: Apache-2.0
#include "core/targets/run_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/base/nearest.h"
#include "core/base/text.h"

namespace wb {
namespace {

constexpr std::string_view sshScheme = "ssh://", slurmScheme = "slurm://", localWord = "local";
constexpr const char* forms =
    "give \"local cuda:0\", \"ssh://user@host/cuda:0\", \"slurm://partition\" or "
    "\"ssh://login/slurm://partition\"";
constexpr int largestPort = 65535;
constexpr std::array<std::string_view, 2> sshOptions{"config", "grace"};
constexpr double longestGrace = 86400;

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
/// Letters of names that programs take as arguments: none of them means anything to a shell.
bool isPlain(char c) {
  return isLetter(c) || isDigit(c) || c == '-' || c == '_' || c == '.';
}

bool isDeviceName(std::string_view text) {
  if (text == "cpu") return true;
  constexpr std::string_view prefix = "cuda:";
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return !text.empty() && text.size() < 4 && std::all_of(text.begin(), text.end(), isDigit);
}

std::optional<int> hexDigit(char c) {
  if (isDigit(c)) return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? std::optional(small - 'a' + 10) : std::nullopt;
}

/// What may stand in a value as it is; all else is written as %XX.
bool staysInValue(char c) {
  return isPlain(c) || std::string_view("/:,~=@+[]").find(c) != std::string_view::npos;
}

std::string encoded(std::string_view value) {
  std::string text;
  for (const char c : value)
    text += staysInValue(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return text;
}

bool isSeconds(std::string_view text) {
  double seconds = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return failed == std::errc{} && end == text.data() + text.size() && seconds >= 0 && seconds <= longestGrace;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : all_(trimmed(text)) {}

  Result<RunTarget> read() {
    if (all_.empty()) return wrong(0, "a target is missing", forms);
    const std::size_t query = std::min(all_.find('?'), all_.size());
    WB_DO(readPlace(all_.substr(0, query)));
    if (query < all_.size()) WB_DO(readOptions(query + 1));
    return target_;
  }

 private:
  [[nodiscard]] Error wrong(std::size_t at, const std::string& what, const std::string& hint) const {
    return {Stage::setup, fmt::format("{}, at character {} of \"{}\"", what, at + 1, all_), hint};
  }

  Result<void> readPlace(std::string_view place) {
    if (place.starts_with(sshScheme)) return readSsh(place);
    if (place.starts_with(slurmScheme)) return readSlurm(place, 0);
    if (place == localWord || place.starts_with("local ")) return readLocal(place);
    if (const std::size_t scheme = place.find("://"); scheme != std::string_view::npos)
      return wrong(0, fmt::format("\"{}\" starts no workers", place.substr(0, scheme)), forms);
    return wrong(0, "this is no target", forms);
  }

  Result<void> readLocal(std::string_view place) {
    target_.kind = TargetKind::local;
    const std::string_view device = trimmed(place.substr(localWord.size()));
    if (device.empty()) return {};
    return setDevice(device, place.size() - device.size());
  }

  Result<void> setDevice(std::string_view device, std::size_t at) {
    if (!isDeviceName(device))
      return wrong(at, fmt::format("\"{}\" is no device", device),
                   "devices are cpu, cuda:0, cuda:1 and so on");
    target_.device = device;
    return {};
  }

  Result<void> readSsh(std::string_view place) {
    target_.kind = TargetKind::ssh;
    std::size_t at = sshScheme.size();
    const std::size_t slash = std::min(place.find('/', at), place.size());
    if (slash + 1 < place.size() && place.substr(slash + 1).starts_with(slurmScheme)) {
      WB_DO(readSlurm(place, slash + 1));
    } else if (slash + 1 < place.size()) {
      WB_DO(setDevice(place.substr(slash + 1), slash + 1));
    }
    std::string_view authority = place.substr(at, slash - at);
    if (const std::size_t user = authority.rfind('@'); user != std::string_view::npos) {
      WB_TRY(target_.user, plainName(authority.substr(0, user), at, "user"));
      authority.remove_prefix(user + 1);
      at += user + 1;
    }
    return readHost(authority, at);
  }

  Result<void> readHost(std::string_view host, std::size_t at) {
    std::size_t colon = host.rfind(':');
    if (host.starts_with('[')) {  // an address of IPv6
      const std::size_t end = host.find(']');
      if (end == std::string_view::npos) return wrong(at, "the address has no closing ]", "write [::1]");
      const std::string_view address = host.substr(1, end - 1);
      const auto fits = [](char c) { return hexDigit(c) || c == ':' || c == '.' || c == '%' || isPlain(c); };
      if (address.empty() || !std::all_of(address.begin(), address.end(), fits))
        return wrong(at + 1, "this is no address", "write an address such as [::1]");
      target_.host = address;
      colon = end + 1 < host.size() ? end + 1 : std::string_view::npos;
      if (colon != std::string_view::npos && host[colon] != ':')
        return wrong(at + colon, "a port must follow", "write [::1]:22");
    } else {
      WB_TRY(target_.host, plainName(host.substr(0, colon), at, "host"));
    }
    if (colon == std::string_view::npos) return {};
    const std::string_view digits = host.substr(colon + 1);
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), target_.port);
    if (failed != std::errc{} || end != digits.data() + digits.size() || target_.port < 1 ||
        target_.port > largestPort)
      return wrong(at + colon + 1, fmt::format("\"{}\" is no port", digits), "ports go from 1 to 65535");
    return {};
  }

  /// A name that becomes a program's argument: it must not look like an option.
  Result<std::string> plainName(std::string_view text, std::size_t at, std::string_view what) const {
    if (text.empty()) return wrong(at, fmt::format("the {} is missing", what), forms);
    if (text.front() == '-')
      return wrong(at, fmt::format("a {} does not begin with -", what), "check the spelling");
    const auto odd = std::find_if_not(text.begin(), text.end(), isPlain);
    if (odd != text.end())
      return wrong(at + static_cast<std::size_t>(odd - text.begin()),
                   fmt::format("a {} does not hold \"{}\"", what, *odd),
                   "letters, digits, points, - and _ may stand there");
    return std::string(text);
  }

  /// From character `at` on.
  Result<void> readSlurm(std::string_view place, std::size_t at) {
    target_.kind = TargetKind::slurm;
    std::string_view partition = place.substr(at + slurmScheme.size());
    if (partition.ends_with('/')) partition.remove_suffix(1);
    if (partition.empty()) return {};
    WB_TRY(target_.partition, plainName(partition, at + slurmScheme.size(), "partition"));
    return {};
  }

  Result<void> readOptions(std::size_t at) {
    for (const std::string_view part : split(all_.substr(at), '&')) {
      if (!part.empty()) WB_DO(readOption(part, at));
      at += part.size() + 1;
    }
    return {};
  }

  Result<void> readOption(std::string_view part, std::size_t at) {
    const std::size_t equals = part.find('=');
    const std::string key(part.substr(0, equals));
    std::vector<std::string> known = targetOptions(target_);
    known.insert(known.begin(), {"python", "cache"});
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      const std::string near = didYouMean(key, known);
      return wrong(at, fmt::format("there is no option \"{}\"", key),
                   near.empty() ? fmt::format("there are {}", joined(known, ", ")) : near);
    }
    if (equals == std::string_view::npos || equals + 1 == part.size())
      return wrong(at + key.size(), fmt::format("the option \"{}\" has no value", key),
                   fmt::format("write {}=VALUE", key));
    WB_TRY(std::string value, decoded(part.substr(equals + 1), at + equals + 1));
    if (const Result<void> possible = checkTargetOption(key, value); !possible)
      return wrong(at + equals + 1, possible.error().text, possible.error().hint);
    if (key == "python" && target_.python.empty()) {
      target_.python = std::move(value);
    } else if (key == "cache" && target_.cache.empty()) {
      target_.cache = std::move(value);
    } else if (key != "python" && key != "cache" && optionOf(target_, key).empty()) {
      target_.options.emplace_back(key, std::move(value));
    } else {
      return wrong(at, fmt::format("the option \"{}\" is given twice", key), "leave one out");
    }
    return {};
  }

  Result<std::string> decoded(std::string_view text, std::size_t at) const {
    std::string value;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '%') {
        value += text[i];
        continue;
      }
      const auto high = i + 2 < text.size() ? hexDigit(text[i + 1]) : std::nullopt;
      const auto low = high ? hexDigit(text[i + 2]) : std::nullopt;
      if (!low) return wrong(at + i, "two hexadecimal digits must follow the %", "write %25 for a %");
      value += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
    return value;
  }

  std::string_view all_;
  RunTarget target_;
};

}  // namespace

std::string_view optionOf(const RunTarget& target, std::string_view option) {
  for (const auto& [name, value] : target.options)
    if (name == option) return value;
  return {};
}

RunTarget seenThere(const RunTarget& target) {
  RunTarget there{.kind = target.kind == TargetKind::ssh ? TargetKind::local : target.kind,
                  .device = target.device,
                  .partition = target.partition,
                  .python = target.python};
  for (const auto& option : target.options)
    if (std::ranges::find(sshOptions, option.first) == sshOptions.end()) there.options.push_back(option);
  return there;
}

std::vector<std::string> targetOptions(const RunTarget& target) {
  std::vector<std::string> options;
  if (target.kind == TargetKind::slurm)
    options = {"gres", "gpus",    "time",     "account",     "qos",      "constraint",
               "mem",  "exclude", "nodelist", "reservation", "cpus",     "wait",
               "nice", "begin",   "comment",  "exclusive",   "switches", "licenses"};
  if (isBehindSsh(target)) options.insert(options.end(), sshOptions.begin(), sshOptions.end());
  return options;
}

Result<void> checkTargetOption(std::string_view option, std::string_view value) {
  // A value goes to the other side as a line, so it must be one.
  const auto isControl = [](char c) { return static_cast<unsigned char>(c) < ' '; };
  if (std::any_of(value.begin(), value.end(), isControl))
    return Error{Stage::setup, "the value holds a control character", "leave it out"};
  if (option == "grace" && !isSeconds(value))
    return Error{Stage::setup, fmt::format("\"{}\" is no number of seconds", value),
                 "write a number from 0 to 86400"};
  return {};
}

Result<RunTarget> parseTarget(std::string_view text) {
  return Reader(text).read();
}

std::string format(const RunTarget& target) {
  std::string text;
  if (isBehindSsh(target)) {
    const bool isAddress = target.host.find(':') != std::string::npos;
    text = fmt::format("ssh://{}{}{}", target.user, target.user.empty() ? "" : "@",
                       isAddress ? "[" + target.host + "]" : target.host);
    if (target.port != 0) text += fmt::format(":{}", target.port);
  }
  switch (target.kind) {
    case TargetKind::local:
      text = target.device.empty() ? "local" : "local " + target.device;
      break;
    case TargetKind::ssh:
      if (!target.device.empty()) text += "/" + target.device;
      break;
    case TargetKind::slurm:
      text += fmt::format("{}slurm://{}", text.empty() ? "" : "/", target.partition);
      break;
  }
  std::vector<std::pair<std::string, std::string>> options = target.options;
  if (!target.cache.empty()) options.insert(options.begin(), {"cache", target.cache});
  if (!target.python.empty()) options.insert(options.begin(), {"python", target.python});
  char before = '?';
  for (const auto& [key, value] : options) {
    text += fmt::format("{}{}={}", before, key, encoded(value));
    before = '&';
  }
  return text;
}

std::string titleOf(const RunTarget& target) {
  if (!target.name.empty()) return target.name;
  const std::string text = format(target);
  return text.substr(0, text.find('?'));
}

std::string whyNoTargetName(std::string_view name) {
  if (name.empty()) return "a target needs a name";
  if (name == localWord) return "\"local\" is this machine, and no other target";
  if (!isLetter(name.front())) return "a name begins with a letter";
  if (!std::all_of(name.begin(), name.end(), isPlain))
    return "a name has letters, digits, points, - and _ alone";
  return {};
}

}  // namespace wb
