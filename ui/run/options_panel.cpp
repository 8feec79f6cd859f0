// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/options_panel.h"

#include <QLabel>
#include <QScreen>
#include <algorithm>

#include "ui/style/text_label.h"

namespace wb {

OptionsPanel::OptionsPanel(int width, QWidget* parent)
    : QFrame(parent, Qt::Popup | Qt::FramelessWindowHint), column_(new QVBoxLayout(this)) {
  setObjectName(QStringLiteral("popup"));
  setFixedWidth(width);
  column_->setContentsMargins(16, 14, 16, 14);
  column_->setSpacing(4);
}

void OptionsPanel::openBelow(const QWidget& button) {
  // A layout's own size hint forgets that labels wrap.
  setFixedHeight(column_->heightForWidth(width()));
  QPoint at = button.mapToGlobal(QPoint(0, button.height() + 4));
  if (const QScreen* there = button.screen())
    at.setX(std::min(at.x(), there->availableGeometry().right() - width() - 8));
  move(at);
  show();
}

QLabel* OptionsPanel::heading(const QString& text) {
  auto* label = new QLabel(text);
  label->setObjectName(QStringLiteral("heading"));
  return label;
}

QLabel* OptionsPanel::hint(const QString& text, int indent) {
  QLabel* label = textLabel(text, "hint");
  label->setContentsMargins(indent, 0, 0, 4);
  return label;
}

}  // namespace wb
