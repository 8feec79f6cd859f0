// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "core/figures/figure.h"

class QHBoxLayout;
class QLabel;
class QSpinBox;
class QSplitter;

namespace wb {

class ElidingLabel;
class ErrorMapView;
class TablePanel;

/// The wrong elements of a failing case: a map over its output with a box for each dimension that chooses the
/// slice, and a table of elements.
class ElementsView : public QWidget {
  Q_OBJECT
 public:
  explicit ElementsView(QWidget* parent = nullptr);
  void setElements(const CellMap& map, std::shared_ptr<const Table> elements);
  [[nodiscard]] ErrorMapView& map() const { return *map_; }
  [[nodiscard]] TablePanel& table() const { return *table_; }
  /// The boxes that choose the slice, one for each dimension before the last two.
  [[nodiscard]] const std::vector<QSpinBox*>& slices() const { return slices_; }
  [[nodiscard]] QString cellWords() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildSlices();
  void sliceChanged();

  CellMap shown_;
  QSplitter* split_ = nullptr;
  ErrorMapView* map_;
  TablePanel* table_;
  QLabel* words_;
  /// What the chosen cell holds, beside the boxes for slices.
  ElidingLabel* cell_;
  QHBoxLayout* sliceRow_;
  std::vector<QSpinBox*> slices_;
};

}  // namespace wb
