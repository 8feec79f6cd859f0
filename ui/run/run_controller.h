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
  /// `python`: as for localLauncher().
  using MakeLauncher = std::function<std::unique_ptr<Launcher>(const std::string& python)>;
  explicit RunController(MakeLauncher makeLauncher, QObject* parent = nullptr);
  ~RunController() override;

  /// The interpreter whose torch and packages are used; "": the one found automatically. What is running goes
  /// on; the next run has new workers.
  void setPython(const std::string& python);
  [[nodiscard]] const std::string& python() const { return python_; }
  /// Starts the workers of these devices, so that the first run finds them.
  void warm(const std::vector<std::string>& devices);
  /// Runs what is asked for, on so many workers as there are devices: the same CPU several times, or several
  /// GPUs. The interpreter is the one of setPython().
  void run(JobRequest request, const std::vector<std::string>& devices);
  void cancel();
  void retry();  ///< a new worker after a failure
  [[nodiscard]] bool running() const { return stage_ != Stage::idle; }
  /// The run under way needs a worker inside a Python interpreter, which takes a second more to start.
  [[nodiscard]] bool wantsPython() const { return running() && wantsPython_; }
  /// The run under way compiles C++ against torch's headers, which are precompiled once.
  [[nodiscard]] bool wantsTorchHeaders() const { return running() && wantsTorchHeaders_; }
  [[nodiscard]] const WorkerStatus& status() const { return status_; }
  [[nodiscard]] std::size_t workers() const { return devices_.size(); }  ///< that the status is about
  [[nodiscard]] std::shared_ptr<const RunFigures> figures() const { return figures_; }

 signals:
  void runningChanged(bool running);
  void preparing(const QString& text);  ///< what making the suite is at
  void figuresChanged();
  void finished();                       ///< the last figures of a run are there
  void statusChanged();                  ///< of the worker of the device last used
  void refused(const wb::Error& error);  ///< the run could not even start: suite missing, …

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
  std::map<std::string, std::shared_ptr<Workers>> workers_;  ///< by their devices
  std::shared_ptr<Mailbox> mailbox_;
  std::vector<std::string> devices_;   ///< last used: whose status is shown
  std::weak_ptr<Workers> runWorkers_;  ///< of the run under way
  WorkerStatus status_;
  std::shared_ptr<const RunFigures> figures_;
  Stage stage_ = Stage::idle;
  Runner::RunId runId_ = 0;
  int generation_ = 0;  ///< of the run under way: what belongs to an earlier one is dropped
};

}  // namespace wb
