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

/// By this the workers of a place are known.
std::string keyOf(const RunPlace& place) {
  std::string key = fmt::format("{}", fmt::join(place.devices, ","));
  for (const RunTarget& target : place.targets)
    key += fmt::format(" {}:{}:{}", target.name, format(target), place.targetWorkers);
  return key;
}

bool shareDevice(const RunPlace& one, const RunPlace& other) {
  return std::ranges::find_first_of(one.devices, other.devices) != one.devices.end();
}

std::vector<RunTarget> elsewhere(const RunPlace& place) {
  std::vector<RunTarget> targets;
  for (const RunTarget& target : place.targets)
    if (target.kind != TargetKind::local) targets.push_back(target);
  return targets;
}

using Places = Result<std::vector<WorkerPlace>>;

/// The places of all targets, behind those that are there already.
Places withTargets(std::vector<WorkerPlace> places, const RunPlace& place,
                   const RunController::MakePlaces& make, const std::function<void(const std::string&)>& say,
                   const std::stop_token& stop) {
  for (const RunTarget& target : place.targets) {
    WB_TRY(std::vector<WorkerPlace> own, make(target, place.targetWorkers, say, stop));
    for (WorkerPlace& each : own) places.push_back(std::move(each));
  }
  numberJobs(places);
  return places;
}

/// Threads take values that can be copied.
template <class T>
std::shared_ptr<T> shared(T value) {
  return std::make_shared<T>(std::move(value));
}

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

// The workers at some place, and what was last heard of them.
struct RunController::Workers {
  RunPlace place;
  /// The device of the first.
  std::string device;
  Runner runner;
  WorkerStatus status;

  Workers(RunPlace where, std::vector<WorkerPlace> places, RunnerOptions options)
      : place(std::move(where)), device(places.front().device), runner(std::move(places), options) {}
};

struct RunController::Prepared {
  Result<Job> job;
  std::vector<WorkerPlace> places{};
};

RunController::RunController(MakeLauncher makeLauncher, MakePlaces makePlaces, QObject* parent)
    : QObject(parent),
      makeLauncher_(std::move(makeLauncher)),
      makePlaces_(std::move(makePlaces)),
      mailbox_(std::make_shared<Mailbox>()) {
  mailbox_->owner = this;
}

RunController::~RunController() {
  preparation_.request_stop();
  warming_.request_stop();
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
  place_ = {};
  QThreadPool::globalInstance()->start(
      [workers = std::exchange(workers_, {})]() mutable { workers.clear(); });
}

// Workers of a target may hold what others wait for, and those on the same device only keep memory.
void RunController::retireOthers(const RunPlace& place) {
  const std::string key = keyOf(place);
  for (auto at = workers_.begin(); at != workers_.end();) {
    const RunPlace& other = at->second->place;
    const bool isInTheWay = at->first != key && (!other.targets.empty() || shareDevice(other, place));
    auto here = at++;
    if (isInTheWay && !(running() && here->second == runWorkers_.lock()))
      QThreadPool::globalInstance()->start(
          [workers = std::move(workers_.extract(here).mapped())]() mutable { workers.reset(); });
  }
}

// From now on the status of this place is shown.
void RunController::choose(const RunPlace& place) {
  if (place == place_) return;
  warming_.request_stop();
  retireOthers(place);
  place_ = place;
  const std::shared_ptr<Workers> workers = workersAt(place);
  status_ = workers ? workers->status : WorkerStatus{};
  emit statusChanged();
}

std::shared_ptr<RunController::Workers> RunController::workersAt(const RunPlace& place) const {
  const auto found = workers_.find(keyOf(place));
  return found == workers_.end() ? nullptr : found->second;
}

std::shared_ptr<RunController::Workers> RunController::makeWorkers(const RunPlace& place,
                                                                   std::vector<WorkerPlace> places) {
  const std::string key = keyOf(place);
  RunnerOptions options;
  // Where there are several the others go on meanwhile, and memory is for the cases.
  options.warmSpare = places.size() == 1 && place.targets.empty();
  options.judges = judges_;
  auto made = std::make_shared<Workers>(place, std::move(places), options);
  workers_[key] = made;
  made->runner.onStatus([mailbox = mailbox_, key](const WorkerStatus& status) {
    const std::lock_guard lock(mailbox->mutex);
    if (RunController* owner = mailbox->owner)
      QMetaObject::invokeMethod(
          owner, [owner, key, status] { owner->takeStatus(key, status); }, Qt::QueuedConnection);
  });
  return made;
}

// Those of this machine are made at once.
std::shared_ptr<RunController::Workers> RunController::workersHere(const RunPlace& place) {
  if (auto there = workersAt(place)) return there;
  return makeWorkers(place, placesHere(place));
}

std::vector<WorkerPlace> RunController::placesHere(const RunPlace& place) const {
  std::vector<WorkerPlace> places;
  for (const std::string& device : place.devices) places.push_back({makeLauncher_(python_), device});
  return places;
}

