// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/results_view.h"

#include <QFrame>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/charts/chart_view.h"
#include "ui/profile/profile_view.h"
#include "ui/results/cards_view.h"
#include "ui/results/run_figures.h"
#include "ui/style/icon.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {

ResultsView::ResultsView(QAction& profile, QWidget* parent)
    : QWidget(parent),
      cards_(new CardsView),
      chart_(new ChartView),
      operators_(new TablePanel(tr("Operators"))),
      cases_(new TablePanel(tr("Cases"))),
      builds_(new TablePanel(tr("Build"))),
      profile_(new ProfileView(profile)),
      tabs_(new QTabWidget),
      pages_(new QTabWidget) {
  tabs_->setAccessibleName(tr("Result tables"));
  tabs_->tabBar()->setAccessibleName(tr("Result tables"));
  tabs_->setDocumentMode(true);
  tabs_->addTab(cases_, icon(QStringLiteral("list-check"), IconTone::secondary), tr("Cases"));
  tabs_->addTab(operators_, icon(QStringLiteral("layers"), IconTone::secondary), tr("Operators"));
  tabs_->addTab(builds_, icon(QStringLiteral("box-seam"), IconTone::secondary), tr("Build"));

  auto* upper = new QWidget;
  auto* column = new QVBoxLayout(upper);
  column->setContentsMargins(10, 10, 10, 8);
  column->setSpacing(8);
  column->addWidget(cards_);
  column->addWidget(buildChartCard(), 1);
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(upper);
  split->addWidget(tabs_);
  split->setStretchFactor(0, 4);
  split->setStretchFactor(1, 5);
  split->setChildrenCollapsible(false);
  split->setSizes({430, 420});

  auto* summary = new QWidget;
  stack_ = new QStackedLayout(summary);
  pages_->setObjectName(QStringLiteral("pages"));
  pages_->setAccessibleName(tr("Result pages"));
  pages_->tabBar()->setAccessibleName(tr("Result pages"));
  pages_->setDocumentMode(true);
  pages_->addTab(summary, icon(QStringLiteral("speedometer2"), IconTone::secondary), tr("Summary"));
  pages_->addTab(profile_, icon(QStringLiteral("fire"), IconTone::secondary), tr("Profile"));
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(pages_);
  stack_->addWidget(buildEmptyPage());
  stack_->addWidget(split);
  connect(chart_, &ChartView::picked, this, [this](const QString& id) { showRow(id.toStdString()); });
  for (TablePanel* panel : {operators_, cases_})
    connect(panel, &TablePanel::selected, this,
            [this](const QString& id) { chart_->highlight(id.toStdString()); });
}

QWidget* ResultsView::buildEmptyPage() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  auto* picture = new QLabel;
  picture->setPixmap(icon(QStringLiteral("speedometer2"), IconTone::secondary).pixmap(44, 44));
  auto* title = new QLabel(tr("No results yet"));
  title->setObjectName(QStringLiteral("title"));
  auto* hint =
      new QLabel(tr("Press F5 to compile the kernel in the editor, check it against ATen\n"
                    "and time both side by side."));
  hint->setObjectName(QStringLiteral("hint"));
  column->addStretch(2);
  for (QLabel* label : {picture, title, hint}) {
    label->setAlignment(Qt::AlignCenter);
    column->addWidget(label);
    column->addSpacing(8);
  }
  column->addStretch(3);
  return page;
}

QWidget* ResultsView::buildChartCard() {
  auto* card = new QFrame;
  card->setObjectName(QStringLiteral("chartCard"));
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(6, 10, 6, 6);
  column->setSpacing(4);
  chartTitle_ = new QLabel;
  chartTitle_->setObjectName(QStringLiteral("chartTitle"));
  chartTitle_->setContentsMargins(8, 0, 0, 0);
  chartEmpty_ = new QLabel;
  chartEmpty_->setObjectName(QStringLiteral("hint"));
  chartEmpty_->setAlignment(Qt::AlignCenter);
  chartEmpty_->setWordWrap(true);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(chart_);
  chartScroll_ = scroll;
  column->addWidget(chartTitle_);
  column->addWidget(scroll, 1);
  column->addWidget(chartEmpty_, 1);
  return card;
}

void ResultsView::setFigures(const std::shared_ptr<const RunFigures>& figures) {
  stack_->setCurrentIndex(figures ? 1 : 0);
  if (!figures) return;
  cards_->setCards(figures->cards);
  const bool empty = figures->chart.bars.empty();
  chartTitle_->setText(QString::fromStdString(figures->chart.title));
  chartEmpty_->setText(QString::fromStdString(figures->chart.empty));
  chartEmpty_->setVisible(empty);
  chartScroll_->setVisible(!empty);
  chart_->setBars(figures->chart);
  operators_->setTable(figures->operators);
  cases_->setTable(figures->cases);
  builds_->setTable(figures->builds);
  profile_->setFigures(figures);
}

void ResultsView::addTab(QWidget* page, const QIcon& picture, const QString& title) {
  tabs_->addTab(page, picture, title);
}

void ResultsView::showTab(QWidget* page) {
  pages_->setCurrentIndex(0);
  stack_->setCurrentIndex(1);
  tabs_->setCurrentWidget(page);
}

void ResultsView::showPage(QWidget* page) {
  pages_->setCurrentIndex(page == profile_ ? 1 : 0);
  (page == profile_ ? pages_->currentWidget() : static_cast<QWidget*>(tabs_->currentWidget()))->setFocus();
}

void ResultsView::showRow(const std::string& id) {
  TablePanel* panel = cases_->model().rowOf(id) >= 0 ? cases_ : operators_;
  if (panel->model().rowOf(id) < 0) return;
  tabs_->setCurrentWidget(panel);
  panel->select(id);
}

}  // namespace wb
