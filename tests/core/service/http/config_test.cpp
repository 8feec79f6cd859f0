// SPDX-License-Identifier: Apache-2.0
#include "core/service/http/config/config.h"

#include <gmock/gmock.h>

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

  Result<ServeConfig> read(const std::string& text) {
    const auto file = folder / "serve.toml";
    EXPECT_TRUE(writeFileAtomically(file, text));
    return readConfig({.file = file,
                       .environment =
                           [this](const std::string& name) {
                             const auto found = variables.find(name);
                             return found == variables.end() ? std::nullopt : std::optional(found->second);
                           },
                       .flags = flags});
  }
  std::string problem(const std::string& text) {
    const auto config = read(text);
    EXPECT_FALSE(config) << text;
    return config ? "" : describe(config.error());
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
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->http.port, 0);
  EXPECT_EQ(config->devices, (std::vector<std::string>{"cuda:0", "cpu"}));
  EXPECT_EQ(config->sandbox, Wish::always);
  EXPECT_EQ(config->strict, Wish::whereItCan);
  EXPECT_EQ(config->service.folder, folder / "kept");
  EXPECT_EQ(config->service.mostQueued, 5U);
  EXPECT_EQ(config->service.keepSeconds, 43'200);
  EXPECT_EQ(config->service.keepBytes, 10 << 20);
  EXPECT_EQ(config->service.recentBytes, 3 << 20);
  EXPECT_EQ(config->http.certificate, "/etc/c.pem");
}

TEST_F(ConfigTest, TheEnvironmentIsStrongerAndTheCommandLineStrongest) {
  variables = {{"WARPBENCH_SERVE_PORT", "2"}, {"WARPBENCH_SERVE_QUEUE_MOST_PER_CLIENT", "3"}};
  flags = {{"port", "4"}};
  const auto config = read("port = 1\nlog = \"text\"\n[queue]\nmost_per_client = 9\n");
  ASSERT_TRUE(config) << describe(config.error());
  EXPECT_EQ(config->http.port, 4);
  EXPECT_EQ(config->service.mostQueuedPerClient, 3U);
  EXPECT_EQ(config->log, LogFormat::text);
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

TEST(CheckedConfig, OthersAreKeptOutByTokens) {
  ServeConfig config;
  EXPECT_TRUE(checkConfig(config, {}));
  EXPECT_THAT(warningsOf(config), IsEmpty());
  config.http.address = "0.0.0.0";
  const auto open = checkConfig(config, {});
  ASSERT_FALSE(open);
  EXPECT_THAT(open.error().hint, HasSubstr("warpbench serve token"));
  EXPECT_TRUE(checkConfig(config, {tokenFor("ann")}));
  EXPECT_THAT(warningsOf(config).at(0), HasSubstr("there is no TLS"));
  config.http.certificate = "c.pem";
  EXPECT_FALSE(checkConfig(config, {tokenFor("ann")}));
  config.http.key = "k.pem";
  EXPECT_TRUE(checkConfig(config, {tokenFor("ann")}));
  EXPECT_THAT(warningsOf(config), IsEmpty());
  config.service.longestDeadlineSeconds = 1;
  EXPECT_FALSE(checkConfig(config, {tokenFor("ann")}));
}

}  // namespace
}  // namespace wb
