// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_controller.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <QThreadPool>
#include <algorithm>
#include <array>
#include <mutex>

#include "core/model/languages.h"
#include "core/runner/fleet.h"
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

// Who runs: one runner, or a fleet where there are several workers.
struct RunController::Crew : std::enable_shared_from_this<Crew> {
  using StatusListener = std::function<void(std::size_t member, const WorkerStatus&)>;

  Crew(std::vector<std::string> where, const std::function<std::unique_ptr<Launcher>()>& launcher,
       const StatusListener& listener)
      : devices(std::move(where)), statuses(devices.size()) {
    if (devices.size() == 1) {
      runner = std::make_unique<Runner>(launcher(), devices[0]);
      runner->onStatus([listener](const WorkerStatus& status) { listener(0, status); });
      return;
    }
    std::vector<FleetMember> members;
    for (const std::string& device : devices) members.push_back({launcher(), device});
    RunnerOptions options;
    options.warmSpare = false;  // the others go on meanwhile, and memory is for the cases
    fleet = std::make_unique<Fleet>(std::move(members), options);
    fleet->onStatus(listener);
  }
  void start() { runner ? runner->start() : fleet->start(); }
  void cancel(Runner::RunId run) { runner ? runner->cancel(run) : fleet->cancel(run); }
  Runner::RunId submit(Job job, Runner::Listener listener) {
    return runner ? runner->submit(std::move(job), std::move(listener))
                  : fleet->submit(std::move(job), std::move(listener));
  }
  // Of all: what any is busy with, and a failure only when nobody is left.
  [[nodiscard]] WorkerStatus status() const {
    using State = WorkerStatus::State;
    constexpr std::array order{State::busy, State::starting, State::ready, State::failed, State::stopped};
    WorkerStatus all;
    for (const State state : order) {
      const auto one = std::find_if(statuses.begin(), statuses.end(),
                                    [state](const WorkerStatus& s) { return s.state == state; });
      if (one == statuses.end()) continue;
      all = *one;
      break;
    }
    all.restarts = 0;
    for (const WorkerStatus& each : statuses) {
      all.restarts += each.restarts;
      if (all.target == Target{}) all.target = each.target;
    }
    return all;
  }

  const std::vector<std::string> devices;
  std::vector<WorkerStatus> statuses;  ///< of each member
  std::unique_ptr<Runner> runner;
  std::unique_ptr<Fleet> fleet;
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

// Ending a worker can take seconds.
void RunController::retireCrews() {
  devices_.clear();
  QThreadPool::globalInstance()->start([crews = std::exchange(crews_, {})]() mutable { crews.clear(); });
}

RunController::Crew& RunController::crewOf(const std::vector<std::string>& devices) {
  const std::string key = fmt::format("{}", fmt::join(devices, ","));
  if (!crews_.contains(key)) retireCrewsOn(devices.front());
  auto& crew = crews_[key];
  if (!crew) {
    const auto listener = [mailbox = mailbox_, key](std::size_t member, const WorkerStatus& status) {
      const std::lock_guard lock(mailbox->mutex);
      if (RunController* owner = mailbox->owner)
        QMetaObject::invokeMethod(
            owner, [owner, key, member, status] { owner->takeStatus(key, member, status); },
            Qt::QueuedConnection);
    };
    crew = std::make_shared<Crew>(
        devices, [this] { return makeLauncher_(python_); }, listener);
  }
  if (devices != devices_) {
    devices_ = devices;
    status_ = crew->status();
    emit statusChanged();
  }
  return *crew;
}

// Another number of workers on the same device: those that were there would only keep memory.
void RunController::retireCrewsOn(const std::string& device) {
  for (auto at = crews_.begin(); at != crews_.end();) {
    const bool same = at->second->devices.front() == device;
    auto here = at++;
    if (same && !(running() && here->second == runCrew_.lock()))
      QThreadPool::globalInstance()->start(
          [crew = std::move(crews_.extract(here).mapped())]() mutable { crew.reset(); });
  }
}

void RunController::takeStatus(const std::string& key, std::size_t member, const WorkerStatus& status) {
  const auto crew = crews_.find(key);
  if (crew == crews_.end()) return;
  crew->second->statuses[member] = status;
  if (crew->second->devices != devices_) return;
  const WorkerStatus now = crew->second->status();
  if (now == status_) return;
  status_ = now;
  emit statusChanged();
}

void RunController::warm(const std::vector<std::string>& devices) {
  if (!running() && std::exchange(pythonChanged_, false)) retireCrews();
  crewOf(devices).start();
}

void RunController::run(JobRequest request, const std::vector<std::string>& devices) {
  if (running()) return;
  if (std::exchange(pythonChanged_, false)) retireCrews();
  const int generation = ++generation_;
  wantsTorchHeaders_ = std::any_of(request.sources.begin(), request.sources.end(), compilesWithTorch);
  request.device = devices.front();
  request.python = python_;
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
        if (generation != generation_ || stage_ != Stage::loading) return;  // cancelled meanwhile
        if (job) return submit(std::move(*job), devices);
        setStage(Stage::idle);
        emit refused(job.error());
      });
}

void RunController::submit(Job job, const std::vector<std::string>& devices) {
  const int generation = generation_;
  wantsPython_ = needsPython(job);
  Crew& crew = crewOf(devices);
  runCrew_ = crew.weak_from_this();
  auto figureThread = std::make_shared<FigureThread>(
      [mailbox = mailbox_, generation](std::shared_ptr<const RunFigures> figures) {
        mailbox->post(std::move(figures), generation);
      });
  auto feed = std::make_shared<ReportFeed>(
      job, [figureThread](std::shared_ptr<const Report> report) { figureThread->take(std::move(report)); });
  setStage(Stage::running);
  emit statusChanged();  // a worker that was starting already now starts for this run
  runId_ = crew.submit(std::move(job), ReportFeed::listener(std::move(feed)));
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
  if (stage_ == Stage::loading) {
    preparation_.request_stop();
    return setStage(Stage::idle);
  }
  if (stage_ != Stage::running) return;
  if (const auto crew = runCrew_.lock()) crew->cancel(runId_);
}

void RunController::retry() {
  ++generation_;  // a run under way ends with its worker
  preparation_.request_stop();
  setStage(Stage::idle);
  const std::vector<std::string> devices = devices_;
  pythonChanged_ = false;
  retireCrews();
  if (!devices.empty()) warm(devices);
}

void RunController::setStage(Stage stage) {
  const bool was = running();
  stage_ = stage;
  if (stage == Stage::idle) wantsPython_ = false;
  if (was != running()) emit runningChanged(running());
}

}  // namespace wb
