// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/charts_page.h"

#include <QHBoxLayout>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <charconv>

#include "core/figures/figures.h"
#include "ui/charts/chart_view.h"
#include "ui/results/figure_panel.h"
#include "ui/results/run_figures.h"

namespace wb {
namespace {

struct Tab {
  std::string_view id;
  const char* title;
};
/// The charts of the summary in the order of their tabs.
constexpr std::array tabsOfCharts = {
    Tab{"speedup", QT_TR_NOOP("By case")}, Tab{"speedup-operators", QT_TR_NOOP("By operator")},
    Tab{"speedup-size", QT_TR_NOOP("Against size")}, Tab{"samples", QT_TR_NOOP("Samples")}};

/// The case with the row id "0/17"; nothing for another row.
OneCase caseOf(std::string_view rowId) {
  CaseKey key;
  const std::size_t slash = rowId.find('/');
  if (slash == std::string_view::npos) return {};
  const auto read = [](std::string_view digits, std::size_t& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  if (!read(rowId.substr(0, slash), key.kernel) || !read(rowId.substr(slash + 1), key.index)) return {};
  return key;
}

}  // namespace

ChartsPage::ChartsPage(QWidget* parent) : QWidget(parent), tabs_(new QTabWidget) {
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Charts"));
  tabs_->tabBar()->setAccessibleName(tr("Charts"));
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(tabs_);
  for (const Tab& tab : tabsOfCharts) {
    auto* panel = panels_.emplace_back(new FigurePanel(*findFigure(tab.id)));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(10, 10, 10, 10);
    column->addWidget(panel, 1);
    if (tab.id == "speedup-size") {
      sweep_ = new QToolButton;
      sweep_->setObjectName(QStringLiteral("outlined"));
      sweep_->setText(tr("Sweep sizes"));
      sweep_->setToolTip(
          tr("Runs the kernel over powers of two, from a few kilobytes to far beyond the caches"));
      sweep_->setAccessibleName(sweep_->text());
      connect(sweep_, &QToolButton::clicked, this, &ChartsPage::sweepWanted);
      column->addWidget(sweep_, 0, Qt::AlignRight);
    }
    tabs_->addTab(page, tr(tab.title));
    connect(panel->chart(), &ChartView::picked, this, [this](const QString& row) { emit picked(row); });
    connect(panel->chart(), &ChartView::activated, this, [this](const QString& row) { emit activated(row); });
  }
}

FigurePanel& ChartsPage::panel(std::string_view id) const {
  return **std::ranges::find_if(panels_, [id](const FigurePanel* one) { return one->info().id == id; });
}

ChartView& ChartsPage::chart(std::string_view id) const {
  return *panel(id).chart();
}

void ChartsPage::setFigures(const std::shared_ptr<const RunFigures>& figures) {
  const bool isAnother = !figures_ || !figures || figures_->report->startedAt != figures->report->startedAt;
  figures_ = figures;
  if (!figures_) return;
  if (isAnother) shown_.reset();
  for (FigurePanel* panel : panels_)
    if (panel->info().id != "samples" || !shown_) panel->setFigure(figures_->figures.find(panel->info().id));
  if (shown_) showSamples();
}

void ChartsPage::select(const std::string& rowId) {
  for (FigurePanel* panel : panels_)
    if (panel->info().id != "samples") panel->chart()->highlight(rowId);
  const OneCase chosen = caseOf(rowId);
  if (!chosen || chosen == shown_) return;
  shown_ = chosen;
  showSamples();
}

void ChartsPage::showSamples() {
  if (figures_)
    panel("samples").setFigure(std::make_shared<const Figure>(samplesChart(*figures_->report, shown_)));
}

}  // namespace wb
