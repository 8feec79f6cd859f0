// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_flow.h"

#include <QFileInfo>
#include <QTabWidget>
#include <algorithm>

#include "editor/kernel_editor.h"
#include "ui/actions.h"
#include "ui/banner.h"
#include "ui/document.h"
#include "ui/editor_tabs.h"
#include "ui/files.h"
#include "ui/icon.h"
#include "ui/log_view.h"
#include "ui/results_view.h"
#include "ui/run_bar.h"
#include "ui/run_figures.h"
#include "ui/status_line.h"
#include "ui/table_model.h"
#include "ui/table_panel.h"
#include "ui/window_parts.h"

#include <QAction>
#include <QTableView>

namespace wb {
namespace {

QString qt(const std::string& text) {
  return QString::fromStdString(text);
}

}  // namespace

RunFlow::RunFlow(const WindowParts& parts, RunController& controller, QObject* parent)
    : QObject(parent), parts_(parts), controller_(controller) {
  connect(&controller_, &RunController::runningChanged, this, [this](bool running) {
    parts_.bar->setRunning(running);
    parts_.actions->find(QStringLiteral("run.start"))->setEnabled(!running);
    parts_.actions->find(QStringLiteral("run.cancel"))->setEnabled(running);
    if (!running && !controller_.figures()) parts_.status->setProgress({}, 0, false);
  });
  connect(&controller_, &RunController::figuresChanged, this, &RunFlow::showFigures);
  connect(&controller_, &RunController::finished, this, &RunFlow::showEnd);
  connect(&controller_, &RunController::statusChanged, this, &RunFlow::showWorker);
  connect(&controller_, &RunController::refused, this, [this](const Error& error) {
    parts_.status->setProgress({}, 0, false);
    parts_.banner->tell(Tone::bad, qt(describe(Error{error.stage, error.text, {}, error.place})),
                        qt(error.hint));
  });
}

void RunFlow::connectViews() {
  connect(parts_.problems, &TablePanel::activated, this, &RunFlow::goToProblem);
  if (controller_.figures()) showFigures();
}

void RunFlow::start() {
  Document* document = parts_.tabs->current();
  if (!document) {
    parts_.banner->tell(Tone::warning, tr("There is no kernel to run."),
                        tr("Press Ctrl+N for a template or a sample, or Ctrl+O to open a file."));
    return;
  }
  if (controller_.running()) return;
  parts_.banner->hide();
  document->editor().clearDiagnostics();
  document_ = document->id();
  diagnostics_ = 0;
  KernelSource kernel;
  kernel.path = (document->path().isEmpty() ? document->title() : document->path()).toStdString();
  kernel.text = document->text().toStdString();
  parts_.status->setProgress(tr("Starting %1").arg(document->title()), 0, true);
  controller_.run(std::move(kernel), parts_.bar->choices());
}

void RunFlow::cancel() {
  if (!controller_.running()) return;
  parts_.status->setProgress(tr("Cancelling"), 1, true);
  controller_.cancel();
}

Document* RunFlow::runDocument() const {
  return parts_.tabs->withId(document_);
}

void RunFlow::showFigures() {
  const auto figures = controller_.figures();
  const bool running = figures->report->outcome == Outcome::running;
  parts_.status->setProgress(qt(figures->line), figures->fraction, running);
  showDiagnostics();
  if (!parts_.results) return;  // the first run began before the views were there
  parts_.results->setFigures(figures);
  parts_.problems->setTable(figures->problems);
  parts_.log->setReport(figures->report);
  const int problems = int(figures->problems->rows.size());
  parts_.output->setTabText(0, problems > 0 ? tr("Problems (%1)").arg(problems) : tr("Problems"));
}

void RunFlow::showDiagnostics() {
  const Report& report = *controller_.figures()->report;
  Document* document = runDocument();
  if (!document || report.kernels.empty()) return;
  const std::vector<Diagnostic>& all = report.kernels[0]->diagnostics;
  if (all.size() == diagnostics_) return;
  diagnostics_ = all.size();
  document->editor().setDiagnostics(all);  // it shows those of its own file
}

void RunFlow::showEnd() {
  const Report& report = *controller_.figures()->report;
  if (report.failure) {
    parts_.banner->tell(Tone::bad, qt(report.failure->text), qt(report.failure->hint), tr("Run again"),
                        [this] { start(); });
    return;
  }
  if (report.kernels.empty()) return;
  const KernelReport& kernel = *report.kernels[0];
  if (kernel.failure && parts_.output) parts_.output->setCurrentIndex(0);
  if (kernel.failure && kernel.diagnostics.empty())
    parts_.banner->tell(Tone::bad, qt(kernel.failure->text), qt(kernel.failure->hint));
  else if (kernel.compiled && !kernel.compiled->note.empty())
    parts_.banner->tell(Tone::neutral, qt(kernel.compiled->note),
                        tr("The Build tab shows what the compiler made of it."));
}

void RunFlow::showWorker() {
  const WorkerStatus& status = controller_.status();
  parts_.status->setWorker(status, parts_.bar->deviceTitle());
  if (status.state == WorkerStatus::State::failed)
    parts_.banner->tell(Tone::bad, qt(status.failure.text), qt(status.failure.hint), tr("Retry"),
                        [this] { controller_.retry(); });
}

void RunFlow::goToProblem(const QString& id) {
  const Table& table = parts_.problems->model().table();
  const auto row = std::find(table.rowIds.begin(), table.rowIds.end(), id.toStdString());
  if (row == table.rowIds.end() || table.places.size() != table.rowIds.size()) return;
  const Place& place = table.places[size_t(row - table.rowIds.begin())];
  Document* document = runDocument();
  const QString file = qt(place.file);
  if (document && (file.isEmpty() || QFileInfo(file).fileName() == document->title())) {
    parts_.tabs->setCurrentWidget(document);
    if (place.line > 0) document->editor().goTo(place.line, std::max(1, place.column));
    document->setFocus();
  } else if (QFileInfo(file).isAbsolute()) {
    parts_.files->open(file, place.line, place.column);
  }
}

void RunFlow::nextProblem(int by) {
  if (!parts_.problems) return;
  TableModel& model = parts_.problems->model();
  const int count = model.rowCount();
  if (count == 0) return;
  const int row = model.rowOf(parts_.problems->selectedId());
  const std::string id = model.idAt(row < 0 ? (by > 0 ? 0 : count - 1) : (row + by + count) % count);
  parts_.problems->select(id);
  goToProblem(qt(id));
}

}  // namespace wb
