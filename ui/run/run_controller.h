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
#include "core/runner/runner.h"

namespace wb {

class FigureThread;
struct RunFigures;

/// Runs kernels: one runner for each choice of devices, made at first use, kept warm. Everything slow
/// (suite, events, figures) happens on other threads; what reaches this one is at most thirty finished
/// figures a second.
class RunController : public QObject {
  Q_OBJECT
 public:
  /// `python` is as for localLauncher().
  using MakeLauncher = std::function<std::unique_ptr<Launcher>(const std::string& python)>;
  explicit RunController(MakeLauncher makeLauncher, QObject* parent = nullptr);
  ~RunController() override;

  /// Sets the interpreter whose torch and packages are used; "" is the one that is found automatically. What
  /// is running goes on; the next run has new workers.
  void setPython(const std::string& python);
  [[nodiscard]] const std::string& python() const { return python_; }
  /// Starts the workers of these devices, so that the first run finds them.
  void warm(const std::vector<std::string>& devices);
  /// Runs what is asked for, on as many workers as there are devices: the same CPU several times, or several
  /// GPUs. The interpreter is that of setPython().
  void run(JobRequest request, const std::vector<std::string>& devices);
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
  [[nodiscard]] std::size_t workers() const { return devices_.size(); }
  [[nodiscard]] std::shared_ptr<const RunFigures> figures() const { return figures_; }

 signals:
  void runningChanged(bool running);
  /// Says how far making the suite is.
  void preparing(const QString& text);
  void figuresChanged();
  /// The last figures of a run exist.
  void finished();
  /// The status of the worker on the device that was used last has changed.
  void statusChanged();
  /// The run could not even start: its suite is missing, …
  void refused(const wb::Error& error);

 private:
  enum class Stage { idle, loading, running };
  struct Mailbox;
  struct Workers;
  std::shared_ptr<Workers> workersOn(const std::vector<std::string>& devices);
  void retireWorkers();
  void retireWorkersOn(const std::string& device);
  void takeStatus(const std::string& workers, const WorkerStatus& status);
  void submit(Job job, const std::vector<std::string>& devices);
  void collect();
  void setStage(Stage stage);

  MakeLauncher makeLauncher_;
  std::string python_;
  bool pythonChanged_ = false, wantsPython_ = false, wantsTorchHeaders_ = false;
  std::stop_source preparation_;
  /// The crews by their devices.
  std::map<std::string, std::shared_ptr<Workers>> workers_;
  std::shared_ptr<Mailbox> mailbox_;
  /// The devices that were used last, whose status is shown.
  std::vector<std::string> devices_;
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
