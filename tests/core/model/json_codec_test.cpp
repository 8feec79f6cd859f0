// SPDX-License-Identifier: Apache-2.0
#include "core/model/json/json_codec.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/files/file.h"
#include "core/model/json/json_fields.h"
#include "core/model/json/sandbox_text.h"
#include "tests/core/figures/golden.h"
#include "tests/core/model/samples.h"
#include "tests/core/model/steps.h"

namespace wb {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Through text, as on the wire.
json again(const json& value) {
  auto parsed = parseJson(dump(value));
  EXPECT_TRUE(parsed) << parsed.error().text;
  return *parsed;
}

TEST(JsonCodecTest, AJobComesBack) {
  const auto read = jobFromJson(again(toJson(samples::job())));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, samples::job());
  EXPECT_EQ(*jobFromJson(toJson(Job{})), Job{});
}

TEST(JsonCodecTest, WallsComeBackFromOneLine) {
  const Sandbox sandbox{.readable = {"/usr", "/a \"b\""},
                        .openable = {"/names known"},
                        .writable = {"/cache"},
                        .devices = {"/dev/nvidia0"},
                        .scratch = "/scratch",
                        .mayStartProcesses = true,
                        .needsNamespaces = true,
                        .descriptors = {3, 7},
                        .limits = {1, 2, 3, 4, 5, 6.5, 7.5}};
  const std::string text = sandboxText(sandbox);
  EXPECT_THAT(text, ::testing::Not(HasSubstr("\n")));
  const auto read = sandboxFromText(text);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, sandbox);
  EXPECT_FALSE(sandboxFromText("{"));
  EXPECT_FALSE(sandboxFromText(R"({"readable": "all"})"));
}

TEST(JsonCodecTest, EveryEventComesBack) {
  const auto events = samples::events();
  std::set<std::size_t> kinds, results;
  for (const Event& event : events) {
    const auto read = eventFromJson(again(toJson(event)));
    ASSERT_TRUE(read) << read.error().text;
    EXPECT_EQ(*read, event) << dump(toJson(event));
    kinds.insert(event.index());
    if (const auto* done = std::get_if<StepDone>(&event)) results.insert(done->result.index());
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<Event>) << "an event has no sample";
  EXPECT_EQ(results.size(), std::variant_size_v<StepResult>) << "a result has no sample";
}

TEST(JsonCodecTest, AReportComesBackAndSoDoesATarget) {
  const Report report = samples::report();
  const auto read = reportFromJson(again(toJson(report)));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(*read, report);
  EXPECT_EQ(*targetFromJson(toJson(report.target)), report.target);
}

TEST(JsonCodecTest, AReportOfManyCasesComesBack) {
  Report report = startReport(samples::job());
  Compiled compiled;
  for (int i = 0; i < 1000; ++i) compiled.cases.push_back(samples::makeCase(i));
  fold(report, compiledStep(compiled));
  const auto read = reportFromJson(again(toJson(report)));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, report);
}

TEST(JsonCodecTest, TheTextOfAReportStaysAsDocumented) {
  expectGolden("report.json", dump(toJson(samples::report()), 2) + "\n");
}

/// All keys that appear anywhere below `value`.
void collectKeys(const json& value, std::set<std::string>& keys) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) {
      keys.insert(key);
      collectKeys(inner, keys);
    }
  } else if (value.is_array()) {
    for (const json& inner : value) collectKeys(inner, keys);
  }
}

TEST(JsonCodecTest, TheHelpPageNamesEveryKeyOfAReport) {
  const auto page = readSource(std::string(WB_SOURCE_DIR) + "/resources/help/report-json.md");
  ASSERT_TRUE(page) << page.error().text;
  std::set<std::string> keys;
  collectKeys(toJson(samples::report()), keys);
  Report failed = samples::report();
  failed.failure = Error{};
  collectKeys(toJson(failed), keys);
  for (const std::string& key : keys) EXPECT_THAT(*page, HasSubstr("`" + key + "`"));
  EXPECT_THAT(*page, HasSubstr("`schemaVersion` | integer | " + std::to_string(Report::schemaVersion)));
}

TEST(JsonCodecTest, NumbersThatJsonCannotSayAreWords) {
  const double inf = std::numeric_limits<double>::infinity();
  for (double value : {inf, -inf, std::nan(""), -0.0, 5e-324, 1.7976931348623157e308, 0.1}) {
    const Event event = Finished{Outcome::finished, value};
    const auto read = eventFromJson(again(toJson(event)));
    ASSERT_TRUE(read);
    const double back = std::get<Finished>(*read).seconds;
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(back));
    } else {
      EXPECT_EQ(back, value);
      EXPECT_EQ(std::signbit(back), std::signbit(value));
    }
  }
  EXPECT_EQ(toJson(Event(Finished{Outcome::finished, inf}))["seconds"], "inf");
}

