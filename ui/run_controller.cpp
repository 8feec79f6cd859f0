// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_controller.h"

#include <QThreadPool>
#include <atomic>
#include <mutex>

#include "core/runner/report_feed.h"
#include "core/suites/suites.h"
#include "ui/background.h"
#include "ui/figure_thread.h"
#include "ui/run_figures.h"

namespace wb {

// Between the figure thread and the UI thread: the newest figures, and whether a signal is under way.
struct RunController::Mailbox {
  std::mutex mutex;
  std::shared_ptr<const RunFigures> newest;
  int newestGeneration = 0;
  bool signalled = false;
  RunController* owner = nullptr;  // cleared when it goes

  void post(std::shared_ptr<const RunFigures> figures, int generation) {
    const std::lock_guard lock(mutex);
    newest = std::move(figures);
    newestGeneration = generation;
    if (signalled || !owner) return;
    signalled = true;
    QMetaObject::invokeMethod(owner, &RunController::collect, Qt::QueuedConnection);
  }
};

RunController::RunController(MakeLauncher makeLauncher, QObject* parent)
    : QObject(parent), makeLauncher_(std::move(makeLauncher)), mailbox_(std::make_shared<Mailbox>()) {
  mailbox_->owner = this;
}

RunController::~RunController() {
  const std::lock_guard lock(mailbox_->mutex);
  mailbox_->owner = nullptr;
}

Runner& RunController::runnerOf(const std::string& device) {
  auto& runner = runners_[device];
  if (!runner) {
    runner = std::make_unique<Runner>(makeLauncher_(), device);
    runner->onStatus([mailbox = mailbox_, device](const WorkerStatus& status) {
      const std::lock_guard lock(mailbox->mutex);
      RunController* owner = mailbox->owner;
      if (!owner) return;
      QMetaObject::invokeMethod(
          owner,
          [owner, device, status] {
            if (device != owner->device_ || status == owner->status_) return;
            owner->status_ = status;
            emit owner->statusChanged();
          },
          Qt::QueuedConnection);
    });
  }
  if (device != device_) {
    device_ = device;
    status_ = {};
    emit statusChanged();
  }
  return *runner;
}

void RunController::warm(const std::string& device) {
  runnerOf(device).start();
}

void RunController::run(KernelSource kernel, RunChoices choices) {
  if (running()) return;
  const int generation = ++generation_;
  setStage(Stage::loading);
  inBackground(
      this,
      [kernel = std::move(kernel), choices = std::move(choices)]() mutable -> Result<Job> {
        Result<Suite> suite = loadSuite(choices.suite);
        if (!suite) return suite.error();
        Job job;
        job.kernels.push_back(std::move(kernel));
        job.kernels[0].op = choices.op;
        job.suite = suite->name;
        job.cases = std::move(suite->cases);
        job.stages.time = choices.time;
        job.timing.capSeconds = choices.capSeconds;
        job.device = choices.device;
        return job;
      },
      [this, generation](Result<Job> job) {
        if (generation != generation_ || stage_ != Stage::loading) return;  // cancelled meanwhile
        if (job) return submit(std::move(*job));
        setStage(Stage::idle);
        emit refused(job.error());
      });
}

void RunController::submit(Job job) {
  const int generation = generation_;
  runDevice_ = job.device;
  Runner& runner = runnerOf(job.device);
  auto figureThread = std::make_shared<FigureThread>(
      [mailbox = mailbox_, generation](std::shared_ptr<const RunFigures> figures) {
        mailbox->post(std::move(figures), generation);
      });
  auto feed = std::make_shared<ReportFeed>(
      job, [figureThread](std::shared_ptr<const Report> report) { figureThread->take(std::move(report)); });
  setStage(Stage::running);
  runId_ = runner.submit(std::move(job), ReportFeed::listener(std::move(feed)));
}

void RunController::collect() {
  std::shared_ptr<const RunFigures> newest;
  int generation = 0;
  {
    const std::lock_guard lock(mailbox_->mutex);  // held for a pointer's exchange only, on both sides
    newest = std::move(mailbox_->newest);
    generation = mailbox_->newestGeneration;
    mailbox_->signalled = false;
  }
  if (!newest || generation != generation_) return;
  const bool last = newest->report->outcome != Outcome::running;
  std::shared_ptr<const RunFigures> old = std::exchange(figures_, std::move(newest));
  emit figuresChanged();
  if (old) QThreadPool::globalInstance()->start([old = std::move(old)] {});  // freed off this thread
  if (!last) return;
  setStage(Stage::idle);
  emit finished();
}

void RunController::cancel() {
  if (stage_ == Stage::loading) return setStage(Stage::idle);
  if (stage_ != Stage::running) return;
  if (const auto runner = runners_.find(runDevice_); runner != runners_.end()) runner->second->cancel(runId_);
}

void RunController::retry() {
  ++generation_;  // a run under way ends with its worker
  setStage(Stage::idle);
  const std::string device = device_;
  auto failed = runners_.extract(device);
  // Ending a worker can take seconds.
  if (failed)
    QThreadPool::globalInstance()->start([runner = std::shared_ptr<Runner>(std::move(failed.mapped()))] {});
  device_.clear();
  warm(device);
}

void RunController::setStage(Stage stage) {
  const bool was = running();
  stage_ = stage;
  if (was != running()) emit runningChanged(running());
}

}  // namespace wb
