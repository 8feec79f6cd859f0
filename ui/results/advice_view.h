// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <string>

#include "core/figures/figure.h"

class QVBoxLayout;

namespace wb {

/// The advice of a profile: one sentence per row with a mark for how serious it is, and a button for the line
/// to which it points.
class AdviceView : public QWidget {
  Q_OBJECT
 public:
  explicit AdviceView(QWidget* parent = nullptr);
  void setAdvice(std::shared_ptr<const Table> advice);

 signals:
  void placeClicked(const wb::Place& place);

 private:
  void fill();
  void addRow(const Cell& message, const QString& gain, const QString& where, const Place& place);

  std::shared_ptr<const Table> advice_;
  QVBoxLayout* column_;
};

}  // namespace wb
