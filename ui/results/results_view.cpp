// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/results_view.h"

#include <QFrame>
#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_view.h"
#include "ui/profile/profile_view.h"
#include "ui/results/cards_view.h"
#include "ui/results/figure_panel.h"
#include "ui/results/run_figures.h"
#include "ui/style/icon.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {

namespace {

/// The problems are in a dock of their own.
constexpr std::string_view elsewhere = "problems";

QIcon iconOf(std::string_view id) {
  const char* name = id == "operators" ? "layers" : id == "kernels" ? "box-seam" : "list-check";
  return icon(QLatin1String(name), IconTone::secondary);
}

}  // namespace

ResultsView::ResultsView(QAction& profile, QAction& assembly, QWidget* parent)
    : QWidget(parent),
      cards_(new CardsView),
      profile_(new ProfileView(profile, assembly)),
      tabs_(new QTabWidget),
      pages_(new QTabWidget) {
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
  stack_->addWidget(buildSummary());
  connect(&chart(), &ChartView::picked, this, [this](const QString& id) { showRow(id.toStdString()); });
  for (FigurePanel* panel : panels_)
    if (panel->table())
      connect(panel->table(), &TablePanel::selected, this,
              [this](const QString& id) { chart().highlight(id.toStdString()); });
}

QWidget* ResultsView::buildSummary() {
  tabs_->setAccessibleName(tr("Result tables"));
  tabs_->tabBar()->setAccessibleName(tr("Result tables"));
  tabs_->setDocumentMode(true);
  auto* upper = new QWidget;
  auto* column = new QVBoxLayout(upper);
  column->setContentsMargins(10, 10, 10, 8);
  column->setSpacing(8);
  column->addWidget(cards_);
  for (const FigureInfo& info : figures()) {
    if (info.page != Page::summary || info.kind == FigureKind::cards || info.id == elsewhere) continue;
    auto* panel = panels_.emplace_back(new FigurePanel(info));
    if (panel->table())
      tabs_->addTab(panel, iconOf(info.id),
                    QString::fromUtf8(info.title.data(), qsizetype(info.title.size())));
    else
      column->addWidget(panel, 1);
  }
  tabs_->setCurrentWidget(&panel("cases"));
  auto* split = new QSplitter(Qt::Vertical);
  split->addWidget(upper);
  split->addWidget(tabs_);
  split->setStretchFactor(0, 4);
  split->setStretchFactor(1, 5);
  split->setChildrenCollapsible(false);
  split->setSizes({430, 420});
  return split;
}

FigurePanel& ResultsView::panel(std::string_view id) const {
  return **std::find_if(panels_.begin(), panels_.end(),
                        [id](const FigurePanel* one) { return one->info().id == id; });
}

ChartView& ResultsView::chart() const {
  return *panel("speedup").bars();
}

TablePanel& ResultsView::cases() const {
  return *panel("cases").table();
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

void ResultsView::setFigures(const std::shared_ptr<const RunFigures>& figures) {
  stack_->setCurrentIndex(figures ? 1 : 0);
  if (!figures) return;
  for (const FigureInfo& info : wb::figures())
    if (info.page == Page::summary && info.kind == FigureKind::cards)
      cards_->setCards(*figures->figures.get<Cards>(info.id));
  for (FigurePanel* panel : panels_) {
    panel->setFigure(figures->figures.find(panel->info().id));
    const bool isWanted = wanted(panel->info(), *figures->report);
    if (const int tab = tabs_->indexOf(panel); tab >= 0)
      tabs_->setTabVisible(tab, isWanted);
    else
      panel->setVisible(isWanted);
  }
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
