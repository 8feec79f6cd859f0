// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "core/model/report.h"

class QComboBox;
class QPlainTextEdit;

namespace wb {

/// What worker, compiler and user code said in the last run, by source. Appends in slices, so that a kernel
/// that prints a megabyte does not hold up the window, and keeps the last lines only.
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
  std::string run_;       ///< startedAt and kernels of the run shown, to notice the next one
  std::size_t next_ = 0;  ///< first log entry that is not shown yet
  QTimer slice_;
  QComboBox* filter_;
  QPlainTextEdit* text_;
};

}  // namespace wb
