// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <string>

#include "core/figures/profile/case_facts.h"
#include "core/model/metrics/occupancy.h"

class QGridLayout;
class QLabel;
class QSpinBox;
class QToolButton;

namespace wb {

class OccupancyPlot;

/// The occupancy calculator: how many warps are resident with these threads, registers and shared bytes, what
/// keeps more of them out, and how that changes along each of the three.
class OccupancyPanel : public QWidget {
  Q_OBJECT
 public:
  explicit OccupancyPanel(QWidget* parent = nullptr);
  /// Sets the architecture, "sm_90", which is also used where it is not known.
  void setArchitecture(const std::string& architecture);
  /// Takes the numbers of a launch, and its architecture where that is known; "as launched" goes back to
  /// them.
  void setFootprint(const Footprint& footprint);
  [[nodiscard]] Occupancy occupancy() const;
  [[nodiscard]] QSpinBox& threads() const { return *threads_; }
  [[nodiscard]] QSpinBox& registers() const { return *registers_; }
  [[nodiscard]] QSpinBox& shared() const { return *shared_; }
  /// The result as text.
  [[nodiscard]] QString text() const;

 private:
  QSpinBox* addField(const QString& title, int low, int high, int step, int column);
  void refresh();
  void reset();

  MultiprocessorLimits limits_;
  std::string architecture_;
  Footprint launched_;
  QGridLayout* grid_;
  QSpinBox *threads_, *registers_, *shared_;
  OccupancyPlot *byThreads_, *byRegisters_, *byShared_;
  QLabel *title_, *value_, *detail_, *allowed_;
  QToolButton* back_;
};

}  // namespace wb
