// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_view.h"

#include <QAction>
#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/figures/profile/launch_facts.h"
#include "core/figures/profile/profile_facts.h"
#include "ui/assembly/code_view.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/plane_view.h"
#include "ui/profile/occupancy_panel.h"
#include "ui/profile/timeline_view.h"
#include "ui/results/advice_view.h"
#include "ui/results/run_figures.h"
#include "ui/style/growing_area.h"
#include "ui/style/icon.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"
#include "ui/window/banner.h"

namespace wb {
namespace {

constexpr const char* worksAnyway =
    QT_TR_NOOP("The timeline, launches, machine code and the occupancy calculator work all the same.");

QLabel* label(const char* name, bool wraps = false) {
  auto* made = new QLabel;
  made->setObjectName(QLatin1String(name));
  made->setWordWrap(wraps);
  return made;
}

QLabel* emptyLabel() {
  QLabel* made = label("hint", true);
  made->setAlignment(Qt::AlignCenter);
  made->setMargin(24);
  return made;
}

QFrame* card(QWidget* content, QLabel* title = nullptr) {
  auto* frame = new QFrame;
  frame->setObjectName(QStringLiteral("chartCard"));
  auto* column = new QVBoxLayout(frame);
  column->setContentsMargins(6, title ? 9 : 6, 6, 6);
  column->setSpacing(4);
  if (title) {
    title->setContentsMargins(8, 0, 8, 0);
    column->addWidget(title);
  }
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

/// Either the chart or the sentence why there is none.
void showOr(QWidget* chart, QLabel* empty, const std::string& why) {
  empty->setText(QString::fromStdString(why));
  empty->setVisible(!why.empty());
  chart->setVisible(why.empty());
}

}  // namespace

ProfileView::ProfileView(QAction& profile, QWidget* parent)
    : QWidget(parent),
      cases_(new QComboBox),
      title_(label("heading")),
      summary_(label("muted")),
      gives_(label("hint")),
      rooflineEmpty_(emptyLabel()),
      timelineEmpty_(emptyLabel()),
      stallsEmpty_(emptyLabel()),
      stallsTitle_(label("chartTitle", true)),
      timelineTitle_(label("chartTitle", true)),
      toolbarButton_(new QToolButton),
      eachKernel_(new QToolButton),
      banner_(new Banner),
      advice_(new AdviceView),
      metrics_(new TablePanel(tr("Metrics"))),
      hotLines_(new TablePanel(tr("Hot lines"))),
      launches_(new TablePanel(tr("Launches"))),
      roofline_(new TablePanel(tr("Roofline in numbers"))),
      stalls_(new ChartView),
      plane_(new PlaneView),
      timeline_(new TimelineView),
      code_(new CodeView),
      occupancy_(new OccupancyPanel) {
  toolbarButton_->setDefaultAction(&profile);
  toolbarButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  toolbarButton_->setObjectName(QStringLiteral("outlined"));
  toolbarButton_->setAccessibleName(tr("Profile again"));
  stalls_->setAccessibleName(tr("Stall reasons"));
  metrics_->setGroupColumn("section");
  eachKernel_->setObjectName(QStringLiteral("outlined"));
  eachKernel_->setText(tr("Each kernel"));
  eachKernel_->setToolTip(tr("A line for each kernel that the call launches"));
  eachKernel_->setAccessibleName(eachKernel_->text());
  eachKernel_->setCheckable(true);
  metrics_->addTool(eachKernel_);
  connect(eachKernel_, &QToolButton::toggled, this, &ProfileView::showMetrics);
  auto* inside = new QWidget;
  stack_ = new QStackedLayout(inside);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addWidget(banner_);
  all->addWidget(inside, 1);
  stack_->addWidget(buildIntroduction(profile));
  stack_->addWidget(buildBody());
  connectTables();
  connect(cases_, &QComboBox::activated, this, [this](int index) {
    if (figures_ && index < int(figures_->profiles.size())) showCase(figures_->profiles[size_t(index)]);
  });
  setTarget({});
}

QWidget* ProfileView::buildIntroduction(QAction& profile) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(32, 16, 32, 16);
  auto* picture = new QLabel;
  picture->setPixmap(icon(QStringLiteral("fire"), IconTone::secondary).pixmap(44, 44));
  auto* title = label("title");
  title->setText(tr("No profile yet"));
  auto* button = new QToolButton;
  button->setObjectName(QStringLiteral("runButton"));
  button->setDefaultAction(&profile);
  button->setIcon(icon(QStringLiteral("fire"), IconTone::onAccent));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAccessibleName(tr("Profile the kernel"));
  connect(&profile, &QAction::changed, button,
          [button] { button->setIcon(icon(QStringLiteral("fire"), IconTone::onAccent)); });
  column->addStretch(2);
  for (QLabel* each : {picture, title, gives_}) {
    each->setAlignment(Qt::AlignCenter);
    column->addWidget(each);
    column->addSpacing(8);
  }
  column->addSpacing(6);
  column->addWidget(button, 0, Qt::AlignCenter);
  column->addStretch(3);
  return page;
}

QWidget* ProfileView::buildBody() {
  tabs_ = new QTabWidget;
  tabs_->setAccessibleName(tr("Profile"));
  tabs_->tabBar()->setAccessibleName(tr("Profile"));
  tabs_->setDocumentMode(true);
  tabs_->addTab(metrics_, tr("Metrics"));
  tabs_->addTab(buildLines(), tr("Hot lines"));
  tabs_->addTab(buildRoofline(), tr("Roofline"));
  tabs_->addTab(buildTimeline(), tr("Timeline"));
  tabs_->addTab(buildLaunches(), tr("Launches"));
  tabs_->addTab(code_, tr("Code"));

  auto* area = new GrowingArea(advice_);
  area->setMost(0.3);
  auto* frame = card(area);
  adviceArea_ = frame;
  auto* body = new QWidget;
  auto* column = new QVBoxLayout(body);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(buildHead());
  auto* holder = new QVBoxLayout;
  holder->setContentsMargins(10, 0, 10, 8);
  holder->addWidget(frame);
  column->addLayout(holder);
  column->addWidget(tabs_, 1);
  return body;
}

QWidget* ProfileView::buildHead() {
  auto* head = new QWidget;
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(10, 8, 10, 8);
  row->setSpacing(10);
  cases_->setAccessibleName(tr("Profiled case"));
  cases_->setToolTip(tr("The case whose profile is shown"));
  cases_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  cases_->setMaximumWidth(340);
  row->addWidget(title_);
  row->addWidget(cases_);
  row->addWidget(summary_, 1);
  row->addWidget(toolbarButton_);
  return head;
}

QWidget* ProfileView::buildLines() {
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(stalls_);
  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(scroll, 1);
  column->addWidget(stallsEmpty_, 1);
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(padded(card(inside, stallsTitle_)));
  split->addWidget(hotLines_);
  split->setChildrenCollapsible(false);
  split->setSizes({330, 210});
  return split;
}

QWidget* ProfileView::buildRoofline() {
  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(plane_, 1);
  column->addWidget(rooflineEmpty_, 1);
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(padded(card(inside)));
  split->addWidget(roofline_);
  split->setChildrenCollapsible(false);
  split->setSizes({400, 180});
  return split;
}

QWidget* ProfileView::buildTimeline() {
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(timeline_);
  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(scroll, 1);
  column->addWidget(timelineEmpty_, 1);
  auto* how = label("muted");
  how->setText(tr("The wheel zooms, dragging moves, a double click fits  ·  keys  ← →  +  −  0"));
  how->setContentsMargins(8, 0, 8, 4);
  column->addWidget(how);
  return padded(card(inside, timelineTitle_));
}

QWidget* ProfileView::buildLaunches() {
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(launches_);
  split->addWidget(padded(card(occupancy_)));
  split->setChildrenCollapsible(false);
  split->setStretchFactor(1, 1);
  split->setSizes({170, 330});
  return split;
}

void ProfileView::connectTables() {
  connect(advice_, &AdviceView::placeClicked, this, &ProfileView::activated);
  connect(code_, &CodeView::pointed, this, &ProfileView::pointed);
  connect(code_, &CodeView::activated, this, &ProfileView::activated);
  const auto placeOf = [this](const QString& id) { return hotLines_->model().placeOf(id.toStdString()); };
  connect(hotLines_, &TablePanel::selected, this, [this, placeOf](const QString& id) {
    if (const Place place = placeOf(id); place.line > 0) emit pointed(place);
  });
  connect(hotLines_, &TablePanel::activated, this, [this, placeOf](const QString& id) {
    if (const Place place = placeOf(id); place.line > 0) emit activated(place);
  });
  connect(launches_, &TablePanel::selected, this,
          [this](const QString& id) { takeLaunch(id.toStdString()); });
}

void ProfileView::setTarget(const Target& target) {
  if (!figures_) target_ = target;  // what a profile was taken on stays beside it
  const bool cpu = target.device == "cpu" || target.device.empty();
  gives_->setText(
      cpu ? tr("On the CPU a profile gives the kernel's machine code with its source lines,\nPTX, and the "
               "occupancy calculator. On a GPU also metrics beside the\nreference's, hot lines, the roofline "
               "and a timeline.")
          : tr("Why the kernel is as fast as it is: device metrics beside the reference's, hot\nlines in the "
               "editor, the roofline, a timeline, machine code, and advice.\nThe case selected under Cases "
               "is "
               "profiled, else the longest."));
  if (!figures_) occupancy_->setArchitecture(target.architecture);
  tellNotes();
}

void ProfileView::setFigures(const std::shared_ptr<const RunFigures>& figures) {
  if (!figures || figures->profiles.empty()) return;  // of a run that did not profile: the last one stays
  const bool again = figures_ && figures_->report->startedAt == figures->report->startedAt;
  figures_ = figures;
  target_ = figures->report->target;
  const int before = again ? std::max(0, cases_->currentIndex()) : 0;
  const QSignalBlocker quiet(cases_);
  cases_->clear();
  for (const auto& one : figures->profiles)
    cases_->addItem(one->title.empty() ? tr("Machine code alone") : QString::fromStdString(one->title));
  const int at = std::min(before, cases_->count() - 1);
  cases_->setCurrentIndex(at);
  cases_->setVisible(cases_->count() > 1);
  title_->setVisible(cases_->count() == 1);
  title_->setText(cases_->itemText(0));
  showCase(figures->profiles[size_t(at)]);
  // Without a GPU there is one thing to look at.
  if (target_.device == "cpu" && tabs_->currentWidget() == metrics_ && !shown_->instructions->rows.empty())
    tabs_->setCurrentWidget(code_);
}

void ProfileView::showCase(std::shared_ptr<const CaseFigures> figures) {
  shown_ = std::move(figures);
  stack_->setCurrentIndex(1);
  summary_->setText(QString::fromStdString(shown_->summary));
  advice_->setAdvice(shown_->advice);
  // Where counters were refused the banner says all that there is to say.
  adviceArea_->setVisible(!shown_->advice->rows.empty() || figures_->report->target.counters.empty());
  showMetrics();
  launches_->setTable(shown_->launches);
  hotLines_->setTable(shown_->hotLines);
  hotLines_->setVisible(!shown_->hotLines->rows.empty());  // the chart says why there are none
  roofline_->setTable(shown_->roofline);
  stalls_->setBars(shown_->stalls);
  stallsTitle_->setText(QString::fromStdString(shown_->stalls.title));
  stalls_->setToolTip(QString::fromStdString(shown_->stalls.axis));
  showOr(stalls_->parentWidget()->parentWidget(), stallsEmpty_, shown_->stalls.empty);
  plane_->setPlane(shown_->plane);
  showOr(plane_, rooflineEmpty_, shown_->plane.empty);
  timeline_->setChart(shown_->timeline);
  timelineTitle_->setText(QString::fromStdString(shown_->timeline.title));
  showOr(timeline_->parentWidget()->parentWidget(), timelineEmpty_, shown_->timeline.empty);
  code_->setCode(shown_->instructions, shown_->ptx);
  occupancy_->setArchitecture(target_.architecture);
  takeLaunch(launches_->selectedId());
  tellNotes();
  emit shownChanged();
}

void ProfileView::showMetrics() {
  if (!shown_) return;
  eachKernel_->setVisible(shown_->metrics != shown_->metricsByKernel);
  metrics_->setTable(eachKernel_->isChecked() ? shown_->metricsByKernel : shown_->metrics);
}

// Refused counters first, then what the worker said of this case.
void ProfileView::tellNotes() {
  QStringList notes;
  if (shown_)
    for (const std::string& note : shown_->notes) notes << QString::fromStdString(note);
  if (!target_.counters.empty()) {
    const QString remedy = QString::fromStdString(target_.counters);
    notes.removeIf([&remedy](const QString& note) { return note.contains(remedy); });
    QString sentence = remedy;
    sentence[0] = sentence[0].toUpper();
    notes << sentence << tr(worksAnyway);
    banner_->tell(Tone::warning, tr("The counters of this device cannot be read"),
                  notes.join(QLatin1Char('\n')));
  } else if (!notes.isEmpty()) {
    const QString first = notes.takeFirst();
    banner_->tell(Tone::warning, first, notes.join(QLatin1Char('\n')));
  } else {
    banner_->hide();
  }
}

// The selected launch's numbers, else the candidate's longest, else what the compiler says of the kernel.
void ProfileView::takeLaunch(const std::string& id) {
  if (!figures_ || figures_->report->kernels.empty()) return;
  const Report& report = *figures_->report;
  const auto cases = shown_->key ? casesWithProfile(report, shown_->key) : std::vector<ProfiledCase>{};
  const Launch* launch = nullptr;
  if (!cases.empty()) {
    for (const Side side : {Side::candidate, Side::reference}) {
      const std::string prefix = cases[0].rowId() + "/" + std::string(name(side)) + "/";
      for (size_t i = 0; i < cases[0].side(side).launches.size(); ++i)
        if (id == prefix + std::to_string(i)) launch = &cases[0].side(side).launches[i];
    }
    if (!launch) launch = longestLaunch(cases[0].profile->candidate);
  }
  if (launch)
    return occupancy_->setFootprint({shortName(*launch), threadsOf(*launch), launch->registers,
                                     launch->staticShared + launch->dynamicShared});
  const KernelReport& kernel = *report.kernels[shown_->key ? shown_->key->kernel : 0];
  if (!kernel.compiled) return;
  for (const Artifact& artifact : kernel.compiled->artifacts)
    if (artifact.registers > 0) {
      occupancy_->setArchitecture(artifact.architecture);
      return occupancy_->setFootprint({artifact.name, 256, artifact.registers, artifact.sharedBytes});
    }
}

void ProfileView::markLine(int line) {
  code_->markLine(line, shown_ ? QString::fromStdString(shown_->source) : QString());
}

}  // namespace wb
