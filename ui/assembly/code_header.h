// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include "ui/assembly/row_painter.h"

namespace wb {

/// Says above the rows of code what stands in each of their columns, and of what the numbers in the margin
/// are.
class CodeHeader : public QWidget {
  Q_OBJECT
 public:
  explicit CodeHeader(QWidget* parent = nullptr);
  /// `language` stands above the code, `unit` above the marks.
  void show(const PaneLook& look, const QString& language, const QString& unit);
  [[nodiscard]] QString unit() const { return unit_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  PaneLook look_;
  QString language_, unit_;
};

}  // namespace wb
