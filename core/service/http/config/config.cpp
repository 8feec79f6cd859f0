// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/config/config.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <set>
#include <string_view>

#include "core/base/files/file.h"
#include "core/base/files/paths.h"
#include "core/base/nearest.h"
#include "core/service/http/config/settings.h"

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

class FileReader {
 public:
  FileReader(ServeConfig& config, const std::filesystem::path& file) : config_(config), file_(file) {
    for (const Setting& setting : settings()) {
      const auto point = setting.name.find('.');
      if (point != std::string_view::npos) tables_.emplace(setting.name.substr(0, point));
    }
  }

  Result<void> read(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      const auto* inner = node.as_table();
      if (inner != nullptr && prefix.empty() && tables_.contains(name)) {
        WB_DO(read(*inner, name + "."));
      } else {
        WB_DO(set(name, node));
      }
    }
    return {};
  }

 private:
  Result<void> set(const std::string& name, const toml::node& node) {
    const Place place{file_.string(), static_cast<int>(node.source().begin.line), 0};
    const Setting* setting = findSetting(name);
    if (setting == nullptr) {
      std::vector<std::string> names;
      for (const Setting& each : settings()) names.emplace_back(each.name);
      const std::string near = didYouMean(name, names);
      return unset(fmt::format("there is no setting '{}'", name),
                   near.empty() ? "warpbench serve --help lists the settings" : near, place);
    }
    const auto text = textOf(node);
    const std::string wants =
        text ? setting->set(config_, *text, file_.parent_path()) : "one value or a list";
    if (!wants.empty()) return unset(fmt::format("{} wants {}", name, wants), "correct the line", place);
    return {};
  }

  ServeConfig& config_;
  const std::filesystem::path& file_;
  std::set<std::string, std::less<>> tables_;
};

Result<void> readFileInto(ServeConfig& config, const std::filesystem::path& file) {
  WB_TRY(const std::string text, readFile(file));
  try {
    const toml::table table = toml::parse(std::string_view(text), file.string());
    return FileReader(config, file).read(table, "");
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    return unset(std::string(error.description()), "correct the file, which is TOML",
                 {file.string(), static_cast<int>(begin.line), static_cast<int>(begin.column)});
  }
}

}  // namespace

std::filesystem::path defaultConfigFile() {
  return configFolder() / "serve.toml";
}
std::filesystem::path defaultTokenFile() {
  return configFolder() / "serve-tokens";
}

bool isLoopback(const std::string& address) {
  return address == "localhost" || address == "::1" || address.starts_with("127.");
}

Result<ServeConfig> readConfig(const SettingSources& sources) {
  ServeConfig config;
  config.service.folder = dataFolder() / "service";
  std::filesystem::path file = sources.file;
  if (file.empty() && std::filesystem::exists(defaultConfigFile())) file = defaultConfigFile();
  if (!file.empty()) {
    file = std::filesystem::absolute(file);
    WB_DO(readFileInto(config, file));
  }
  const std::filesystem::path here = std::filesystem::current_path();
  for (const Setting& setting : settings()) {
    const std::string variable = variableOf(setting);
    const auto value = sources.environment ? sources.environment(variable) : std::nullopt;
    if (!value) continue;
    if (const std::string wants = setting.set(config, *value, here); !wants.empty())
      return unset(fmt::format("{} wants {}", variable, wants), "correct the environment variable");
  }
  for (const auto& [name, value] : sources.flags) {
    const Setting* setting = findSetting(name);
    if (setting == nullptr) return unset(fmt::format("there is no setting '{}'", name), {});
    if (const std::string wants = setting->set(config, value, here); !wants.empty())
      return unset(fmt::format("{} wants {}", flagOf(*setting), wants), "correct the option");
  }
  return config;
}

Result<void> checkConfig(const ServeConfig& config, const std::vector<Token>& tokens) {
  if (!isLoopback(config.http.address) && tokens.empty())
    return unset(fmt::format("others can reach {}, and no token keeps them out", config.http.address),
                 "make one by `warpbench serve token NAME` and give its file (--access-tokens), or listen to "
                 "127.0.0.1");
  if (config.http.certificate.empty() != config.http.key.empty())
    return unset("TLS needs a certificate and its key", "give both --tls-certificate and --tls-key");
  if (config.service.deadlineSeconds > config.service.longestDeadlineSeconds)
    return unset("the limit of a run is larger than the largest that it may ask for",
                 "lower --runs-deadline-seconds or raise --runs-longest-deadline-seconds");
  if (config.devices.empty()) return unset("there are no devices", "give --devices auto");
  return {};
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
