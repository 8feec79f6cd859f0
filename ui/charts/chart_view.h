// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>
#include <memory>

#include "ui/charts/chart_picture.h"
#include "ui/charts/drawing.h"

class QScrollBar;

namespace wb {

class ChartItem;

/// Shows a figure that is a chart; all charts of the window are such a view. The wheel zooms at the pointer,
/// dragging moves, a double click beside everything shows all of it again; + − 0 do the same. Where there are
/// more rows than fit the wheel scrolls them below an axis that stays, and zooms with Ctrl. Hovering or the
/// arrow keys tell what a mark is; a click, or Enter, leads to its case and its place. In charts of time
/// these choose the mark's time, dragging with Shift any stretch of it, and Escape none.
class ChartView : public QChartView {
  Q_OBJECT
 public:
  explicit ChartView(QWidget* parent = nullptr);
  ~ChartView() override;
  void setFigure(std::shared_ptr<const Figure> figure);
  [[nodiscard]] const Figure& figure() const { return *figure_; }
  /// Highlights the mark of a row.
  void highlight(const std::string& rowId);
  /// The mark that is highlighted; −1 is none.
  [[nodiscard]] int highlighted() const { return highlighted_; }

  /// Marks a stretch of time as chosen.
  void setChosen(const std::optional<Stretch>& chosen);
  [[nodiscard]] const std::optional<Stretch>& chosen() const { return chosen_; }

  [[nodiscard]] bool isZoomed() const;
  void resetZoom();
  /// Shows less (a factor below 1) or more around a place of this widget.
  void zoom(double factor, QPointF around);
  [[nodiscard]] const Scale& scaleX() const { return x_; }
  [[nodiscard]] const Scale& scaleY() const { return y_; }

  /// Where a mark is in this widget.
  [[nodiscard]] QRect markRect(int mark) const;
  [[nodiscard]] QScrollBar& rowScroll() const { return *scroll_; }
  /// The whole chart with all its rows, in the light theme, as it is zoomed now.
  [[nodiscard]] ChartPicture picture() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {240, 130}; }

 signals:
  /// A mark was chosen; the focus stays.
  void picked(const QString& rowId, const wb::Place& place);
  /// A stretch of time was chosen, or with nothing all of it.
  void stretchChosen(const std::optional<wb::Stretch>& stretch);
  /// The user wants to go to where a mark leads.
  void activated(const QString& rowId, const wb::Place& place);

 protected:
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  friend class ChartItem;
  [[nodiscard]] Canvas canvas() const;
  [[nodiscard]] QPointF toChart(QPointF position) const;
  void layOut();
  void refresh();
  void setHighlighted(int mark);
  void showWords(QPoint globalPosition);
  void step(int by);
  void bringIntoView(int mark);
  void moveBy(QPointF pixels);
  void choose(const std::optional<Stretch>& stretch);

  std::shared_ptr<const Figure> figure_;
  std::unique_ptr<Drawing> drawing_;
  ChartItem* item_;
  QScrollBar* scroll_;
  Scale x_, y_;
  int highlighted_ = -1;
  /// The keyboard came here by itself, so it must be seen.
  bool showsFocus_ = false;
  /// Where the button went down, and what was seen then.
  QPointF pressedAt_;
  bool isPressed_ = false, isDragging_ = false, isChoosing_ = false;
  std::optional<Stretch> chosen_;
};

}  // namespace wb
