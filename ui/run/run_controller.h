// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/jobs/job_request.h"
#include "core/model/job.h"
#include "core/runner/remote/target_places.h"
#include "core/runner/runner.h"
#include "ui/targets/run_place.h"

namespace wb {

class FigureThread;
struct RunFigures;

/// Runs kernels: one runner for each place, made at first use, kept warm; that of a target only while the
/// target is chosen. Everything slow (suite, the way to another machine, events, figures) happens on other
/// threads; what reaches this one is at most thirty finished figures a second.
class RunController : public QObject {
  Q_OBJECT
 public:
  /// `python` is as for localLauncher().
  using MakeLauncher = std::function<std::unique_ptr<Launcher>(const std::string& python)>;
  /// As placesOf(); called in a thread of its own.
  using MakePlaces = std::function<Result<std::vector<WorkerPlace>>(
      const RunTarget&, int workers, const std::function<void(const std::string&)>& say,
      const std::stop_token&)>;
  explicit RunController(MakeLauncher makeLauncher, MakePlaces makePlaces = placesOf,
                         QObject* parent = nullptr);
  ~RunController() override;

  /// Sets the interpreter whose torch and packages are used; "" is the one that is found automatically. What
  /// is running goes on; the next run has new workers.
  void setPython(const std::string& python);
  [[nodiscard]] const std::string& python() const { return python_; }
  /// Whether workers that are made from now on make ready what strict judging needs.
  void setJudges(bool judges) { judges_ = judges; }
  /// Starts the workers of this place, so that the first run finds them.
  void warm(const RunPlace& place);
  /// Runs what is asked for. On this machine the interpreter is that of setPython(), elsewhere the target's.
  void run(JobRequest request, const RunPlace& place);
  void cancel();
  /// Shows a report of an earlier run as if it had just ended; does nothing while one is running.
  void show(std::shared_ptr<const Report> report);
  /// Whether what is shown came from show().
  [[nodiscard]] bool showsEarlier() const { return showsEarlier_; }
  /// Starts a new worker after a failure.
  void retry();
  [[nodiscard]] bool running() const { return stage_ != Stage::idle; }
  /// Whether the suite of the run is still being read or made; its progress comes by preparing().
  [[nodiscard]] bool loading() const { return stage_ == Stage::loading; }
  /// Whether the run under way needs a worker inside a Python interpreter, which takes a second more to
  /// start.
  [[nodiscard]] bool wantsPython() const { return running() && wantsPython_; }
  /// Whether the run under way compiles C++ against torch's headers, which are precompiled once.
  [[nodiscard]] bool wantsTorchHeaders() const { return running() && wantsTorchHeaders_; }
  [[nodiscard]] const WorkerStatus& status() const { return status_; }
  /// How many workers the status is about.
  [[nodiscard]] std::size_t workers() const { return place_.workers(); }
  /// The place that was used last, whose status is shown.
  [[nodiscard]] const RunPlace& place() const { return place_; }
  [[nodiscard]] std::shared_ptr<const RunFigures> figures() const { return figures_; }

 signals:
  void runningChanged(bool running);
  /// Says how far making the suite is.
  void preparing(const QString& text);
  void figuresChanged();
  /// The last figures of a run exist.
  void finished();
  /// The status of the workers at the place that was used last has changed.
  void statusChanged();
  /// The run could not even start: its suite is missing, …
  void refused(const wb::Error& error);

 private:
  enum class Stage { idle, loading, running };
  struct Mailbox;
  struct Workers;
  /// What a job needs that is found out in the background: the workers' places, where they are not there
  /// yet, and the job.
  struct Prepared;
  using Say = std::function<void(const std::string&)>;
  void choose(const RunPlace& place);
  [[nodiscard]] std::shared_ptr<Workers> workersAt(const RunPlace& place) const;
  std::shared_ptr<Workers> workersHere(const RunPlace& place);
  [[nodiscard]] std::vector<WorkerPlace> placesHere(const RunPlace& place) const;
  std::shared_ptr<Workers> makeWorkers(const RunPlace& place, std::vector<WorkerPlace> places);
  [[nodiscard]] Say teller(int generation);
  void retireWorkers();
  /// Ends other workers that share a device with this place, and those of targets that are not chosen.
  void retireOthers(const RunPlace& place);
  void takeStatus(const std::string& workers, const WorkerStatus& status);
  void submit(Job job, const std::shared_ptr<Workers>& workers);
  void collect();
  void setStage(Stage stage);

  MakeLauncher makeLauncher_;
  MakePlaces makePlaces_;
  std::string python_;
  bool judges_ = false, pythonChanged_ = false, wantsPython_ = false, wantsTorchHeaders_ = false;
  std::stop_source preparation_, warming_;
  /// The crews by their places.
  std::map<std::string, std::shared_ptr<Workers>> workers_;
  std::shared_ptr<Mailbox> mailbox_;
  RunPlace place_;
  /// The crew of the run under way.
  std::weak_ptr<Workers> runWorkers_;
  WorkerStatus status_;
  std::shared_ptr<const RunFigures> figures_;
  bool showsEarlier_ = false;
  Stage stage_ = Stage::idle;
  Runner::RunId runId_ = 0;
  /// The number of the run under way; what belongs to an earlier one is dropped.
  int generation_ = 0;
};

}  // namespace wb
