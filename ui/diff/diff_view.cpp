// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diff/diff_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/diff/diff_model.h"
#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {
namespace {

/// Width of one column of line numbers and of the sign, in letters.
constexpr int numberLetters = 6, signLetters = 3;

class DiffDelegate : public QStyledItemDelegate {
 public:
  explicit DiffDelegate(QObject* parent) : QStyledItemDelegate(parent), code_(codeFont(12)) {}

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const QFontMetrics letters(code_);
    const bool isHead = index.data(DiffModel::kindRole).toInt() == int(DiffModel::Kind::hunk);
    return {letters.horizontalAdvance(index.data().toString()) + letters.averageCharWidth() * 20,
            letters.height() + (isHead ? 10 : 3)};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& theme = themeOf(option.palette);
    const auto kind = DiffModel::Kind(index.data(DiffModel::kindRole).toInt());
    const bool taken = index.data(DiffModel::takenRole).toBool();
    // What will be in the result stands on a tint, what will not is pale.
    const bool stays = kind == DiffModel::Kind::equal || (kind == DiffModel::Kind::mine && !taken) ||
                       (kind == DiffModel::Kind::theirs && taken);
    painter->save();
    painter->setFont(code_);
    const bool isChange = kind == DiffModel::Kind::mine || kind == DiffModel::Kind::theirs;
    if (isChange && stays)
      painter->fillRect(option.rect, kind == DiffModel::Kind::mine ? theme.warningSoft : theme.accentSoft);
    if (kind == DiffModel::Kind::hunk) painter->fillRect(option.rect, theme.hover);
    const int letter = painter->fontMetrics().averageCharWidth();
    QRect rest = option.rect.adjusted(letter, 0, 0, 0);
    if (kind == DiffModel::Kind::hunk) {
      const QRect box(rest.left(), rest.center().y() - 6, 13, 13);
      painter->setRenderHint(QPainter::Antialiasing);
      painter->setPen(taken ? theme.accent : theme.muted);
      painter->setBrush(taken ? theme.accent : theme.field);
      painter->drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
      if (taken) {
        painter->setPen(QPen(theme.onAccent, 1.6));
        painter->drawPolyline(QPolygonF({box.topLeft() + QPointF(3, 6.5), box.topLeft() + QPointF(5.5, 9),
                                         box.topLeft() + QPointF(10, 4)}));
      }
      painter->setFont(textFont(12));
      painter->setPen(theme.text);
      painter->drawText(rest.adjusted(22, 0, 0, 0), Qt::AlignVCenter | Qt::TextSingleLine,
                        index.data().toString());
    } else {
      painter->setPen(theme.muted);
      for (const int role : {int(DiffModel::mineLineRole), int(DiffModel::theirsLineRole)}) {
        const int line = index.data(role).toInt();
        if (line > 0)
          painter->drawText(QRect(rest.left(), rest.top(), letter * (numberLetters - 1), rest.height()),
                            Qt::AlignVCenter | Qt::AlignRight, QString::number(line));
        rest.setLeft(rest.left() + letter * numberLetters);
      }
      painter->setPen(stays ? theme.text : theme.muted);
      const QString sign = kind == DiffModel::Kind::mine     ? QStringLiteral("−")
                           : kind == DiffModel::Kind::theirs ? QStringLiteral("+")
                                                             : QString();
      painter->drawText(rest, Qt::AlignVCenter, sign);
      rest.setLeft(rest.left() + letter * signLetters);
      if (kind == DiffModel::Kind::skipped) painter->setFont(textFont(12));
      painter->drawText(rest, Qt::AlignVCenter | Qt::TextSingleLine, index.data().toString());
    }
    if (option.state & QStyle::State_HasFocus) {
      painter->setRenderHint(QPainter::Antialiasing, false);
      painter->setPen(theme.accent);
      painter->setBrush(Qt::NoBrush);
      painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
  }

 private:
  QFont code_;
};

}  // namespace

DiffView::DiffView(DiffModel& model, QWidget* parent) : QListView(parent), diff_(model) {
  setObjectName(QStringLiteral("diff"));
  setModel(&diff_);
  setItemDelegate(new DiffDelegate(this));
  setAccessibleName(tr("Differences"));
  setSelectionMode(QAbstractItemView::NoSelection);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  goToHunk(0);
}

void DiffView::goToHunk(int hunk) {
  const int row = diff_.rowOfHunk(hunk);
  if (row < 0) return;
  setCurrentIndex(diff_.index(row));
  scrollTo(diff_.index(row), QAbstractItemView::PositionAtCenter);
}

void DiffView::toggle(const QModelIndex& index) {
  const int hunk = index.data(DiffModel::hunkRole).toInt();
  if (index.isValid() && hunk >= 0) diff_.setTaken(hunk, !index.data(DiffModel::takenRole).toBool());
}

void DiffView::step(int by) {
  const int from = currentIndex().isValid() ? currentIndex().row() : -1;
  for (int row = from + by; row >= 0 && row < diff_.rowCount(); row += by)
    if (diff_.index(row).data(DiffModel::kindRole).toInt() == int(DiffModel::Kind::hunk))
      return goToHunk(diff_.index(row).data(DiffModel::hunkRole).toInt());
}

void DiffView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space) return toggle(currentIndex());
  if (event->key() == Qt::Key_N) return step(1);
  if (event->key() == Qt::Key_P) return step(-1);
  QListView::keyPressEvent(event);
}

void DiffView::mousePressEvent(QMouseEvent* event) {
  const QModelIndex at = indexAt(event->pos());
  setCurrentIndex(at);
  if (at.data(DiffModel::kindRole).toInt() == int(DiffModel::Kind::hunk)) toggle(at);
}

}  // namespace wb
