// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>

#include "core/figures/figure.h"

class QLineSeries;
class QLogValueAxis;
class QValueAxis;

namespace wb {

class BarOverlay;

/// Horizontal bars with intervals on a logarithmic axis, or of shares on a plain one. Hovering tells the
/// numbers; a click or the arrow keys choose a bar and so a row.
class ChartView : public QChartView {
  Q_OBJECT
 public:
  explicit ChartView(QWidget* parent = nullptr);
  void setBars(const BarChart& bars);
  [[nodiscard]] const BarChart& bars() const { return bars_; }
  void highlight(const std::string& rowId);
  [[nodiscard]] QSize sizeHint() const override;
  /// Where a bar is in this widget, for tests.
  [[nodiscard]] QRect barRect(int bar) const;

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
  void fitLogarithm();
  void fitShares();
  void chooseAxis();
  [[nodiscard]] int labelWidth() const;

  BarChart bars_;
  QLogValueAxis* axis_;
  QValueAxis *plain_, *rows_;
  /// mapToPosition needs a series to which both axes belong.
  QLineSeries* carrier_;
  BarOverlay* overlay_ = nullptr;
};

}  // namespace wb