void RunController::takeStatus(const std::string& key, const WorkerStatus& status) {
  const auto workers = workers_.find(key);
  if (workers == workers_.end()) return;
  workers->second->status = status;
  if (workers->second->place != place_ || status == status_) return;
  status_ = status;
  emit statusChanged();
}

// The way to another machine is found in the background, and what is wrong with it is the workers' failure.
void RunController::warm(const RunPlace& place) {
  if (!running() && std::exchange(pythonChanged_, false)) retireWorkers();
  choose(place);
  if (place.targets.empty()) return workersHere(place)->runner.start();
  if (const auto workers = workersAt(place)) return workers->runner.start();
  if (status_.state == WorkerStatus::State::starting) return;
  status_ = {};
  status_.state = WorkerStatus::State::starting;
  emit statusChanged();
  warming_ = {};
  inBackground(
      this,
      [place, here = shared(placesHere(place)), make = makePlaces_, stop = warming_.get_token()] {
        return shared(withTargets(std::move(*here), place, make, {}, stop));
      },
      [this, place](const std::shared_ptr<Places>& places) {
        // It may have been found by a run meanwhile, or another place is chosen.
        if (place != place_ || workersAt(place)) return;
        if (*places) return makeWorkers(place, std::move(**places))->runner.start();
        status_ = {};
        status_.state = WorkerStatus::State::failed;
        status_.failure = places->error();
        emit statusChanged();
      },
      networkThreads());
}

RunController::Say RunController::teller(int generation) {
  return [mailbox = mailbox_, generation](const std::string& text) {
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
}

void RunController::run(JobRequest request, const RunPlace& place) {
  if (running()) return;
  if (std::exchange(pythonChanged_, false)) retireWorkers();
  const int generation = ++generation_;
  showsEarlier_ = false;
  wantsTorchHeaders_ = std::any_of(request.sources.begin(), request.sources.end(), compilesWithTorch);
  const auto needsInterpreter = [](const KernelSource& source) {
    const Language* language = languageOf(source);
    return language != nullptr && language->needsPython;
  };
  choose(place);
  const std::shared_ptr<Workers> there = place.targets.empty() ? workersHere(place) : workersAt(place);
  // They start while the suite is read. Walls are made for a job, which is not there yet.
  if (there && !request.sandbox) there->runner.start(std::ranges::any_of(request.sources, needsInterpreter));
  request.python = python_;
  request.device = there ? there->device : std::string();
  preparation_ = {};
  SuiteProgress progress;
  progress.stop = preparation_.get_token();
  progress.onText = teller(generation);
  setStage(Stage::loading);
  inBackground(
      this,
      // A suite may have to be read, or made in half a minute, and the way to a target may be long.
      [request = std::move(request), progress = std::move(progress), place,
       here = shared(there ? std::vector<WorkerPlace>{} : placesHere(place)), make = makePlaces_]() mutable {
        auto prepared = std::make_shared<Prepared>(Prepared{Job{}});
        if (request.device.empty()) {
          auto places = withTargets(std::move(*here), place, make, progress.onText, progress.stop);
          if (!places) return prepared->job = places.error(), prepared;
          prepared->places = *std::move(places);
          request.device = prepared->places.front().device;
        }
        const std::vector<RunTarget> away = elsewhere(place);
        const bool isHere = !place.devices.empty() || away.size() < place.targets.size();
        // The values of opinfo are needed where the kernels run.
        if (!isHere)
          request.opinfoThere = [&](const std::string& device, const std::string& dtype) {
            return opinfoOn(away, device, dtype, progress.onText, progress.stop);
          };
        prepared->job = makeJob(request, progress);
        if (prepared->job && !away.empty())
          if (const Result<void> possible = checkElsewhere(*prepared->job, !isHere); !possible)
            prepared->job = possible.error();
        return prepared;
      },
      [this, generation, place](const std::shared_ptr<Prepared>& prepared) {
        if (generation != generation_ || stage_ != Stage::loading) return;  // it was cancelled meanwhile
        if (!prepared->job) {
          setStage(Stage::idle);
          emit refused(prepared->job.error());
          return;
        }
        std::shared_ptr<Workers> workers = place.targets.empty() ? workersHere(place) : workersAt(place);
        if (!workers) workers = makeWorkers(place, std::move(prepared->places));
        submit(std::move(*prepared->job), workers);
      },
      place.targets.empty() ? *QThreadPool::globalInstance() : networkThreads());
}

void RunController::submit(Job job, const std::shared_ptr<Workers>& workers) {
  const int generation = generation_;
  wantsPython_ = needsPython(job);
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
  const RunPlace place = place_;
  pythonChanged_ = false;
  retireWorkers();
  if (place.workers() > 0) warm(place);
}

void RunController::setStage(Stage stage) {
  const bool was = running();
  stage_ = stage;
  if (stage == Stage::idle) wantsPython_ = false;
  if (was != running()) emit runningChanged(running());
}

}  // namespace wb
