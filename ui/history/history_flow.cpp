// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_flow.h"

#include <QAction>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QPointer>
#include <algorithm>

#include "core/jobs/saved_report.h"
#include "ui/editing/files.h"
#include "ui/history/history_view.h"
#include "ui/results/compare_flow.h"
#include "ui/results/results_view.h"
#include "ui/results/run_figures.h"
#include "ui/run/run_controller.h"
#include "ui/settings/settings.h"
#include "ui/style/icon.h"
#include "ui/window/actions.h"
#include "ui/window/banner.h"
#include "ui/window/window_parts.h"

namespace wb {
namespace {

QString qt(const std::filesystem::path& path) {
  return QString::fromStdString(path.string());
}

}  // namespace

HistoryFlow::HistoryFlow(const WindowParts& parts, RunController& controller, CompareFlow& compare,
                         const std::filesystem::path& data, QObject* parent)
    : QObject(parent), parts_(parts), controller_(controller), compare_(compare), folder_(data / "history") {
  thread_.setMaxThreadCount(1);
  addActions();
  connect(&controller_, &RunController::finished, this, &HistoryFlow::keep);
  connect(&compare_, &CompareFlow::baselineChanged, this, [this] {
    // Baselines outlive the limits of the history.
    for (const QString& file : baselineFiles())
      if (QFileInfo(file).path() == qt(folder_))
        inOrder([folder = folder_,
                 id = QFileInfo(file).completeBaseName().toStdString()] { return pinRun(folder, id, true); },
                [this](const Result<void>&) { refresh(); });
    emit changed();
  });
}

// What is being written is finished first.
HistoryFlow::~HistoryFlow() {
  thread_.waitForDone();
}

template <class Work, class Done>
void HistoryFlow::inOrder(Work work, Done done) {
  QPointer<HistoryFlow> guard(this);
  thread_.start([guard, work = std::move(work), done = std::move(done)]() mutable {
    auto result = work();
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [guard, result = std::move(result), done = std::move(done)]() mutable {
          if (guard) done(std::move(result));
        },
        Qt::QueuedConnection);
  });
}

void HistoryFlow::addActions() {
  Actions& a = *parts_.actions;
  const QString report = tr("Report");
  a.add("report.open", report, tr("&Open report…"), "folder2-open", {}, [this] { openWithDialog(); });
  a.add("history.open", tr("History"), tr("&Show"), "eye", {}, [this] {
    if (const KeptRun* run = view_ ? view_->selected() : nullptr) open(qt(runFile(folder_, run->id)));
  });
  a.add("history.compare", tr("History"), tr("&Compare with it"), "layout-split", {},
        [this] { compareWithSelected(); });
  a.add("history.source", tr("History"), tr("Open its &source"), "file-earmark-code", {},
        [this] { openSource(); });
  a.add("history.pin", tr("History"), tr("&Keep or release"), "tag", {}, [this] { pinSelected(); });
  a.add("history.forget", tr("History"), tr("&Remove"), "trash", {}, [this] { forgetSelected(); });
  updateActions();
}

void HistoryFlow::connectViews() {
  Actions& a = *parts_.actions;
  view_ = new HistoryView({a.find("history.open"), a.find("history.compare"), a.find("history.source"),
                           a.find("history.pin"), a.find("history.forget"), a.find("report.open")});
  parts_.results->addTab(view_, icon(QStringLiteral("clock-history"), IconTone::secondary), tr("History"));
  connect(view_, &HistoryView::selectionChanged, this, &HistoryFlow::updateActions);
  connect(view_, &HistoryView::activated, a.find("history.open"), &QAction::trigger);
  refresh();
}

void HistoryFlow::updateActions() {
  const bool some = view_ && view_->selected();
  for (const char* id :
       {"history.open", "history.compare", "history.source", "history.pin", "history.forget"})
    parts_.actions->find(QString::fromLatin1(id))->setEnabled(some);
}

void HistoryFlow::keep() {
  const auto figures = controller_.figures();
  if (!figures || figures->report == opened_ || figures->report->kernels.empty()) {
    emit changed();
    return;
  }
  const HistoryLimits limits{
      parts_.settings->number("history/runs", HistoryLimits{}.runs),
      std::int64_t(parts_.settings->number("history/megabytes", int(HistoryLimits{}.bytes >> 20))) << 20};
  inOrder([folder = folder_, report = figures->report,
           limits] { return keepRun(folder, *report, QDateTime::currentMSecsSinceEpoch(), limits); },
          [this, report = figures->report](const Result<KeptRun>& kept) {
            if (!kept) return tell(kept.error());
            remember(report, qt(runFile(folder_, kept->id)));
            refresh();
            emit changed();
          });
}