TEST(JsonCodecTest, RandomDoublesComeBackExactly) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(
        std::get<Finished>(*eventFromJson(again(toJson(Event(Finished{Outcome::finished, value}))))).seconds,
        value);
  }
}

TEST(JsonCodecTest, BrokenUtf8IsWrittenAsValidText) {
  const Event event = Log{"stdout", "a\xff\xc3(\xe2\x82 b"};
  const std::string text = dump(toJson(event));
  const auto read = parseJson(text);
  ASSERT_TRUE(read);
  const auto log = std::get<Log>(*eventFromJson(*read));
  EXPECT_THAT(log.text, AllOf(HasSubstr("\xEF\xBF\xBD"), HasSubstr("(")));
}

TEST(JsonCodecTest, ControlCharactersAndNulComeBack) {
  Log log{"stdout", std::string("\0\x01\x1b[31m\n\"\\", 11)};
  EXPECT_EQ(std::get<Log>(*eventFromJson(again(toJson(Event(log))))), log);
}

TEST(JsonCodecTest, MissingKeysTakeDefaultsAndUnknownOnesAreIgnored) {
  const auto job = jobFromJson(json::parse(R"({"suite": "smoke", "later": [1, {"x": 2}]})"));
  ASSERT_TRUE(job);
  Job expected;
  expected.suite = "smoke";
  EXPECT_EQ(*job, expected);
  EXPECT_EQ(std::get<Finished>(*eventFromJson(json::parse(R"({"event": "Finished"})"))), Finished{});
}

struct Broken {
  const char* text;
  const char* path;
  const char* what;
};
class BrokenJobTest : public ::testing::TestWithParam<Broken> {};
TEST_P(BrokenJobTest, SaysWhereAndWhat) {
  const auto job = jobFromJson(json::parse(GetParam().text));
  ASSERT_FALSE(job);
  EXPECT_THAT(job.error().text, AllOf(::testing::StartsWith(GetParam().path), HasSubstr(GetParam().what)));
}
INSTANTIATE_TEST_SUITE_P(
    , BrokenJobTest,
    ::testing::Values(
        Broken{"[]", "", "expected an object"}, Broken{"null", "", "expected an object"},
        Broken{R"({"kernels": [{"text": 3}]})", "kernels[0].text: ", "expected a string"},
        Broken{R"({"kernels": {}})", "kernels: ", "expected an array"},
        Broken{R"({"kernels": [{}, 7]})", "kernels[1]: ", "expected an object"},
        Broken{R"({"stages": {"check": 1}})", "stages.check: ", "expected true or false"},
        Broken{R"({"tolerance": {"rtol": "big"}})", "tolerance.rtol: ", "expected a number"},
        Broken{R"({"tolerance": {"rtol": null}})", "tolerance.rtol: ", "expected a number"},
        Broken{R"({"cases": [{"count": 1.5}]})", "cases[0].count: ", "not 1.5"},
        Broken{R"({"cases": [{"count": "1"}]})", "cases[0].count: ", "expected an integer"},
        Broken{R"({"cases": [{"count": 9223372036854775808}]})", "cases[0].count: ", "out of range"},
        Broken{R"({"cases": [{"count": 99999999999999999999999}]})", "cases[0].count: ", "out of range"},
        Broken{R"({"cases": [{"origin": {"line": 2147483648}}]})", "cases[0].origin.line: ", "out of range"},
        Broken{R"({"seed": -1})", "seed: ", "out of range: an integer from 0 to 18446744073709551615"},
        Broken{R"({"work": {"kernels": [{"kernel": 4294967296}]}})",
               "work.kernels[0].kernel: ", "out of range"},
        Broken{R"({"work": {"kernels": [{"passed": [1, -1]}]}})",
               "work.kernels[0].passed[1]: ", "out of range"},
        Broken{R"({"work": 5})", "work: ", "expected an object"}));

TEST(JsonCodecTest, BrokenEventsSayWhereAndWhat) {
  const auto textOf = [](const char* text) {
    const auto event = eventFromJson(json::parse(text));
    return event ? std::string("read") : event.error().text;
  };
  EXPECT_THAT(textOf("{}"), HasSubstr("event: expected a string"));
  EXPECT_THAT(textOf("3"), HasSubstr("expected an object"));
  EXPECT_THAT(textOf(R"({"event": "Exploded"})"), HasSubstr("unknown event \"Exploded\""));
  EXPECT_THAT(textOf(R"({"event": "Finished", "outcome": "maybe"})"),
              AllOf(HasSubstr("Finished.outcome: \"maybe\" is none of"), HasSubstr("\"worker-lost\"")));
  EXPECT_THAT(textOf(R"({"event": "StepDone", "result": {"timed": {"blocks": [{"reference": [1]}]}}})"),
              HasSubstr("StepDone.result.timed.blocks[0].reference: expected 2 items"));
}

