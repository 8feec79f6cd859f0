// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <variant>

#include "tests/core/service/http/raw_client.h"
#include "tests/core/service/http/site_fixture.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

class EventsTest : public SiteTest {
 protected:
  std::string id;

  void SetUp() override {
    open();
    auto http = client();
    id = nlohmann::json::parse(http.Post("/v1/runs", reluRun, "application/json")->body).at("id");
  }
  [[nodiscard]] std::string path() const { return "/v1/runs/" + id + "/events"; }
  void sayLog(const std::string& text) { service.say(id, Log{.source = "worker", .text = text}); }
};

TEST_F(EventsTest, ComeAsTheyAreSaidAndEnd) {
  RawClient raw(site->port());
  raw.send(requestText("GET", path()));
  EXPECT_THAT(raw.readUntil("retry: 2000"), HasSubstr("text/event-stream"));
  service.start(id);
  sayLog("one");
  const std::string first = raw.readUntil("\"one\"");
  EXPECT_THAT(first, HasSubstr("id: 0\nevent: Log\ndata: {"));
  sayLog("two");
  EXPECT_THAT(raw.readUntil("\"two\""), HasSubstr("id: 1\n"));
  service.end(id);
  const std::string rest = raw.readUntil("\r\n0\r\n\r\n");
  EXPECT_THAT(rest, HasSubstr("event: Finished"));
  EXPECT_THAT(rest, HasSubstr("event: end\ndata: {\"id\":\"" + id));
  EXPECT_THAT(rest, HasSubstr("\"state\":\"finished\""));
}

TEST_F(EventsTest, GoOnAfterTheLastThatCame) {
  service.start(id);
  for (const char* text : {"one", "two", "three"}) sayLog(text);
  service.end(id);
  auto http = client();
  const auto answer = http.Get(path(), {{"Last-Event-ID", "1"}});
  EXPECT_THAT(answer->body, HasSubstr("id: 2\n"));
  EXPECT_THAT(answer->body, HasSubstr("\"three\""));
  EXPECT_THAT(answer->body, Not(HasSubstr("\"two\"")));
  EXPECT_EQ(http.Get(path() + "?after=1")->body, answer->body);
}

TEST_F(EventsTest, WhoHasThemAllIsToldThatThereAreNoMore) {
  service.answer(id, {Log{.source = "worker", .text = "one"}});
  auto http = client();
  EXPECT_EQ(http.Get(path(), {{"Last-Event-ID", "99"}})->status, 204);
  EXPECT_EQ(http.Get(path(), {{"Last-Event-ID", "soon"}})->status, 400);
  EXPECT_EQ(http.Get("/v1/runs/none/events")->status, 404);
}

TEST_F(EventsTest, WhatIsNoLongerKeptIsNamed) {
  service.start(id);
  for (const char* text : {"one", "two", "three"}) sayLog(text);
  service.dropEvents(id, 2);
  service.end(id);
  auto http = client();
  const auto answer = http.Get(path());
  EXPECT_THAT(answer->body, HasSubstr(": the events 0 to 1 are no longer kept"));
  EXPECT_THAT(answer->body, HasSubstr("id: 2\n"));
}

TEST_F(EventsTest, WhoseRunIsForgottenIsNotToldThatTheyHaveAll) {
  service.answer(id, {Log{.source = "worker", .text = "one"}});
  service.forgetEvents(id);
  auto http = client();
  const auto again = http.Get(path(), {{"Last-Event-ID", "0"}});
  EXPECT_EQ(again->status, 410);
  EXPECT_THAT(again->body, HasSubstr("The events after 0 are no longer kept."));
  const auto anew = http.Get(path());
  EXPECT_THAT(anew->body, HasSubstr(": the events of this run are no longer kept\n\nevent: end"));
}

TEST_F(EventsTest, AQuietRunIsHeardOf) {
  RawClient raw(site->port());
  raw.send(requestText("GET", path()));
  EXPECT_THAT(raw.readUntil(": still there"), HasSubstr("retry"));
}

TEST_F(EventsTest, NameNoFolderOfThisMachine) {
  const std::string home = std::filesystem::temp_directory_path().string();
  service.answer(id, {Log{.source = "worker", .text = "in " + home + "/secret.txt"}});
  auto http = client();
  const auto answer = http.Get(path());
  EXPECT_THAT(answer->body, HasSubstr("in (temporary)/secret.txt"));
  EXPECT_THAT(answer->body, Not(HasSubstr(home + "/")));
}

}  // namespace
}  // namespace wb
