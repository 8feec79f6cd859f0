// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_view.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFrame>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "core/figures/profile/case_facts.h"
#include "core/figures/profile/profile_figures.h"
#include "ui/charts/chart_view.h"
#include "ui/profile/occupancy_panel.h"
#include "ui/profile/profile_head.h"
#include "ui/profile/profile_introduction.h"
#include "ui/results/advice_view.h"
#include "ui/results/figure_panel.h"
#include "ui/results/run_figures.h"
#include "ui/style/background.h"
#include "ui/style/eliding_label.h"
#include "ui/style/growing_area.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"
#include "ui/window/banner.h"

namespace wb {
namespace {

// These figures have a view of their own: advice, the code beside its source, and what the occupancy
// calculator shows better.
constexpr std::array<std::string_view, 5> shownApart = {"advice", "instructions", "ptx", "occupancy",
                                                        "occupancy-chart"};

/// The least height of the occupancy calculator, in pixels; more of it is reached by scrolling.
constexpr int leastCalculator = 120;

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QFrame* card(QWidget* content) {
  auto* frame = new QFrame;
  frame->setObjectName(QStringLiteral("chartCard"));
  auto* column = new QVBoxLayout(frame);
  column->setContentsMargins(6, 6, 6, 6);
  column->addWidget(content, 1);
  return frame;
}

/// A page with a margin around its one widget.
QWidget* padded(QWidget* content) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(10, 10, 10, 10);
  column->addWidget(content);
  return page;
}

}  // namespace

ProfileView::ProfileView(QAction& profile, QAction& assembly, QWidget* parent)
    : QWidget(parent),
      introduction_(new ProfileIntroduction(profile)),
      head_(new ProfileHead(profile, assembly)),
      eachKernel_(new QToolButton),
      banner_(new Banner),
      advice_(new AdviceView),
      occupancy_(new OccupancyPanel) {
  eachKernel_->setObjectName(QStringLiteral("outlined"));
  eachKernel_->setText(tr("Each kernel"));
  eachKernel_->setToolTip(tr("A line for each kernel that the call launches"));
  eachKernel_->setAccessibleName(eachKernel_->text());
  eachKernel_->setCheckable(true);
  auto* inside = new QWidget;
  stack_ = new QStackedLayout(inside);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  auto* notices = new QVBoxLayout;
  notices->setContentsMargins(10, 0, 10, 0);
  notices->addWidget(banner_);
  all->addLayout(notices);
  all->addWidget(inside, 1);
  stack_->addWidget(introduction_);
  stack_->addWidget(buildBody());
  connectTables();
  connect(&head_->cases(), &QComboBox::activated, this, [this](int index) {
    if (figures_ && index < int(figures_->profiles.size())) showCase(figures_->profiles[size_t(index)]);
  });
  setTarget({});
}

QWidget* ProfileView::buildBody() {
  tabs_ = new QTabWidget;
  tabs_->setAccessibleName(tr("Profile"));
  tabs_->tabBar()->setAccessibleName(tr("Profile"));
  tabs_->setDocumentMode(true);
  std::vector<FigurePanel*> together;
  for (const FigureInfo& info : figures()) {
    if (info.page != Page::profile || std::ranges::find(shownApart, info.id) != shownApart.end()) continue;
    if (!together.empty() && together.front()->info().title != info.title)
      addFigures(qt(together.front()->info().title), std::exchange(together, {}));
    together.push_back(panels_.emplace_back(new FigurePanel(info)));
  }
  if (!together.empty()) addFigures(qt(together.front()->info().title), together);
  TablePanel& metrics = table("metrics");
  metrics.addTool(eachKernel_);
  metrics.setShowsParts(false);
  connect(eachKernel_, &QToolButton::toggled, &metrics, &TablePanel::setShowsParts);

  auto* area = new GrowingArea(advice_);
  area->setMost(0.3);
  auto* frame = card(area);
  adviceArea_ = frame;
  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(head_);
  auto* holder = new QVBoxLayout;
  holder->setContentsMargins(10, 0, 10, 8);
  holder->addWidget(frame);
  column->addLayout(holder);
  column->addWidget(buildPartBar());
  // The advice gets its height first, and the tables the rest.
  tabs_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  column->addWidget(tabs_, 1);
  return body;
}

