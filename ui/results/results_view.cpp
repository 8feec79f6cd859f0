// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/results_view.h"

#include <QApplication>
#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_view.h"
#include "ui/charts/charts_page.h"
#include "ui/details/details_view.h"
#include "ui/profile/profile_view.h"
#include "ui/results/cards_view.h"
#include "ui/results/figure_panel.h"
#include "ui/results/run_figures.h"
#include "ui/results/verdict_view.h"
#include "ui/style/icon.h"
#include "ui/style/icon_label.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {

namespace {

/// The problems are in a dock of their own.
constexpr std::string_view elsewhere = "problems";
/// In pixels. In a view that is lower than the second one, rows of tables matter more than the words on
/// cards.
constexpr int leastPageWidth = 300, lowHeight = 640;

QIcon iconOf(std::string_view id) {
  const char* name = id == "operators" ? "layers"
                     : id == "kernels" ? "box-seam"
                     : id == "cases"   ? "list-check"
                                       : "graph-up";
  return icon(QLatin1String(name), IconTone::secondary);
}

}  // namespace

ResultsView::ResultsView(QAction& profile, QAction& assembly, QAction& runOnly, QWidget* parent)
    : QWidget(parent),
      verdict_(new VerdictView),
      cards_(new CardsView),
      charts_(new ChartsPage),
      profile_(new ProfileView(profile, assembly)),
      details_(new DetailsView(runOnly)),
      tabs_(new QTabWidget),
      pages_(new QTabWidget) {
  auto* summary = new QWidget;
  stack_ = new QStackedLayout(summary);
  pages_->setObjectName(QStringLiteral("pages"));
  pages_->setAccessibleName(tr("Result pages"));
  pages_->tabBar()->setAccessibleName(tr("Result pages"));
  pages_->setDocumentMode(true);
  pages_->addTab(summary, icon(QStringLiteral("speedometer2"), IconTone::secondary), tr("Summary"));
  pages_->addTab(charts_, icon(QStringLiteral("bar-chart-line"), IconTone::secondary), tr("Charts"));
  // A page that is hidden must not keep the dock from becoming narrower.
  charts_->setMinimumWidth(leastPageWidth);
  profile_->setMinimumWidth(leastPageWidth);
  pages_->addTab(profile_, icon(QStringLiteral("fire"), IconTone::secondary), tr("Profile"));
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addWidget(verdict_);
  all->addWidget(pages_, 1);
  stack_->addWidget(buildEmptyPage());
  stack_->addWidget(buildSummary());
  connect(charts_, &ChartsPage::picked, this, [this](const QString& id) { showRow(id.toStdString()); });
  connect(charts_, &ChartsPage::activated, this, [this](const QString& id) {
    pages_->setCurrentIndex(0);
    showRow(id.toStdString());
    tabs_->currentWidget()->setFocus();
  });
  for (FigurePanel* panel : panels_)
    if (panel->table())
      connect(panel->table(), &TablePanel::selected, this,
              [this](const QString& id) { charts_->select(id.toStdString()); });
  cases().addRowAction(&runOnly);
  connect(details_, &DetailsView::changed, this, &ResultsView::placeDetails);
  connect(details_, &DetailsView::closeWanted, this, &ResultsView::hideDetails);
  connect(tabs_, &QTabWidget::currentChanged, this, &ResultsView::placeDetails);
  placeDetails();
}

QWidget* ResultsView::buildSummary() {
  tabs_->setAccessibleName(tr("Result tables"));
  tabs_->tabBar()->setAccessibleName(tr("Result tables"));
  tabs_->setDocumentMode(true);
  for (const FigureInfo& info : wb::figures()) {
    if (info.page != Page::summary || info.kind != FigureKind::table || info.id == elsewhere) continue;
    auto* panel = panels_.emplace_back(new FigurePanel(info));
    tabs_->addTab(panel, iconOf(info.id), QString::fromUtf8(info.title.data(), qsizetype(info.title.size())));
  }
  // What most people look for first stands first.
  tabs_->tabBar()->moveTab(tabs_->indexOf(&panel("cases")), 0);
  tabs_->setCurrentWidget(&panel("cases"));
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* above = new QVBoxLayout;
  above->setContentsMargins(10, 10, 10, 8);
  above->addWidget(cards_);
  column->addLayout(above);
  split_ = new QSplitter(Qt::Vertical);
  split_->setObjectName(QStringLiteral("detailsSplitter"));
  split_->setChildrenCollapsible(false);
  split_->addWidget(tabs_);
  split_->addWidget(details_);
  split_->setStretchFactor(0, 1);
  split_->setStretchFactor(1, 1);
  column->addWidget(split_, 1);
  return page;
}

// Below the tables of figures; what others have added has no rows of a run.
void ResultsView::placeDetails() {
  const bool isFigure = std::ranges::find(panels_, tabs_->currentWidget()) != panels_.end();
  const bool shows = isFigure && !details_->isEmpty() && !detailsHidden_;
  if (shows != details_->isHidden()) return;
  details_->setVisible(shows);
  // The row that was chosen may now be below the table's edge.
  if (TablePanel* table = shows ? static_cast<FigurePanel*>(tabs_->currentWidget())->table() : nullptr)
    QMetaObject::invokeMethod(
        table, [table] { table->select(table->selectedId()); }, Qt::QueuedConnection);
}

