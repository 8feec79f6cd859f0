// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>

#include "core/model/report.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace wb {

class Settings;

/// Writes a report in one of the formats, in the background, and opens it afterwards if the user wants it.
class ExportDialog : public QDialog {
  Q_OBJECT
 public:
  ExportDialog(std::shared_ptr<const Report> report, Settings& settings, QWidget* parent = nullptr);
  [[nodiscard]] QComboBox& format() const { return *format_; }
  [[nodiscard]] QLineEdit& file() const { return *file_; }
  [[nodiscard]] QString message() const;
  [[nodiscard]] QPushButton& exportButton() const { return *export_; }

 signals:
  void written(const QString& file);
  void failed(const QString& why);
  /// The file is there already; the next press of the button replaces it.
  void replaceAsked();

 private:
  void browse();
  void formatChanged();
  void write();
  void askToReplace(const QString& path);
  void forgetAnswer();
  void tell(const QString& text, bool bad);

  std::shared_ptr<const Report> report_;
  Settings& settings_;
  QComboBox* format_;
  QLineEdit* file_;
  QLabel* message_;
  QPushButton *export_, *open_;
  QString writtenFile_;
  /// The file of which the user knows that it is replaced.
  QString confirmed_;
};

}  // namespace wb
