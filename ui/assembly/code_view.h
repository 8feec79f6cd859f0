// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/figures/figure.h"

class QStackedLayout;
class QToolButton;

namespace wb {

class TablePanel;

/// Machine code of a kernel, or its PTX, with the source line of each instruction. Selecting one points to
/// its line in the editor; where the editor's caret stands, its instructions are tinted.
class CodeView : public QWidget {
  Q_OBJECT
 public:
  explicit CodeView(QWidget* parent = nullptr);
  void setCode(const std::shared_ptr<const Table>& instructions, const std::shared_ptr<const Table>& ptx);
  void markLine(int line, const QString& file);  ///< of the source; 0 none
  [[nodiscard]] TablePanel& instructions() const { return *instructions_; }
  [[nodiscard]] TablePanel& ptx() const { return *ptx_; }
  [[nodiscard]] TablePanel& shown() const;
  void choosePtx(bool ptx);

 signals:
  void pointed(const wb::Place& place);    ///< selected
  void activated(const wb::Place& place);  ///< double click or Enter

 private:
  void connectPanel(TablePanel* panel);
  QWidget* buildChoice(TablePanel* panel, bool ptx);

  TablePanel *instructions_, *ptx_;
  QStackedLayout* stack_;
};

}  // namespace wb