void ResultsView::showDetails() {
  pages_->setCurrentIndex(0);
  detailsHidden_ = false;
  placeDetails();
  details_->setFocus();
}

void ResultsView::hideDetails() {
  detailsHidden_ = true;
  const bool hadFocus = details_->isAncestorOf(QApplication::focusWidget());
  placeDetails();
  if (hadFocus) tabs_->currentWidget()->setFocus();
}

FigurePanel& ResultsView::panel(std::string_view id) const {
  return **std::find_if(panels_.begin(), panels_.end(),
                        [id](const FigurePanel* one) { return one->info().id == id; });
}

ChartView& ResultsView::chart() const {
  return charts_->chart("speedup");
}

TablePanel& ResultsView::cases() const {
  return *panel("cases").table();
}

QWidget* ResultsView::buildEmptyPage() {
  auto* page = new QWidget;
  page->setMinimumWidth(leastPageWidth);
  auto* column = new QVBoxLayout(page);
  auto* title = new QLabel(tr("No results yet"));
  title->setObjectName(QStringLiteral("title"));
  auto* hint =
      new QLabel(tr("Open a kernel and press F5: it is compiled, checked against ATen,\n"
                    "and both are timed side by side."));
  hint->setObjectName(QStringLiteral("hint"));
  hint->setWordWrap(true);
  column->addStretch(2);
  column->addWidget(new IconLabel(44, icon(QStringLiteral("speedometer2"), IconTone::secondary)), 0,
                    Qt::AlignCenter);
  column->addSpacing(8);
  for (QLabel* label : {title, hint}) {
    label->setAlignment(Qt::AlignCenter);
    column->addWidget(label);
    column->addSpacing(8);
  }
  column->addStretch(3);
  return page;
}

void ResultsView::setFigures(const std::shared_ptr<const RunFigures>& figures) {
  stack_->setCurrentIndex(figures ? 1 : 0);
  newest_ = figures;
  if (!figures) {
    shown_ = nullptr;
    verdict_->setVerdict({});
    return;
  }
  // A run that has checked nothing yet, or never will, does not take the place of one that has.
  const Report& report = *figures->report;
  const bool isOfTheSame = shown_ && !report.kernels.empty() && !shown_->report->kernels.empty() &&
                           report.kernels[0]->source.path == shown_->report->kernels[0]->source.path;
  const bool saysLess =
      figures->counts.checked == 0 && report.stages.has(Stage::check) && shown_ && shown_->counts.checked > 0;
  const bool keepsLast = saysLess && (report.outcome == Outcome::running || isOfTheSame);
  if (!keepsLast) shown_ = figures;
  for (const FigureInfo& info : wb::figures())
    if (info.page == Page::summary && info.kind == FigureKind::cards)
      cards_->setCards(*shown_->figures.get<Cards>(info.id));
  // Cards that all say the same, that nothing ran, say no more than the verdict above them.
  cards_->setVisible(shown_->counts.checked > 0 || shown_->counts.timed > 0 ||
                     shown_->report->outcome == Outcome::running);
  for (FigurePanel* panel : panels_) {
    const auto& source = panel->info().ofCode ? newest_ : shown_;
    panel->setFigure(source->figures.find(panel->info().id));
    tabs_->setTabVisible(tabs_->indexOf(panel), wanted(panel->info(), *source->report));
  }
  charts_->setFigures(shown_);
  profile_->setFigures(figures);
  showVerdict();
}

void ResultsView::setSinceThen(SinceThen since) {
  since_ = std::move(since);
  showVerdict();
}

void ResultsView::showVerdict() {
  if (!shown_) return;
  SinceThen since = since_;
  const bool isOlder = shown_ != newest_;
  const bool ended = newest_->report->outcome != Outcome::running;
  // The run under way has results, so it is the one that is shown.
  if (!isOlder && !ended) since.nextIsUnderWay = false;
  if (isOlder && ended && newest_->verdict.parts.size() > 1)
    since.nextFailed = "it " + newest_->verdict.parts[1].text;
  verdict_->setVerdict(asOfNow(shown_->verdict, since));
  const bool isPale = isOlder || since.nextIsUnderWay || !since.otherKernel.empty();
  cards_->setFaded(isPale);
  for (FigurePanel* panel : panels_)
    if (panel->table()) panel->table()->setFaded(isPale && !panel->info().ofCode);
}

void ResultsView::addTab(QWidget* page, const QIcon& picture, const QString& title) {
  page->setMinimumWidth(leastPageWidth);
  tabs_->addTab(page, picture, title);
}

void ResultsView::showTab(QWidget* page) {
  pages_->setCurrentIndex(0);
  stack_->setCurrentIndex(1);
  tabs_->setCurrentWidget(page);
}

void ResultsView::showPage(QWidget* page) {
  pages_->setCurrentIndex(page == profile_ ? pages_->indexOf(profile_) : 0);
  (page == profile_ ? pages_->currentWidget() : static_cast<QWidget*>(tabs_->currentWidget()))->setFocus();
}

void ResultsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  cards_->setShort(height() < lowHeight);
}

void ResultsView::showRow(const std::string& id) {
  // A bar belongs to a case or, where there are many, to an operator.
  for (const std::string_view table : {"cases", "operators"}) {
    FigurePanel& found = panel(table);
    if (found.table()->model().rowOf(id) < 0) continue;
    tabs_->setCurrentWidget(&found);
    found.table()->select(id);
    return;
  }
}

}  // namespace wb
