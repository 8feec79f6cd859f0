// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "core/base/files/file.h"
#include "core/service/http/access/request_rates.h"
#include "tests/core/service/http/raw_client.h"
#include "tests/core/service/http/site_fixture.h"
#include "tests/core/service/temporary_folder.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(Tokens, ALineSaysAllOfOne) {
  const Token token =
      tokenFor("ci", {.requestsPerMinute = 60, .mostQueued = 100, .highestPriority = 10}, true);
  const auto read = tokensOf("# tokens\n\n" + lineOf(token) + "\n", "tokens");
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, std::vector{token});
}

TEST(Tokens, AWrongLineIsNamed) {
  const std::string good = lineOf(tokenFor("ann"));
  const auto problem = [&](const std::string& line) {
    const auto read = tokensOf(good + "\n" + line, "tokens");
    EXPECT_FALSE(read) << line;
    return read ? "" : describe(read.error());
  };
  EXPECT_THAT(problem("bob"), HasSubstr("tokens:2: the token 'bob' has no sha256="));
  EXPECT_THAT(problem("bob sha256=12"), HasSubstr("64 hexadecimal digits"));
  EXPECT_THAT(problem("bob hash=12"), HasSubstr("'hash=12' is none of"));
  EXPECT_THAT(problem(lineOf(tokenFor("bob")) + " requests=0"), HasSubstr("requests= wants"));
  EXPECT_THAT(problem(good), HasSubstr("there are two tokens 'ann'"));
  EXPECT_THAT(problem("a/b sha256=12"), HasSubstr("is no name"));
}

TEST(Tokens, AreFoundByTheirSecretAlone) {
  const std::vector tokens{tokenFor("ann"), tokenFor("bob")};
  EXPECT_EQ(tokenOf("secret of bob", tokens), &tokens[1]);
  EXPECT_EQ(tokenOf("secret of", tokens), nullptr);
  EXPECT_EQ(tokenOf("", tokens), nullptr);
}

TEST(Tokens, SecretsAreLongAndDiffer) {
  const auto one = newSecret(), other = newSecret();
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->size(), 3U + 64U);
  EXPECT_NE(*one, *other);
}

TEST(Tokens, TheirFileIsTheOwnersAlone) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "tokens";
  ASSERT_TRUE(addToken(file, tokenFor("ann")));
  ASSERT_TRUE(addToken(file, tokenFor("bob")));
  EXPECT_FALSE(addToken(file, tokenFor("ann")));
  EXPECT_FALSE(addToken(file, tokenFor("two words")));
  const auto read = readTokens(file);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->size(), 2U);
  struct stat found {};
  ASSERT_EQ(::stat(file.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  ::chmod(file.c_str(), 0660);
  EXPECT_FALSE(readTokens(file));
}

TEST(Tokens, AFileThatChangesIsReadAnew) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "tokens";
  TokenFile watched(file);
  EXPECT_FALSE(watched.changed());
  ASSERT_TRUE(addToken(file, tokenFor("ann")));
  auto changed = watched.changed();
  ASSERT_TRUE(changed && *changed);
  EXPECT_EQ(**changed, std::vector{tokenFor("ann")});
  EXPECT_FALSE(watched.changed());
  std::filesystem::remove(file);
  changed = watched.changed();
  ASSERT_TRUE(changed);
  EXPECT_FALSE(*changed) << "nobody is let in because a file is gone";
  std::ofstream(file) << "# no token\n";
  changed = watched.changed();
  ASSERT_TRUE(changed);
  EXPECT_FALSE(*changed);
}

TEST(RequestRates, AMinutesRequestsComeBackWithTime) {
  RequestRates rates;
  const RequestRates::Time start{};
  for (int i = 0; i < 60; ++i) EXPECT_EQ(rates.take("ann", 60, start), 0);
  EXPECT_DOUBLE_EQ(rates.take("ann", 60, start), 1);
  EXPECT_EQ(rates.take("bob", 60, start), 0);
  EXPECT_EQ(rates.take("ann", 60, start + 1s), 0);
  EXPECT_GT(rates.take("ann", 60, start + 1s), 0);
  EXPECT_EQ(rates.take("ann", 0, start + 1s), 0);
}

class AccessTest : public SiteTest {
 protected:
  int status(const std::string& path, const httplib::Headers& headers = {}) {
    auto http = client();
    return http.Get(path, headers)->status;
  }
};

TEST_F(AccessTest, WithoutTokensThisMachineMayDoEverything) {
  open();
  EXPECT_EQ(status("/v1/runs"), 200);
  EXPECT_EQ(status("/v1/health"), 200);
}

