// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/text_measure.h"

#include <cmath>

namespace wb {

TextMeasure::TextMeasure(const QFont& font) : font_(font), metrics_(font) {
  for (char32_t c = 32; c < plain_.size(); ++c) plain_[c] = float(metrics_.horizontalAdvance(QChar(c)));
}

float TextMeasure::letter(char32_t c) const {
  if (c < plain_.size()) return plain_[c];
  if (const auto known = others_.constFind(c); known != others_.constEnd()) return *known;
  const float width = float(metrics_.horizontalAdvance(QString::fromUcs4(&c, 1)));
  others_.insert(c, width);
  return width;
}

int TextMeasure::width(std::string_view text) const {
  float width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t c = length == 1 ? first : first & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      c = c << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    i += length;
    if (c == U'\n') {
      width += letter(U' ') + letter(U'…');
      break;
    }
    width += letter(c);
  }
  return int(std::ceil(width));
}

}  // namespace wb
