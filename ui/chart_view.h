// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>

#include "core/figures/figure.h"

class QLogValueAxis;
class QValueAxis;

namespace wb {

class BarOverlay;

/// The one chart view: horizontal bars with intervals on a logarithmic axis. Hover tells the numbers, a click
/// or the arrow keys pick a bar and so a row.
class ChartView : public QChartView {
  Q_OBJECT
 public:
  explicit ChartView(QWidget* parent = nullptr);
  void setBars(const BarChart& bars);
  [[nodiscard]] const BarChart& bars() const { return bars_; }
  void highlight(const std::string& rowId);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QRect barRect(int bar) const;  ///< in this widget, for tests

 signals:
  void picked(const QString& rowId);

 protected:
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void pick(int bar);
  void restyle();
  void fitAxis();
  [[nodiscard]] int labelWidth() const;

  BarChart bars_;
  QLogValueAxis* axis_;
  QValueAxis* rows_;
  BarOverlay* overlay_ = nullptr;
};

}  // namespace wb
