// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/figures/cases/cell_map.h"

namespace wb {

/// Draws one slice of the map of an output's wrong elements. A cell is chosen by the pointer or by the arrow
/// keys, and is said in words.
class ErrorMapView : public QWidget {
  Q_OBJECT
 public:
  explicit ErrorMapView(QWidget* parent = nullptr);
  void setMap(const CellMap& map);
  /// Shows the slice at a cell of each dimension before the last two; -1: the worst of all.
  void setSlice(const std::vector<std::int64_t>& at);
  [[nodiscard]] const MapSlice& slice() const { return slice_; }
  /// The chosen cell in words; "" where none is chosen.
  [[nodiscard]] QString cellWords() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  /// A cell was chosen, by its row and column in the slice.
  void cellChosen(int row, int column);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QRectF area() const;
  [[nodiscard]] QPoint cellAt(QPointF point) const;
  void choose(QPoint cell);

  CellMap map_;
  MapSlice slice_;
  std::vector<std::int64_t> at_;
  /// The chosen cell, column and row; (-1, -1) for none.
  QPoint chosen_{-1, -1};
};

}  // namespace wb
