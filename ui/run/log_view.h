// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "core/model/report.h"

class QComboBox;
class QPlainTextEdit;

namespace wb {

/// Shows what worker, compiler and user code said in the last run, by source. It appends in slices, so that a
/// kernel that prints a megabyte does not hold up the window, and keeps only the last lines.
class LogView : public QWidget {
  Q_OBJECT
 public:
  explicit LogView(QWidget* parent = nullptr);
  void setReport(std::shared_ptr<const Report> report);
  [[nodiscard]] QPlainTextEdit& text() const { return *text_; }
  [[nodiscard]] QComboBox& filter() const { return *filter_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void restart();
  void appendSlice();

  std::shared_ptr<const Report> report_;
  /// The startedAt and kernels of the run that is shown, by which the next run is noticed.
  std::string run_;
  /// The first log entry that is not shown yet.
  std::size_t next_ = 0;
  QTimer slice_;
  QComboBox* filter_;
  QPlainTextEdit* text_;
};

}  // namespace wb
