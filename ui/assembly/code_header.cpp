// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/code_header.h"

#include <QPainter>

#include "ui/style/fonts.h"
#include "ui/style/theme.h"

namespace wb {

CodeHeader::CodeHeader(QWidget* parent) : QWidget(parent) {
  setFont(textFont(11));
}

void CodeHeader::show(const PaneLook& look, const QString& language, const QString& unit) {
  look_ = look;
  language_ = language;
  unit_ = unit;
  setAccessibleName(unit.isEmpty() ? language : tr("%1, the margin shows %2").arg(language, unit));
  update();
}

void CodeHeader::paintEvent(QPaintEvent*) {
  const Theme& theme = themeOf(palette());
  QPainter painter(this);
  painter.fillRect(rect(), theme.window);
  painter.setPen(theme.border);
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
  painter.setPen(theme.secondary);
  const PaneColumns columns = RowPainter::columns(look_);
  const auto say = [&](int left, int width, Qt::Alignment side, const QString& words) {
    painter.drawText(QRect(left, 0, width, height() - 1), int(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(words, Qt::ElideRight, width));
  };
  if (look_.hasMarks) say(2, columns.marks - 8, Qt::AlignRight, unit_);
  say(columns.code, columns.lines - columns.code, Qt::AlignLeft, language_);
  say(columns.lines - 16, look_.width - columns.lines + 8, Qt::AlignRight, tr("line"));
}

}  // namespace wb
