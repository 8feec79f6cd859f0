// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/compare_flow.h"

#include <QTabWidget>
#include <algorithm>

#include "ui/profile/profile_view.h"
#include "ui/results/compare_view.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/run_controller.h"
#include "ui/style/background.h"
#include "ui/style/icon.h"
#include "ui/tables/keep_layouts.h"
#include "ui/window/actions.h"
#include "ui/window/banner.h"
#include "ui/window/window_parts.h"

namespace wb {
namespace {

/// More columns than these nobody reads.
constexpr std::size_t mostBaselines = 4;

}  // namespace

CompareFlow::CompareFlow(const WindowParts& parts, RunController& controller, QObject* parent)
    : QObject(parent), parts_(parts), controller_(controller) {
  connect(&controller_, &RunController::finished, this, [this] {
    if (baseline()) compare();
  });
}

void CompareFlow::read(const QString& file) {
  inBackground(
      this, [path = file.toStdString()] { return readBaseline(path); },
      [this](Result<Baseline> read) {
        if (read) return addBaseline(std::move(*read));
        parts_.banner->tell(Tone::bad, QString::fromStdString(read.error().text),
                            QString::fromStdString(read.error().hint));
      });
}

void CompareFlow::pin() {
  const auto figures = controller_.figures();
  if (!figures) return;
  addBaseline({baselineName(*figures->report), figures->report, {}});
}

const Baseline* CompareFlow::baseline() const {
  return chosen_ >= 0 ? &baselines_[size_t(chosen_)] : nullptr;
}

void CompareFlow::addBaseline(Baseline baseline) {
  if (!parts_.results) return;
  // The same run again is chosen and not told twice.
  const auto same = std::ranges::find(baselines_, baseline.report, &Baseline::report);
  if (same != baselines_.end()) return chooseBaseline(int(same - baselines_.begin()));
  if (baselines_.size() == mostBaselines) baselines_.erase(baselines_.begin());
  const auto isTaken = [this](const std::string& name) {
    return std::ranges::find(baselines_, name, &Baseline::name) != baselines_.end();
  };
  const std::string name = baseline.name;
  for (int number = 2; isTaken(baseline.name); ++number)
    baseline.name = name + " (" + std::to_string(number) + ")";
  baselines_.push_back(std::move(baseline));
  if (!view_) {
    view_ = new CompareView({parts_.actions->find(QStringLiteral("report.compare")),
                             parts_.actions->find(QStringLiteral("report.pin"))});
    keepLayouts(*view_, *parts_.settings);
    parts_.results->addTab(view_, icon(QStringLiteral("layout-split"), IconTone::secondary), tr("Compare"));
    connect(view_, &CompareView::chosen, this, &CompareFlow::chooseBaseline);
    connect(view_, &CompareView::removeWanted, this, &CompareFlow::removeBaseline);
  }
  parts_.results->showTab(view_);
  chooseBaseline(int(baselines_.size()) - 1);
}

void CompareFlow::removeBaseline() {
  if (!baseline()) return;
  baselines_.erase(baselines_.begin() + chosen_);
  chooseBaseline(int(baselines_.size()) - 1);
}

void CompareFlow::chooseBaseline(int index) {
  chosen_ = index >= 0 && index < int(baselines_.size()) ? index : -1;
  parts_.results->profile().setEarlier(earlierOf(baselines_));
  emit baselineChanged();
  showChosen();
}

void CompareFlow::showChosen() {
  QStringList names;
  for (const Baseline& one : baselines_) names << QString::fromStdString(one.name);
  view_->setBaselines(names, chosen_);
  ++generation_;
  const auto figures = controller_.figures();
  if (baseline() && figures && figures->report->outcome != Outcome::running &&
      figures->report != baseline()->report)
    return compare();
  view_->clearComparison();
}

void CompareFlow::compare() {
  const auto figures = controller_.figures();
  if (!figures) return;
  inBackground(
      this,
      [a = *baseline(), b = Baseline{runName(*figures->report), figures->report, {}},
       baselines = baselines_] { return makeComparison(a, b, baselines); },
      [this, mine = ++generation_](const ComparisonFigures& comparison) {
        if (mine == generation_) view_->setComparison(comparison);
      });
}

}  // namespace wb
