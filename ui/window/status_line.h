// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>

#include "core/runner/runner.h"

class QLabel;
class QProgressBar;

namespace wb {

class Document;

/// The bottom line: worker and target, the progress of the run, cursor and language.
class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  explicit StatusLine(QWidget* parent = nullptr);
  /// Where the workers are whose status is shown.
  struct Where {
    /// What people call the device, until the worker says it.
    QString device{};
    /// "box", "cuda:0 and box"; "" is this machine alone.
    QString place{};
    /// Else what the first worker says of its device holds for that worker alone.
    bool isOneMachine = true;
    std::size_t workers = 1;
  };
  void setWorker(const WorkerStatus& status, const Where& where);
  void setProgress(const QString& line, double fraction, bool running);
  /// Shows a document's cursor and language; nullptr is none.
  void setDocument(const Document* document);
  [[nodiscard]] QString workerText() const;
  [[nodiscard]] QString progressText() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void paintDot();

  WorkerStatus::State state_ = WorkerStatus::State::stopped;
  QLabel *dot_, *worker_, *progress_, *cursor_, *language_;
  QProgressBar* bar_;
};

}  // namespace wb
