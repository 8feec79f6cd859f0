// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_controller.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <QThreadPool>
#include <algorithm>
#include <array>
#include <mutex>

#include "core/model/languages.h"
#include "core/runner/report_feed.h"
#include "core/suites/suites.h"
#include "ui/results/run_figures.h"
#include "ui/run/figure_thread.h"
#include "ui/style/background.h"

namespace wb {

namespace {

bool compilesWithTorch(const KernelSource& kernel) {
  const Language* language = languageOf(kernel);
  return language != nullptr && (language->id == "torch_cpp" || language->id == "torch_cuda");
}

}  // namespace

// Stands between the figure thread and the UI thread: holds the newest figures, and whether a signal is under
// way.
struct RunController::Mailbox {
  std::mutex mutex;
  std::shared_ptr<const RunFigures> newest;
  int newestGeneration = 0;
  bool signalled = false;
  RunController* owner = nullptr;  // this is cleared when the owner goes

  void post(std::shared_ptr<const RunFigures> figures, int generation) {
    const std::lock_guard lock(mutex);
    newest = std::move(figures);
    newestGeneration = generation;
    if (signalled || !owner) return;
    signalled = true;
    QMetaObject::invokeMethod(owner, &RunController::collect, Qt::QueuedConnection);
  }
};

// The workers on some devices, and what was last heard of them.
struct RunController::Workers {
  std::vector<std::string> devices;
  Runner runner;
  WorkerStatus status;

