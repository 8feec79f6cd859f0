// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

#include "ui/results/comparison.h"

namespace wb {

class CompareView;
class RunController;
struct WindowParts;

/// Keeps a few baselines, and compares every run that ends with the one that is chosen; the profile shows all
/// of them.
class CompareFlow : public QObject {
  Q_OBJECT
 public:
  CompareFlow(const WindowParts& parts, RunController& controller, QObject* parent = nullptr);
  /// A saved report becomes a baseline.
  void read(const QString& file);
  /// The present run becomes a baseline.
  void pin();
  /// Adds a baseline and chooses it; of too many the one that was added first goes.
  void addBaseline(Baseline baseline);
  /// Forgets the baseline that is chosen.
  void removeBaseline();
  void chooseBaseline(int index);
  [[nodiscard]] const std::vector<Baseline>& baselines() const { return baselines_; }
  /// The baseline that is chosen; null without one.
  [[nodiscard]] const Baseline* baseline() const;
  /// The view; nullptr before the first baseline.
  [[nodiscard]] CompareView* view() const { return view_; }

 signals:
  void baselineChanged();

 private:
  void compare();
  void showChosen();

  const WindowParts& parts_;
  RunController& controller_;
  /// In the order in which they were added.
  std::vector<Baseline> baselines_;
  int chosen_ = -1;
  CompareView* view_ = nullptr;
  int generation_ = 0;
};

}  // namespace wb
