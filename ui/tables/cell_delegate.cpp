// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/cell_delegate.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/style/fonts.h"
#include "ui/style/theme.h"
#include "ui/tables/table_model.h"

namespace wb {
namespace {

void paintPill(QPainter& painter, const QRect& rect, const QString& text, const Theme& theme, Tone tone) {
  const QFontMetrics metrics = painter.fontMetrics();
  const int width = std::min(metrics.horizontalAdvance(text) + 14, rect.width() - 6);
  const QRectF pill(rect.left() + 5, rect.center().y() - 9, width, 19);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(toneBackground(theme, tone));
  painter.drawRoundedRect(pill, 9, 9);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(tone == Tone::neutral ? theme.secondary : toneColor(theme, tone));
  painter.drawText(pill, Qt::AlignCenter, metrics.elidedText(text, Qt::ElideRight, width - 8));
}

// The bar is soft and behind the number, whose contrast it must not reduce.
void paintBar(QPainter& painter, const QRect& cell, double share, const Theme& theme) {
  const QRectF room = QRectF(cell).adjusted(4, 3.5, -4, -4.5);
  QRectF bar = room;
  bar.setWidth(std::max(2.0, room.width() * std::min(share, 1.0)));
  QColor soft = theme.accent;
  soft.setAlphaF(theme.dark ? 0.26f : 0.17f);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(soft);
  painter.drawRoundedRect(bar, 2.5, 2.5);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

/// A bar from 1× to the ratio with its interval across it, on a logarithmic scale. What reaches farther ends
/// in a point.
class RatioBar {
 public:
  RatioBar(const QRect& cell, double span)
      : room_(QRectF(cell.left() + 8, cell.top(), CellDelegate::ratioBarWidth - 14, cell.height() - 1)),
        reach_(std::log(std::max(span, 1.001))) {}

  void paint(QPainter& painter, const Cell& cell, const Theme& theme) const {
    const double middle = room_.center().x(), y = room_.center().y();
    painter.setPen(theme.grid);
    painter.drawLine(QPointF(middle, room_.top()), QPointF(middle, room_.bottom()));
    if (std::isnan(cell.low) || std::isnan(cell.sort)) return;
    const double end = at(cell.sort), low = at(double(cell.low)), high = at(double(cell.high));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(cell.tone == Tone::good  ? theme.barGood
                     : cell.tone == Tone::bad ? theme.barBad
                                              : theme.barNeutral);
    if (isClipped(cell.sort)) {
      const double back = end > middle ? -5 : 5;
      painter.drawPolygon(QPolygonF(
          {{middle, y - 3.5}, {end + back, y - 3.5}, {end, y}, {end + back, y + 3.5}, {middle, y + 3.5}}));
    } else {
      painter.drawRect(
          QRectF(QPointF(std::min(middle, end), y - 3.5), QPointF(std::max(middle, end), y + 3.5)));
    }
    painter.setPen(QPen(theme.text, 1.2));
    painter.drawLine(QPointF(low, y), QPointF(high, y));
    if (!isClipped(double(cell.low))) painter.drawLine(QPointF(low, y - 3), QPointF(low, y + 3));
    if (!isClipped(double(cell.high))) painter.drawLine(QPointF(high, y - 3), QPointF(high, y + 3));
    painter.setRenderHint(QPainter::Antialiasing, false);
  }

 private:
  [[nodiscard]] bool isClipped(double ratio) const {
    return ratio <= 0 || std::abs(std::log(ratio)) > reach_ * 1.0001;
  }
  [[nodiscard]] double at(double ratio) const {
    const double share = ratio > 0 ? std::clamp(std::log(ratio) / reach_, -1.0, 1.0) : -1;
    return room_.center().x() + share * room_.width() / 2;
  }

  QRectF room_;
  double reach_;
};

const Cell& cellOf(const QModelIndex& index) {
  static const Cell none;
  const Cell* cell = static_cast<const TableModel*>(index.model())->cell(index);
  return cell ? *cell : none;
}

}  // namespace

void CellDelegate::setTable(const Table& table) {
  kinds_.clear();
  for (const Column& column : table.columns) kinds_.push_back(column.kind);
  span_ = table.span;
}

ColumnKind CellDelegate::kindOf(int column) const {
  return column >= 0 && column < int(kinds_.size()) ? kinds_[size_t(column)] : ColumnKind::text;
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
  if (event->type() != QEvent::ToolTip || !index.isValid())
    return QStyledItemDelegate::helpEvent(event, view, option, index);
  const QString text = index.data(Qt::DisplayRole).toString();
  const QString detail = index.data(Qt::ToolTipRole).toString();
  const QFontMetrics metrics(kindOf(index.column()) == ColumnKind::code ? codeFont(12) : option.font);
  const bool cut =
      text.contains(QLatin1Char('\n')) || metrics.horizontalAdvance(text) > option.rect.width() - 16;
  QStringList parts;
  if (cut) parts << text;
  if (!detail.isEmpty() && detail != text) parts << detail;
  QString tip = parts.join(QLatin1Char('\n')).toHtmlEscaped();
  tip.replace(QLatin1Char('\n'), QLatin1String("<br>"));
  // Rich text wraps; plain text would be as wide as its longest line.
  if (!tip.isEmpty()) tip = QStringLiteral("<qt>%1</qt>").arg(tip);
  QToolTip::showText(event->globalPos(), tip, view, option.rect);
  return true;
}

// How many rows of the same group stand above this one, as far as that matters.
int CellDelegate::placeInGroup(const QModelIndex& index) const {
  constexpr int most = 4;
  const QVariant name = index.sibling(index.row(), group_).data();
  int above = 0;
  while (above < most && index.sibling(index.row() - above - 1, group_).data() == name) ++above;
  return above;
}

// Paints a group's name; a long one goes on in the rows below, which have no name of their own.
void CellDelegate::paintGroup(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                              int line) const {
  const QString name = index.data(Qt::DisplayRole).toString();
  QFont strong = option.font;
  strong.setWeight(QFont::DemiBold);
  painter.setFont(strong);
  painter.setPen(themeOf(option.palette).text);
  const QRect rect = option.rect.adjusted(8, 0, -8, 0);
  const QFontMetrics metrics = painter.fontMetrics();
  const QModelIndex below = index.sibling(index.row() + 1, group_);
  QStringList lines{QString()};
  for (const QString& word : name.split(QLatin1Char(' '))) {
    const QString longer = lines.back().isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
    if (lines.back().isEmpty() || metrics.horizontalAdvance(longer) <= rect.width())
      lines.back() = longer;
    else
      lines << word;
  }
  if (line >= lines.size()) return;
  QString text = lines[line];
  if (below.data() != index.data() && line + 1 < lines.size()) text = lines.mid(line).join(QLatin1Char(' '));
  // A group of one row has no row below to go on in.
  if (metrics.horizontalAdvance(text) > rect.width() && rect.height() >= twoLineHeight)
    return paintInTwoLines(painter, rect, text);
  painter.drawText(rect, int(Qt::AlignLeft | Qt::AlignVCenter),
                   metrics.elidedText(text, Qt::ElideRight, rect.width()));
}

void CellDelegate::paintText(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                             const QString& text) const {
  const Theme& theme = themeOf(option.palette);
  QString first = text;
  if (const auto end = first.indexOf(QLatin1Char('\n')); end >= 0)
    first = first.left(end) + QStringLiteral(" …");
  const int flags = index.data(Qt::TextAlignmentRole).toInt() | Qt::TextSingleLine;
  const QRect rect = option.rect.adjusted(8, 0, -8, 0);
  painter.setPen(toneColor(theme, Tone(index.data(TableModel::toneRole).toInt())));
  if (kindOf(index.column()) == ColumnKind::code) painter.setFont(codeFont(12));
  if (kindOf(index.column()) == ColumnKind::name && option.rect.height() >= twoLineHeight &&
      painter.fontMetrics().horizontalAdvance(first) > rect.width())
    return paintInTwoLines(painter, rect, first);
  painter.drawText(rect, flags, painter.fontMetrics().elidedText(first, Qt::ElideRight, rect.width()));
}

QFont CellDelegate::smallFont(const QFont& usual) {
  QFont small = usual;
  const int pixels = QFontInfo(usual).pixelSize();
  small.setPixelSize(std::max(9, pixels * 11 / 13));
  return small;
}

// Two names that differ only at their ends look alike where both are cut. A name that fits on one line in
// smaller letters stands on one.
void CellDelegate::paintInTwoLines(QPainter& painter, const QRect& rect, const QString& text) const {
  const QFont font = smallFont(painter.font());
  if (!small_ || small_->font() != font) small_.emplace(font);
  painter.setFont(font);
  if (painter.fontMetrics().horizontalAdvance(text) <= rect.width())
    return painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
  const QByteArray bytes = text.toUtf8();
  const auto second = qsizetype(small_->halve({bytes.data(), size_t(bytes.size())}).second);
  const QFontMetrics metrics = painter.fontMetrics();
  const auto line = [&](const QByteArray& part, int top) {
    const QRect row(rect.left(), top, rect.width(), (rect.height() - 1) / 2);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip,
                     metrics.elidedText(QString::fromUtf8(part), Qt::ElideRight, rect.width()));
  };
  line(bytes.left(second).trimmed(), rect.top() + 1);
  line(bytes.mid(second), rect.top() + (rect.height() - 1) / 2);
}

void CellDelegate::paintCell(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                             const Cell& cell, int placeInGroup) const {
  const Theme& theme = themeOf(option.palette);
  const QString text = QString::fromStdString(cell.text);
  const ColumnKind kind = kindOf(index.column());
  if (cell.bar > 0) paintBar(painter, option.rect, cell.bar, theme);
  // A column that had to shrink has room for the number alone.
  const bool hasBar = kind == ColumnKind::ratio && !text.isEmpty() &&
                      option.rect.width() >= ratioBarWidth + option.fontMetrics.horizontalAdvance(text) + 16;
  if (hasBar) RatioBar(option.rect, span_).paint(painter, cell, theme);
  if (kind == ColumnKind::verdict && !text.isEmpty())
    paintPill(painter, option.rect, text, theme, cell.tone);
  else if (group_ >= 0 && index.column() == group_)
    // At the top of the view the name is repeated, so that the user always knows which group it is.
    paintGroup(painter, option, index,
               std::min(placeInGroup,
                        std::max(0, (option.rect.top() + option.rect.height() - 1) / option.rect.height())));
  else
    paintText(painter, option, index, text);
}

// The row at which the keyboard is has lines above and below it, and its present column is framed.
void CellDelegate::paintFocus(QPainter& painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
  const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
  if (!view || !view->hasFocus() || view->currentIndex().row() != index.row()) return;
  painter.setPen(themeOf(option.palette).accent);
  const QRect rect = option.rect.adjusted(0, 0, -1, -1);
  if (view->currentIndex() == index) return painter.drawRect(rect);
  painter.drawLine(rect.topLeft(), rect.topRight() + QPoint(1, 0));
  painter.drawLine(rect.bottomLeft(), rect.bottomRight() + QPoint(1, 0));
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  const Theme& theme = themeOf(option.palette);
  if (option.state & QStyle::State_Selected)
    painter->fillRect(option.rect, theme.selected);
  else if (option.state & QStyle::State_MouseOver)
    painter->fillRect(option.rect, theme.hover);
  const bool grouped = group_ >= 0;
  const int place = grouped ? placeInGroup(index) : 0;
  painter->save();
  if (isFaded_) painter->setOpacity(0.5);
  painter->setFont(option.font);
  painter->setBrush(Qt::NoBrush);
  paintCell(*painter, option, index, cellOf(index), place);
  QColor line = theme.border;
  line.setAlphaF(theme.dark ? 0.55f : 0.7f);
  painter->setPen(line);
  painter->setBrush(Qt::NoBrush);
  if (!grouped || index.column() != group_)
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
  if (grouped && place == 0 && index.row() > 0) {
    painter->setPen(theme.strongBorder);
    painter->drawLine(option.rect.topLeft(), option.rect.topRight());
  }
  paintFocus(*painter, option, index);
  painter->restore();
}

}  // namespace wb