  Workers(std::vector<std::string> where, std::vector<WorkerPlace> places, RunnerOptions options)
      : devices(std::move(where)), runner(std::move(places), options) {}
};

RunController::RunController(MakeLauncher makeLauncher, QObject* parent)
    : QObject(parent), makeLauncher_(std::move(makeLauncher)), mailbox_(std::make_shared<Mailbox>()) {
  mailbox_->owner = this;
}

RunController::~RunController() {
  preparation_.request_stop();
  const std::lock_guard lock(mailbox_->mutex);
  mailbox_->owner = nullptr;
}

void RunController::setPython(const std::string& python) {
  if (python == python_) return;
  python_ = python;
  pythonChanged_ = true;
}

// Ends workers in the background, since that can take seconds.
void RunController::retireWorkers() {
  devices_.clear();
  QThreadPool::globalInstance()->start(
      [workers = std::exchange(workers_, {})]() mutable { workers.clear(); });
}

std::shared_ptr<RunController::Workers> RunController::workersOn(const std::vector<std::string>& devices) {
  const std::string key = fmt::format("{}", fmt::join(devices, ","));
  if (!workers_.contains(key)) retireWorkersOn(devices.front());
  auto& workers = workers_[key];
  if (!workers) {
    std::vector<WorkerPlace> places;
    for (const std::string& device : devices) places.push_back({makeLauncher_(python_), device});
    RunnerOptions options;
    // Where there are several the others go on meanwhile, and memory is for the cases.
    options.warmSpare = devices.size() == 1;
    workers = std::make_shared<Workers>(devices, std::move(places), options);
    workers->runner.onStatus([mailbox = mailbox_, key](const WorkerStatus& status) {
      const std::lock_guard lock(mailbox->mutex);
      if (RunController* owner = mailbox->owner)
        QMetaObject::invokeMethod(
            owner, [owner, key, status] { owner->takeStatus(key, status); }, Qt::QueuedConnection);
    });
  }
  if (devices != devices_) {
    devices_ = devices;
    status_ = workers->status;
    emit statusChanged();
  }
  return workers;
}

// Ends the other workers on the same device when their number has changed, since they would only keep memory.
void RunController::retireWorkersOn(const std::string& device) {
  for (auto at = workers_.begin(); at != workers_.end();) {
    const bool same = at->second->devices.front() == device;
    auto here = at++;
    if (same && !(running() && here->second == runWorkers_.lock()))
      QThreadPool::globalInstance()->start(
          [workers = std::move(workers_.extract(here).mapped())]() mutable { workers.reset(); });
  }
}

void RunController::takeStatus(const std::string& key, const WorkerStatus& status) {
  const auto workers = workers_.find(key);
  if (workers == workers_.end()) return;
  workers->second->status = status;
  if (workers->second->devices != devices_ || status == status_) return;
  status_ = status;
  emit statusChanged();
}

void RunController::warm(const std::vector<std::string>& devices) {
  if (!running() && std::exchange(pythonChanged_, false)) retireWorkers();
  workersOn(devices)->runner.start();
}

void RunController::run(JobRequest request, const std::vector<std::string>& devices) {
  if (running()) return;
  if (std::exchange(pythonChanged_, false)) retireWorkers();
  const int generation = ++generation_;
  showsEarlier_ = false;
  wantsTorchHeaders_ = std::any_of(request.sources.begin(), request.sources.end(), compilesWithTorch);
  request.device = devices.front();
  request.python = python_;
  const auto needsInterpreter = [](const KernelSource& source) {
    const Language* language = languageOf(source);
    return language != nullptr && language->needsPython;
  };
  // They start while the suite is read. Walls are made for a job, which is not there yet.
  if (!request.sandbox)
    workersOn(devices)->runner.start(std::ranges::any_of(request.sources, needsInterpreter));
  preparation_ = {};
  SuiteProgress progress;
  progress.stop = preparation_.get_token();
  progress.onText = [mailbox = mailbox_, generation](const std::string& text) {
    const std::lock_guard lock(mailbox->mutex);
    if (RunController* owner = mailbox->owner)
      QMetaObject::invokeMethod(
          owner,
          [owner, generation, said = QString::fromStdString(text)] {
            if (generation == owner->generation_ && owner->stage_ == Stage::loading)
              emit owner->preparing(said);
          },
          Qt::QueuedConnection);
  };
  setStage(Stage::loading);
  inBackground(
      this,
      // A suite may have to be read, or made in half a minute.
      [request = std::move(request), progress = std::move(progress)] { return makeJob(request, progress); },
      [this, generation, devices](Result<Job> job) {
        if (generation != generation_ || stage_ != Stage::loading) return;  // it was cancelled meanwhile
        if (job) return submit(std::move(*job), devices);
        setStage(Stage::idle);
        emit refused(job.error());
      });
}

void RunController::submit(Job job, const std::vector<std::string>& devices) {
  const int generation = generation_;
  wantsPython_ = needsPython(job);
  const std::shared_ptr<Workers> workers = workersOn(devices);
  runWorkers_ = workers;
  auto figureThread = std::make_shared<FigureThread>(
      [mailbox = mailbox_, generation](std::shared_ptr<const RunFigures> figures) {
        mailbox->post(std::move(figures), generation);
      });
  auto feed = std::make_shared<ReportFeed>(
      job, [figureThread](std::shared_ptr<const Report> report) { figureThread->take(std::move(report)); });
  setStage(Stage::running);
  emit statusChanged();  // a worker that was starting already starts for this run now
  runId_ = workers->runner.submit(std::move(job), ReportFeed::listener(std::move(feed)));
}

void RunController::collect() {
  std::shared_ptr<const RunFigures> newest;
  int generation = 0;
  {
    const std::lock_guard lock(mailbox_->mutex);  // both sides hold it only to exchange a pointer
    newest = std::move(mailbox_->newest);
    generation = mailbox_->newestGeneration;
    mailbox_->signalled = false;
  }
  if (!newest || generation != generation_) return;
  const bool last = newest->report->outcome != Outcome::running;
  std::shared_ptr<const RunFigures> old = std::exchange(figures_, std::move(newest));
  emit figuresChanged();
  if (old) QThreadPool::globalInstance()->start([old = std::move(old)] {});  // this frees it off this thread
  if (!last) return;
  setStage(Stage::idle);
  emit finished();
}

void RunController::cancel() {
  if (stage_ == Stage::loading) {
    preparation_.request_stop();
    return setStage(Stage::idle);
  }
  if (stage_ != Stage::running) return;
  if (const auto workers = runWorkers_.lock()) workers->runner.cancel(runId_);
}

void RunController::show(std::shared_ptr<const Report> report) {
  if (running()) return;
  inBackground(
      this, [report = std::move(report)] { return makeFigures(report); },
      [this, generation = ++generation_](std::shared_ptr<const RunFigures> figures) {
        if (generation != generation_) return;  // a run has begun meanwhile
        figures_ = std::move(figures);
        showsEarlier_ = true;
        emit figuresChanged();
        emit finished();
      });
}

void RunController::retry() {
  ++generation_;  // a run that is under way ends with its worker
  preparation_.request_stop();
  setStage(Stage::idle);
  const std::vector<std::string> devices = devices_;
  pythonChanged_ = false;
  retireWorkers();
  if (!devices.empty()) warm(devices);
}

void RunController::setStage(Stage stage) {
  const bool was = running();
  stage_ = stage;
  if (stage == Stage::idle) wantsPython_ = false;
  if (was != running()) emit runningChanged(running());
}

}  // namespace wb
