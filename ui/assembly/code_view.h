// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/figures/figure.h"

class QStackedLayout;
class QToolButton;

namespace wb {

class TablePanel;

/// The machine code of a kernel, or its PTX, with the source line of each instruction. Selecting an
/// instruction points to its line in the editor, and the instructions of the line where the editor's caret
/// stands are tinted.
class CodeView : public QWidget {
  Q_OBJECT
 public:
  explicit CodeView(QWidget* parent = nullptr);
  void setCode(const std::shared_ptr<const Table>& instructions, const std::shared_ptr<const Table>& ptx);
  /// Marks a line of the source; 0 is none.
  void markLine(int line, const QString& file);
  [[nodiscard]] TablePanel& instructions() const { return *instructions_; }
  [[nodiscard]] TablePanel& ptx() const { return *ptx_; }
  [[nodiscard]] TablePanel& shown() const;
  void choosePtx(bool ptx);

 signals:
  /// A place was selected.
  void pointed(const wb::Place& place);
  /// A place was double-clicked, or Enter was pressed on it.
  void activated(const wb::Place& place);

 private:
  void connectPanel(TablePanel* panel);
  QWidget* buildChoice(TablePanel* panel, bool ptx);

  TablePanel *instructions_, *ptx_;
  QStackedLayout* stack_;
};

}  // namespace wb
