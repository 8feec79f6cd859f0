// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <stop_token>
#include <vector>

#include "core/doctor/doctor.h"

class QLabel;
class QPushButton;

namespace wb {

class TablePanel;

/// What this machine has of what kernels need: the lines of `warpbench doctor`, gathered in the background.
class DoctorPage : public QDialog {
  Q_OBJECT
 public:
  explicit DoctorPage(QWidget* parent = nullptr);
  ~DoctorPage() override;
  [[nodiscard]] TablePanel& table() const { return *table_; }
  [[nodiscard]] QString conclusionText() const;
  [[nodiscard]] bool isLooking() const { return looking_; }

 private:
  void look();
  void show(const std::vector<DoctorLine>& lines);

  TablePanel* table_;
  QLabel* conclusion_;
  QPushButton *again_, *copy_;
  std::stop_source stop_;
  QString text_;
  bool looking_ = false;
};

}  // namespace wb