// What was chosen in the timeline, and the way back to all of the call.
QWidget* ProfileView::buildPartBar() {
  partBar_ = new QWidget;
  auto* row = new QHBoxLayout(partBar_);
  row->setContentsMargins(12, 0, 10, 8);
  row->setSpacing(10);
  partText_ = new ElidingLabel;
  auto* all = new QToolButton;
  all->setObjectName(QStringLiteral("outlined"));
  all->setText(tr("Show all of the call"));
  all->setAccessibleName(all->text());
  connect(all, &QToolButton::clicked, this, [this] { choosePart({}); });
  row->addWidget(partText_, 1);
  row->addWidget(all);
  partBar_->hide();
  return partBar_;
}

/// Adds one tab of the figures that belong together: a chart in a card, a table as wide as the tab.
void ProfileView::addFigures(const QString& tab, const std::vector<FigurePanel*>& panels) {
  auto* split = new QSplitter(Qt::Vertical);
  split->setChildrenCollapsible(false);
  QList<int> sizes;
  for (FigurePanel* panel : panels) {
    split->addWidget(panel->table() ? panel : padded(panel));
    sizes << (panel->table() ? 180 : 420);
    if (panel->info().id != "launches") continue;
    // It scrolls in a low window, which it would else keep high.
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setMinimumHeight(leastCalculator);
    area->setWidget(padded(card(occupancy_)));
    split->addWidget(area);
    sizes << 330;
  }
  split->setSizes(sizes);
  tabs_->addTab(split, tab);
}

// In a narrow view all tabs are seen because each is narrower; what is behind arrows is found by nobody.
void ProfileView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // What the advice leaves has to hold a chart.
  constexpr int lowHeight = 640;
  if (auto* area = adviceArea_->findChild<GrowingArea*>())
    area->setMost(event->size().height() < lowHeight ? 0.12 : 0.3);
  const bool isTight = event->size().width() < 600;
  QTabBar* bar = tabs_->tabBar();
  if (bar->property("tight").toBool() == isTight) return;
  bar->setProperty("tight", isTight);
  bar->style()->unpolish(bar);
  bar->style()->polish(bar);
  // Only this makes it measure its tabs anew.
  QEvent change(QEvent::StyleChange);
  QCoreApplication::sendEvent(bar, &change);
}

QComboBox& ProfileView::cases() const {
  return head_->cases();
}

FigurePanel& ProfileView::panel(std::string_view id) const {
  return **std::ranges::find_if(panels_, [id](const FigurePanel* one) { return one->info().id == id; });
}

TablePanel& ProfileView::table(std::string_view id) const {
  return *panel(id).table();
}

void ProfileView::connectTables() {
  connect(advice_, &AdviceView::placeClicked, this, &ProfileView::activated);
  for (FigurePanel* panel : panels_) {
    if (panel->chart()) {
      connect(panel->chart(), &ChartView::picked, this, [this](const QString&, const Place& place) {
        if (place.line > 0) emit pointed(place);
      });
      connect(panel->chart(), &ChartView::activated, this, [this](const QString&, const Place& place) {
        if (place.line > 0) emit activated(place);
      });
      continue;
    }
    TablePanel* table = panel->table();
    connect(table, &TablePanel::selected, this, [this, table](const QString& id) {
      if (const Place place = table->model().placeOf(id.toStdString()); place.line > 0) emit pointed(place);
    });
    connect(table, &TablePanel::activated, this, [this, table](const QString& id) {
      if (const Place place = table->model().placeOf(id.toStdString()); place.line > 0) emit activated(place);
    });
  }
  connect(panel("timeline").chart(), &ChartView::stretchChosen, this,
          [this](const std::optional<Stretch>& stretch) {
            choosePart(stretch ? std::optional(CallPart{stretch->owner, stretch->from, stretch->to})
                               : std::nullopt);
          });
  connect(&table("launches"), &TablePanel::selected, this,
          [this](const QString& id) { takeLaunch(id.toStdString()); });
}

void ProfileView::setTarget(const Target& target) {
  if (!figures_) target_ = target;  // the target of a profile stays beside it
  introduction_->setDevice(target.device);
  if (!figures_) occupancy_->setArchitecture(target.architecture);
  tellNotes();
}

