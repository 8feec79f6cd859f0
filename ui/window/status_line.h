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
  /// Shows the status of the workers; `workers` says of how many.
  void setWorker(const WorkerStatus& status, const QString& device, std::size_t workers = 1);
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