void HistoryFlow::remember(const std::shared_ptr<const Report>& report, const QString& file) {
  std::erase_if(files_, [](const auto& each) { return each.first.expired(); });
  files_.emplace_back(report, file);
}

QString HistoryFlow::fileOf(const std::shared_ptr<const Report>& report) const {
  for (const auto& [known, file] : files_)
    if (known.lock() == report) return file;
  return {};
}

void HistoryFlow::refresh() {
  if (!view_) return;
  inOrder([folder = folder_] { return keptRuns(folder); },
          [this](std::vector<KeptRun> runs) { view_->setRuns(std::move(runs)); });
}

void HistoryFlow::openWithDialog() {
  const QString file = QFileDialog::getOpenFileName(qobject_cast<QWidget*>(parent()), tr("Open report"),
                                                    parts_.settings->text("export/folder"),
                                                    tr("Reports (*.json);;All files (*)"));
  if (!file.isEmpty()) open(file);
}

void HistoryFlow::open(const QString& file, const std::function<void()>& after) {
  inOrder([path = file.toStdString()] { return readSavedReport(path); },
          [this, file, after](Result<std::shared_ptr<const Report>> read) {
            if (!read) {
              tell(read.error());
            } else if (!controller_.running()) {
              opened_ = *std::move(read);
              remember(opened_, file);
              controller_.show(opened_);
            }
            if (after) after();
          });
}

void HistoryFlow::restore(const QString& report, const QStringList& baselines) {
  const auto readBaselinesToo = [this, baselines] {
    for (const QString& file : baselines)
      if (QFileInfo::exists(file)) addBaseline(file.toStdString());
  };
  if (report.isEmpty() || !QFileInfo::exists(report)) return readBaselinesToo();
  open(report, readBaselinesToo);
}

QString HistoryFlow::shownFile() const {
  const auto figures = controller_.figures();
  return figures ? fileOf(figures->report) : QString();
}

QStringList HistoryFlow::baselineFiles() const {
  QStringList files;
  for (const Baseline& one : compare_.baselines())
    files << (one.file.empty() ? fileOf(one.report) : QString::fromStdString(one.file));
  files.removeAll(QString());
  return files;
}

void HistoryFlow::compareWithSelected() {
  if (const KeptRun* run = view_ ? view_->selected() : nullptr) addBaseline(runFile(folder_, run->id));
}

// A kept run is named by its kernel and time, any other report by its file.
void HistoryFlow::addBaseline(const std::filesystem::path& file) {
  inOrder([file] { return readBaseline(file); },
          [this, isKept = file.parent_path() == folder_](Result<Baseline> read) {
            if (!read) return tell(read.error());
            if (isKept) read->name = baselineName(*read->report);
            compare_.addBaseline(*std::move(read));
          });
}

void HistoryFlow::pinSelected() {
  const KeptRun* run = view_ ? view_->selected() : nullptr;
  if (!run) return;
  inOrder([folder = folder_, id = run->id, pin = !run->pinned] { return pinRun(folder, id, pin); },
          [this](const Result<void>& done) {
            if (!done) tell(done.error());
            refresh();
          });
}

void HistoryFlow::forgetSelected() {
  const KeptRun* run = view_ ? view_->selected() : nullptr;
  if (!run) return;
  inOrder(
      [folder = folder_, id = run->id] {
        forgetRun(folder, id);
        return true;
      },
      [this](bool) { refresh(); });
}

void HistoryFlow::openSource() {
  const KeptRun* run = view_ ? view_->selected() : nullptr;
  if (!run) return;
  inOrder([file = runFile(folder_, run->id)] { return readSavedReport(file); },
          [this](const Result<std::shared_ptr<const Report>>& read) {
            if (!read) return tell(read.error());
            for (const auto& kernel : (*read)->kernels)
              parts_.files->create(QFileInfo(QString::fromStdString(kernel->source.path)).fileName(),
                                   QString::fromStdString(kernel->source.text));
          });
}

void HistoryFlow::tell(const Error& error) {
  parts_.banner->tell(Tone::bad, QString::fromStdString(error.text), QString::fromStdString(error.hint));
}

}  // namespace wb
