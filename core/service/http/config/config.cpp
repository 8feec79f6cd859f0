// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/config/config.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <toml++/toml.h>

#include <set>
#include <string_view>
#include <utility>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/nearest.h"
#include "core/base/process/programs.h"
#include "core/service/http/config/settings.h"
#include "core/service/http/server/tls.h"

namespace wb {
namespace {

Error unset(std::string text, std::string hint, Place place = {}) {
  return {Stage::setup, std::move(text), std::move(hint), std::move(place)};
}

/// A value as the command line would give it; none for what no setting can be.
std::optional<std::string> textOf(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  const auto* list = node.as_array();
  if (list == nullptr) return std::nullopt;
  std::string texts;
  for (const toml::node& each : *list) {
    const auto text = textOf(each);
    if (!text) return std::nullopt;
    texts += (texts.empty() ? "" : ",") + *text;
  }
  return texts;
}

std::string nameOf(const Setting& setting) {
  return std::string(setting.name);
}

/// Says that there is no such setting, and which one may be meant; `spelt` gives a setting's name there.
template <class Spelt>
Error unknown(const std::string& name, const Spelt& spelt, Place place = {}) {
  std::vector<std::string> names;
  for (const Setting& each : settings()) names.push_back(spelt(each));
  const std::string near = didYouMean(name, names);
  return unset(fmt::format("there is no setting '{}'", name),
               near.empty() ? "warpbench serve --help lists the settings" : near, std::move(place));
}

class FileReader {
 public:
  FileReader(FoundConfig& found, const std::filesystem::path& file) : found_(found), file_(file) {
    for (const Setting& setting : settings()) {
      const auto point = setting.name.find('.');
      if (point != std::string_view::npos) tables_.emplace(setting.name.substr(0, point));
    }
  }

  void read(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      const auto* inner = node.as_table();
      if (inner != nullptr && prefix.empty() && tables_.contains(name))
        read(*inner, name + ".");
      else
        set(name, node);
    }
  }

 private:
  void set(const std::string& name, const toml::node& node) {
    const Place place{file_.string(), static_cast<int>(node.source().begin.line), 0};
    const Setting* setting = findSetting(name);
    if (setting == nullptr) {
      found_.problems.push_back(unknown(name, nameOf, place));
      return;
    }
    const auto text = textOf(node);
    const std::string wants =
        text ? setting->set(found_.config, *text, file_.parent_path()) : "one value or a list";
    if (!wants.empty())
      found_.problems.push_back(unset(fmt::format("{} wants {}", name, wants), "correct the line", place));
  }

  FoundConfig& found_;
  const std::filesystem::path& file_;
  std::set<std::string, std::less<>> tables_;
};

void readFileInto(FoundConfig& found, const std::filesystem::path& file) {
  const auto text = readFile(file);
  if (!text) return found.problems.push_back(text.error());
  const toml::parse_result parsed = toml::parse(std::string_view(*text), file.string());
  if (parsed) return FileReader(found, file).read(parsed.table(), "");
  const auto& begin = parsed.error().source().begin;
  found.problems.push_back(
      unset(std::string(parsed.error().description()), "correct the file, which is TOML",
            {file.string(), static_cast<int>(begin.line), static_cast<int>(begin.column)}));
}

void readEnvironmentInto(FoundConfig& found, const std::map<std::string, std::string>& environment,
                         const std::filesystem::path& here) {
  std::set<std::string> known;
  for (const Setting& setting : settings()) {
    const std::string variable = variableOf(setting);
    known.insert(variable);
    const auto value = environment.find(variable);
    if (value == environment.end()) continue;
    if (const std::string wants = setting.set(found.config, value->second, here); !wants.empty())
      found.problems.push_back(
          unset(fmt::format("{} wants {}", variable, wants), "correct the environment variable"));
  }
  for (const auto& [variable, value] : environment)
    if (variable.starts_with(variablePrefix) && !known.contains(variable))
      found.problems.push_back(unknown(variable, variableOf));
}

}  // namespace

std::filesystem::path defaultConfigFile() {
  return configFolder() / "serve.toml";
}
std::filesystem::path defaultTokenFile() {
  return configFolder() / "serve-tokens";
}

bool isLoopback(const std::string& address) {
  in_addr four{};
  if (::inet_pton(AF_INET, address.c_str(), &four) == 1) return ntohl(four.s_addr) >> 24U == IN_LOOPBACKNET;
  in6_addr six{};
  return address == "localhost" ||
         (::inet_pton(AF_INET6, address.c_str(), &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six));
}

FoundConfig readConfig(const SettingSources& sources) {
  FoundConfig found;
  found.config.service.folder = dataFolder() / "service";
  std::filesystem::path file = sources.file;
  if (file.empty() && std::filesystem::exists(defaultConfigFile())) file = defaultConfigFile();
  if (!file.empty()) readFileInto(found, std::filesystem::absolute(file));
  const std::filesystem::path here = std::filesystem::current_path();
  readEnvironmentInto(found, sources.environment, here);
  for (const auto& [name, value] : sources.flags) {
    const Setting* setting = findSetting(name);
    if (setting == nullptr) {
      found.problems.push_back(unknown(name, nameOf));
      continue;
    }
    if (const std::string wants = setting->set(found.config, value, here); !wants.empty())
      found.problems.push_back(
          unset(fmt::format("{} wants {}", flagOf(*setting), wants), "correct the option"));
  }
  return found;
}

std::vector<Error> checkConfig(const ServeConfig& config, const std::vector<Token>& tokens) {
  std::vector<Error> problems;
  const auto wrong = [&](std::string text, std::string hint) {
    problems.push_back(unset(std::move(text), std::move(hint)));
  };
  if (!isLoopback(config.http.address) && tokens.empty())
    wrong(fmt::format("others can reach {}, and no token keeps them out", config.http.address),
          "make one by `warpbench serve token NAME` and give its file (--access-tokens), or listen to "
          "127.0.0.1");
  if (config.http.certificate.empty() != config.http.key.empty())
    wrong("TLS needs a certificate and its key", "give both --tls-certificate and --tls-key");
  else if (!config.http.certificate.empty())
    if (const auto context = tlsContext(config.http.certificate, config.http.key); !context)
      problems.push_back(context.error());
  if (config.service.deadlineSeconds > config.service.longestDeadlineSeconds)
    wrong("the limit of a run is larger than the largest that it may ask for",
          "lower --runs-deadline-seconds or raise --runs-longest-deadline-seconds");
  if (config.devices.empty()) wrong("there are no devices", "give --devices auto");
  if (!config.python.empty() && findProgram(config.python).empty())
    wrong(fmt::format("--python {} is no program", config.python), "give a Python that has torch");
  return problems;
}

std::vector<std::string> warningsOf(const ServeConfig& config) {
  std::vector<std::string> warnings;
  if (!isLoopback(config.http.address) && config.http.certificate.empty())
    warnings.push_back(
        "there is no TLS: whoever listens on the network reads tokens and kernels; give --tls-certificate "
        "and "
        "--tls-key, or stand behind a proxy that has TLS");
  return warnings;
}

}  // namespace wb
