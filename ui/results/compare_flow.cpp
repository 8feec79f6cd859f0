// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/results/compare_flow.h"

#include <QTabWidget>
#include <QTime>

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

CompareFlow::CompareFlow(const WindowParts& parts, RunController& controller, QObject* parent)
    : QObject(parent), parts_(parts), controller_(controller) {
  connect(&controller_, &RunController::finished, this, [this] {
    if (baseline_) compare();
  });
}

void CompareFlow::read(const QString& file) {
  inBackground(
      this, [path = file.toStdString()] { return readBaseline(path); },
      [this](Result<Baseline> read) {
        if (read) return setBaseline(std::move(*read));
        parts_.banner->tell(Tone::bad, QString::fromStdString(read.error().text),
                            QString::fromStdString(read.error().hint));
      });
}

void CompareFlow::pin() {
  const auto figures = controller_.figures();
  if (!figures) return;
  const QString name = tr("%1, %2").arg(QString::fromStdString(runName(*figures->report)),
                                        QTime::currentTime().toString(QStringLiteral("HH:mm")));
  setBaseline({name.toStdString(), figures->report, {}});
}

void CompareFlow::setBaseline(Baseline baseline) {
  if (!parts_.results) return;
  baseline_ = std::move(baseline);
  parts_.results->profile().setBaseline(baseline_->report);
  if (!view_) {
    view_ = new CompareView({parts_.actions->find(QStringLiteral("report.compare")),
                             parts_.actions->find(QStringLiteral("report.pin"))});
    keepLayouts(*view_, *parts_.settings);
    parts_.results->addTab(view_, icon(QStringLiteral("layout-split"), IconTone::secondary), tr("Compare"));
  }
  parts_.results->showTab(view_);
  emit baselineChanged();
  const auto figures = controller_.figures();
  if (figures && figures->report->outcome != Outcome::running && figures->report != baseline_->report)
    return compare();
  ++generation_;
  view_->setBaseline(QString::fromStdString(baseline_->name));
}

void CompareFlow::compare() {
  const auto figures = controller_.figures();
  if (!figures) return;
  inBackground(
      this,
      [a = *baseline_, b = Baseline{runName(*figures->report), figures->report, {}}] {
        return makeComparison(a, b);
      },
      [this, mine = ++generation_](const ComparisonFigures& comparison) {
        if (mine == generation_) view_->setComparison(comparison);
      });
}

}  // namespace wb
