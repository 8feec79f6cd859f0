// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/code_view.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>

#include "ui/tables/table_model.h"
#include "ui/tables/table_panel.h"

namespace wb {

CodeView::CodeView(QWidget* parent)
    : QWidget(parent),
      instructions_(new TablePanel(tr("Machine code"))),
      ptx_(new TablePanel(tr("PTX"))),
      stack_(new QStackedLayout(this)) {
  stack_->setContentsMargins(0, 0, 0, 0);
  for (TablePanel* panel : {instructions_, ptx_}) {
    panel->addTool(buildChoice(panel, panel == ptx_));
    panel->setDense(true);
    connectPanel(panel);
    stack_->addWidget(panel);
  }
}

// Both panels have the two buttons in the same place, so that the buttons stay where they are.
QWidget* CodeView::buildChoice(TablePanel* panel, bool ptx) {
  auto* choice = new QWidget;
  choice->setObjectName(QStringLiteral("segments"));
  auto* row = new QHBoxLayout(choice);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  for (const bool other : {false, true}) {
    auto* button = new QToolButton;
    button->setObjectName(other ? QStringLiteral("lastSegment") : QStringLiteral("firstSegment"));
    button->setText(other ? tr("PTX") : tr("SASS"));
    button->setToolTip(other ? tr("What the compiler wrote for NVIDIA's assembler")
                             : tr("What the GPU runs, disassembled"));
    button->setCheckable(true);
    button->setChecked(other == ptx);
    button->setAccessibleName(tr("Show %1").arg(button->text()));
    connect(button, &QToolButton::clicked, panel, [this, button, other, ptx] {
      button->setChecked(other == ptx);
      choosePtx(other);
    });
    row->addWidget(button);
  }
  return choice;
}

void CodeView::connectPanel(TablePanel* panel) {
  connect(panel, &TablePanel::selected, this, [this, panel](const QString& id) {
    if (const Place place = panel->model().placeOf(id.toStdString()); place.line > 0) emit pointed(place);
  });
  connect(panel, &TablePanel::activated, this, [this, panel](const QString& id) {
    if (const Place place = panel->model().placeOf(id.toStdString()); place.line > 0) emit activated(place);
  });
}

void CodeView::setCode(const std::shared_ptr<const Table>& instructions,
                       const std::shared_ptr<const Table>& ptx) {
  instructions_->setTable(instructions);
  ptx_->setTable(ptx);
}

void CodeView::markLine(int line, const QString& file) {
  for (TablePanel* panel : {instructions_, ptx_}) panel->markLine(line, file);
}

void CodeView::choosePtx(bool ptx) {
  stack_->setCurrentWidget(ptx ? ptx_ : instructions_);
}

TablePanel& CodeView::shown() const {
  return stack_->currentWidget() == ptx_ ? *ptx_ : *instructions_;
}

}  // namespace wb
