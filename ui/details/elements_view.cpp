// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/elements_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

#include "ui/details/error_map_view.h"
#include "ui/style/eliding_label.h"
#include "ui/tables/table_panel.h"

namespace wb {
namespace {

/// The least width at which the table stands beside the map, and the least height where it stands below.
constexpr int leastBeside = 520, leastStacked = 260;

}  // namespace

ElementsView::ElementsView(QWidget* parent)
    : QWidget(parent),
      map_(new ErrorMapView),
      table_(new TablePanel(tr("Wrong elements"))),
      words_(new QLabel),
      cell_(new ElidingLabel),
      sliceRow_(new QHBoxLayout) {
  auto* left = new QWidget;
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(12, 10, 8, 8);
  column->setSpacing(6);
  words_->setWordWrap(true);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words_->setFocusPolicy(Qt::NoFocus);
  cell_->setObjectName(QStringLiteral("hint"));
  cell_->setTextFormat(Qt::PlainText);
  cell_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  sliceRow_->setSpacing(6);
  column->addWidget(words_);
  column->addLayout(sliceRow_);
  column->addWidget(map_, 1);
  split_ = new QSplitter;
  split_->setChildrenCollapsible(false);
  split_->addWidget(left);
  split_->addWidget(table_);
  split_->setStretchFactor(0, 2);
  split_->setStretchFactor(1, 3);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(split_);
  connect(map_, &ErrorMapView::cellChosen, this, [this] { cell_->setText(cellWords()); });
}

void ElementsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool isBeside = width() >= leastBeside;
  if (const Qt::Orientation wanted = isBeside ? Qt::Horizontal : Qt::Vertical;
      split_->orientation() != wanted) {
    split_->setOrientation(wanted);
    // Beside each other the table needs more; one above the other the map does.
    split_->setSizes(isBeside ? QList<int>{2, 3} : QList<int>{3, 2});
  }
  setMinimumHeight(isBeside ? 0 : leastStacked);
}

QString ElementsView::cellWords() const {
  const QString words = map_->cellWords();
  return words.isEmpty() ? tr("Point at a cell, or use the arrow keys, to read it.") : words;
}

void ElementsView::setElements(const CellMap& map, std::shared_ptr<const Table> elements) {
  if (map != shown_) {
    shown_ = map;
    words_->setText(QString::fromStdString(map.words));
    map_->setMap(map);
    buildSlices();
    cell_->setText(cellWords());
  }
  table_->setTable(std::move(elements));
}

void ElementsView::buildSlices() {
  while (QLayoutItem* item = sliceRow_->takeAt(0)) {
    if (item->widget() != cell_) delete item->widget();
    delete item;
  }
  slices_.clear();
  for (std::size_t d = 0; d < sliceDimensions(shown_); ++d) {
    auto* box = new QSpinBox;
    box->setRange(-1, int(shown_.cells[d]) - 1);
    box->setSpecialValueText(tr("worst"));
    box->setValue(-1);
    box->setAccessibleName(tr("Slice of dimension %1").arg(d));
    box->setToolTip(tr("Which slice of dimension %1 is shown; below the first: the worst of all").arg(d));
    auto* label = new QLabel(tr("Dimension %1").arg(d));
    label->setBuddy(box);
    sliceRow_->addWidget(label);
    sliceRow_->addWidget(box);
    connect(box, &QSpinBox::valueChanged, this, &ElementsView::sliceChanged);
    slices_.push_back(box);
  }
  sliceRow_->addWidget(cell_, 1);
}

void ElementsView::sliceChanged() {
  std::vector<std::int64_t> at;
  for (const QSpinBox* box : slices_) at.push_back(box->value());
  map_->setSlice(at);
  cell_->setText(cellWords());
}

}  // namespace wb
