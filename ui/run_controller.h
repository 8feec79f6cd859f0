// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/model/job.h"
#include "core/runner/runner.h"

namespace wb {

class FigureThread;
struct RunFigures;

/// What the user chose beside the kernel.
struct RunChoices {
  std::string op;               ///< "" from the kernel
  std::string suite = "smoke";  ///< name or file
  std::string device = "cpu";
  double capSeconds = 1;  ///< TimingPlan::capSeconds
  bool time = true;       ///< false: check only
};

/// Runs kernels: one runner a device, made at first use, kept warm. Everything slow (suite, events, figures)
/// happens on other threads; what reaches this one is at most thirty finished figures a second.
class RunController : public QObject {
  Q_OBJECT
 public:
  using MakeLauncher = std::function<std::unique_ptr<Launcher>()>;
  explicit RunController(MakeLauncher makeLauncher, QObject* parent = nullptr);
  ~RunController() override;

  void warm(const std::string& device);  ///< starts the worker of a device, so that the first run finds it
  void run(KernelSource kernel, RunChoices choices);
  void cancel();
  void retry();  ///< a new worker after a failure
  [[nodiscard]] bool running() const { return stage_ != Stage::idle; }
  [[nodiscard]] const WorkerStatus& status() const { return status_; }
  [[nodiscard]] std::shared_ptr<const RunFigures> figures() const { return figures_; }

 signals:
  void runningChanged(bool running);
  void figuresChanged();
  void finished();                       ///< the last figures of a run are there
  void statusChanged();                  ///< of the worker of the device last used
  void refused(const wb::Error& error);  ///< the run could not even start: suite missing, …

 private:
  enum class Stage { idle, loading, running };
  struct Mailbox;
  Runner& runnerOf(const std::string& device);
  void submit(Job job);
  void collect();
  void setStage(Stage stage);

  MakeLauncher makeLauncher_;
  std::map<std::string, std::unique_ptr<Runner>> runners_;
  std::shared_ptr<Mailbox> mailbox_;
  std::string device_;     ///< last used: whose status is shown
  std::string runDevice_;  ///< of the run under way
  WorkerStatus status_;
  std::shared_ptr<const RunFigures> figures_;
  Stage stage_ = Stage::idle;
  Runner::RunId runId_ = 0;
  int generation_ = 0;  ///< of the run under way: what belongs to an earlier one is dropped
};

}  // namespace wb
