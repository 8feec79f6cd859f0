// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of every chart, in both themes and two sizes, beside those of screenshot_test.cpp: to be looked
// at.
#include <QAction>
#include <QTabWidget>
#include <cmath>

#include "tests/ui/profile/profile_window.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/charts_page.h"
#include "ui/profile/profile_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/figure_panel.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"

namespace wb {
namespace {

/// A run of which some cases were noisy.
BarChart noisy(int count) {
  BarChart chart;
  chart.title = "Speedup by case";
  for (int i = 0; i < count; ++i) {
    const double value = 0.93 + 0.017 * (i * 7 % 11);
    const double width = i == 3 ? 12 : 0.01 + 0.004 * (i % 5);
    chart.bars.push_back(
        {"relu " + std::to_string(32 << (i % 7)) + "×" + std::to_string(1 << (i % 12)) + " f32", value,
         value * std::exp(-width), value * std::exp(width),
         std::to_string(value).substr(0, 5) + "×" + (i == 3 ? ", too noisy" : ""),
         value > 1.02   ? Tone::good
         : value < 0.98 ? Tone::bad
                        : Tone::neutral,
         "0/" + std::to_string(i)});
  }
  return chart;
}

PlaneChart sizes() {
  PlaneChart chart;
  chart.title = "Speedup against size";
  chart.x = {"Bytes of the call's tensors", "B"};
  chart.y = {"Speedup over the reference", "×"};
  for (int series = 0; series < 2; ++series) {
    ChartLine line{.label = series == 0 ? "softmax f32" : "softmax bf16", .points = {}, .series = series};
    for (int i = 0; i < 15; ++i) {
      const double x = 4096.0 * (1 << i),
                   y = (series == 0 ? 1.6 : 1.2) - 0.5 * std::tanh((i - 8) / 2.0) + 0.03 * (i % 3);
      line.points.emplace_back(x, y);
      chart.points.push_back({.x = x,
                              .y = y,
                              .label = {},
                              .detail = "x",
                              .low = y * 0.95,
                              .high = i == 4 ? 900 : y * 1.05,
                              .series = series});
    }
    chart.lines.push_back(line);
  }
  chart.lines.push_back(
      {.label = "as fast as the reference", .points = {{4096, 1}, {4096 << 14, 1}}, .dashed = true});
  chart.lines.push_back(
      {.label = "L2 50.0 MiB", .points = {{50 << 20, 0.6}, {50 << 20, 2.3}}, .dashed = true});
  return chart;
}

class ChartScreenshots : public test::ProfileWindow {
 protected:
  [[nodiscard]] ChartsPage& page() { return parts().results->charts(); }
};

TEST_F(ChartScreenshots, ChartsOfARun) {
  open();
  window().resize(1600, 1000);
  edit("relu.cpp", test::fakeKernel());
  run();
  parts().results->pages().setCurrentWidget(&page());
  page().panel("speedup").setFigure(std::make_shared<const Figure>(noisy(40)));
  page().panel("speedup-size").setFigure(std::make_shared<const Figure>(sizes()));
  const char* names[] = {"by-case", "by-operator", "by-size", "samples"};
  inBothThemes([&](const QString& theme) {
    for (int tab = 0; tab < page().tabs().count(); ++tab) {
      page().tabs().setCurrentIndex(tab);
      shoot(window(), theme + "chart-" + names[tab]);
    }
  });
  window().resize(1024, 700);
  page().chart("speedup").highlight("0/5");
  for (int tab = 0; tab < page().tabs().count(); ++tab) {
    page().tabs().setCurrentIndex(tab);
    shoot(window(), QStringLiteral("light-small-chart-") + names[tab]);
  }
}

TEST_F(ChartScreenshots, ChartsOfAProfile) {
  openRecording("h100_all_sections");
  window().resize(1600, 1000);
  profile();
  window().comparing().pin();
  auto& view = parts().results->profile();
  parts().results->pages().setCurrentWidget(&view);
  inBothThemes([&](const QString& theme) {
    for (const auto& [id, tab] : std::initializer_list<std::pair<const char*, int>>{
             {"memory", 2}, {"mix", 3}, {"roofline", 4}, {"timeline", 5}}) {
      view.tabs().setCurrentIndex(tab);
      shoot(window(), theme + "chart-" + id);
    }
  });
  PlaneChart moved = std::get<PlaneChart>(view.panel("roofline").chart()->figure());
  moved.points = {{.x = 8, .y = 9e12, .label = "candidate", .detail = "now", .tone = Tone::good},
                  {.x = 8.1, .y = 8.8e12, .label = "reference", .detail = "reference", .tone = Tone::muted},
                  {.x = 0.6, .y = 8e11, .label = "before", .detail = "before"}};
  moved.arrows = {{2, 0}};
  view.panel("roofline").setFigure(std::make_shared<const Figure>(moved));
  view.tabs().setCurrentIndex(4);
  shoot(window(), "light-chart-arrow");
  window().resize(1024, 700);
  view.tabs().setCurrentIndex(2);
  shoot(window(), "dark-chart-memory-small");
}

TEST_F(ChartScreenshots, StallsOfARecordedRunAndASavedPicture) {
  openRecording("h100_bank_conflict");
  window().resize(1600, 1000);
  profile();
  auto& view = parts().results->profile();
  view.tabs().setCurrentIndex(1);
  inBothThemes([&](const QString& theme) { shoot(window(), theme + "chart-stalls"); });
  const QImage saved = imageOf(view.panel("stalls").chart()->picture());
  EXPECT_TRUE(saved.save(QStringLiteral(WB_BINARY_DIR "/screenshots/saved-chart-stalls.png")));
}

}  // namespace
}  // namespace wb
