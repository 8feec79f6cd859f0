// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/text_label.h"

#include <QLabel>

namespace wb {

QLabel* textLabel(const QString& text, const char* style) {
  auto* made = new QLabel(text);
  made->setObjectName(QString::fromLatin1(style));
  made->setWordWrap(true);
  made->setTextFormat(Qt::PlainText);
  return made;
}

}  // namespace wb
