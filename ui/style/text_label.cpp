// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/text_label.h"

#include <QLabel>
#include <QRegularExpression>
#include <QStyle>
#include <string>

namespace wb {

QLabel* textLabel(const QString& text, const char* style) {
  auto* made = new QLabel(text);
  made->setObjectName(QString::fromLatin1(style));
  made->setWordWrap(true);
  made->setTextFormat(Qt::PlainText);
  return made;
}

void setTone(QLabel& label, Tone tone) {
  label.setProperty("tone", QString::fromStdString(std::string(name(tone))));
  label.style()->unpolish(&label);
  label.style()->polish(&label);
}

QString unbrokenQuantities(QString text) {
  static const QRegularExpression blank(
      QStringLiteral("(?<=\\d) (?=(?:%|[nµm]?s|[kMGTP]?(?:FLOP|B)/s|[KMGTP]i?B|B|[kMGTP]|pt)(?!\\w))"),
      QRegularExpression::UseUnicodePropertiesOption);
  return text.replace(blank, QString(QChar::Nbsp));
}

}  // namespace wb
