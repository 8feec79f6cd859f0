// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_flow.h"

#include <QFileInfo>
#include <QTabWidget>
#include <algorithm>

#include "core/base/text.h"
#include "core/jobs/evaluation/evaluation_job.h"
#include "core/model/languages.h"
#include "editor/diagnostics_layer.h"
#include "editor/kernel_editor.h"
#include "ui/details/details_view.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/files.h"
#include "ui/profile/profile_view.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/log_view.h"
#include "ui/run/profile_button.h"
#include "ui/run/run_bar.h"
#include "ui/settings/environments.h"
#include "ui/style/icon.h"
#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"
#include "ui/window/actions.h"
#include "ui/window/banner.h"
#include "ui/window/status_line.h"
#include "ui/window/window_parts.h"

#include <QAction>
#include <QTableView>

namespace wb {
namespace {

QString qt(const std::string& text) {
  return QString::fromStdString(text);
}

bool isIn(const Document& document, const QString& file) {
  const QString name = document.path().isEmpty() ? document.title() : document.path();
  return isSameFile(file.toStdString(), name.toStdString());
}

}  // namespace

RunFlow::RunFlow(const WindowParts& parts, RunController& controller, QObject* parent)
    : QObject(parent), parts_(parts), controller_(controller) {
  connect(&controller_, &RunController::runningChanged, this, [this](bool running) {
    parts_.actions->find(QStringLiteral("run.start"))->setEnabled(!running);
    parts_.actions->find(QStringLiteral("run.cancel"))->setEnabled(running);
    // This comes last, since a button takes its action's own icon whenever that changes.
    parts_.bar->setRunning(running);
    if (!running && !controller_.figures()) parts_.status->setProgress({}, 0, false);
  });
  connect(&controller_, &RunController::preparing, this,
          [this](const QString& text) { parts_.status->setProgress(text, 0, true); });
  connect(&controller_, &RunController::figuresChanged, this, &RunFlow::showFigures);
  connect(&controller_, &RunController::finished, this, &RunFlow::showEnd);
  connect(&controller_, &RunController::statusChanged, this, &RunFlow::showWorker);
  connect(&controller_, &RunController::refused, this, [this](const Error& error) {
    parts_.status->setProgress({}, 0, false);
    parts_.banner->tellOf(document_, Tone::bad, qt(describe(Error{error.stage, error.text, {}, error.place})),
                          qt(error.hint));
  });
}

void RunFlow::connectViews() {
  connect(parts_.problems, &TablePanel::activated, this, &RunFlow::goToProblem);
  connect(parts_.problems, &TablePanel::selected, this, &RunFlow::showDetails);
  connect(&parts_.results->cases(), &TablePanel::selected, this, &RunFlow::showDetails);
  connect(&parts_.results->cases(), &TablePanel::activated, this, [this](const QString& id) {
    showDetails(id);
    parts_.results->showDetails();
  });
  connect(parts_.details, &DetailsView::placeClicked, this, [this](const QString& file, int line) {
    goTo(Place{file.toStdString(), line, 0});
  });
  connect(parts_.details, &DetailsView::originClicked, this, &RunFlow::openOrigin);
  if (controller_.figures()) showFigures();
}

void RunFlow::start() {
  begin(parts_.bar->request());
}

// The case's definition has the seed and the origin of its values, so that it runs on the same inputs.
void RunFlow::runOnly() {
  const auto figures = controller_.figures();
  const OneCase key = parts_.details ? parts_.details->details().ofCase : OneCase{};
  Document* document = runDocument();
  if (!figures || !key || !document) {
    parts_.banner->tell(Tone::warning, tr("No case is selected."),
                        tr("Select a case in the results, and it can be run alone."));
    return;
  }
  parts_.tabs->setCurrent(document);
  const CaseRow& row = figures->report->kernels[key->kernel]->cases[key->index];
  JobRequest request = parts_.bar->request();
  request.cases = Suite{.name = tr("one case of %1").arg(qt(figures->report->suite)).toStdString(),
                        .cases = {row.definition},
                        .scoreTrivial = figures->report->checking.scoreTrivial};
  begin(std::move(request));
}

bool RunFlow::check() {
  JobRequest request = parts_.bar->request();
  request.stages.set(Stage::time, false);
  return begin(std::move(request));
}

void RunFlow::profile() {
  JobRequest request = parts_.bar->request();
  request.stages.add(Stage::profile);
  request.profile = parts_.bar->profiling().plan();
  request.profile.indices = chosenCases(request);
  if (begin(std::move(request)) && parts_.results) parts_.results->showPage(&parts_.results->profile());
}

void RunFlow::listFor(const std::string& architecture) {
  JobRequest request = parts_.bar->request();
  // Triton compiles what the checks launch.
  request.stages = {Stage::check, Stage::profile};
  request.profile = {};
  request.profile.sections.clear();
  request.profile.lines = request.profile.timeline = false;
  request.profile.cases = 0;
  request.profile.architecture = architecture;
  begin(std::move(request));
}

void RunFlow::sanitize(const std::string& tool) {
  JobRequest request = parts_.bar->request();
  request.sanitizer = tool;
  begin(std::move(request));
}

// The selected row is a case of the last run, so it means something only while the same is run again.
std::vector<std::uint32_t> RunFlow::chosenCases(const JobRequest& request) const {
  const Document* document = parts_.tabs->current();
  if (!parts_.results || !controller_.figures() || !document || document->id() != document_) return {};
  if (request_.cases || request.suite != request_.suite || request.op != request_.op ||
      request.dtype != request_.dtype)
    return {};
  const QString id = QString::fromStdString(parts_.results->cases().selectedId());
  if (!id.startsWith(QLatin1String("0/"))) return {};
  bool ok = false;
  const uint index = id.mid(2).toUInt(&ok);
  return ok ? std::vector<std::uint32_t>{index} : std::vector<std::uint32_t>{};
}

// The kernel in front, or the request of the evaluation server. While a suite or another text is in front
// that no kernel language takes, it is the kernel that ran last: one looks something up, and runs again.
Document* RunFlow::documentToRun() const {
  Document* current = parts_.tabs->current();
  if (!current) return nullptr;
  const std::string name = current->title().toStdString(), text = current->text().toStdString();
  if (detectLanguage(name, text) || isEvaluationRequest(name, text)) return current;
  Document* last = runDocument();
  return last ? last : current;
}

// Begins a run; says whether it began.
bool RunFlow::begin(JobRequest request) {
  Document* document = documentToRun();
  if (!document) {
    parts_.banner->tell(Tone::warning, tr("There is no kernel to run."),
                        tr("Press Ctrl+N for a template or a sample, or Ctrl+O to open a file."));
    return false;
  }
  if (controller_.running()) return false;
  parts_.banner->clear(document->id());
  document->editor().clearDiagnostics();
  document->editor().pointAt(0);
  document_ = document->id();
  diagnostics_ = 0;
  if (parts_.details) parts_.details->clearDetails();
  detailed_.clear();
  KernelSource kernel;
  kernel.path = (document->path().isEmpty() ? document->title() : document->path()).toStdString();
  kernel.text = document->bytes();
  parts_.status->setProgress(tr("Starting %1").arg(document->title()), 0, true);
  request_ = request;
  request.sources = {std::move(kernel)};
  controller_.setPython(pythonFor(*parts_.settings, document->environment()).toStdString());
  controller_.run(std::move(request), parts_.bar->place());
  return true;
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
  showStarting();
  showLostConnection();
  showDiagnostics();
  if (!parts_.results) return;  // the first run began before the views existed
  parts_.results->setFigures(figures);
  const std::shared_ptr<const Table> found = figures->figures.table("problems");
  parts_.problems->setTable(found);
  parts_.log->setReport(figures->report);
  // After a run the row that is still selected is looked at again.
  if (detailed_.empty() && !running) detailed_ = parts_.results->cases().selectedId();
  if (!detailed_.empty() && !running) showDetails(qt(detailed_));
  const int problems = int(found->rows.size());
  parts_.output->setTabIcon(0, icon(QStringLiteral("exclamation-triangle"),
                                    problems > 0 ? IconTone::warning : IconTone::secondary));
  parts_.output->setTabText(0, problems > 0 ? tr("Problems (%1)").arg(problems) : tr("Problems"));
  parts_.output->setTabIcon(0, icon(QStringLiteral("exclamation-triangle"),
                                    problems > 0 ? IconTone::warning : IconTone::secondary));
}

void RunFlow::showDiagnostics() {
  const Report& report = *controller_.figures()->report;
  Document* document = runDocument();
  if (!document || report.kernels.empty()) return;
  const std::vector<Diagnostic>& all = report.kernels[0]->diagnostics;
  if (all.size() == diagnostics_) return;
  diagnostics_ = all.size();
  document->editor().setDiagnostics(all);  // it shows only those of its own file
}

void RunFlow::showEnd() {
  if (controller_.showsEarlier()) return;  // what went wrong then was told then
  const Report& report = *controller_.figures()->report;
  if (report.failure) {
    parts_.banner->tellOf(document_, Tone::bad, qt(report.failure->text), qt(report.failure->hint),
                          tr("Run again"), [this] { start(); });
    return;
  }
  if (report.kernels.empty()) return;
  const KernelReport& kernel = *report.kernels[0];
  if (kernel.failure && parts_.output) parts_.output->setCurrentIndex(0);
  if (kernel.failure && kernel.diagnostics.empty())
    parts_.banner->tellOf(document_, Tone::bad, qt(kernel.failure->text), qt(kernel.failure->hint));
  else if (kernel.compiled && !kernel.compiled->note.empty())
    parts_.banner->tellOf(
        document_, Tone::neutral, qt(kernel.compiled->note),
        tr("The Build tab shows what the compiler made of it; Profile (F6) shows its machine code."));
}

void RunFlow::showWorker() {
  const WorkerStatus& status = controller_.status();
  const RunPlace& place = controller_.place();
  parts_.status->setWorker(status, {.device = parts_.bar->deviceTitle(),
                                    .place = place.targets.empty() ? QString() : titleOf(place),
                                    .isOneMachine = place.machines() < 2,
                                    .workers = controller_.workers()});
  showStarting();
  showLostConnection();
  if (status.state == WorkerStatus::State::failed)
    parts_.banner->tell(Tone::bad, qt(status.failure.text), qt(status.failure.hint), tr("Retry"),
                        [this] { controller_.retry(); });
}

// A run that waits for its worker says so, and why: Python takes seconds where nothing is cached yet. While
// its suite is made the worker starts beside it, and what is shown is how far the suite is.
void RunFlow::showStarting() {
  const auto figures = controller_.figures();
  const bool begun =
      figures && figures->report->outcome == Outcome::running && !figures->report->startedAt.empty();
  const bool waits = controller_.running() && !controller_.loading() && !begun;
  if (!waits || controller_.status().state != WorkerStatus::State::starting) return;
  // What the way to another machine waits for is told by the run itself.
  if (!controller_.place().targets.empty()) return;
  parts_.status->setProgress(controller_.wantsPython() ? tr("Starting Python…") : tr("Starting the worker…"),
                             0, true);
}

// While the worker cannot be reached nothing comes of its run, and what counts is how long it goes on. Of
// several machines the others go on, and how far they are is what counts.
void RunFlow::showLostConnection() {
  const std::string& lost = controller_.status().lostConnection;
  if (lost.empty() || !controller_.running() || controller_.place().machines() > 1) return;
  const auto figures = controller_.figures();
  parts_.status->setProgress(qt(lost), figures ? figures->fraction : 0, true);
}

void RunFlow::goToProblem(const QString& id) {
  // The cause is deepest in the traceback; the table only knows the case's own line in its suite.
  if (const auto figures = controller_.figures()) {
    const Document* document = runDocument();
    const std::vector<TraceFrame> frames = framesOf(traceOf(*figures->report, id.toStdString()));
    for (auto frame = frames.rbegin(); document && frame != frames.rend(); ++frame)
      if (isIn(*document, qt(frame->place.file))) return goTo(frame->place);
  }
  // What is wrong in another file, such as a header, is looked at from the details.
  const Place place = parts_.problems->model().placeOf(id.toStdString());
  const Document* document = runDocument();
  goTo(document && isIn(*document, qt(place.file)) ? place : Place{});
}

// Opens what a case was made from, or the header that a message is about, to be read only.
void RunFlow::openOrigin() {
  const Place origin = parts_.details->details().origin;
  const QString file = QFileInfo(qt(origin.file)).absoluteFilePath();
  const bool wasOpen = parts_.tabs->withPath(file) != nullptr;
  parts_.files->open(file, origin.line, origin.column, [this, file, wasOpen](bool ok) {
    Document* document = parts_.tabs->withPath(file);
    if (ok && document && !wasOpen) document->editor().setReadOnly(true);
  });
}

void RunFlow::goTo(const Place& place) {
  Document* document = runDocument();
  const QString file = qt(place.file);
  if (document && (file.isEmpty() || isIn(*document, file))) {
    parts_.tabs->setCurrent(document);
    if (place.line > 0) document->editor().goTo(place.line, std::max(1, place.column));
    document->setFocus();
  } else if (QFileInfo(file).isAbsolute()) {
    parts_.files->open(file, place.line, place.column);
  }
}

void RunFlow::showDetails(const QString& id) {
  detailed_ = id.toStdString();
  const auto figures = controller_.figures();
  if (!figures || detailed_.empty()) return;
  const std::optional<Details> details = detailsOf(*figures->report, detailed_);
  if (!details) return parts_.details->clearDetails();
  parts_.details->setDetails(*details);
  parts_.details->setElements(details->ofCase ? errorMaps(*figures->report, details->ofCase) : CellMaps{},
                              details->ofCase ? elementsTable(*figures->report, details->ofCase) : Table{});
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