void ProfileView::setFigures(const std::shared_ptr<const RunFigures>& figures) {
  if (!figures || figures->profiles.empty()) return;  // that run did not profile, so the last profile stays
  const bool again = figures_ && figures_->report->startedAt == figures->report->startedAt;
  figures_ = figures;
  target_ = figures->report->target;
  QStringList titles;
  for (const auto& one : figures->profiles)
    titles << (one->title.empty() ? tr("Machine code alone") : QString::fromStdString(one->title));
  const int at = again ? std::clamp(head_->cases().currentIndex(), 0, int(titles.size()) - 1) : 0;
  head_->setCases(titles, at);
  showCase(figures->profiles[size_t(at)]);
}

void ProfileView::showCase(std::shared_ptr<const CaseFigures> figures) {
  shown_ = std::move(figures);
  part_.reset();
  stack_->setCurrentIndex(1);
  head_->setSummary(QString::fromStdString(shown_->summary));
  showWhole();
  if (!earlier_.empty()) refine();
  tellNotes();
  emit shownChanged();
}

void ProfileView::showWhole() {
  report_ = figures_->report;
  shownOf_ = ++generation_;
  showFigures(shown_->figures);
}

void ProfileView::showFigures(const FigureSet& figures) {
  const auto advice = figures.table("advice");
  advice_->setAdvice(advice);
  // Where counters were refused, the banner says everything.
  adviceArea_->setVisible(!advice->rows.empty() ||
                          (figures_->report->target.counters.empty() && target_.device != "cpu"));
  const FigurePanel* before = nullptr;
  for (FigurePanel* panel : panels_) {
    // The timeline is where a part is chosen, so it is always whole.
    const bool isWhole = panel->info().kind == FigureKind::time;
    const std::shared_ptr<const Figure> figure = (isWhole ? shown_->figures : figures).find(panel->info().id);
    panel->setFigure(figure);
    // The chart above a table says why there is nothing.
    const bool isBelow = before && before->info().title == panel->info().title;
    panel->setVisible(!isBelow || (figure && whyEmpty(*figure).empty()));
    before = panel;
  }
  panel("timeline")
      .chart()
      ->setChosen(part_ ? std::optional(Stretch{part_->side, part_->from, part_->to}) : std::nullopt);
  partBar_->setVisible(part_.has_value());
  if (part_ && shown_->profiled)
    partText_->setText(tr("Only %1").arg(qt(callPartText(*figures_->report, *shown_->profiled, *part_))));
  eachKernel_->setVisible(table("metrics").model().hasParts());
  occupancy_->setArchitecture(target_.architecture);
  takeLaunch(table("launches").selectedId());
}

void ProfileView::setEarlier(std::vector<Earlier> earlier) {
  earlier_ = std::move(earlier);
  if (shown_) refine();
}

void ProfileView::choosePart(const std::optional<CallPart>& part) {
  if (part == part_ || !shown_ || !shown_->profiled) return;
  part_ = part;
  refine();
}

// Figures of a part of the call, or with what they were in earlier runs, are made on another thread; until
// they are there the figures of before stay.
void ProfileView::refine() {
  if (!part_ && earlier_.empty()) return showWhole();
  struct Made {
    std::shared_ptr<const Report> report;
    FigureSet figures;
  };
  inBackground(
      this,
      [report = figures_->report, key = shown_->profiled, part = part_, earlier = earlier_] {
        Made made{report, {}};
        if (part && key) made.report = std::make_shared<const Report>(partOfCall(*report, *key, *part));
        // Earlier runs were not cut at the same places.
        made.figures =
            FigureSet(*made.report, Page::profile, key, part ? std::span<const Earlier>() : earlier);
        return made;
      },
      [this, mine = ++generation_](Made made) {
        if (mine != generation_) return;
        shownOf_ = mine;
        report_ = std::move(made.report);
        showFigures(made.figures);
      });
}

void ProfileView::tellNotes() {
  const auto notice = profileNotice(target_, figures_ ? figures_->report.get() : nullptr,
                                    shown_ ? shown_->profiled : OneCase());
  if (notice)
    banner_->tell(Tone::warning, qt(notice->title), qt(notice->text));
  else
    banner_->clear({});
}

void ProfileView::takeLaunch(const std::string& id) {
  if (!report_ || !shown_) return;
  if (const auto footprint = footprintOf(*report_, shown_->profiled, id))
    occupancy_->setFootprint(*footprint);
}

}  // namespace wb
