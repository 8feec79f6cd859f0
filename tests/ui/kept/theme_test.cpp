// SPDX-License-Identifier: GPL-3.0-or-later
// What the look costs and whether it can be read.
#include <time.h>

#include <QApplication>
#include <QImage>
#include <QLayout>
#include <QTabWidget>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "tests/ui/window_test.h"
#include "ui/results/results_view.h"
#include "ui/style/style.h"
#include "ui/style/text_label.h"
#include "ui/style/theme.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"

namespace wb {
namespace {

double cpuMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

double luminance(const QColor& color) {
  const auto linear = [](double part) {
    return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// By WCAG 2: 4.5 is enough for text of any size (AA).
double contrast(const QColor& a, const QColor& b) {
  const double one = luminance(a), other = luminance(b);
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

struct Named {
  const char* name;
  QColor color;
};

void expectReadable(const Named& ink, const Named& paper, const char* theme) {
  EXPECT_GE(contrast(ink.color, paper.color), 4.5) << theme << ": " << ink.name << " on " << paper.name;
}

TEST(Contrast, TheMeasureIsThatOfTheGuidelines) {
  EXPECT_NEAR(contrast(Qt::black, Qt::white), 21, 1e-6);
  EXPECT_NEAR(contrast("#777777", Qt::white), 4.48, 0.01);
}

TEST(Contrast, EveryTextOfTheWindowCanBeRead) {
  for (const Theme* t : {&darkTheme(), &lightTheme()}) {
    const char* theme = t->dark ? "dark" : "light";
    const Named papers[] = {{"window", t->window},         {"surface", t->surface},
                            {"raised", t->raised},         {"field", t->field},
                            {"hover", t->hover},           {"selected", t->selected},
                            {"accentSoft", t->accentSoft}, {"goodSoft", t->goodSoft},
                            {"badSoft", t->badSoft},       {"warningSoft", t->warningSoft}};
    const Named inks[] = {{"text", t->text},      {"secondary", t->secondary}, {"muted", t->muted},
                          {"accent", t->accent},  {"good", t->good},           {"bad", t->bad},
                          {"warning", t->warning}};
    for (const Named& ink : inks)
      for (const Named& paper : papers) expectReadable(ink, paper, theme);
    for (const Named& paper : {Named{"accent", t->accent}, Named{"accentHover", t->accentHover},
                               Named{"accentPressed", t->accentPressed}})
      expectReadable({"onAccent", t->onAccent}, paper, theme);
    // What is no text needs 3: the frame that shows the focus, and bars.
    for (const Named& frame :
         {Named{"accent", t->accent}, Named{"barGood", t->barGood}, Named{"barBad", t->barBad}})
      EXPECT_GE(contrast(frame.color, t->surface), 3) << theme << ": " << frame.name;
  }
}

TEST(Contrast, EverySourceCanBeRead) {
  for (const Theme* t : {&darkTheme(), &lightTheme()}) {
    const char* theme = t->dark ? "dark" : "light";
    const EditorPalette e = editorPaletteOf(*t);
    const Named inks[] = {{"text", e.text},       {"keyword", e.keyword},
                          {"builtin", e.builtin}, {"type", e.type},
                          {"string", e.string},   {"number", e.number},
                          {"comment", e.comment}, {"preprocessor", e.preprocessor},
                          {"operator", e.op},     {"function", e.function}};
    const Named papers[] = {{"background", e.background},
                            {"the caret's line", e.currentLine},
                            {"selection", e.selection},
                            {"the line that is pointed at", e.pointed}};
    for (const Named& ink : inks)
      for (const Named& paper : papers) expectReadable(ink, paper, theme);
    expectReadable({"line number", e.lineNumber}, papers[0], theme);
    expectReadable({"error", e.error}, {"its background", e.errorBackground}, theme);
    expectReadable({"warning", e.warning}, {"its background", e.warningBackground}, theme);
    expectReadable({"note", e.note}, {"its background", e.noteBackground}, theme);
  }
}

TEST(Words, NoLineEndsBetweenANumberAndItsUnit) {
  const auto shown = [](const char* text) {
    return unbrokenQuantities(QString::fromUtf8(text)).replace(QChar::Nbsp, QLatin1Char('_')).toStdString();
  };
  EXPECT_EQ(shown("takes 28.2 µs, kernels run for 2.40 ms"), "takes 28.2_µs, kernels run for 2.40_ms");
  EXPECT_EQ(shown("96.9 % of 2.05 M, 4 GiB, 3 TB/s"), "96.9_% of 2.05_M, 4_GiB, 3_TB/s");
  EXPECT_EQ(shown("32 blocks of 4 streams"), "32 blocks of 4 streams");
}

/// Whether a widget was painted since it was last asked.
class Paints : public QObject {
 public:
  explicit Paints(QWidget& widget) { widget.installEventFilter(this); }
  bool take() { return std::exchange(painted_, false); }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    painted_ = painted_ || event->type() == QEvent::Paint;
    return QObject::eventFilter(watched, event);
  }

 private:
  bool painted_ = false;
};

class ThemeTest : public test::WindowTest {};

TEST_F(ThemeTest, PrintsWhatASwitchCosts) {
  open();
  window().resize(1600, 1000);
  edit("relu.cpp", test::fakeKernel("--cases=200"));
  run();
  for (int i = 0; i < 4; ++i) {
    const double before = cpuMilliseconds();
    window().toggleTheme();
    double last = cpuMilliseconds(), longest = last - before;
    const double begun = longest;
    int turns = 0;
    for (; !appearance_->isSettled(); ++turns) {
      QCoreApplication::processEvents();
      const double now = cpuMilliseconds();
      longest = std::max(longest, now - last);
      last = now;
    }
    std::printf(
        "[ figure   ] theme switch: %.0f ms of CPU in all, %.1f in its first beat, %.1f in its longest of "
        "%d, "
        "%d widgets; aims 100 and 16\n",
        last - before, begun, longest, turns, int(QApplication::allWidgets().size()));
  }
}

TEST_F(ThemeTest, IsPaintedAlsoWhereAllOfTheWindowWaitedToBePainted) {
  open();
  Paints paints(*parts().status);
  for (int i = 0; i < 2; ++i) {
    window().update();
    paints.take();
    window().toggleTheme();
    EXPECT_TRUE(waitFor([&] { return appearance_->isSettled(); }));
    EXPECT_TRUE(paints.take());
  }
}

TEST_F(ThemeTest, AMessageHasRoomForItsWordsAfterASwitch) {
  open();
  Banner& banner = *parts().banner;
  banner.tell(Tone::neutral, "Warpbench ended without being closed.", "Brought back: the last results.");
  for (int i = 0; i < 2; ++i) {
    toggleTheme();
    const auto wanted = [&] { return banner.layout()->totalHeightForWidth(banner.width()); };
    EXPECT_TRUE(waitFor([&] { return banner.height() == wanted(); }, 5000))
        << banner.height() << " pixels, and " << wanted() << " are wanted";
  }
}

TEST_F(ThemeTest, AfterASwitchEverythingLooksAsIfItsSheetHadBeenTheFirst) {
  open();
  window().resize(1600, 1000);
  edit("relu.cpp", test::fakeKernel("--cases=20"));
  run();
  auto* pages = parts().results->findChild<QTabWidget*>();
  ASSERT_TRUE(pages);
  const auto pictures = [&] {
    std::vector<QImage> all;
    for (int i = 0; i < pages->count(); ++i) {
      if (!pages->isTabVisible(i)) continue;
      pages->setCurrentIndex(i);
      QCoreApplication::processEvents();
      all.push_back(parts().results->grab().toImage());
    }
    return all;
  };
  const auto dark = pictures();
  toggleTheme();
  const auto light = pictures();
  EXPECT_NE(dark, light);
  qApp->setStyleSheet(styleSheetOf(lightTheme()));
  EXPECT_EQ(pictures(), light) << "polished anew";
  toggleTheme();
  EXPECT_EQ(pictures(), dark);
}

}  // namespace
}  // namespace wb
