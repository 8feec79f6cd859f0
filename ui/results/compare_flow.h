// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "ui/results/comparison.h"

namespace wb {

class CompareView;
class RunController;
struct WindowParts;

/// Keeps a baseline, and compares every run that ends with it.
class CompareFlow : public QObject {
  Q_OBJECT
 public:
  CompareFlow(const WindowParts& parts, RunController& controller, QObject* parent = nullptr);
  /// A saved report becomes the baseline.
  void read(const QString& file);
  /// The present run becomes the baseline.
  void pin();
  void setBaseline(Baseline baseline);
  [[nodiscard]] const std::optional<Baseline>& baseline() const { return baseline_; }
  /// The view; nullptr before the first baseline.
  [[nodiscard]] CompareView* view() const { return view_; }

 signals:
  void baselineChanged();

 private:
  void compare();

  const WindowParts& parts_;
  RunController& controller_;
  std::optional<Baseline> baseline_;
  CompareView* view_ = nullptr;
  int generation_ = 0;
};

}  // namespace wb
