// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/fonts.h"

#include <QDir>
#include <QFontDatabase>

namespace wb {

void loadFonts() {
  const QDir folder(QStringLiteral(":/fonts"));
  for (const QString& name :
       folder.entryList({QStringLiteral("*.ttf"), QStringLiteral("*.otf")}, QDir::Files))
    QFontDatabase::addApplicationFont(folder.filePath(name));
}

QFont textFont(int pixels, QFont::Weight weight) {
  QFont font(QStringLiteral("WB Sans"));
  font.setStyleHint(QFont::SansSerif);
  font.setPixelSize(pixels);
  font.setWeight(weight);
  return font;
}

QFont codeFont(int pixels, const QString& family) {
  QFont font(family.isEmpty() ? QStringLiteral("WB Mono") : family);
  font.setStyleHint(QFont::Monospace);
  font.setPixelSize(pixels);
  return font;
}

}  // namespace wb