TEST(JsonCodecTest, OtherVersionsOfTheReportAreRefused) {
  json report = toJson(samples::report());
  report["schemaVersion"] = 2;
  EXPECT_THAT(reportFromJson(report).error().text, HasSubstr("schema version 2"));
  report["schemaVersion"] = "1";
  EXPECT_FALSE(reportFromJson(report));
  report.erase("schemaVersion");
  EXPECT_THAT(reportFromJson(report).error().text, HasSubstr("not a report"));
  EXPECT_FALSE(reportFromJson(json::array()));
}

TEST(JsonCodecTest, TextThatIsNotJsonIsAnError) {
  for (const char* text : {"", "{", "[1,]", "nul", "{\"a\": 1e999}", "\"\xff\"", "1 2"}) {
    const auto parsed = parseJson(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_THAT(parsed.error().text, HasSubstr("Not valid JSON"));
    EXPECT_THAT(parsed.error().text, ::testing::Not(HasSubstr("json.exception")));
  }
}

TEST(JsonCodecTest, DeepNestingIsRefusedInsteadOfExhaustingTheStack) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_THAT(parseJson(deep).error().text, HasSubstr("nests deeper"));
  EXPECT_FALSE(parseJson(std::string(1'000'000, '[')));
  EXPECT_TRUE(parseJson(std::string(200, '[') + std::string(200, ']')));
  EXPECT_TRUE(parseJson("\"" + std::string(1000, '[') + "\\\"[[\""));  // brackets in strings nest nothing
}

/// Any JSON value in place of any other gives a report or an error, never anything worse.
TEST(JsonCodecTest, MutatedReportsNeverCrash) {
  const std::string good = dump(toJson(samples::report()));
  std::mt19937 random(7);
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      constexpr std::string_view pieces[] = {"",  "9",  "-",    "null", "\"", "[",
                                             "]", "{}", "true", "e9",   ",",  "\xff"};
      text.replace(at, random() % 4, pieces[random() % std::size(pieces)]);
    }
    if (const auto value = parseJson(text)) read += reportFromJson(*value).has_value();
  }
  EXPECT_GT(read, 100);   // edits inside strings do no harm
  EXPECT_LT(read, 2900);  // most others do
}

TEST(JsonCodecTest, EveryEnumeratorHasAName) {
  const auto expectNames = [](const auto& values, int last) {
    EXPECT_EQ(static_cast<int>(values.size()), last + 1);
    std::set<std::string_view> seen;
    for (const auto value : values) {
      EXPECT_FALSE(name(value).empty());
      EXPECT_TRUE(seen.insert(name(value)).second) << name(value);
    }
  };
  expectNames(enumValues<Stage>, static_cast<int>(Stage::report));
  expectNames(enumValues<Severity>, static_cast<int>(Severity::error));
  expectNames(enumValues<Verdict>, static_cast<int>(Verdict::tampered));
  expectNames(enumValues<Blame>, static_cast<int>(Blame::warpbench));
  expectNames(enumValues<Pace>, static_cast<int>(Pace::same));
  expectNames(enumValues<Outcome>, static_cast<int>(Outcome::workerLost));
}

TEST(JsonCodecTest, EveryStructKnowsItsName) {
  EXPECT_EQ(structName<StepDone>, "StepDone");
  EXPECT_EQ(structName<Report>, "Report");
}

}  // namespace

struct TwoMembers {
  std::string first;
  std::optional<double> second;
};
struct SameMembers {
  int first = 0, second = 0, third = 0;
};
struct Nested {
  Place place;
  std::string text;
};
struct Derived : TwoMembers {
  bool third = false;
  Place fourth;
};
WB_BASE(Derived, TwoMembers);
static_assert(WB_NAMES_ALL_FIELDS(TwoMembers, first, second));
static_assert(WB_NAMES_ALL_FIELDS(Derived, third, fourth));
static_assert(WB_NAMES_ALL_FIELDS(SameMembers, first, second, third));
static_assert(WB_NAMES_ALL_FIELDS(Nested, place, text));
// A member that is forgotten at the end, at the beginning or in the middle, and one that is named twice
// instead.
static_assert(!WB_NAMES_ALL_FIELDS(TwoMembers, first));
static_assert(!WB_NAMES_ALL_FIELDS(TwoMembers, second));
static_assert(!WB_NAMES_ALL_FIELDS(SameMembers, first, third));
static_assert(!WB_NAMES_ALL_FIELDS(SameMembers, first, second, first));
static_assert(!WB_NAMES_ALL_FIELDS(Derived, third));
static_assert(!WB_NAMES_ALL_FIELDS(Derived, fourth));
static_assert(!WB_NAMES_ALL_FIELDS(Nested, text));
static_assert(!WB_NAMES_ALL_FIELDS(Nested, place));

}  // namespace wb
