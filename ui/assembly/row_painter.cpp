// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/row_painter.h"

#include <algorithm>
#include <cmath>

#include "editor/band_layer.h"
#include "ui/assembly/code_colors.h"

namespace wb {
namespace {

constexpr int markLetters = 8, lineLetters = 5;

int markWidth(const PaneLook& pane) {
  return pane.hasMarks ? int(markLetters * pane.charWidth) + 4 : 4;
}
int lineWidth(double charWidth) {
  return int(lineLetters * charWidth) + 8;
}

QColor mixed(const QColor& a, const QColor& b, double share) {
  return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * share),
                          float(a.greenF() + (b.greenF() - a.greenF()) * share),
                          float(a.blueF() + (b.blueF() - a.blueF()) * share));
}

}  // namespace

RowPainter::RowPainter(QPainter& painter, const QPalette& palette, const QFont& font, const PaneLook& pane)
    : painter_(painter), theme_(themeOf(palette)), colors_(editorPaletteOf(theme_)), pane_(pane) {
  painter_.setFont(font);
}

int RowPainter::reserved(const PaneLook& pane) {
  return markWidth(pane) + int((pane.addressWidth + 3) * pane.charWidth) + lineWidth(pane.charWidth) + 12;
}

PaneColumns RowPainter::columns(const PaneLook& pane) {
  const int marks = markWidth(pane), address = int((pane.addressWidth + 1) * pane.charWidth);
  return {marks, address, marks + address + int(2 * pane.charWidth), pane.width - lineWidth(pane.charWidth)};
}

void RowPainter::background(const QRect& area) const {
  painter_.fillRect(area, colors_.background);
}

void RowPainter::text(int left, int top, const QString& words, const QColor& color, Qt::Alignment side,
                      int width) const {
  painter_.setPen(color);
  painter_.drawText(QRect(left, top, width, pane_.rowHeight),
                    int(side | Qt::AlignVCenter) | Qt::TextSingleLine, words);
}

void RowPainter::row(const CodeRow& row, const RowLook& look, const CodeMark* mark) const {
  const int height = pane_.rowHeight;
  const auto [marks, address, code, linesAt] = columns(pane_);
  const int lines = pane_.width - linesAt;
  QColor paper = look.band >= 0 ? bandColor(colors_, look.band) : colors_.background;
  if (look.change == RowLook::added) paper = mixed(colors_.background, theme_.accent, 0.22);
  if (look.change == RowLook::removed) paper = mixed(colors_.background, theme_.warning, 0.20);
  if (look.isMarked) paper = mixed(paper, theme_.accent, theme_.dark ? 0.22 : 0.16);
  if (look.isSelected) paper = colors_.selection;
  painter_.fillRect(marks, look.top, pane_.width - marks, height, paper);

  painter_.save();
  painter_.setClipRect(code, look.top, pane_.width - code - lines, height);
  this->code(row, look, code - pane_.scrolled);
  painter_.restore();

  if (mark) {
    const double warmth = std::sqrt(mark->share / std::max(pane_.hottest, 1e-9));
    painter_.fillRect(0, look.top, marks - 2, height,
                      mixed(colors_.background, colors_.heat, 0.08 + 0.52 * std::clamp(warmth, 0.0, 1.0)));
    text(0, look.top, QString::fromStdString(mark->text), theme_.text, Qt::AlignRight, marks - 6);
  }
  text(marks, look.top, QString::fromStdString(row.address), theme_.muted, Qt::AlignRight,
       address - int(pane_.charWidth) + 4);
  if (look.change != RowLook::same)
    text(marks + address, look.top, look.change == RowLook::added ? QStringLiteral("+") : QStringLiteral("−"),
         look.change == RowLook::added ? theme_.accent : theme_.warning, Qt::AlignHCenter,
         int(pane_.charWidth));
  if (row.line > 0 && !look.isSource)
    text(pane_.width - lines, look.top, QString::number(row.line), theme_.secondary, Qt::AlignRight,
         lines - 8);
  if (!look.isCurrent) return;
  painter_.setPen(pane_.hasFocus ? theme_.accent : theme_.secondary);
  painter_.drawRect(marks, look.top, pane_.width - marks - 1, height - 1);
}

void RowPainter::code(const CodeRow& row, const RowLook& look, int left) const {
  const QString words = QString::fromStdString(row.text);
  const bool quiet = row.kind != CodeRowKind::instruction && row.kind != CodeRowKind::label;
  const QColor ink = quiet ? theme_.muted : colors_.text;
  const auto piece = [&](int start, int length, const QColor& color) {
    painter_.setPen(color);
    painter_.drawText(
        QRectF(left + start * pane_.charWidth, look.top, length * pane_.charWidth + 4, pane_.rowHeight),
        int(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextSingleLine, words.mid(start, length));
  };
  // Places in bytes are places in letters only where every letter is a byte; other rows stay plain.
  const bool simple = std::size_t(words.size()) == row.text.size();
  if (quiet || !simple || look.isSource) return piece(0, int(words.size()), ink);
  const auto colorOf = [this, &ink](CodeToken token) {
    switch (token) {
      case CodeToken::opcode:
        return colors_.keyword;
      case CodeToken::reg:
        return colors_.type;
      case CodeToken::number:
        return colors_.number;
      case CodeToken::label:
        return colors_.function;
      case CodeToken::comment:
        return colors_.comment;
      case CodeToken::string:
        return colors_.string;
      case CodeToken::plain:
        break;
    }
    return ink;
  };
  int at = 0;
  for (const CodePart& part : codeParts(look.kind, row.text)) {
    if (part.start > at) piece(at, part.start - at, ink);
    piece(part.start, part.length, colorOf(part.token));
    at = part.start + part.length;
  }
  if (at < words.size()) piece(at, int(words.size()) - at, ink);
}

}  // namespace wb
