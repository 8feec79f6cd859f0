// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/config/config.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/base/files/file.h"
#include "core/service/http/config/settings.h"
#include "tests/core/service/http/site_fixture.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class ConfigTest : public testing::Test {
 protected:
  const TemporaryFolder own;
  const std::filesystem::path folder = own.path();
  std::map<std::string, std::string> variables;
  std::vector<std::pair<std::string, std::string>> flags;

  FoundConfig find(const std::string& text) {
    const auto file = folder / "serve.toml";
    EXPECT_TRUE(writeFileAtomically(file, text));
    return readConfig({.file = file, .environment = variables, .flags = flags});
  }
  ServeConfig read(const std::string& text) {
    const auto [config, problems] = find(text);
    EXPECT_EQ(told(problems), "");
    return config;
  }
  static std::string told(const std::vector<Error>& problems) {
    std::string lines;
    for (const Error& each : problems) lines += describe(each) + "\n";
    return lines;
  }
  std::string problem(const std::string& text) {
    const std::vector<Error> problems = find(text).problems;
    EXPECT_EQ(problems.size(), 1U) << text;
    return told(problems);
  }
};

TEST_F(ConfigTest, AFileSaysEverything) {
  const auto config = read(R"(
port = 0
devices = ["cuda:0", "cpu"]
sandbox = true
strict = "auto"
folder = "kept"
[queue]
most = 5
[keep]
days = 0.5
mebibytes = 10
memory_mebibytes = 3
[tls]
certificate = "/etc/c.pem"
)");
  EXPECT_EQ(config.http.port, 0);
  EXPECT_EQ(config.devices, (std::vector<std::string>{"cuda:0", "cpu"}));
  EXPECT_EQ(config.sandbox, Wish::always);
  EXPECT_EQ(config.strict, Wish::whereItCan);
  EXPECT_EQ(config.service.folder, folder / "kept");
  EXPECT_EQ(config.service.mostQueued, 5U);
  EXPECT_EQ(config.service.keepSeconds, 43'200);
  EXPECT_EQ(config.service.keepBytes, 10 << 20);
  EXPECT_EQ(config.service.recentBytes, 3 << 20);
  EXPECT_EQ(config.http.certificate, "/etc/c.pem");
}

TEST_F(ConfigTest, DeviceMetricsAreThereWhereTheyAreAskedForOrAlways) {
  EXPECT_EQ(read("port = 0\n").deviceMetrics, MetricsWish::usual);
  EXPECT_EQ(read("[evaluation]\ndevice_metrics = \"asked\"\n").deviceMetrics, MetricsWish::asked);
  variables = {{"WARPBENCH_SERVE_EVALUATION_DEVICE_METRICS", "always"}};
  EXPECT_EQ(read("[evaluation]\ndevice_metrics = \"asked\"\n").deviceMetrics, MetricsWish::always);
  variables.clear();
  EXPECT_THAT(problem("[evaluation]\ndevice_metrics = true\n"), HasSubstr("asked or always"));
}

TEST_F(ConfigTest, TheEnvironmentIsStrongerAndTheCommandLineStrongest) {
  variables = {{"WARPBENCH_SERVE_PORT", "2"}, {"WARPBENCH_SERVE_QUEUE_MOST_PER_CLIENT", "3"}};
  flags = {{"port", "4"}};
  const auto config = read("port = 1\nlog = \"text\"\n[queue]\nmost_per_client = 9\n");
  EXPECT_EQ(config.http.port, 4);
  EXPECT_EQ(config.service.mostQueuedPerClient, 3U);
  EXPECT_EQ(config.log, LogFormat::text);
}

TEST_F(ConfigTest, EveryErrorHasItsPlace) {
  EXPECT_THAT(problem("port = 1\nprot = 2\n"),
              HasSubstr("serve.toml:2: there is no setting 'prot' (did you mean port"));
  EXPECT_THAT(problem("\n[queue]\nmost = 0\n"),
              HasSubstr("serve.toml:3: queue.most wants a whole number from 1"));
  EXPECT_THAT(problem("port = \n"), HasSubstr("serve.toml:1"));
  EXPECT_THAT(problem("[ports]\na = 1\n"), HasSubstr("serve.toml:1: there is no setting 'ports'"));
  EXPECT_THAT(problem("sandbox = \"maybe\"\n"), HasSubstr("sandbox wants auto, true or false"));
  variables = {{"WARPBENCH_SERVE_PORT", "x"}};
  EXPECT_THAT(problem(""), HasSubstr("WARPBENCH_SERVE_PORT wants"));
  variables.clear();
  flags = {{"limits.json_depth", "1"}};
  EXPECT_THAT(problem(""), HasSubstr("--limits-json-depth wants"));
}

TEST_F(ConfigTest, EverySettingHasAMeaningAndOneName) {
  std::set<std::string> names;
  for (const Setting& setting : settings()) {
    EXPECT_FALSE(setting.help.empty());
    EXPECT_TRUE(names.insert(flagOf(setting)).second) << setting.name;
    EXPECT_TRUE(names.insert(variableOf(setting)).second) << setting.name;
  }
}

TEST_F(ConfigTest, AllErrorsAreSaidAtOnce) {
  variables = {
      {"WARPBENCH_SERVE_ACESS_TOKENS", "/etc/tokens"}, {"WARPBENCH_SERVE_PORT", "x"}, {"OTHER", "y"}};
  flags = {{"limits.json_depth", "1"}};
  const std::string all = told(find("prot = 1\n[queue]\nmost = 0\nmist = 2\n").problems);
  EXPECT_THAT(all, HasSubstr("serve.toml:1: there is no setting 'prot' (did you mean port"));
  EXPECT_THAT(all, HasSubstr("serve.toml:3: queue.most wants"));
  EXPECT_THAT(all, HasSubstr("serve.toml:4: there is no setting 'queue.mist' (did you mean queue.most"));
  EXPECT_THAT(all, HasSubstr("there is no setting 'WARPBENCH_SERVE_ACESS_TOKENS' (did you mean "
                             "WARPBENCH_SERVE_ACCESS_TOKENS"));
  EXPECT_THAT(all, HasSubstr("WARPBENCH_SERVE_PORT wants"));
  EXPECT_THAT(all, HasSubstr("--limits-json-depth wants"));
  EXPECT_EQ(std::ranges::count(all, '\n'), 6);
}

TEST_F(ConfigTest, APythonIsAPathFromTheFileOrAName) {
  EXPECT_EQ(read("python = \"env/bin/python\"\n").python, folder / "env/bin/python");
  EXPECT_EQ(read("python = \"python3\"\n").python, "python3");
}

class CheckedConfigTest : public testing::Test {
 protected:
  [[nodiscard]] std::string wrong(const std::vector<Token>& tokens = {}) const {
    std::string lines;
    for (const Error& each : checkConfig(config, tokens)) lines += describe(each) + "\n";
    return lines;
  }
  ServeConfig config;
};

TEST_F(CheckedConfigTest, OthersAreKeptOutByTokens) {
  EXPECT_EQ(wrong(), "");
  EXPECT_THAT(warningsOf(config), IsEmpty());
  config.http.address = "0.0.0.0";
  EXPECT_THAT(wrong(), HasSubstr("warpbench serve token"));
  EXPECT_EQ(wrong({tokenFor("ann")}), "");
  EXPECT_THAT(warningsOf(config).at(0), HasSubstr("there is no TLS"));
  config.http.certificate = "c.pem";
  EXPECT_THAT(warningsOf(config), IsEmpty());
}

TEST_F(CheckedConfigTest, OnlyAddressesOfThisMachineAreLoopback) {
  for (const char* address : {"127.0.0.1", "127.8.9.1", "::1", "localhost"}) EXPECT_TRUE(isLoopback(address));
  for (const char* address : {"127.example.org", "127.", "128.0.0.1", "0.0.0.0", "::", "::2", ""})
    EXPECT_FALSE(isLoopback(address)) << address;
}

TEST_F(CheckedConfigTest, SaysAllThatIsWrong) {
  config.http.address = "0.0.0.0";
  config.http.certificate = "/nowhere/c.pem";
  config.python = "/nope";
  config.service.longestDeadlineSeconds = 1;
  EXPECT_THAT(wrong(), HasSubstr("no token keeps them out"));
  EXPECT_THAT(wrong(), HasSubstr("TLS needs a certificate and its key"));
  EXPECT_THAT(wrong(), HasSubstr("larger than the largest"));
  EXPECT_THAT(wrong(), HasSubstr("--python /nope is no program"));
  config.http.key = "/nowhere/k.pem";
  EXPECT_THAT(wrong(), HasSubstr("/nowhere/c.pem cannot be used as a TLS certificate"));
}

}  // namespace
}  // namespace wb