TEST_F(AccessTest, WithTokensNobodyIsLetInWithoutOne) {
  tokens = {tokenFor("ann")};
  open();
  auto http = client();
  const auto none = http.Get("/v1/runs");
  EXPECT_EQ(none->status, 401);
  EXPECT_EQ(none->get_header_value("WWW-Authenticate"), "Bearer");
  EXPECT_EQ(status("/v1/runs", {{"Authorization", "Bearer secret of bob"}}), 401);
  EXPECT_EQ(status("/v1/runs", {{"Authorization", "Basic c2VjcmV0"}}), 401);
  EXPECT_EQ(status("/v1/nothing"), 401);
  EXPECT_EQ(status("/v1/runs", as("ann")), 200);
  EXPECT_EQ(status("/v1/nothing", as("ann")), 404);
  // What this machine watches over the service with, and pages that hold nothing.
  EXPECT_EQ(status("/metrics"), 200);
  EXPECT_EQ(status("/health"), 200);
  EXPECT_EQ(status("/"), 200);
  EXPECT_EQ(http.Post("/v1/runs", reluRun, "application/json")->status, 401);
}

TEST_F(AccessTest, ANewTokenNeedsNoNewStart) {
  tokens = {tokenFor("ann")};
  open();
  EXPECT_EQ(status("/v1/runs", as("bob")), 401);
  site->useTokens({tokenFor("bob", {.requestsPerMinute = 0, .mostQueued = 0, .highestPriority = -5})});
  EXPECT_EQ(status("/v1/runs", as("ann")), 401);
  EXPECT_EQ(status("/v1/runs", as("bob")), 200);
  auto http = client();
  ASSERT_EQ(http.Post("/v1/runs", as("bob"), reluRun, "application/json")->status, 202);
  EXPECT_EQ(service.submission(fakeRunId(1)).priority, -5) << "its limits hold, too";
}

TEST_F(AccessTest, OnOtherAddressesNothingIsOpenButThePage) {
  tokens = {tokenFor("ann")};
  config.http.address = "0.0.0.0";
  open();
  EXPECT_EQ(status("/metrics"), 401);
  EXPECT_EQ(status("/health"), 401);
  EXPECT_EQ(status("/metrics", as("ann")), 200);
  EXPECT_EQ(status("/"), 200);
}

TEST_F(AccessTest, PagesOfOtherSitesReachNothing) {
  config.hosts = {"kernels.example"};
  open();
  EXPECT_EQ(status("/v1/runs", {{"Host", "evil.example"}}), 403);
  EXPECT_EQ(status("/v1/runs", {{"Host", "kernels.example"}}), 200);
  EXPECT_EQ(status("/v1/runs", {{"Host", "localhost:8000"}}), 200);
  EXPECT_EQ(status("/v1/runs", {{"Host", "[::1]:8000"}}), 200);
  EXPECT_EQ(status("/v1/runs", {{"Host", "localhost"}, {"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(status("/v1/runs", {{"Host", "localhost"}, {"Origin", "null"}}), 403);
  EXPECT_EQ(status("/v1/runs", {{"Host", "localhost"}, {"Origin", "http://localhost"}}), 200);
}

TEST_F(AccessTest, RequestsAMinuteAreCounted) {
  tokens = {tokenFor("ann", {.requestsPerMinute = 2}), tokenFor("bob")};
  open();
  EXPECT_EQ(status("/v1/runs", as("ann")), 200);
  EXPECT_EQ(status("/v1/runs", as("ann")), 200);
  auto http = client();
  const auto third = http.Get("/v1/runs", as("ann"));
  EXPECT_EQ(third->status, 429);
  EXPECT_FALSE(third->get_header_value("Retry-After").empty());
  EXPECT_EQ(status("/v1/runs", as("bob")), 200);
}

TEST_F(AccessTest, EveryRequestIsWrittenDown) {
  tokens = {tokenFor("ann")};
  open();
  auto http = client();
  http.Get("/v1/runs/7", as("ann"));
  http.Get("/v1/runs");
  const auto lines = logged();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].at("client"), "ann");
  EXPECT_EQ(lines[0].at("address"), "127.0.0.1");
  EXPECT_EQ(lines[0].at("method"), "GET");
  EXPECT_EQ(lines[0].at("path"), "/v1/runs/7");
  EXPECT_EQ(lines[0].at("run"), "7");
  EXPECT_EQ(lines[0].at("status"), 404);
  EXPECT_GT(lines[0].at("bytes"), 0);
  EXPECT_EQ(lines[1].at("status"), 401);
}

}  // namespace
}  // namespace wb
