// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>

#include "core/runner/runner.h"

class QLabel;
class QProgressBar;

namespace wb {

class Document;

/// Bottom line: worker and target, where the run is, cursor and language.
class StatusLine : public QStatusBar {
  Q_OBJECT
 public:
  explicit StatusLine(QWidget* parent = nullptr);
  /// `workers`: how many the status is about.
  void setWorker(const WorkerStatus& status, const QString& device, std::size_t workers = 1);
  void setProgress(const QString& line, double fraction, bool running);
  void setDocument(const Document* document);  ///< nullptr: none
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
