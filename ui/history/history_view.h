// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "core/history/history.h"

class QAction;

namespace wb {

class TablePanel;

/// Lists the runs that are kept. What can be done with the selected one are buttons above it.
class HistoryView : public QWidget {
  Q_OBJECT
 public:
  explicit HistoryView(const QList<QAction*>& actions, QWidget* parent = nullptr);
  void setRuns(std::vector<KeptRun> runs);
  [[nodiscard]] const std::vector<KeptRun>& runs() const { return runs_; }
  /// The selected run; null when none is.
  [[nodiscard]] const KeptRun* selected() const;
  [[nodiscard]] TablePanel& table() const { return *table_; }

 signals:
  void selectionChanged();
  void activated();

 private:
  TablePanel* table_;
  std::vector<KeptRun> runs_;
};

}  // namespace wb
