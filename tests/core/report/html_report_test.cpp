// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "core/figures/figures.h"
#include "core/figures/profile/profile_figures.h"
#include "core/model/json/json_codec.h"
#include "core/report/formats.h"
#include "core/report/html/assets.h"
#include "core/report/html/html_charts.h"
#include "core/report/html/html_text.h"
#include "tests/core/figures/golden.h"
#include "tests/core/figures/profile_sample.h"
#include "tests/core/figures/sample_report.h"

namespace wb {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

/// Content of the JSON script with this id.
nlohmann::json embedded(const std::string& page, const std::string& id) {
  const std::string open = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t start = page.find(open);
  EXPECT_NE(start, std::string::npos) << id;
  const std::size_t end = page.find("</script>", start);
  auto json = parseJson(std::string_view(page).substr(start + open.size(), end - start - open.size()));
  EXPECT_TRUE(json.has_value()) << id;
  return json ? *json : nlohmann::json();
}

/// The page without styles, scripts and comments.
std::string markupOf(const std::string& page) {
  std::string out;
  std::string_view rest = page;
  while (true) {
    std::size_t first = std::string_view::npos;
    std::string_view close;
    for (const auto& [open, end] : {std::pair<std::string_view, std::string_view>{"<script", "</script>"},
                                    {"<style", "</style>"},
                                    {"<!--", "-->"}}) {
      const std::size_t at = rest.find(open);
      if (at < first) {
        first = at;
        close = end;
      }
    }
    out += rest.substr(0, first);
    if (first == std::string_view::npos) return out;
    const std::size_t end = rest.find(close, first);
    if (end == std::string_view::npos) {
      ADD_FAILURE() << "never closed: " << rest.substr(first, 40);
      return out;
    }
    rest.remove_prefix(end + close.size());
  }
}

/// Elements that must be closed are, in order.
void expectBalanced(const std::string& markup) {
  const std::set<std::string> empty = {"meta", "link", "input", "br", "img", "path", "rect", "!doctype"};
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z!][a-z0-9]*)((?:\"[^\"]*\"|[^>\"])*)>");
  for (auto it = std::sregex_iterator(markup.begin(), markup.end(), tag); it != std::sregex_iterator();
       ++it) {
    const std::string name = (*it)[2];
    if (empty.contains(name)) continue;
    if ((*it)[1].length() == 0) {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << name;
    ASSERT_EQ(open.back(), name) << "near " << markup.substr(static_cast<std::size_t>(it->position()), 120);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty()) << open.back();
}

std::string pageOf(const Report& report) {
  return *htmlReport(report);
}

TEST(HtmlReport, IsBalancedForEveryReport) {
  for (const Report& report :
       {samples::allPass(), samples::mixedFailures(), samples::compileFailure(), samples::compileOnly(),
        samples::severalKernels(), samples::noWorker(), samples::emptyJob(), samples::hostile()})
    expectBalanced(markupOf(pageOf(report)));
}

TEST(HtmlReport, NeedsNothingFromElsewhere) {
  const std::string markup = markupOf(pageOf(samples::mixedFailures()));
  EXPECT_THAT(markup, Not(HasSubstr("src=")));
  EXPECT_THAT(markup, Not(HasSubstr("href=\"http")));
  EXPECT_THAT(std::string(asset::css), Not(HasSubstr("url(")));
  EXPECT_THAT(std::string(asset::css), Not(HasSubstr("@import")));
}

// Paper is white: a dark page must not be printed in light letters.
TEST(HtmlReport, DarkColoursAreForTheScreenAlone) {
  const std::string css(asset::css);
  const std::string dark = "--text: #e6e8ec";
  for (std::size_t at = css.find(dark); at != std::string::npos; at = css.find(dark, at + 1)) {
    const std::size_t media = css.rfind("@media", at);
    ASSERT_NE(media, std::string::npos);
    EXPECT_TRUE(css.substr(media).starts_with("@media screen")) << css.substr(media, 60);
  }
  EXPECT_EQ(occurrences(css, dark), 2U);
  EXPECT_THAT(std::string(asset::js), HasSubstr("beforeprint"));
}

TEST(HtmlReport, LeavesNoPlaceholder) {
  std::string page = pageOf(samples::allPass());
  page.erase(page.find(asset::chartjs), asset::chartjs.size());
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(HtmlReport, AssetsCannotEndTheirElement) {
  EXPECT_GT(asset::chartjs.size(), 100'000U);
  for (const std::string_view script : {asset::chartjs, asset::js}) {
    EXPECT_EQ(occurrences(script, "</script"), 0U);
    EXPECT_EQ(occurrences(script, "<!--"), 0U);
  }
  EXPECT_EQ(occurrences(asset::css, "</style"), 0U);
  EXPECT_EQ(occurrences(asset::chartLicence, "--"), 0U);
}

TEST(HtmlReport, ShowsWhichElementsAreWrongAndWhere) {
  const std::string page = pageOf(samples::mixedFailures());
  EXPECT_EQ(occurrences(page, "<section id=\"elements\""), 1U);
  EXPECT_EQ(occurrences(page, "<section id=\"error-maps\""), 1U);
  EXPECT_THAT(page, HasSubstr("are wrong: column 17."));
  EXPECT_THAT(page, HasSubstr("<rect class=\"shade3\" x=\"2\" y=\"17\" width=\"1\" height=\"1\"/>"));
}

TEST(HtmlReport, ShowsEveryFigure) {
  const std::string page = pageOf(samples::severalKernels());
  for (const FigureInfo& info : figures())
    EXPECT_EQ(occurrences(page, "<section id=\"" + std::string(info.id) + "\""),
              info.page == Page::profile || info.page == Page::elements ||
                      sizeOf(info.make(samples::severalKernels())) < info.fewestRows
                  ? 0U
                  : 1U)
        << info.id;
  for (const Card& card : headline(samples::severalKernels()).cards) {
    EXPECT_THAT(page, HasSubstr(escapeHtml(card.value)));
    EXPECT_THAT(page, HasSubstr(escapeHtml(card.detail)));
  }
  const nlohmann::json charts = embedded(page, "charts");
  ASSERT_EQ(charts.size(), 4U);
  EXPECT_EQ(charts[0]["bars"].size(), speedupChart(samples::severalKernels()).bars.size());
}

TEST(HtmlReport, AFigureIsAPageOfItsOwn) {
  const Report report = samples::severalKernels();
  for (const FigureInfo& info : figures()) {
    const std::string page = htmlFigure(report, info);
    expectBalanced(markupOf(page));
    EXPECT_EQ(occurrences(page, "<section id=\""), 1U) << info.id;
    EXPECT_EQ(occurrences(page, "<section id=\"" + std::string(info.id) + "\""), 1U) << info.id;
    if (info.id == "speedup") EXPECT_EQ(embedded(page, "charts").size(), 1U);
  }
}

TEST(HtmlReport, ShowsEveryFigureOfAProfile) {
  const Report report = samples::folded(samples::profiledRun());
  const std::string page = pageOf(report);
  expectBalanced(markupOf(page));
  for (const FigureInfo& info : figures())
    if (info.page == Page::profile) {
      EXPECT_EQ(occurrences(page, "<section id=\"" + std::string(info.id) + "\""), 1U) << info.id;
    }
  const nlohmann::json charts = embedded(page, "charts");
  const auto roofline = std::find_if(charts.begin(), charts.end(),
                                     [](const nlohmann::json& chart) { return chart["id"] == "roofline"; });
  ASSERT_NE(roofline, charts.end());
  EXPECT_EQ((*roofline)["points"].size(), 2U);
  EXPECT_EQ((*roofline)["y"]["scale"]["logarithmic"], true);
  EXPECT_GE((*roofline)["y"]["scale"]["ticks"].size(), 2U);
  EXPECT_THAT(page, HasSubstr("style=\"--share:84.6%\""));
  EXPECT_EQ(occurrences(page, "class=\"span "), 6U) << "a timeline needs no script";
  EXPECT_THAT(page, HasSubstr("<a href=\"#k0-14\">14</a>")) << "hot lines lead to the source";
}

TEST(HtmlReport, ChartsAreAsAgreed) {
  const Report report = samples::folded(samples::profiledRun());
  const PlaneChart roofline = rooflineChart(report);
  BarChart speedups;
  speedups.id = "speedup";
  speedups.title = "Speedup by case";
  speedups.bars = {{"relu", 1.5, 1.4, 1.6, "1.50×", Tone::good, "0/0"},
                   {"noisy relu", 1, 0, 0, "too noisy", Tone::muted, "0/1"}};
  expectGolden("report_charts.html", htmlChart(timelineChart(report)) + htmlChart(roofline) +
                                         htmlChart(stallChart(report)) + htmlChart(memoryChart(report)) +
                                         htmlChart(speedups) + dump(pageJson(roofline), 1) + "\n" +
                                         dump(pageJson(speedups), 1) + "\n");
}

TEST(HtmlReport, BothThemesColourEveryThingThatIsDrawn) {
  // A colour that a rule or a script asks for has a value in the light and in both dark palettes.
  const std::string css(asset::css), scripts = std::string(asset::chartViews) + std::string(asset::js);
  std::set<std::string> names;
  const auto collect = [&](const std::string& text, const std::regex& pattern) {
    for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern); it != std::sregex_iterator();
         ++it)
      names.insert((*it)[1]);
  };
  collect(css, std::regex("var\\(--([a-z-]+)\\)"));
  collect(scripts, std::regex("colour\\('([a-z-]+)'\\)"));
  for (const char* of : {"mono", "share"}) names.erase(of);  // a font, and what a cell sets itself
  EXPECT_GT(names.size(), 15U);
  for (const std::string& name : names) EXPECT_EQ(occurrences(css, "--" + name + ": "), 3U) << name;
}

TEST(HtmlReport, RefusedCountersAreSaid) {
  const std::string page = pageOf(samples::folded(samples::refusedRun()));
  expectBalanced(markupOf(page));
  EXPECT_THAT(markupOf(page), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST(HtmlReport, HoldsTheReportItself) {
  for (const Report& report : {samples::allPass(), samples::mixedFailures(), samples::compileFailure(),
                               samples::crash(), samples::severalKernels()}) {
    const auto back = reportFromJson(embedded(pageOf(report), "report"));
    ASSERT_TRUE(back.has_value()) << describe(back.error());
    EXPECT_EQ(*back, report);
  }
}

TEST(HtmlReport, HostileTextStaysText) {
  const Report report = samples::hostile();
  const std::string page = pageOf(report), markup = markupOf(page);
  // A theme script, two of JSON, Chart.js and report.js; nothing that a kernel brought.
  EXPECT_EQ(occurrences(page, "<script"), 5U);
  EXPECT_EQ(occurrences(page, "</script"), 5U);
  EXPECT_THAT(markup, Not(HasSubstr("<img")));
  EXPECT_THAT(markup, Not(HasSubstr("<b>")));
  EXPECT_THAT(markup, Not(HasSubstr("<i>")));
  EXPECT_THAT(markup, Not(HasSubstr("\x1b")));
  EXPECT_THAT(markup, HasSubstr("&lt;b&gt;&quot;bad&quot; &amp; &#39;worse&#39;|.cpp"));
  EXPECT_THAT(markup, HasSubstr("// &lt;/script&gt;&lt;script&gt;alert(1)"));
  const auto back = reportFromJson(embedded(page, "report"));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->kernels[0]->source.text, report.kernels[0]->source.text);
}

TEST(HtmlReport, DiagnosticsStandAtTheirLines) {
  const std::string page = pageOf(samples::compileFailure());
  EXPECT_THAT(page, HasSubstr("<div class=\"l has-error\" id=\"k0-10\">"));
  EXPECT_THAT(page, HasSubstr("error: use of undeclared identifier &#39;inn&#39;"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#k0-10\">10:61</a>"));
  EXPECT_THAT(page, HasSubstr("<div class=\"l has-warning\" id=\"k0-9\">"));
}

TEST(HtmlReport, TenThousandCasesStayReadable) {
  const Report report = samples::many(10'000);
  const std::string page = pageOf(report);
  EXPECT_LT(page.size(), 16'000'000U);
  const std::string markup = markupOf(page);
  EXPECT_LT(occurrences(markup, "<tr data-row=") - occurrences(markup, " hidden>"), 500U)
      << "rows beyond the first page are hidden";
  EXPECT_GE(occurrences(markup, "<tr data-row="), 10'000U) << "and yet there, for pages without scripts too";
  EXPECT_THAT(page, HasSubstr("leaves out the raw timing samples"));
  const auto back = reportFromJson(embedded(page, "report"));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(counts(*back), counts(report));
}

TEST(HtmlText, EscapesAndRepairs) {
  EXPECT_EQ(escapeHtml("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escapeHtml("5×5"), "5×5");
  EXPECT_EQ(escapeHtml("a\xFF\xC3(b"), "a\xEF\xBF\xBD\xEF\xBF\xBD(b");
  EXPECT_EQ(escapeHtml("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(escapeHtml(std::string_view("a\0b\x1b", 4)), "ab");
}

TEST(HtmlText, TemplatesAreFilledOnce) {
  const auto filled = fillTemplate("<{{a}}|{{b}}>", [](std::string_view name) {
    return name == "a" ? std::string("{{b}}") : std::string("B");
  });
  EXPECT_EQ(filled, "<{{b}}|B>");
}

}  // namespace
}  // namespace wb
